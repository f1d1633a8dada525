"""A game on a board with hidden cells, by question and answer."""

import click

from bsp_sat.backends.kernel import Distances
from bsp_sat.cli.options import EXIT_UNKNOWN
from bsp_sat.cli.output import screen
from bsp_sat.exploring.explorer import Contradiction, Explorer
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting import HiddenSort, RuledSort

EXIT_HOPELESS = 1


def play_along(position: RuledSort, seed: int, ctx: click.Context) -> None:
    """Tells move after move and asks what shows, until the board is solved or somebody gives up."""
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
                said_best = f"; who knew everything would need {Distances([start]).length(start)}, proved"
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
