"""`bsp-sat play`."""

import click

from bsp_sat.cli.options import board_argument, puzzle_option
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.sorting import RuledSort


@click.command()
@board_argument
@puzzle_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for sampling the hidden cells.")
@click.pass_context
def play(ctx: click.Context, board: str, puzzle: str | None, seed: int) -> None:
    """Play BOARD, which has hidden cells, step by step.

    Prints the next move; make it in the game and press Enter. When new cells show, type their colours from the top
    down, separated by spaces; press Enter if none do. If hidden cells may have opened a lock or corked a tube, you are
    asked whether they have; if they may have solved the board, type "solved" instead of Enter when they have. "restart"
    begins again and keeps what was seen, "board" draws what is known, "quit" ends. Exit code: 0 solved, 1 proved that
    nothing solves it, 2 bad input, 3 ended before.
    """
    if board == "-":
        raise click.UsageError("the answers are read from standard input, so BOARD can't be")
    position = load_instance(board, puzzle).puzzle
    if not isinstance(position, RuledSort):
        raise Unsupported("nothing of this board is hidden; `bsp-sat solve` has its plan")
    # Imported here, as `--help` needn't wait for it: numpy.
    from bsp_sat.cli.dialog import play_along

    play_along(position, seed, ctx)
