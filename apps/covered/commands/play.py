"""`bsp-sat play`: a game on a board with hidden cells, by questions and answers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import click

from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.explorer import Explorer
from bsp_sat.apps.covered.knowledge import Contradiction
from bsp_sat.apps.covered.policy import Advice
from bsp_sat.apps.covered.text import rest_after, why_restart
from bsp_sat.backends.kernel import Distances
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.group import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.options import ReadingOptions, board_argument, reading_options, seed_option
from bsp_sat.cli.screen import Screen, working
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.puzzle import Colour, symbols_for
from bsp_sat.instances.sorting import NEW_COLOUR, Pour, SortPuzzle
from bsp_sat.instances.text.words import quantity

Answer = TypeVar("Answer")


@click.command()
@board_argument
@reading_options
@seed_option("Seed for sampling the hidden cells.")
@click.pass_context
def play(ctx: click.Context, board: str, reading: ReadingOptions, seed: int) -> None:
    """Play BOARD, which has hidden cells, step by step.

    Prints the next move; make it in the game and press Enter. When new cells show, type their colours from the top
    down, separated by spaces, by name or by the letters that "board" draws; press Enter if none do. If the colour
    hasn't shown anywhere before and has no name yet, type "new colour". You are asked whether a lock has opened or a
    tube is corked where that depends on hidden cells. If the board is already solved, type "solved". At any question
    "undo" takes back the last answer or move, "restart" starts again and keeps what was revealed, "board" draws what is
    known, "quit" ends. Exit code: 0 solved, 1 proved unsolvable, 2 bad input, 3 ended before.
    """
    if board == "-":
        raise click.UsageError("BOARD can't be standard input, which the answers are read from")
    position = load_board(board, reading).puzzle
    if not isinstance(position, SortPuzzle) or position.is_plain:
        raise Unsupported("this board has no hidden cells; use `bsp-sat solve`")
    dialog = _Dialog(lambda: Explorer(position, seed=seed), ctx)
    click.echo('Make each move and press Enter. At any question you may type "undo", "restart", "board" or "quit".')
    while not dialog.explorer.solved:
        dialog.turn()
    dialog.say_solved()


class _AnotherQuestion(Exception):
    """A command was typed and done, after which something else may have to be asked."""


class _Dialog:
    """A player at the terminal, and what the explorer says."""

    def __init__(self, begin: Callable[[], Explorer], ctx: click.Context) -> None:
        self._begin = begin
        self.explorer = begin()
        self.ctx = ctx
        self._steps: list[Callable[[Explorer], None]] = []  # what the explorer has learnt from the player
        self._answers = 0  # in this turn

    def turn(self) -> None:
        """Asks what shows, or gives the next move."""
        self._answers = 0
        with suppress(_AnotherQuestion):
            if self.explorer.looking:
                self._ask_what_shows()
            elif self.explorer.is_waiting:
                self._ask_for_effects()
            else:
                self._advise()

    def _advise(self) -> None:
        """Gives the next move, and asks for what becomes of it."""
        with working("looking for the next move"):
            advice = self.explorer.next_move()
        if self.explorer.asking and advice.move is None:
            self._ask_for_effects()
        elif advice.hopeless:
            click.echo("Proved unsolvable, whatever is still hidden.")
            self.ctx.exit(EXIT_NO)
        elif advice.stuck:
            click.echo("Stopped: found no way to reveal more. It isn't known whether there is one, or a plan.")
            self.ctx.exit(EXIT_UNKNOWN)
        elif advice.restart:
            click.echo(f"Restart: {why_restart(advice)}.")
            self._ask("Enter when the game is at its start. ", _one_of(""))
            self._tell_explorer(Explorer.record_restart)
        elif advice.move is not None:
            self._ask_for(advice.move, advice)

    def _ask_for(self, move: Pour, advice: Advice) -> None:
        """Has the player make a move."""
        words, if_solved = [""], ""
        if self.explorer.asking:
            words, if_solved = ["", "solved"], '; "solved" if the board is'
        question = f"{self.explorer.position.describe(move)}   ({rest_after(advice)}{if_solved}) "
        answer = self._ask(question, _one_of(*words))

        def step(explorer: Explorer) -> None:
            if explorer.asking:
                explorer.record_effects(Effects(solved=answer == "solved"))
            if not explorer.solved:
                explorer.record_move(move)

        self._tell_explorer(step)

    def _tell_explorer(self, step: Callable[[Explorer], None]) -> None:
        """Tells the explorer something, unless it can't be."""
        try:
            step(self.explorer)
        except (BoardError, Contradiction) as error:
            click.echo(f"That can't be: {error}.")
        else:
            self._steps.append(step)

    def _undo(self) -> None:
        """Takes back the answers that the explorer hasn't got yet, or else the last that it has got."""
        if not self._answers and not self._steps:
            click.echo("There is nothing to take back.")
        elif not self._answers:
            self._steps.pop()
            self.explorer = self._begin()
            for step in self._steps:
                step(self.explorer)

    def say_solved(self) -> None:
        """Says how many moves it took, and how many are needed if all was seen."""
        explorer = self.explorer
        moves, attempts = quantity(len(explorer.moves), "move"), quantity(explorer.attempts, "attempt")
        said = f"Solved: {moves}, {explorer.all_moves} in {attempts}"
        if not explorer.start.is_hidden:
            needed = Distances([explorer.start]).length(explorer.start)
            said += f"; who knew everything would need {needed}, proved"
        click.echo(f"{said}.")

    def _ask_what_shows(self) -> None:
        unseen, cells = self._unseen(), self._cells()
        self._tell_explorer(lambda explorer: explorer.record_colours(cells))
        for name in (name for name in unseen if name not in self._unseen()):
            click.echo(f"From now on this colour is called {name}.")

    def _ask_for_effects(self) -> None:
        assert self.explorer.asking is not None
        effects = self._effects(self.explorer.asking)
        self._tell_explorer(lambda explorer: explorer.record_effects(effects))

    def _unseen(self) -> list[Colour]:
        """The names for colours that haven't shown."""
        position = self.explorer.position
        return [position.palette[colour] for colour in position.unseen]

    def _cells(self) -> dict[int, list[Colour]]:
        """The revealed colours, by tube."""
        board = self.explorer.position
        return {
            tube: self._ask(f"What shows in tube {tube + 1}, from the top down? ", lambda words: _colours(words, board))
            for tube in self.explorer.looking
        }

    def _effects(self, asking: Effects) -> Effects:
        """Which of the locks in question have opened, which tubes are corked, and whether the board is solved."""
        opened = self._tubes("Which of these locked tubes have opened", asking.opened)
        corked = self._tubes("Which of these tubes are corked", asking.corked)
        solved = asking.solved and self._ask("Is the board solved, yes or no? ", _one_of("yes", "no", "")) == "yes"
        return Effects(opened, corked, solved)

    def _tubes(self, question: str, tubes: Sequence[int]) -> tuple[int, ...]:
        """The tubes that the player chooses among some, by numbers from 1."""
        if not tubes:
            return ()
        numbers = [str(tube + 1) for tube in tubes]

        def chosen(answer: str) -> tuple[int, ...]:
            named = answer.replace(",", " ").split()
            if not {*named} <= {*numbers}:
                raise ValueError(f"some of {', '.join(numbers)}, or nothing for none")
            return tuple(tube for tube in tubes if str(tube + 1) in named)

        return self._ask(f"{question}: {', '.join(numbers)}? ", chosen)

    def _ask(self, question: str, read: Callable[[str], Answer]) -> Answer:
        """What ``read`` makes of an answer, which may be a word of any time; its ValueError is what was expected."""
        while True:
            try:
                answer = input(question).strip()
            except EOFError:
                click.echo("")
                self.ctx.exit(EXIT_UNKNOWN)
            match answer.lower():
                case "quit":
                    self.ctx.exit(EXIT_UNKNOWN)
                case "restart":
                    self._tell_explorer(Explorer.record_restart)
                    raise _AnotherQuestion
                case "undo":
                    self._undo()
                    raise _AnotherQuestion
                case "board":
                    Screen().draw(self.explorer.position)
                case _:
                    try:
                        found = read(answer)
                    except ValueError as refusal:
                        click.echo(f"Expected {refusal}.")
                    except BoardError as error:
                        click.echo(f"That can't be: {error}.")
                    else:
                        self._answers += 1
                        return found


def _one_of(*words: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(answer: str) -> str:
        if answer.lower() not in words:
            raise ValueError(f"{', '.join(word or 'Enter' for word in words)}, undo, restart, board or quit")
        return answer.lower()

    return read


def _colours(answer: str, board: SortPuzzle) -> list[Colour]:
    """The colours that an answer lists, separated by spaces; a name may have several words itself."""
    words = answer.split()
    found: list[Colour] = []
    while words:
        for length in range(len(words), 0, -1):
            if (colour := _colour_called(" ".join(words[:length]), board)) is not None:
                break
        else:
            colour = board.palette[board.colour_named(words[0])]  # raises: there is none
        found.append(colour)
        del words[:length]
    return found


def _colour_called(words: str, board: SortPuzzle) -> Colour | None:
    """The only colour with this name, or else with this name in any case or this letter on the drawing."""
    letters = {NEW_COLOUR: "", **dict(zip(board.palette, symbols_for(board.palette), strict=True))}
    exactly = [colour for colour in letters if str(colour) == words]
    alike = [colour for colour in letters if words.lower() == str(colour).lower() or words == letters[colour]]
    found = exactly or alike
    return found[0] if len(found) == 1 else None
