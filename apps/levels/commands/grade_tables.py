"""Grades on a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich import box
from rich.table import Table

from bsp_sat.apps.levels.alike import KnownBoards
from bsp_sat.apps.levels.figure import Figure, How
from bsp_sat.apps.levels.figure import number as figure_text
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.cli.screen import Screen, heading
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.writing import csv_text

NAME_WIDTH, COLUMN_WIDTH = 26, 10

Line = dict[str, Any]
"""The object in a JSON line of `bsp-sat grade`."""


def print_board(instance: Instance, line: Line) -> None:
    """Prints one board: a row for each measure, and changes that would help."""
    out = Screen()
    out.print(f"{heading(instance)}\n")
    out.print(f"{line['status'].capitalize()}. Class: {line['board_class'] or 'none'}.\n")
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("measure", overflow="fold")
    for column in ("figure", "percentile"):
        table.add_column(column, justify="right", overflow="fold")
    table.add_column("how it is known", overflow="fold")
    for name, grade in (line["grades"] or {}).items():
        figure = Figure.from_json(grade)
        percentile = "" if grade["percentile"] is None else f"{grade['percentile']:g}"
        table.add_row(name, figure_text(figure.value), percentile, figure.how_known)
    out.console.print(table)
    if line.get("what_if"):
        _print_what_if(line["what_if"])


def _print_what_if(what_if: Line) -> None:
    out = Screen()

    def say(key: str, words: str) -> None:
        if what_if[key] is not None:
            figure = Figure.from_json(what_if[key])
            value = figure.how_known if figure.value is None else figure_text(figure.value)
            out.print(f"{words}: {value}")

    say("min_empty", "Fewest empty tubes that are enough")
    say("one_more_saves", "Moves that one more empty tube saves")
    say("fewest_swaps", "Fewest swaps of two balls that make it solvable")
    for (tube, height), (other, other_height) in what_if["swaps"] or ():
        out.print(f"  ball {height + 1} of tube {tube + 1} with ball {other_height + 1} of tube {other + 1}")


def print_boards(lines: Sequence[tuple[Instance, Line]], measures: Sequence[str]) -> None:
    """Prints many boards, a row for each, in as many tables as the width needs.

    Estimates have a tilde; figures known only by bounds are question marks.
    """
    out = Screen().console
    fitting = max(1, (out.width - NAME_WIDTH) // COLUMN_WIDTH)
    for first in range(0, len(measures), fitting):
        table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
        shown = len(measures[first : first + fitting])
        room = max(NAME_WIDTH, out.width - shown * COLUMN_WIDTH)
        longest = max((len(printable(instance.name)) for instance, _ in lines), default=0)
        table.add_column("board", overflow="fold", min_width=min(longest, room - 2), max_width=room - 2)
        for measure in measures[first : first + fitting]:
            table.add_column(measure.replace("_", " "), justify="right", min_width=COLUMN_WIDTH - 2, overflow="fold")
        for instance, line in lines:
            cells = [_cell((line["grades"] or {}).get(measure)) for measure in measures[first : first + fitting]]
            table.add_row(printable(instance.name), *cells)
        out.print(table)


def print_csv(lines: Sequence[tuple[Instance, Line]], measures: Sequence[str], before: Mapping[str, Line]) -> None:
    """Prints a row for each board as CSV, with the figures of boards of the same name in another pack, if there are."""
    earlier = [f"{measure}_before" for measure in measures] if before else []
    rows: list[list[object]] = [["level", "name", "board", "class", "status", *measures, *earlier]]
    for number, (instance, line) in enumerate(lines, start=1):
        figures = [_value(line, measure) for measure in measures]
        old = [_value(before.get(instance.name), measure) for measure in measures] if before else []
        about = printable(instance.name), instance.puzzle.summary(), line["board_class"], line["status"]
        rows.append([number, *about, *figures, *old])
    click.echo(csv_text(rows), nl=False)


def print_twins(instances: Sequence[Instance], others: Sequence[Instance], against: str, *, err: bool) -> None:
    """Prints which levels of a pack are duplicates, in it or in another pack."""
    inside, outside = KnownBoards(), KnownBoards([each.puzzle for each in others])
    for number, instance in enumerate(instances, start=1):
        for known, where in ((inside, "of this pack"), (outside, f"of {against}")):
            if (twin := known.twin_of(instance.puzzle)) is not None:
                end = ", upside down" if twin.turned else ""
                said = f"Level {number} ({instance.name}) is level {twin.number + 1} {where}{end}."
                click.echo(printable(said), err=err)
        inside.add(instance.puzzle)


def print_changes(
    lines: Sequence[tuple[Instance, Line]],
    measures: Sequence[str],
    before: Mapping[str, Line],
    against: str,
    *,
    err: bool,
) -> None:
    """Prints which levels have become harder or easier than those of the same names in another pack."""
    for number, (instance, line) in enumerate(lines, start=1):
        ways: dict[str, list[str]] = {"harder": [], "easier": []}
        for measure in measures:
            new, old = _value(line, measure), _value(before.get(instance.name), measure)
            if new is not None and old is not None and new != old:
                way = "harder" if (new > old) != MEASURES[measure].easier else "easier"
                ways[way].append(f"{measure} {figure_text(old)} → {figure_text(new)}")
        for way, changes in ways.items():
            if changes:
                said = f"Level {number} ({instance.name}) is {way} than in {against}: {', '.join(changes)}."
                click.echo(printable(said), err=err)


def _value(line: Line | None, measure: str) -> float | None:
    found: float | None = ((line or {}).get("grades") or {}).get(measure, {}).get("value")
    return found


def _cell(grade: Line | None) -> str:
    if grade is None:
        return "-"
    figure = Figure.from_json(grade)
    value = figure.value
    words = figure_text(value) if value is None or value < 1e6 else f"{value / 1e6:,.1f} million"
    return f"~{words}" if figure.how is How.SAMPLED else words
