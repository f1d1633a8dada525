"""Simulates a game whose contents only the game knows, and lets an explorer play it to the end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.explorer import Explorer
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import UNKNOWN, Pour, SortPuzzle, is_hidden


class Game:
    """A board with its true contents and its covers."""

    def __init__(self, start: SortPuzzle) -> None:
        self._start = start.settled().uncovered()
        self.position = self._start

    @classmethod
    def of(cls, instance: Instance) -> "Game":
        """The game of a board whose file has ``contents``; BoardError if these aren't a filling of the board.

        Nameless colours of the board are those of the contents that have no name on it.
        """
        board, contents = instance.puzzle, instance.contents
        assert is_hidden(board)
        assert isinstance(contents, SortPuzzle)
        unseen = set(board.unseen)
        index = {colour: number for number, colour in enumerate(board.palette) if number not in unseen}
        index.update(zip((colour for colour in contents.palette if colour not in index), sorted(unseen), strict=False))
        truth = {
            (place, level): index[ball]
            for place, tube in enumerate(contents.coloured_tubes())
            for level, ball in enumerate(tube)
            if ball in index
        }
        cells = {cell: truth[cell] for cell in board.unknown if cell in truth}
        if Counter(cells.values()) != Counter(dict(enumerate(board.missing))):
            raise BoardError("contents", "expected a colour for each unknown cell, as many of each as are missing")
        return cls(board.with_cells(cells))

    def view(self) -> SortPuzzle:
        """What a player sees at the start: the board with covered cells unknown."""
        tubes = tuple(
            bytes(UNKNOWN if cover >> level & 1 else ball for level, ball in enumerate(tube))
            for tube, cover in zip(self._start.tubes, self._start.covers, strict=True)
        )
        return self._start.with_tubes(tubes)

    def make(self, move: Pour | None) -> None:
        """Makes a move; begins again if there is none."""
        self.position = self._start if move is None else self.position.after_legal(move)

    def shows(self, board: SortPuzzle, place: int) -> Sequence[Colour]:
        """The colours, from the top down, of a tube's newly revealed cells."""
        levels = sorted((level for tube, level in board.unknown if tube == place), reverse=True)
        tube, cover = self.position.tubes[place], self.position.covers[place]
        return [self.position.palette[tube[level]] for level in levels if not cover >> level & 1]

    def effects(self, asking: Effects) -> Effects:
        """Which of the effects in question have happened."""
        position, rules = self.position, self.position.rules
        return Effects(
            tuple(place for place in asking.opened if rules.tubes[place].lock is None),
            tuple(place for place in asking.corked if rules.is_complete(position.tubes[place], place, position.goal)),
            asking.solved and position.is_goal(),
        )


@dataclass(frozen=True)
class Played:
    """The outcome of a game."""

    solved: bool
    attempts: int
    moves: int
    hopeless: bool = False


def play_out(explorer: Explorer, game: Game, most_attempts: int = 1_000) -> Played:
    """Plays to the end, up to a number of attempts."""
    while True:
        if explorer.looking:
            explorer.record_colours({place: game.shows(explorer.position, place) for place in explorer.looking})
            continue
        if explorer.asking:
            explorer.record_effects(game.effects(explorer.asking))
            continue
        advice = explorer.next_move()
        if advice.move is None and not (advice.restart and explorer.attempts < most_attempts):
            return Played(advice.solved, explorer.attempts, explorer.all_moves, advice.hopeless)
        game.make(advice.move)
        if advice.move is None:
            explorer.record_restart()
        else:
            explorer.record_move(advice.move)
