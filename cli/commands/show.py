"""`bsp-sat show`."""

import click

from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.options import FORMULAS, OneOf, ReadingOptions, board_argument, reading_options
from bsp_sat.cli.screen import Screen, heading
from bsp_sat.instances.errors import Unsupported, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.level_files import LEVEL_FILES, level_file
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.sorting.other_notations import NOTATIONS
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import json_text

BOARDS = ("json", "text", *LEVEL_FILES, *NOTATIONS)
"""The formats that can be read back."""


@click.command()
@board_argument
@reading_options
@click.option(
    "--format",
    "form",
    type=OneOf(["picture", *BOARDS], export=FORMULAS, draw=("png", "svg", "gif", "html")),
    default="picture",
    show_default=True,
    help="Output format. All but `picture` can be read back.",
)
def show(board: str, reading: ReadingOptions, form: str) -> None:
    """Draw every board of BOARD, or convert them: to JSON Lines, text, or as games and other programs store them.

    top-first is JSON with tubes from top to bottom, unity an object that Unity's JsonUtility reads; csv, c and csharp
    don't say which puzzle it is.
    """
    instances = load_boards(board, reading)
    if form in LEVEL_FILES:
        click.echo(level_file(instances, form), nl=False)
        return
    for index, instance in enumerate(instances):
        gap = "\n" if index else ""
        if form == "json":
            click.echo(json_text(instance.to_json()))
        elif form in NOTATIONS:
            if not isinstance(instance.puzzle, SortPuzzle):
                raise Unsupported(f"the notation {form} takes water-sort boards, not {instance.puzzle.kind}")
            click.echo(f"{gap}{NOTATIONS[form](instance.puzzle, printable(instance.name))}", nl=False)
        elif form == "text" and isinstance(instance.puzzle, SortPuzzle):
            click.echo(f"{gap}# {printable(instance.name)}\n{instance.puzzle.to_text()}", nl=False)
        elif form == "text":  # blank lines and comments would be part of the grid
            if len(instances) > 1:
                raise Unsupported(f"as text {instance.puzzle.kind} boards need a file each, use --format json")
            click.echo(instance.puzzle.to_text(), nl=False)
        else:
            _draw(instance)


def _draw(instance: Instance) -> None:
    out = Screen()
    puzzle = instance.puzzle
    out.show_board(heading(instance), puzzle)
    known = instance.known_answer
    claim = "" if known is None else f"; known answer: {known}"
    said = puzzle.stuck() or f"Every plan has at least {quantity(puzzle.lower_bound(), 'move')}"
    out.print(f"{said}{claim}.\n")
