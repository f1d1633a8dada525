"""`bsp-sat hint`."""

from collections.abc import Iterable

import click

from bsp_sat.apps.levels.hint import MoveCost
from bsp_sat.apps.levels.hint import hint as find_hint
from bsp_sat.backends.result import Status
from bsp_sat.cli.boards import load_board_and_plan
from bsp_sat.cli.options import (
    EXIT_CODES,
    OneOf,
    ReadingOptions,
    board_argument,
    reading_options,
    refuse_standard_input_twice,
    stop_on_signals,
    time_limit_option,
)
from bsp_sat.cli.screen import Screen, working
from bsp_sat.instances.errors import printable
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.writing import json_text

UNSOLVABLE = "Lost: this board is unsolvable. `bsp-sat solve --fewest-extra-tubes` adds empty tubes to it."
LEVELS = ("solvable", "tube", "move", "rest")


@click.command()
@board_argument
@click.argument("words", metavar="[PLAN]", nargs=-1)
@click.option(
    "--tell",
    type=OneOf(LEVELS),
    default="move",
    show_default=True,
    help="solvable: whether the board can be solved; tube: also the tube to move from; move: the cost of each move; "
    "rest: the whole plan.",
)
@time_limit_option("Time for all moves together.  [default: a number of positions, some tenths of a second]")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.pass_context
def hint(
    ctx: click.Context,
    board: str,
    words: tuple[str, ...],
    tell: str,
    time_limit: float | None,
    reading: ReadingOptions,
    as_json: bool,
) -> None:
    """Help a player who is stuck on BOARD, after the moves of PLAN.

    PLAN is a file or "-", as for `bsp-sat check`, or moves such as "1→4 2→4"; it needn't solve the board. For each
    legal move it says how many moves longer the game gets (+0 for the best), or that the board can't be solved after
    it; or an interval, such as +0 to +2, if the limit came first. In a lost position it says how many moves to take
    back. Exit code: 0 it can be solved, 1 it is lost, 2 bad input, 3 unknown.
    """
    played = " ".join(words) or None
    refuse_standard_input_twice(board, played)
    instance, plan = load_board_and_plan(board, reading, played)
    with stop_on_signals() as stop, working("looking at every move"):
        found = find_hint(instance.puzzle, plan.moves, seconds=time_limit, stop=stop)
    position = found.position
    code_of_exit = EXIT_CODES[found.status]
    if as_json:
        click.echo(json_text(found.to_json()))
        ctx.exit(code_of_exit)
    advises = found.status is Status.UNSOLVABLE and not plan.moves
    tells_move = tell in ("move", "rest")
    click.echo(UNSOLVABLE if advises else found.next_move if tells_move else found.summary)
    if found.recommended is not None and tell == "tube":
        click.echo(f"Move from tube {int(found.recommended[0]) + 1}.")
    moves = found.moves if tells_move else ()
    if tells_move and found.recommended is not None:
        out = Screen()
        out.print()
        out.draw(found.picture)
        out.print()
    width = max((len(each.in_words()) for each in moves), default=0)
    for first, *others in _alike(position, moves):
        also = "".join(f" (or into tube {int(each.move[1]) + 1})" for each in others)
        click.echo(f"  {first.in_words():<{width}}  {printable(position.describe(first.move))}{also}")
    if found.status in (Status.FEASIBLE, Status.UNKNOWN) or any(each.low != each.high for each in moves):
        click.echo("More may be known with a longer --time-limit.")
    if tell == "rest" and found.plan is not None:
        Screen().list_plan(position, found.plan)
    ctx.exit(code_of_exit)


def _alike(position: AnyPuzzle, moves: Iterable[MoveCost]) -> Iterable[list[MoveCost]]:
    """The moves, together those from one tube after which the positions are the same up to the order of tubes."""
    groups: dict[tuple[int | str, AnyPuzzle], list[MoveCost]] = {}
    for each in moves:
        groups.setdefault((each.move[0], position.after_legal(each.move).canonical()), []).append(each)
    return groups.values()
