"""What would change a board: more or fewer empty tubes, balls that swap places."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bsp_sat.grading.figure import Figure
from bsp_sat.grading.measures.empties import is_unsolvable, least_empties, optimum_of, with_empties
from bsp_sat.instances.sorting import SortPuzzle

MOST_TRIED = 4_000
"""Boards looked at for the fewest swaps: beyond that the answer is an interval."""

Ball = tuple[int, int]
"""Tube, and height in it, both from 0, the bottom first."""


@dataclass(frozen=True)
class WhatIf:
    """What would change a board.

    Attributes:
        min_empty: fewest empty tubes with which the other tubes can be solved.
        one_more_saves: moves by which one more empty tube makes the optimum less; None where there is no plan, or it
            takes too long to find.
        fewest_swaps: fewest swaps of two balls that make it solvable; 0 where it is.
        swaps: swaps that do it, one after the other, where some were found.
    """

    min_empty: Figure
    one_more_saves: Figure | None
    fewest_swaps: Figure
    swaps: tuple[tuple[Ball, Ball], ...] | None

    def to_json(self) -> dict[str, Any]:
        """An object of figures; ``swaps`` as pairs of ``[tube, height]``, from 0."""
        return {
            "min_empty": self.min_empty.to_json(),
            "one_more_saves": None if self.one_more_saves is None else self.one_more_saves.to_json(),
            "fewest_swaps": self.fewest_swaps.to_json(),
            "swaps": None if self.swaps is None else [[list(ball) for ball in swap] for swap in self.swaps],
        }


def what_if(puzzle: SortPuzzle) -> WhatIf:
    """Answers all of it for one board."""
    empties = sum(not tube for tube in puzzle.tubes)
    now, then = (optimum_of(with_empties(puzzle, empties + more)) for more in (0, 1))
    fewest, swaps = fewest_swaps(puzzle)
    return WhatIf(
        min_empty=Figure.bounded(*least_empties(puzzle)),
        one_more_saves=None if now is None or then is None else Figure.exact(now - then),
        fewest_swaps=fewest,
        swaps=swaps,
    )


def fewest_swaps(puzzle: SortPuzzle) -> tuple[Figure, tuple[tuple[Ball, Ball], ...] | None]:
    """The fewest swaps of two balls that make a board solvable, and such swaps where some were found.

    All boards one swap away are looked at, then all that are two away, and so on. What can't be settled counts as
    unsolvable for the swaps that are shown, and as either for the number. Where no more boards are looked at, so many
    swaps are enough as put each ball where its tube wants it: every swap puts one right, the last one two.
    """
    unsolvable = is_unsolvable(puzzle)
    if unsolvable is False:
        return Figure.exact(0), ()
    settled = unsolvable is not None  # nothing up to here may be solvable after all
    low = int(settled)
    tried = number = 0
    seen = {puzzle.canonical()}
    layer: list[tuple[SortPuzzle, tuple[tuple[Ball, Ball], ...]]] = [(puzzle, ())]
    while layer:
        number += 1
        following = []
        for board, swaps in layer:
            for swap in _swaps(board):
                after = swapped(board, *swap)
                if after.canonical() in seen:
                    continue
                if tried == MOST_TRIED:
                    return Figure.bounded(low, _enough(puzzle)), None
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
    """The board after two balls have swapped places."""
    tubes = [bytearray(tube) for tube in puzzle.tubes]
    (a, i), (b, j) = one, other
    tubes[a][i], tubes[b][j] = tubes[b][j], tubes[a][i]
    return type(puzzle)(tuple(map(bytes, tubes)), puzzle.capacity, puzzle.goal, puzzle.palette)


def _swaps(puzzle: SortPuzzle) -> Iterator[tuple[Ball, Ball]]:
    """Every two balls of different colours."""
    balls = [(tube, height) for tube, content in enumerate(puzzle.tubes) for height in range(len(content))]
    for one, other in combinations(balls, 2):
        if puzzle.tubes[one[0]][one[1]] != puzzle.tubes[other[0]][other[1]]:
            yield one, other


def _enough(puzzle: SortPuzzle) -> int | None:
    """Swaps that are enough: each full tube takes a colour that is left, the one it has most of.

    None where a tube is filled in part, as then the colours may not fit.
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
