"""What if a board had more or fewer empty tubes, or some balls were swapped?"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from bsp_sat.apps.levels.empties import is_unsolvable, least_empties, optimum_of, with_empties
from bsp_sat.apps.levels.figure import Figure
from bsp_sat.instances.sorting import SortPuzzle

MOST_TRIED = 4_000
"""Boards tried to find the fewest swaps; beyond this number, the answer is an interval."""

Ball = tuple[int, int]
"""The place of a ball: its tube and its height in the tube, both from 0, bottom first."""


def what_if(puzzle: SortPuzzle) -> dict[str, Any]:
    """How a board would change, as a JSON object.

    * ``min_empty``: fewest empty tubes with which the other tubes can be solved;
    * ``one_more_saves``: by how many moves one more empty tube lowers the optimum; null if there is no plan, or finding
      it takes too long;
    * ``fewest_swaps``: fewest swaps of two balls that make the board solvable; 0 if it is solvable;
    * ``swaps``: swaps that make it solvable, made one after the other, each two pairs ``[tube, height]``, from 0; null
      if none were found.
    """
    empties = sum(not tube for tube in puzzle.tubes)
    now, then = (optimum_of(with_empties(puzzle, empties + more)) for more in (0, 1))
    fewest, swaps = fewest_swaps(puzzle)
    return {
        "min_empty": Figure.bounded(*least_empties(puzzle)).to_json(),
        "one_more_saves": None if now is None or then is None else Figure.exact(now - then).to_json(),
        "fewest_swaps": fewest.to_json(),
        "swaps": None if swaps is None else [[list(ball) for ball in swap] for swap in swaps],
    }


def fewest_swaps(puzzle: SortPuzzle) -> tuple[Figure, tuple[tuple[Ball, Ball], ...] | None]:
    """The fewest swaps of two balls that make a board solvable, and such swaps if some were found.

    A breadth-first search: all boards one swap away, then all that are two away, and so on. A board that can't be
    settled counts as unsolvable for the swaps that are shown, and as either for the number. When the limit of boards is
    reached, the upper bound is the number of misplaced balls less one: each swap places a ball, and the last one two.
    """
    unsolvable = is_unsolvable(puzzle)
    if unsolvable is False:
        return Figure.exact(0), ()
    settled = unsolvable is not None  # all boards so far are proved unsolvable
    low = int(settled)
    tried = number = 0
    seen = {puzzle.canonical()}
    layer: list[tuple[SortPuzzle, tuple[tuple[Ball, Ball], ...]]] = [(puzzle, ())]
    while layer:
        number += 1
        following = []
        for board, swaps in layer:
            for swap in _pairs_to_swap(board):
                after = swapped(board, *swap)
                if after.canonical() in seen:
                    continue
                if tried == MOST_TRIED:
                    return Figure.bounded(low, _sufficient_swaps(puzzle)), None
                tried += 1
                seen.add(after.canonical())
                verdict = is_unsolvable(after)
                if verdict is False:
                    return Figure.bounded(low, number), (*swaps, swap)
                settled &= verdict is not None
                following.append((after, (*swaps, swap)))
        layer = following
        low += settled
    return Figure.bounded(low, None), None


def swapped(puzzle: SortPuzzle, one: Ball, other: Ball) -> SortPuzzle:
    """The board with two balls swapped."""
    tubes = [bytearray(tube) for tube in puzzle.tubes]
    (a, i), (b, j) = one, other
    tubes[a][i], tubes[b][j] = tubes[b][j], tubes[a][i]
    return type(puzzle)(tuple(map(bytes, tubes)), puzzle.capacity, puzzle.goal, puzzle.palette)


def _pairs_to_swap(puzzle: SortPuzzle) -> Iterator[tuple[Ball, Ball]]:
    """All pairs of balls of different colours."""
    balls = [(tube, height) for tube, content in enumerate(puzzle.tubes) for height in range(len(content))]
    for one, other in combinations(balls, 2):
        if puzzle.tubes[one[0]][one[1]] != puzzle.tubes[other[0]][other[1]]:
            yield one, other


def _sufficient_swaps(puzzle: SortPuzzle) -> int | None:
    """A number of swaps that is enough; None if a tube is partly filled, as then the colours may not fit.

    Each full tube gets, of the colours that are left, the one it has most of.
    """
    if any(tube and len(tube) < puzzle.capacity for tube in puzzle.tubes):
        return None
    left = [sum(tube.count(colour) for tube in puzzle.tubes) for colour in range(len(puzzle.palette))]
    wrong = 0
    for tube in filter(None, puzzle.tubes):
        colour = max((c for c, balls in enumerate(left) if balls), key=tube.count)
        left[colour] -= puzzle.capacity
        wrong += puzzle.capacity - tube.count(colour)
    return max(1, wrong - 1)
