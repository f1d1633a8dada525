"""`bsp-sat count`."""

import click

from bsp_sat.backends.count import count_plans
from bsp_sat.backends.result import Status
from bsp_sat.backends.solve import Limits
from bsp_sat.backends.solve import solve as solve_board
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.group import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.options import (
    ReadingOptions,
    board_argument,
    json_option,
    reading_options,
    stop_on_signals,
    time_limit_option,
)
from bsp_sat.cli.screen import live_status, working
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import json_text


@click.command()
@board_argument
@time_limit_option("Stop looking for the length after this time.")
@reading_options
@json_option
@click.pass_context
def count(ctx: click.Context, board: str, time_limit: float | None, reading: ReadingOptions, as_json: bool) -> None:
    """Count the shortest plans of BOARD.

    Plans are sequences of moves; for tiles, clicks on one group are the same move. Every plan of a shot board is a
    shortest one, so that all its plans are counted. Exit code: 0 there are plans, 1 proved unsolvable, 2 bad input,
    3 the length of a shortest plan is unknown, or interrupted.
    """
    position = load_board(board, reading).puzzle
    with stop_on_signals() as stop, live_status() as hook:
        result = solve_board(position, limits=Limits(seconds=time_limit), on_progress=hook, stop=stop)
    plans: int | None = None
    if result.status is Status.UNSOLVABLE:
        plans = 0
    elif result.status is Status.OPTIMAL and result.length is not None:
        with working("counting the plans"):
            plans = count_plans(position, result.length)
    if as_json:
        click.echo(json_text({"plans": plans, "length": result.length, "status": str(result.status)}))
    elif plans is None:
        click.echo(f"Unknown: the length of a shortest plan is not proved ({result.reason}).")
    elif plans == 0:
        click.echo(f"0 plans: the board is unsolvable ({result.reason}).")
    else:
        click.echo(f"{quantity(plans, 'shortest plan')}, of {quantity(result.length, 'move')}.")
    ctx.exit(EXIT_UNKNOWN if plans is None else 0 if plans else EXIT_NO)
