"""`bsp-sat check`."""

import click

from bsp_sat.cli import parts
from bsp_sat.cli.boards import load_board, with_extra_tubes
from bsp_sat.cli.group import EXIT_NO
from bsp_sat.cli.options import (
    ReadingOptions,
    board_argument,
    extra_tubes_option,
    reading_options,
    refuse_standard_input_twice,
)
from bsp_sat.instances.errors import GoalNotReached, IllegalMove
from bsp_sat.instances.files import load_plan_and_tubes
from bsp_sat.instances.sorting import is_hidden


@click.command()
@board_argument
@click.argument("plan_file", metavar="PLAN")
@reading_options
@extra_tubes_option
@click.pass_context
def check(ctx: click.Context, board: str, plan_file: str, reading: ReadingOptions, extra_tubes: int | None) -> None:
    """Replay PLAN on BOARD and say whether it is legal and solves it.

    PLAN is a file or "-": the object that `solve --json` prints, or one move per line, such as "9 10" for tube 9 to
    tube 10, counted from 1; or moves themselves, "9→10 2→9". For a board with hidden cells it is the object with
    strategies; each is played for every filling. Exit code: 0 it solves the board, 1 it doesn't, 2 bad input.
    """
    refuse_standard_input_twice(board, plan_file)
    instance = with_extra_tubes(load_board(board, reading), extra_tubes)
    if is_hidden(instance.puzzle):
        ctx.exit(parts.covered().check_file(instance.puzzle, plan_file))
    plan, found_with = load_plan_and_tubes(instance.puzzle, plan_file)
    try:
        plan.replay(instance.puzzle)
    except (IllegalMove, GoalNotReached) as error:
        click.echo(f"Invalid: {error}")
        if found_with and extra_tubes is None:
            click.echo(f"The plan is for the board with more empty tubes: --extra-tubes {found_with}.")
        ctx.exit(EXIT_NO)
    click.echo(f"Valid: {len(plan)} {'move solves' if len(plan) == 1 else 'moves solve'} the board.")
