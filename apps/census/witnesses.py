"""Unsolvable boards that are known, and those that follow from them.

A board stays unsolvable if an empty tube is taken away, and if a complete tube of a new colour is added. That is proved
in `formal/every_board/` (`less_room` and `new_colour` in `EveryBoard.v`), and in words in its README.md.

**Growing.** In most lines of the table of known boards each tube has a ball with a capital letter, and each colour one
such ball. Beside each of them m more balls of its colour are put, and the capacity is raised by m. That makes no new
borders, so the border tables are the same, and each F_c − G_c becomes D + m·s. Here s depends on the table and the
step, but not on m, and −n·h ≤ D ≤ h for n colours and the old capacity h. So for m > n·h no sign changes any more: a
board that stays unsolvable for all m up to n·h + 1 does so for all m. A test checks that for these boards of the table.

Still, `unsolvable_board` has the border argument decide each board that it returns.
"""

from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.instances.sorting import BallSort

FILE = Path(__file__).parent / "data" / "unsolvable.txt"
MOST_TABLES = 10_000_000


@dataclass(frozen=True)
class Known:
    """A board of the table, with the height of the ball of each tube that can be repeated, where that is known."""

    board: BallSort
    places: tuple[int, ...]

    @property
    def board_class(self) -> BoardClass:
        """Its class."""
        return BoardClass.of(self.board)

    def grown(self, of: BoardClass) -> BallSort:
        """The board of a class with at least as many colours and at most as many empty tubes.

        Where `places` are known the capacity may be higher, else it is the same.
        """
        first = self.board_class
        more = of.capacity - first.capacity
        tubes = [
            tube[:place] + tube[place : place + 1] * more + tube[place:]
            for tube, place in zip(self.board.tubes, self.places or (0,) * first.colours, strict=False)
        ]
        complete = [bytes([colour]) * of.capacity for colour in range(first.colours, of.colours)]
        return of.board(b"".join(chain(tubes, complete)))


@cache
def known_boards() -> tuple[Known, ...]:
    """The table of unsolvable boards."""
    lines = [line.partition("#")[0].strip() for line in FILE.read_text(encoding="ascii").splitlines()]
    return tuple(_known(line) for line in lines if line)


def _known(line: str) -> Known:
    board = BallSort.from_text(line.lower())
    return Known(board, tuple(at for tube in line.split("|") for at, letter in enumerate(tube) if letter.isupper()))


def unsolvable_board(of: BoardClass) -> BallSort | None:
    """An unsolvable board of a class that follows from a known one, if there is one."""
    for known in known_boards():
        first = known.board_class
        if (
            first.colours <= of.colours
            and first.empty >= of.empty
            and (first.capacity <= of.capacity if known.places else first.capacity == of.capacity)
        ):
            board = known.grown(of)
            if is_unsolvable(board):
                return board
    return None


def is_unsolvable(board: BallSort) -> bool:
    """Whether the border argument proves that a board can't be solved."""
    return search_tables(board, MOST_TABLES)[0] is False
