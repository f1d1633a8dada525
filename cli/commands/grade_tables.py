"""Grades on a terminal."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table

from bsp_sat.cli.screen import Screen, heading
from bsp_sat.cli.terminal import console
from bsp_sat.grading.figure import Figure, How, number
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance

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
        table.add_row(name, number(figure.value), percentile, figure.how_known)
    out.console.print(table)
    if line.get("what_if"):
        _print_what_if(line["what_if"])


def _print_what_if(what_if: Line) -> None:
    out = Screen()

    def say(key: str, words: str) -> None:
        if what_if[key] is not None:
            figure = Figure.from_json(what_if[key])
            value = figure.how_known if figure.value is None else number(figure.value)
            out.print(f"{words}: {value}")

    say("min_empty", "Fewest empty tubes that are enough")
    say("one_more_saves", "Moves that one more empty tube saves")
    say("fewest_swaps", "Fewest swaps of two balls that make it solvable")
    for (tube, height), (other, other_height) in what_if["swaps"] or ():
        out.print(f"  ball {height + 1} of tube {tube + 1} with ball {other_height + 1} of tube {other + 1}")


def print_boards(lines: Sequence[tuple[Instance, Line]], measures: Sequence[str]) -> None:
    """Prints many boards, a row for each. Estimates have a tilde; figures known only by bounds are question marks.

    Measures that don't fit the width continue in another table.
    """
    out = console()
    fitting = max(1, (out.width - NAME_WIDTH) // COLUMN_WIDTH)
    for first in range(0, len(measures), fitting):
        table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
        table.add_column("board", overflow="fold", max_width=NAME_WIDTH - 2)
        for measure in measures[first : first + fitting]:
            table.add_column(measure.replace("_", " "), justify="right", min_width=COLUMN_WIDTH - 2, overflow="fold")
        for instance, line in lines:
            cells = [_cell((line["grades"] or {}).get(measure)) for measure in measures[first : first + fitting]]
            table.add_row(printable(instance.name), *cells)
        out.print(table)


def _cell(grade: Line | None) -> str:
    if grade is None:
        return "-"
    figure = Figure.from_json(grade)
    short = f"{figure.value:.2g}" if figure.value is not None and figure.value >= 1e6 else number(figure.value)
    return f"~{short}" if figure.how is How.SAMPLED else short
