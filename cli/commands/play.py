"""`bsp-sat play`: a game on a board with hidden cells, by questions and answers."""

from collections.abc import Collection, Sequence

import click

from bsp_sat.backends.kernel import Distances
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.group import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.options import Reading, board_argument, reading_options, seed_option
from bsp_sat.cli.screen import Screen
from bsp_sat.hidden.effects import Effects
from bsp_sat.hidden.explorer import Explorer
from bsp_sat.hidden.knowledge import Contradiction
from bsp_sat.hidden.policy import Advice
from bsp_sat.hidden.text import rest_after, why_restart
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import NEW_COLOUR, Pour, SortPuzzle


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
    dialog = _Dialog(Explorer(position, seed=seed), ctx)
    click.echo('Make each move and press Enter. Or type "restart", "board" or "quit".')
    while not dialog.explorer.solved:
        dialog.turn()
    dialog.say_solved()


class _Dialog:
    """A player at the terminal, and what the explorer says."""

    def __init__(self, explorer: Explorer, ctx: click.Context) -> None:
        self.explorer = explorer
        self.ctx = ctx

    def turn(self) -> None:
        """Asks what shows, and gives the next move."""
        explorer = self.explorer
        while explorer.is_waiting:
            self._ask_what_shows()
        advice = explorer.next_move()
        if explorer.asking and advice.move is None:
            explorer.noticed(self._effects(explorer.asking))
            advice = explorer.next_move()
        if advice.hopeless:
            click.echo("Proved unsolvable, whatever is still hidden.")
            self.ctx.exit(EXIT_NO)
        if advice.stuck:
            click.echo("Stopped: found no way to reveal more. It isn't known whether there is one, or a plan.")
            self.ctx.exit(EXIT_UNKNOWN)
        if advice.restart:
            click.echo(f"Restart: {why_restart(advice)}.")
            self._ask("Enter when the game is at its start. ", ("",))
            explorer.restarted()
        elif advice.move is not None:
            self._ask_for(advice.move, advice)

    def _ask_for(self, move: Pour, advice: Advice) -> None:
        """Has the player make a move."""
        explorer = self.explorer
        words: tuple[str, ...] = ("", "restart")
        if_solved = ""
        if explorer.asking:
            words, if_solved = (*words, "solved"), '; "solved" if the board is'
        answer = self._ask(f"{explorer.position.describe(move)}   ({rest_after(advice)}{if_solved}) ", words)
        if answer == "restart":
            explorer.restarted()
            return
        if explorer.asking:
            explorer.noticed(Effects(solved=answer == "solved"))
        if not explorer.solved:
            explorer.made(move)

    def say_solved(self) -> None:
        """Says how many moves it took, and how many are needed if all was seen."""
        explorer = self.explorer
        attempts = f"{explorer.attempts} attempt{'' if explorer.attempts == 1 else 's'}"
        said = f"Solved: {len(explorer.moves)} moves, {explorer.all_moves} in {attempts}"
        if not explorer.start.is_hidden:
            needed = Distances([explorer.start]).length(explorer.start)
            said += f"; who knew everything would need {needed}, proved"
        click.echo(f"{said}.")

    def _ask_what_shows(self) -> None:
        explorer = self.explorer
        try:
            if explorer.looking:
                unseen = self._unseen()
                explorer.saw(self._cells())
                for name in (name for name in unseen if name not in self._unseen()):
                    click.echo(f"From now on this colour is called {name}.")
            elif explorer.asking:
                explorer.noticed(self._effects(explorer.asking))
        except (BoardError, Contradiction) as error:
            click.echo(f"That can't be: {error}.")

    def _unseen(self) -> list[Colour]:
        """The names for colours that haven't shown."""
        position = self.explorer.position
        return [position.palette[colour] for colour in position.unseen]

    def _cells(self) -> dict[int, list[str]]:
        """The revealed colours, by tube."""
        names = {NEW_COLOUR, *map(str, self.explorer.position.palette)}
        return {
            tube: _colours(self._ask(f"What shows in tube {tube + 1}, from the top down? "), names)
            for tube in self.explorer.looking
        }

    def _effects(self, asking: Effects) -> Effects:
        """Which of the locks in question have opened, which tubes are corked, and whether the board is solved."""
        opened = self._tubes("Which of these locked tubes have opened", asking.opened)
        corked = self._tubes("Which of these tubes are corked", asking.corked)
        while asking.solved:
            answer = self._ask("Is the board solved, yes or no? ").lower()
            if answer in ("yes", "no", ""):
                return Effects(opened, corked, answer == "yes")
            click.echo("Expected yes or no.")
        return Effects(opened, corked)

    def _tubes(self, question: str, tubes: Sequence[int]) -> tuple[int, ...]:
        """The tubes that the player chooses among some, by numbers from 1."""
        numbers = [str(tube + 1) for tube in tubes]
        while numbers:
            named = self._ask(f"{question}: {', '.join(numbers)}? ").replace(",", " ").split()
            if {*named} <= {*numbers}:
                return tuple(tube for tube in tubes if str(tube + 1) in named)
            click.echo(f"Expected some of {', '.join(numbers)}, or nothing for none.")
        return ()

    def _ask(self, question: str, expected: Sequence[str] | None = None) -> str:
        """The answer to a question, one of those expected. Handles the words that may be typed at any time."""
        while True:
            try:
                answer = input(question).strip()
            except EOFError:
                click.echo("")
                self.ctx.exit(EXIT_UNKNOWN)
            if answer == "quit":
                self.ctx.exit(EXIT_UNKNOWN)
            if answer == "board":
                Screen().draw(self.explorer.position)
            elif expected is None or answer in expected:
                return answer
            else:
                click.echo(f"Expected {', '.join(word or 'Enter' for word in expected)}, board or quit.")


def _colours(answer: str, names: Collection[str]) -> list[str]:
    """The colours that an answer lists, separated by spaces; a name may have several words itself."""
    words, found = answer.split(), []
    while words:
        length = next((n for n in range(len(words), 1, -1) if " ".join(words[:n]) in names), 1)
        found.append(" ".join(words[:length]))
        del words[:length]
    return found
