"""How far bounds and plans of large boards are apart after some seconds of processor time: `auto`'s last link.

    python benchmarks/gaps.py [SECONDS…]

Prints, for each kind of board, how many of its boards are settled by then, how many have a plan, and the mean of
(plan - bound) over those that have one.
"""

import sys
import time
from itertools import islice
from random import Random
from statistics import fmean

from bsp_sat.backends.auto import chain
from bsp_sat.backends.backend import Ended, Relay
from bsp_sat.backends.result import Findings
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.tiles import Tiles

BOARDS = 4
SORT = [(BallSort, 20, 4, 3), (BallSort, 30, 4, 3), (BallSort, 40, 4, 3), (BallSort, 20, 5, 3), (BallSort, 12, 8, 4)]
SORT += [(WaterSort, 30, 4, 3), (WaterSort, 20, 5, 2)]
SORT += [(BallSort, 20, 4, 3, "mixed"), (BallSort, 20, 4, 3, "locked"), (WaterSort, 20, 4, 3, "locked")]
SORT += [(BallSort, 6, 4, 2, "any"), (BallSort, 12, 5, 2, "any")]
OTHERS = {"mixed": {"capacities": "3,4,5"}, "locked": {"locked": 2}}


class Watch(Relay):
    """Notes what is known at each moment, and ends the backend at the last one."""

    def __init__(self, found: Findings, moments: list[float]) -> None:
        super().__init__(found)
        self.found, self.left, self.known = found, list(moments), []
        self.began = time.process_time()

    def after_fact(self) -> None:
        while self.left and time.process_time() - self.began >= self.left[0]:
            self.note()
            self.left.pop(0)
        if not self.left:
            raise Ended

    def note(self) -> None:
        best = self.found.best
        self.known.append((self.found.settled, None if best is None else len(best) - self.found.bound))


def known_after(puzzle: AnyPuzzle, moments: list[float]) -> list[tuple[bool, int | None]]:
    """For each moment, whether the board is settled, and the gap if there is a plan."""
    watch = Watch(Findings(puzzle, "auto"), moments)
    try:
        *_, last = chain(puzzle)
        last.run(puzzle, watch)
    except Ended:
        pass
    for _ in watch.left:
        watch.note()
    return watch.known


def drawn(rule: type[SortPuzzle], colours: int, capacity: int, empty: int, kind: str = "") -> list[SortPuzzle]:
    """Boards of one kind: ``mixed`` capacities, two ``locked`` tubes, or balls that go on ``any`` other."""
    boards = islice(random_boards(rule, colours, capacity, empty, seed=1, **OTHERS.get(kind, {})), BOARDS)
    placement = {"placement": "any"} if kind == "any" else {}
    return [rule.from_json({**board.puzzle.to_json(), **placement}) for board in boards]


def main() -> None:
    """Measures and prints."""
    moments = [float(word) for word in sys.argv[1:]] or [1.0, 10.0]
    chance = Random(1)
    columns = [[[chance.randrange(5) for _ in range(15)] for _ in range(15)] for _ in range(BOARDS)]
    kinds = {f"{rule.__name__} {numbers}": drawn(rule, *numbers) for rule, *numbers in SORT}
    for kind, puzzles in {**kinds, "Tiles 15x15, 5 colours": list(map(Tiles.from_columns, columns))}.items():
        rows = [known_after(puzzle, moments) for puzzle in puzzles]
        for at, moment in enumerate(moments):
            settled = sum(row[at][0] for row in rows)
            gaps = [gap for row in rows if (gap := row[at][1]) is not None]
            mean = f"{fmean(gaps):.1f}" if gaps else "-"
            planned = f"{len(gaps)} of {BOARDS} with a plan"
            print(f"{kind} after {moment:g} s: {settled} settled, {planned}, mean gap {mean}", flush=True)


if __name__ == "__main__":
    main()
