"""Finds the last position of a game from which the goal can still be reached."""

from collections.abc import Callable, Sequence
from typing import TypeVar

P = TypeVar("P")


def last_solvable(game: Sequence[P], is_solvable: Callable[[P], bool | None]) -> int | None:
    """Finds the last position of a game that can be solved.

    A lost game stays lost, so this is a binary search. It starts at the end, as most games are lost by their last move.

    Args:
        game: the positions, in order.
        is_solvable: whether a position can be solved; None if unknown.

    Returns:
        Its index; -1 if no position can be solved, None if a needed answer is unknown.

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
