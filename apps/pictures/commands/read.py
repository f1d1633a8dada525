"""`bsp-sat read`."""

from pathlib import Path

import click

from bsp_sat.apps.pictures.commands import read_pictures
from bsp_sat.apps.pictures.corrections import KINDS, RowByHand, parse_correction, parse_row
from bsp_sat.cli.group import EXIT_BAD_INPUT
from bsp_sat.cli.options import OneOf, Parsed
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need


@click.command()
@click.argument("pictures", metavar="PICTURE…", nargs=-1)
@click.option("--clipboard", is_flag=True, help="Read the picture on the clipboard.")
@click.option("--puzzle", type=OneOf(KINDS), help="Kind of puzzle.  [default: recognised from the picture]")
@click.option(
    "--row",
    "rows",
    type=Parsed("row", parse_row),
    multiple=True,
    metavar="LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS",
    help="Say where a row of tubes is: the pixels of a frame through the middles of its corner cells, the number of "
    "tubes, and the cells of each tube. Once for each row, from the top.",
)
@click.option(
    "--set",
    "corrections",
    type=Parsed("correction", parse_correction),
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
    need("PIL", "reading pictures")
    count = len(pictures) + clipboard
    if not count:
        raise click.UsageError("expected a PICTURE, or --clipboard")
    if count > 1 and (corrections or rows or target is not None or folder is not None):
        raise Unsupported("--row, --set, --overlay and --explain take one picture")
    reads = read_pictures.ReadPictures(puzzle, rows, corrections, target, folder, as_json)
    codes = {reads.code(name) for name in [*pictures, *([None] if clipboard else [])]}
    ctx.exit(EXIT_BAD_INPUT if EXIT_BAD_INPUT in codes else max(codes))
