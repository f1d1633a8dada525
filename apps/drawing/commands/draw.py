"""`bsp-sat draw`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from bsp_sat.apps.drawing.draw import FORMATS, Format
from bsp_sat.apps.drawing.draw import draw as drawn
from bsp_sat.backends.limits import MOST
from bsp_sat.cli.boards import load_board_and_plan, load_boards
from bsp_sat.cli.options import (
    OneOf,
    Parsed,
    ReadingOptions,
    WholeNumber,
    board_argument,
    reading_options,
    refuse_standard_input_twice,
)
from bsp_sat.instances.errors import Unsupported, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.words import parse_number, short
from bsp_sat.instances.text.writing import make_folder, write_file

STANDARD_OUTPUT = Path("-")
MOST_PIXELS = 10_000
"""Of a side of a picture."""


class _Target(NamedTuple):
    """Where pictures go. ``is_folder``: whether it is meant as a folder: it is one, or its name ends in a slash."""

    path: Path
    is_folder: bool


def _target(name: str) -> _Target:
    if not name:
        raise Unsupported("expected the name of a file or folder, found an empty one")
    path = Path(name)
    return _Target(path, name.endswith(("/", os.sep)) or path.is_dir())


def _size(text: str) -> tuple[int, int]:
    """Width and height in pixels."""
    numbers = [parse_number(word) for word in text.lower().split("x")]
    match numbers:
        case [int(width), int(height)] if 1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS:
            return width, height
    raise Unsupported(f"expected a size such as 1080x1920, of at most {MOST_PIXELS} pixels, found {short(repr(text))}")


@click.command()
@board_argument
@click.argument("plan_file", metavar="[PLAN]", required=False)
@click.option(
    "-o",
    "--out",
    "target",
    type=Parsed("file", _target),
    metavar="FILE",
    required=True,
    help='Output file (.svg, .png, .gif or .html), "-" for standard output, or a folder for a picture of each board.',
)
@click.option(
    "--position", type=WholeNumber(0, MOST), metavar="N", help="Draw only the position after N moves of PLAN."
)
@click.option(
    "--format",
    "form",
    type=OneOf(FORMATS),
    help="File format.  [default: from the name of FILE; svg on standard output and in a folder]",
)
@click.option("--letters/--no-letters", default=True, help="Letters on colours, numbers below tubes.  [default: both]")
@click.option(
    "--size",
    type=Parsed("size", _size),
    metavar="WIDTHxHEIGHT",
    help="Pixels of the picture, such as 1080x1920, with the board in the middle, in as many rows as fit best.",
)
@reading_options
def draw(
    board: str,
    plan_file: str | None,
    target: _Target,
    position: int | None,
    form: Format | None,
    letters: bool,
    size: tuple[int, int] | None,
    reading: ReadingOptions,
) -> None:
    """Draw BOARD with colours and symbols, or all of PLAN as an animation; or each board of a pack into a folder.

    The pictures of a pack are named by the numbers of the boards. pack.jsonl#7 is one board of a pack.

    PLAN is a file or "-", as for `bsp-sat check`; it may end before the board is solved. With a PLAN, SVG and GIF are
    animated; SVG respects the system's setting for reduced motion. HTML has buttons to step through it, without
    scripts. PNG shows one position. GIF and PNG need the extra `pictures`.
    """
    refuse_standard_input_twice(board, plan_file)
    if position is not None and plan_file is None:
        raise click.UsageError("--position needs a PLAN")
    if target.is_folder:
        if plan_file is not None:
            raise click.UsageError("-o: with a PLAN, expected the name of a file, found a folder")
        _draw_pack(load_boards(board, reading), target.path, form or "svg", letters, size)
        return
    form = form or _format_of(target.path)
    instance, plan = load_board_and_plan(board, reading, plan_file)
    title = instance.name
    data = drawn(instance.puzzle, plan.moves, form, position=position, title=title, letters=letters, size=size)
    if target.path == STANDARD_OUTPUT:
        click.echo(data, nl=False)
        return
    write_file(target.path, data)


def _draw_pack(
    instances: Sequence[Instance], folder: Path, form: Format, letters: bool, size: tuple[int, int] | None
) -> None:
    make_folder(folder)
    digits = len(str(len(instances)))
    for number, instance in enumerate(instances, start=1):
        data = drawn(instance, (), form, title=instance.name, letters=letters, size=size)
        write_file(folder / f"{number:0{digits}}.{form}", data)


def _format_of(target: Path) -> Format:
    if target == STANDARD_OUTPUT:
        return "svg"
    for form in FORMATS:
        if target.suffix.lower() == f".{form}":
            return form
    name = printable(short(target.name))
    raise click.UsageError(f"-o: expected a name that ends in .{', .'.join(FORMATS)}, or --format; found {name}")
