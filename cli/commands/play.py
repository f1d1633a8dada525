"""`bsp-sat play`."""

import click

from bsp_sat.cli.options import EXIT_UNKNOWN, board_argument, puzzle_option
from bsp_sat.exploring.explorer import Contradiction, Explorer
from bsp_sat.exploring.oracle import Oracle
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.sorting import HiddenSort, RuledSort

EXIT_HOPELESS = 1


@click.command()
@board_argument
@puzzle_option
@click.option("--seed", type=int, default=0, show_default=True, help="For the fillings that are drawn.")
@click.pass_context
def play(ctx: click.Context, board: str, puzzle: str | None, seed: int) -> None:
    """Play along on BOARD, whose hidden cells are told as they show.

    Says the next move; make it in the game, and press Enter. Where something shows that wasn't known, type its
    colours from the top down, with spaces between them; nothing where nothing new shows. "restart" begins again, with
    all that was seen, "board" draws what is known, "quit" ends. Exit code: 0 solved, 1 proved that nothing solves it,
    2 bad input, 3 ended before.
    """
    if board == "-":
        raise click.UsageError("the answers are read from standard input, so BOARD can't be")
    position = load_instance(board, puzzle).puzzle
    if not isinstance(position, RuledSort):
        raise Unsupported("nothing of this board is hidden; `bsp-sat solve` has its plan")
    explorer = Explorer(position, seed=seed)
    while True:
        while explorer.looking:
            said = {}
            for tube in explorer.looking:
                answer = _ask(f"What shows in tube {tube + 1}, from the top down? ", explorer, ctx)
                said[tube] = answer.split()
            try:
                explorer.saw(said)
            except (BoardError, Contradiction) as error:
                click.echo(f"That can't be: {error}.")
        advice = explorer.next_move()
        if advice.solved:
            start = explorer.start
            said_best = ""
            if not isinstance(start, HiddenSort):
                said_best = f"; who knew everything would need {Oracle([start]).length(start)}, proved"
            attempts = f"{explorer.attempts} attempt{'' if explorer.attempts == 1 else 's'}"
            click.echo(f"Solved: {len(explorer.moves)} moves, {explorer.all_moves} in {attempts}{said_best}.")
            return
        if advice.hopeless:
            click.echo("Nothing solves this board, whatever is still hidden: proved.")
            ctx.exit(EXIT_HOPELESS)
        if advice.restart:
            of = f"none of {advice.fillings} fillings can be solved from here"
            why = "no plan leads on from here, proved" if advice.known else of
            click.echo(f"Restart: {why}{' (estimated from those drawn)' if advice.drawn else ''}.")
            _ask("Enter when the game is at its start. ", explorer, ctx)
            explorer.restarted()
            continue
        assert advice.move is not None
        if advice.known:
            rest = f"{advice.left:g} moves left, proved"
        else:
            about = "estimated: " if advice.drawn else ""
            rest = f"{about}about {advice.left:.1f} moves left, alive in {advice.alive} of {advice.fillings}"
        answer = _ask(f"{explorer.position.describe(advice.move)}   ({rest}) ", explorer, ctx)
        if answer == "restart":
            explorer.restarted()
        else:
            explorer.made(advice.move)


def _ask(question: str, explorer: Explorer, ctx: click.Context) -> str:
    """The answer to a question; deals with what may be typed at any time."""
    from bsp_sat.cli.output import screen

    while True:
        try:
            answer = input(question).strip()
        except EOFError:
            click.echo("")
            ctx.exit(EXIT_UNKNOWN)
        if answer == "quit":
            ctx.exit(EXIT_UNKNOWN)
        if answer != "board":
            return answer
        screen.console().print(screen.Drawing(explorer.position))
