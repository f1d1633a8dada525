"""`bsp-sat draw`."""

from pathlib import Path

import click

from bsp_sat.backends.limits import MOST
from bsp_sat.cli.boards import load_board_and_plan
from bsp_sat.cli.options import FileName, Reading, Whole, board_argument, reading_options, refuse_standard_input_twice
from bsp_sat.drawing.draw import FORMATS, Format
from bsp_sat.drawing.draw import draw as drawn
from bsp_sat.instances.errors import printable
from bsp_sat.instances.text.words import short
from bsp_sat.instances.text.writing import write_file

STANDARD_OUTPUT = Path("-")


@click.command()
@board_argument
@click.argument("plan_file", metavar="[PLAN]", required=False)
@click.option(
    "-o",
    "--out",
    "target",
    type=FileName(),
    metavar="FILE",
    required=True,
    help='Output file (.svg, .png, .gif or .html), or "-" for standard output.',
)
@click.option("--position", type=Whole(0, MOST), metavar="N", help="Draw only the position after N moves of PLAN.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="File format.  [default: from the name of FILE; svg on standard output]",
)
@reading_options
def draw(
    board: str, plan_file: str | None, target: Path, position: int | None, form: Format | None, reading: Reading
) -> None:
    """Draw BOARD with colours and symbols, or all of PLAN as an animation.

    PLAN is a file or "-", as for `bsp-sat check`; it may end before the board is solved. With a PLAN, SVG and GIF are
    animated; SVG respects the system's setting for reduced motion. HTML has buttons to step through it, without
    scripts. PNG shows one position. GIF and PNG need the extra `pictures`.
    """
    refuse_standard_input_twice(board, plan_file)
    if position is not None and plan_file is None:
        raise click.UsageError("--position needs a PLAN")
    form = form or _format_of(target)
    instance, plan = load_board_and_plan(board, reading, plan_file)
    data = drawn(instance.puzzle, plan.moves, form, position=position, title=instance.name)
    if target == STANDARD_OUTPUT:
        click.echo(data, nl=False)
        return
    write_file(target, data)


def _format_of(target: Path) -> Format:
    if target == STANDARD_OUTPUT:
        return "svg"
    for form in FORMATS:
        if target.suffix.lower() == f".{form}":
            return form
    name = printable(short(target.name))
    raise click.UsageError(f"-o: expected a name that ends in .{', .'.join(FORMATS)}, or --format; found {name}")
