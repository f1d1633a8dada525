"""The share of a class's boards that can't be solved, from random boards.

A random board is that of `bsp-sat generate random` with the same seed: all balls in a random order. So of all boards,
with tubes and colours told apart, each is as likely as any other. It can be solved if and only if there is a path
through its border tables (`by_borders` in `formal/every_board/Paths.v`). If that takes too many tables the board is
left open, and the interval of the share allows for both answers.
"""

from collections.abc import Iterator
from itertools import islice
from math import exp, fsum, lgamma, log, log1p

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.enumeration import ClassPart
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import BallSort

BOARDS = 1000
BOARDS_OF_PART = 20
MAX_TABLES = 20_000  # of one board; a second
TAIL = 0.025  # of the probability, on each side of the interval
HALVINGS = 40


def parts_of(boards: int) -> list[bytes]:
    """The names of the parts of a sample: the numbers of their boards, from the first to the one after the last."""
    return [b"%d-%d" % (first, min(first + BOARDS_OF_PART, boards)) for first in range(0, boards, BOARDS_OF_PART)]


def decide_some(of: BoardClass, seed: int, name: bytes) -> ClassPart:
    """Decides the random boards of a part but those left open; BoardError if there are none with so many colours."""
    first, end = map(int, name.split(b"-"))
    boards = random_boards(BallSort, of.colours, of.capacity, of.empty, seed=seed + first)
    part = ClassPart()
    for instance in islice(boards, end - first):
        board = instance.puzzle
        assert isinstance(board, BallSort)
        can_be_solved, _ = search_tables(board, MAX_TABLES)
        if can_be_solved is not None:
            dead = [] if can_be_solved else [b"".join(board.tubes)]
            part.merge(ClassPart(1, len(dead), dead))
    return part


def share_of(part: ClassPart, drawn: int) -> tuple[float, float]:
    """The Clopper-Pearson interval, of at least 95 %, for the share that can't be solved of ``drawn`` random boards."""
    solvable = part.boards - part.unsolvable
    return 1 - _highest_share(drawn - part.unsolvable, drawn), _highest_share(drawn - solvable, drawn)


def _highest_share(found: int, drawn: int) -> float:
    """The highest share of all boards at which so few of the drawn ones aren't too unlikely."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if fsum(_probabilities(found, drawn, middle)) > TAIL:
            low = middle
        else:
            high = middle
    return high


def _probabilities(most: int, drawn: int, share: float) -> Iterator[float]:
    """The probabilities of 0, 1, … and ``most`` boards of this share."""
    for number in range(most + 1):
        ways = lgamma(drawn + 1) - lgamma(number + 1) - lgamma(drawn - number + 1)
        yield exp(ways + number * log(share) + (drawn - number) * log1p(-share))
