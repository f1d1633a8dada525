"""What the measures of one board share: its positions, its optimum, the shortest plans, all positions where few."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel.contents import Ints
from bsp_sat.grading.alike import ranks_of
from bsp_sat.grading.arrays import FAR, LIMBS
from bsp_sat.grading.ground import Field, Numbers
from bsp_sat.grading.oracle import Oracle, check_board
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import RuledSort, SortPuzzle

EXACT_POSITIONS = 8_192
"""Boards with up to so many positions have all of them walked through."""


@dataclass(frozen=True)
class ShortestPlans:
    """All shortest plans of a board; arrays by position on one, the board itself first.

    Attributes:
        number: how many there are, as `bsp_sat.backends.count` counts.
        keys: positions, packed.
        chance: of passing through a position with a plan drawn uniformly.
        nexts: different next positions; 0 at goals.
        good: those of them that are on shortest plans.
        way: the positions of the plan that is shown.
    """

    number: int
    keys: NDArray[np.uint64]
    chance: NDArray[np.float64]
    nexts: Ints
    good: Ints
    way: list[Numbers]


@dataclass(frozen=True)
class Space:
    """All positions that a game can come to; it ends at a goal.

    Attributes:
        distance: by position, the fewest moves to a goal; `FAR` where none can be reached.
        on_plan: whether a shortest plan passes through it.
        first: by position, its first edge; then the end.
        target: by edge, a different next position.
        by_numbers: the distances, by position.
    """

    distance: Ints
    on_plan: NDArray[np.bool_]
    first: Ints
    target: Ints
    by_numbers: dict[Numbers, int]


class Study:
    """One board under study; everything is found out when it is asked for, once.

    Raises:
        Unsupported: the board is none of a sort puzzle, or larger than compiled code takes.
    """

    def __init__(self, puzzle: AnyPuzzle) -> None:
        if not isinstance(puzzle, SortPuzzle):
            raise Unsupported(f"grading takes ball-sort and water-sort boards, this is {puzzle.kind}")
        check_board(puzzle)
        if isinstance(puzzle, RuledSort):  # of known balls, under no rule: its covers change nothing
            puzzle = puzzle.bare()
        self.puzzle = puzzle
        # Figures depend neither on where tubes stand nor on the names of colours.
        self._ranks = ranks_of(puzzle).ljust(256)
        self.field = Field(self._normal(puzzle))
        self.oracle = Oracle(self.field)

    def _normal(self, position: SortPuzzle) -> SortPuzzle:
        """A position of the board with its tubes in order and its colours by rank."""
        tubes = sorted(tube.translate(self._ranks) for tube in position.tubes)
        return type(position)(tuple(tubes), position.capacity, position.goal, tuple(range(len(position.palette))))

    @cached_property
    def _answer(self) -> tuple[int | None, int]:
        before = self.oracle.expansions
        return self.oracle.distance(self.field.start), self.oracle.expansions - before

    @property
    def optimum(self) -> int | None:
        """Fewest moves to a goal, `FAR` where the board is unsolvable, None where that takes too long."""
        return self._answer[0]

    @property
    def is_solvable(self) -> bool:
        """Whether a shortest plan is known."""
        return self.optimum is not None and self.optimum < FAR

    @property
    def effort(self) -> int:
        """Expansions of the search that finds the optimum, or that there is no plan."""
        return self._answer[1]

    def seed(self, purpose: str) -> int:
        """Where the random numbers of one purpose begin: the same for the same board, wherever it is graded."""
        text = f"{purpose} {self.puzzle.kind} {self.puzzle.capacity} {self.puzzle.goal} {self.field.puzzle.tubes}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")

    @cached_property
    def plans(self) -> ShortestPlans | None:
        """The shortest plans; None where they pass through too many positions, or there are none."""
        length = self.optimum
        if length is None or length >= FAR:
            return None
        walk = self.field.walk(self.field.start, limit=length)
        if not walk.complete or not self.field.count(length):
            return None
        ground, positions = walk.ground, walk.positions
        on_plan = ground.after[:positions] > 0
        weight = ground.before[:positions] * ground.after[:positions]
        path = [0]
        while not ground.goal[path[-1]]:
            at = path[-1]
            targets = ground.target[ground.first[at] : ground.first[at + 1]]
            good = (ground.depth[targets] == ground.depth[at] + 1) & (ground.after[targets] > 0)
            path.append(int(targets[good][0]))
        return ShortestPlans(
            number=sum(int(ground.plans[0, limb]) << 64 * limb for limb in range(LIMBS)),
            keys=ground.keys[:positions][on_plan],
            chance=weight[on_plan] / ground.after[0],
            nexts=ground.nexts[:positions][on_plan],
            good=ground.good[:positions][on_plan],
            way=self.field.unpacked(ground.keys[path]),
        )

    @cached_property
    def plan(self) -> Plan | None:
        """The shortest plan that is shown: measures that speak of one mean this."""
        if self.plans is None:
            return None
        position, moves = self.puzzle, []
        for following in self.plans.way[1:]:
            tubes = self.field.puzzle_of(following).canonical().tubes
            move = next(m for m in position.legal_moves() if self._normal(position.apply(m)).tubes == tubes)
            position = position.apply(move)
            moves.append(move)
        plan = Plan(tuple(moves))
        plan.replay(self.puzzle)
        return plan

    @cached_property
    def space(self) -> Space | None:
        """All positions; None where there are more than `EXACT_POSITIONS`."""
        walk = self.field.walk(self.field.start, most=EXACT_POSITIONS)
        if not walk.complete:
            return None
        self.field.measure()
        ground, positions = walk.ground, walk.positions
        distance = ground.distance[:positions].copy()
        return Space(
            distance=distance,
            on_plan=ground.depth[:positions] + distance == distance[0],
            first=ground.first[: positions + 1].copy(),
            target=ground.target[: walk.edges].copy(),
            by_numbers=dict(zip(self.field.unpacked(ground.keys[:positions]), distance.tolist(), strict=True)),
        )

    def distance(self, position: Numbers) -> int | None:
        """See `Oracle.distance`; looked up where all positions are known."""
        known = None if self.space is None else self.space.by_numbers.get(position)
        return self.oracle.distance(position) if known is None else known

    def is_dead(self, position: Numbers) -> bool | None:
        """See `Oracle.is_dead`; looked up where all positions are known."""
        known = None if self.space is None else self.space.by_numbers.get(position)
        return self.oracle.is_dead(position) if known is None else known == FAR
