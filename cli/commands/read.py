"""`bsp-sat read`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bsp_sat.cli.exits import EXIT_BAD_INPUT, EXIT_UNKNOWN
from bsp_sat.instances.errors import BoardError, BspSatError, Unsupported, printable
from bsp_sat.instances.text.writing import json_text, write_file
from bsp_sat.screenshots.corrections import KINDS, RowByHand, need_pictures, parse_correction, parse_row

if TYPE_CHECKING:
    from bsp_sat.screenshots.loaded import Loaded


class Correction(click.ParamType[tuple[int, int, str]]):
    """Parses TUBE:CELL=COLOUR, counted from 1, into numbers from 0 and a colour."""

    name = "correction"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int, str]:
        """Parses a correction, for click."""
        try:
            return parse_correction(str(value))
        except Unsupported as error:
            self.fail(str(error), param, ctx)


class Frame(click.ParamType[RowByHand]):
    """Parses LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS into a row."""

    name = "row"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> RowByHand:
        """Parses a row, for click."""
        try:
            return parse_row(str(value))
        except Unsupported as error:
            self.fail(str(error), param, ctx)


@click.command()
@click.argument("pictures", metavar="PICTURE…", nargs=-1)
@click.option("--clipboard", is_flag=True, help="Read the picture on the clipboard.")
@click.option("--puzzle", type=click.Choice(KINDS), help="Kind of puzzle.  [default: recognised from the picture]")
@click.option(
    "--row",
    "rows",
    type=Frame(),
    multiple=True,
    metavar="LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS",
    help="Say where a row of tubes is: the pixels of a frame through the middles of its corner cells, the number of "
    "tubes, and the cells of each tube. Once for each row, from the top.",
)
@click.option(
    "--set",
    "corrections",
    type=Correction(),
    multiple=True,
    metavar="TUBE:CELL=COLOUR",
    help="Correct a cell. Tubes count from 1, row by row; cells from 1, bottom up. - removes the top cell.",
)
@click.option(
    "--overlay",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT.png",
    help="Write the picture with the recognised cells drawn over it.",
)
@click.option(
    "--explain",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write pictures of what each step finds, also where no board is found: regions, stacks, tubes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on a terminal too.")
@click.pass_context
def read(
    ctx: click.Context,
    pictures: tuple[str, ...],
    clipboard: bool,
    puzzle: str | None,
    rows: tuple[RowByHand, ...],
    corrections: tuple[tuple[int, int, str], ...],
    target: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Read the board that each PICTURE shows: PNG, JPEG or WebP, from a file or "-" for standard input.

    Prints a line of JSON for each picture, a board with places and confidences; on a terminal, draws the board. Exit
    code: 0 all boards are certain, 3 one is doubtful (its JSON has "sure": false, and standard error has the reasons),
    2 one can't be read.
    """
    need_pictures()
    count = len(pictures) + clipboard
    if not count:
        raise click.UsageError("expected a PICTURE, or --clipboard")
    if count > 1 and (corrections or rows or target is not None or folder is not None):
        raise Unsupported("--row, --set, --overlay and --explain take one picture")
    from bsp_sat.cli.commands.read_drawing import print_reading
    from bsp_sat.screenshots.board import corrected
    from bsp_sat.screenshots.clipboard import clipboard_picture
    from bsp_sat.screenshots.loading import load_picture
    from bsp_sat.screenshots.overlay import overlay
    from bsp_sat.screenshots.reading import read_loaded, read_rows

    drawn = sys.stdout.isatty() and not as_json
    codes = {0}
    for name in [*pictures, *([None] if clipboard else [])]:
        label = "the clipboard" if name is None else name
        try:
            loaded = clipboard_picture() if name is None else load_picture(name)
            if folder is not None:
                _explain(loaded, folder)
            found = read_rows(loaded, rows, puzzle) if rows else read_loaded(loaded, puzzle)
            board = corrected(found, corrections)
        except FileNotFoundError:
            codes.add(_failed(f"{label}: no such file"))
            continue
        except BspSatError as error:
            codes.add(_failed(str(error)))
            continue
        if drawn:
            print_reading(label, board)
        else:
            click.echo(json_text({"name": Path(label).name, **board.to_json()}))
        if not board.sure:
            click.echo(f"Doubtful: {printable(label)}: {'; '.join(board.reasons())}", err=True)
            codes.add(EXIT_UNKNOWN)
        if target is not None:
            try:
                write_file(target, overlay(loaded, board))
            except BoardError as error:
                codes.add(_failed(str(error)))
    ctx.exit(EXIT_BAD_INPUT if EXIT_BAD_INPUT in codes else max(codes))


def _explain(loaded: "Loaded", folder: Path) -> None:
    """Writes a picture of what each of the first steps finds."""
    from bsp_sat.screenshots.overlay import outlined
    from bsp_sat.screenshots.reading import stages

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BoardError(str(folder), f"the folder can't be made: {error.strerror}") from None
    for name, boxes in stages(loaded).items():
        write_file(folder / f"{name}.png", outlined(loaded, boxes))


def _failed(problem: str) -> int:
    click.echo(f"Error: {printable(problem)}", err=True)
    return EXIT_BAD_INPUT
