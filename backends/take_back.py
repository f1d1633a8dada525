"""Where a game was lost: the last position from which the goal can still be reached."""

from collections.abc import Callable, Sequence
from typing import TypeVar

P = TypeVar("P")


def last_solvable(game: Sequence[P], is_solvable: Callable[[P], bool | None]) -> int | None:
    """Finds the last position of a game that can be solved.

    Once a game is lost it stays lost, so halving finds the place. The last position is asked first: most games are
    lost by their last move.

    Args:
        game: the positions, in order.
        is_solvable: whether a position can be solved; None if that isn't known.

    Returns:
        Its index; -1 if none can be solved, None if an answer that is needed isn't known.

    >>> last_solvable([3, 2, 1, 0, 0], lambda position: position > 0)
    2
    """
    solvable, lost = -1, len(game)
    guess = lost - 1
    while lost - solvable > 1:
        answer = is_solvable(game[guess])
        if answer is None:
            return None
        if answer:
            solvable = guess
        else:
            lost = guess
        guess = (solvable + lost) // 2
    return solvable
