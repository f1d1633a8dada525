"""`bsp-sat play`."""

import click

from bsp_sat.cli.boards import load_board
from bsp_sat.cli.commands.play_dialog import play_along
from bsp_sat.cli.options import Reading, board_argument, reading_options, seed_option
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import SortPuzzle


@click.command()
@board_argument
@reading_options
@seed_option("Seed for sampling the hidden cells.")
@click.pass_context
def play(ctx: click.Context, board: str, reading: Reading, seed: int) -> None:
    """Play BOARD, which has hidden cells, step by step.

    Prints the next move; make it in the game and press Enter. When new cells show, type their colours from the top
    down, separated by spaces; press Enter if none do. If the colour hasn't shown anywhere before and has no name yet,
    type "new colour". You are asked whether a lock has opened or a tube is corked where
    that depends on hidden cells. If the board is already solved, type "solved". "restart" starts again and keeps what
    was revealed, "board" draws what is known, "quit" ends. Exit code: 0 solved, 1 proved unsolvable, 2 bad input, 3
    ended before.
    """
    if board == "-":
        raise click.UsageError("BOARD can't be standard input, which the answers are read from")
    position = load_board(board, reading).puzzle
    if not isinstance(position, SortPuzzle) or position.is_plain:
        raise Unsupported("this board has no hidden cells; use `bsp-sat solve`")
    play_along(position, seed, ctx)
