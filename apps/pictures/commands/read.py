"""`bsp-sat read`."""

import itertools
from pathlib import Path

import click

from bsp_sat.apps.pictures.commands import read_pictures
from bsp_sat.apps.pictures.corrections import KINDS, Correction, RowByHand, parse_correction, parse_row
from bsp_sat.cli.group import EXIT_BAD_INPUT
from bsp_sat.cli.options import OneOf, Parsed
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import need
from bsp_sat.instances.text.writing import write_file


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
    metavar="CORRECTION",
    help="Correct the board, as it was read: TUBE:CELL=COLOUR (- for no cell), TUBE=none for what is no tube, TUBE+ "
    "for an empty tube after it, TUBE+:CELL=COLOUR in that. Tubes count from 1, row by row; cells from 1, bottom up.",
)
@click.option("--with-locked", is_flag=True, help="Take in locked places for more tubes, which are left out otherwise.")
@click.option(
    "-o",
    "--output",
    "pack",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PACK.jsonl",
    help="Write the certain boards to a file, and print a line for each picture.",
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
def read(
    pictures: tuple[str, ...],
    clipboard: bool,
    puzzle: str | None,
    rows: tuple[RowByHand, ...],
    corrections: tuple[Correction, ...],
    with_locked: bool,
    pack: Path | None,
    target: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Read the board that each PICTURE shows: PNG, JPEG or WebP, from a file, a folder or "-" for standard input.

    Prints a line of JSON for each picture, a board with places and confidences; on a terminal, draws the board. Exit
    code: 0 all boards are certain, 3 one is doubtful (its JSON has "sure": false, and standard error has the reasons),
    2 one can't be read.
    """
    need("PIL", "reading pictures")
    names = [*itertools.chain(*map(read_pictures.pictures_in, pictures)), *([None] if clipboard else [])]
    if not names:
        raise click.UsageError("expected a PICTURE, or --clipboard")
    if len(names) > 1 and (corrections or rows or target is not None or folder is not None):
        raise Unsupported("--row, --set, --overlay and --explain take one picture")
    reads = read_pictures.ReadPictures(
        puzzle, rows, corrections, with_locked, pack is not None, target, folder, as_json
    )
    read = [reads.read(name) for name in names]
    if pack is not None:
        write_file(pack, "".join(f"{board}\n" for code, board in read if code == 0).encode())
    codes = {code for code, _ in read}
    click.get_current_context().exit(EXIT_BAD_INPUT if EXIT_BAD_INPUT in codes else max(codes))
