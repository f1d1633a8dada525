"""Plots of a pack of graded boards, drawn with matplotlib and readable in black and white."""

from collections.abc import Callable, Sequence
from math import ceil, isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import MaxNLocator

from bsp_sat.apps.levels.figure import Figure, How
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.reference import class_of, table_of
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.reading import as_json, parse_json
from bsp_sat.instances.text.words import short

PANELS_IN_A_ROW = 3
BINS = 20
FEW = 12  # boards drawn as a line each; of more, the distribution is drawn
WIDE = 1000.0  # ratio of largest to smallest from which an axis is logarithmic

Line = dict[str, Any]


def read_pack(text: str, where: str) -> list[Line]:
    """The lines of `bsp-sat grade --json` or `bsp-sat generate levels`; BoardError names a line that is neither."""
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{where}: line {number}"
        try:
            found = parse_json(line, number)
        except BoardError as error:
            raise BoardError(f"{where}: {error.where}" if error.where else place, error.problem) from None
        if not isinstance(found, dict) or not isinstance(found.get("grades"), dict):
            raise BoardError(place, 'expected a graded board, with "grades"')
        if "board_class" not in found:  # a board itself
            (board,) = parse_instances(line, place)
            if not isinstance(board.puzzle, SortPuzzle):
                raise BoardError(place, f"expected a sort board, found {board.puzzle.kind}")
            found["board_class"] = class_of(board.puzzle)
        if not isinstance(found["board_class"], str | None):
            raise BoardError(place, f"board_class: expected a name or null, found {as_json(found['board_class'])}")
        for measure, grade in found["grades"].items():
            if not _is_grade(grade):
                raise BoardError(place, f"grades.{short(measure)}: expected a grade, found {as_json(grade)}")
        lines.append(found)
    return lines


def _is_grade(value: Any) -> bool:
    """Whether a value is a grade as `Figure.to_json` writes it."""
    match value:
        case {"value": None | int() | float(), "how": "exact"}:
            figures = [value["value"]]
        case {"value": None | int() | float(), "how": "sampled" | "bounded", "interval": [low, high]}:
            figures = [value["value"], low, high]
        case _:
            return False
    return all(figure is None or (isinstance(figure, int | float) and isfinite(figure)) for figure in figures)


def figures_of(lines: Sequence[Line], measure: str) -> list[tuple[int, Figure]]:
    """The known figures, with the numbers of their levels, from 1."""
    return [
        (number, Figure.from_json(line["grades"][measure]))
        for number, line in enumerate(lines, start=1)
        if measure in line["grades"] and line["grades"][measure]["value"] is not None
    ]


def along_levels(lines: Sequence[Line]) -> Drawing | None:
    """Each measure along the levels, with intervals of sampled figures as bars."""

    def draw(axes: Axes, figures: list[tuple[int, Figure]], measure: str) -> None:
        numbers = [number for number, _ in figures]
        values = [_value(figure) for _, figure in figures]
        ends = [
            [max(0.0, value - _end_or(figure.low, value)) for value, (_, figure) in zip(values, figures, strict=True)],
            [max(0.0, _end_or(figure.high, value) - value) for value, (_, figure) in zip(values, figures, strict=True)],
        ]
        axes.errorbar(numbers, values, yerr=ends, color="black", ecolor="0.7", marker="o", markersize=3, linewidth=0.8)
        if _is_wide(values):
            axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("level")

    return _panels(lines, draw)


def against_class(lines: Sequence[Line]) -> Drawing | None:
    """Each measure of the pack (black lines) and of the boards of its class (grey bars)."""
    classes = {line["board_class"] for line in lines}
    table = table_of(next(iter(classes))) if len(classes) == 1 else None
    if table is None:
        return None

    def draw(axes: Axes, figures: list[tuple[int, Figure]], measure: str) -> None:
        how = figures[0][1].how
        values = [value for value, number in table.boards(measure, how) for _ in range(number)]
        pack = [_value(figure) for _, figure in figures]
        bins = _bin_edges(values + pack)
        if values:
            shares = [1 / len(values)] * len(values)
            axes.hist(values, bins=bins, weights=shares, color="0.8", edgecolor="0.6", linewidth=0.5)
        if len(pack) <= FEW:
            for value in pack:
                axes.axvline(value, color="black", linewidth=0.8)
        else:
            axes.hist(pack, bins=bins, weights=[1 / len(pack)] * len(pack), histtype="step", color="black")
        if _is_wide(values + pack):
            axes.set_xscale("log")
        axes.set_xlabel("share of boards" if how is How.EXACT else "share of boards, sampled figures")

    return _panels(lines, draw)


def _panels(lines: Sequence[Line], draw: Callable[[Axes, list[tuple[int, Figure]], str], None]) -> Drawing | None:
    known = {measure: figures_of(lines, measure) for measure in MEASURES}
    shown = {measure: figures for measure, figures in known.items() if figures}
    if not shown:
        return None
    rows = ceil(len(shown) / PANELS_IN_A_ROW)
    drawing = Drawing(figsize=(10, 2.3 * rows), layout="constrained")
    panels = list(drawing.subplots(rows, PANELS_IN_A_ROW, squeeze=False).flat)
    for axes, (measure, figures) in zip(panels, shown.items(), strict=False):
        draw(axes, figures, measure)
        axes.set_title(measure, fontsize=9)
        axes.tick_params(labelsize=8)
        axes.xaxis.label.set_size(8)
    for axes in panels[len(shown) :]:
        axes.set_axis_off()
    return drawing


def _value(figure: Figure) -> float:
    assert figure.value is not None
    return figure.value


def _end_or(end: float | None, value: float) -> float:
    return value if end is None else end


def _bin_edges(values: Sequence[float]) -> list[float]:
    """Edges of bins: one for each whole number if there are few, else equally wide ones on the drawn axis."""
    low, high = min(values), max(values)
    if all(value == int(value) for value in values) and high - low < 2 * BINS:
        return [low - 0.5 + step for step in range(int(high - low) + 2)]
    if _is_wide(values):
        return [low * (high / low) ** (place / BINS) for place in range(BINS + 1)]
    return [low + (high - low) * place / BINS for place in range(BINS + 1)]


def _is_wide(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) > WIDE * min(values)


PACK_FIGURES: dict[str, Callable[[Sequence[Line]], Drawing | None]] = {"levels": along_levels, "class": against_class}
"""The plots by file name; None if a pack has nothing to plot."""
