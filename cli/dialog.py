"""`bsp-sat play`: a game on a board with hidden cells, by questions and answers."""

from collections.abc import Collection, Sequence

import click

from bsp_sat.backends.kernel import Distances
from bsp_sat.cli.options import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.output import screen
from bsp_sat.hidden.effects import Effects
from bsp_sat.hidden.explorer import Explorer
from bsp_sat.hidden.knowledge import Contradiction
from bsp_sat.hidden.policy import Advice
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import NEW_COLOUR, SortPuzzle


def play_along(position: SortPuzzle, seed: int, ctx: click.Context) -> None:
    """Prints each move and asks what it reveals, until the board is solved or the player quits."""
    explorer = Explorer(position, seed=seed)
    while True:
        while explorer.is_waiting:
            try:
                if explorer.looking:
                    unseen = _unseen(explorer)
                    explorer.saw(_cells(explorer, ctx))
                    for name in (name for name in unseen if name not in _unseen(explorer)):
                        click.echo(f"From now on this colour is called {name}.")
                elif explorer.asking:
                    explorer.noticed(_effects(explorer.asking, explorer, ctx))
            except (BoardError, Contradiction) as error:
                click.echo(f"That can't be: {error}.")
        advice = explorer.next_move()
        if explorer.asking and advice.move is None:
            explorer.noticed(_effects(explorer.asking, explorer, ctx))
            advice = explorer.next_move()
        if advice.solved:
            start = explorer.start
            said_best = ""
            if not start.is_hidden:
                said_best = f"; who knew everything would need {Distances([start]).length(start)}, proved"
            attempts = f"{explorer.attempts} attempt{'' if explorer.attempts == 1 else 's'}"
            click.echo(f"Solved: {len(explorer.moves)} moves, {explorer.all_moves} in {attempts}{said_best}.")
            return
        if advice.hopeless:
            click.echo("Proved unsolvable, whatever is still hidden.")
            ctx.exit(EXIT_NO)
        if advice.stuck:
            click.echo("Stopped: found no way to reveal more. It isn't known whether there is one, or a plan.")
            ctx.exit(EXIT_UNKNOWN)
        if advice.restart:
            click.echo(f"Restart: {_why(advice)}.")
            _ask("Enter when the game is at its start. ", explorer, ctx)
            explorer.restarted()
            continue
        assert advice.move is not None
        if advice.known:
            rest = f"{advice.left:g} moves left, proved"
        else:
            about = "estimated: " if advice.drawn else ""
            rest = f"{about}about {advice.left:.1f} moves left, alive in {advice.alive} of {advice.fillings}"
        if explorer.asking:
            rest += '; "solved" if the board is'
        answer = _ask(f"{explorer.position.describe(advice.move)}   ({rest}) ", explorer, ctx)
        if answer == "restart":
            explorer.restarted()
            continue
        if explorer.asking:
            explorer.noticed(Effects(solved=answer == "solved"))
        if not explorer.solved:
            explorer.made(advice.move)


def _why(advice: Advice) -> str:
    """Why the game has to be restarted."""
    if advice.known:
        return "no plan leads on from here, proved"
    if advice.alive:
        return "nothing more can be seen from here"
    drawn = " (estimated from a sample)" if advice.drawn else ""
    return f"none of {advice.fillings} fillings can be solved from here{drawn}"


def _cells(explorer: Explorer, ctx: click.Context) -> dict[int, list[str]]:
    """The revealed colours, by tube."""
    names = {NEW_COLOUR, *map(str, explorer.position.palette)}
    return {
        tube: _colours(_ask(f"What shows in tube {tube + 1}, from the top down? ", explorer, ctx), names)
        for tube in explorer.looking
    }


def _colours(answer: str, names: Collection[str]) -> list[str]:
    """The colours that an answer lists, separated by spaces; a name may have several words itself."""
    words, found = answer.split(), []
    while words:
        length = next((n for n in range(len(words), 1, -1) if " ".join(words[:n]) in names), 1)
        found.append(" ".join(words[:length]))
        del words[:length]
    return found


def _unseen(explorer: Explorer) -> list[Colour]:
    """The names for colours that haven't shown."""
    position = explorer.position
    return [position.palette[colour] for colour in position.unseen] if position.is_hidden else []


def _effects(asking: Effects, explorer: Explorer, ctx: click.Context) -> Effects:
    """Which of the locks in question have opened, which tubes are corked, and whether the board is solved."""
    opened = _tubes("Which of these locked tubes have opened", asking.opened, explorer, ctx)
    corked = _tubes("Which of these tubes are corked", asking.corked, explorer, ctx)
    while asking.solved:
        answer = _ask("Is the board solved, yes or no? ", explorer, ctx).lower()
        if answer in ("yes", "no", ""):
            return Effects(opened, corked, answer == "yes")
        click.echo("Expected yes or no.")
    return Effects(opened, corked)


def _tubes(question: str, tubes: Sequence[int], explorer: Explorer, ctx: click.Context) -> tuple[int, ...]:
    """The tubes that the player chooses among some, by numbers from 1."""
    numbers = [str(tube + 1) for tube in tubes]
    while numbers:
        named = _ask(f"{question}: {', '.join(numbers)}? ", explorer, ctx).replace(",", " ").split()
        if {*named} <= {*numbers}:
            return tuple(tube for tube in tubes if str(tube + 1) in named)
        click.echo(f"Expected some of {', '.join(numbers)}, or nothing for none.")
    return ()


def _ask(question: str, explorer: Explorer, ctx: click.Context) -> str:
    """The answer to a question. Handles the words that may be typed at any time."""
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
