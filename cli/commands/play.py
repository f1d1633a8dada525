"""`bsp-sat play`."""

import click

from bsp_sat.cli.options import board_argument, puzzle_option
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.sorting import RuledSort


@click.command()
@board_argument
@puzzle_option
@click.option("--seed", type=int, default=0, show_default=True, help="For the fillings that are drawn.")
@click.pass_context
def play(ctx: click.Context, board: str, puzzle: str | None, seed: int) -> None:
    """Play along on BOARD, whose hidden cells are told as they show.

    Says the next move; make it in the game, and press Enter. Where something shows that wasn't known, type its
    colours from the top down, with spaces between them; nothing where nothing new shows. Where covered cells may have
    opened a lock or put a cork on a tube it asks whether they have; where they may have solved the board, "solved" in
    place of Enter says so. "restart" begins again, with
    all that was seen, "board" draws what is known, "quit" ends. Exit code: 0 solved, 1 proved that nothing solves it,
    2 bad input, 3 ended before.
    """
    if board == "-":
        raise click.UsageError("the answers are read from standard input, so BOARD can't be")
    position = load_instance(board, puzzle).puzzle
    if not isinstance(position, RuledSort):
        raise Unsupported("nothing of this board is hidden; `bsp-sat solve` has its plan")
    # Imported here, as `--help` needn't wait for it: numpy.
    from bsp_sat.cli.playing import play_along

    play_along(position, seed, ctx)
