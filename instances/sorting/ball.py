"""Ball sort: one ball a move."""

from collections.abc import Iterator
from typing import Self, cast

from bsp_sat.instances.sorting.fields import SortFields
from bsp_sat.instances.sorting.hidden import HiddenSort
from bsp_sat.instances.sorting.position import Pour, SortPuzzle, most_that_stays
from bsp_sat.instances.sorting.reading import read_ruled
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.tubes import bottom_run, top_run


class BallSort(SortPuzzle):
    """One ball a move."""

    __slots__ = ()

    kind = "ball-sort"
    whole_run = False
    prunings = SortPuzzle.prunings | {"uneven"}

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """See `SortPuzzle.pruned_moves`. Adds a rule.

        * ``uneven``: of the uniform tubes of a colour, balls leave only the one with the fewest, and go to the one with
          the most that has room, not to an empty tube.
        """
        moves = super().pruned_moves(prunings)
        return filter(self._is_uneven, moves) if "uneven" in prunings else moves

    def _is_uneven(self, move: Pour) -> bool:
        source, target = (self.tubes[place] for place in move)
        ball = source[-1:]
        loads = sorted(len(tube) for tube in self.tubes if tube[:1] == ball and top_run(tube) == len(tube))
        if ball * len(source) == source:
            if len(source) > loads[0]:
                return False
            loads.remove(len(source))
        if ball * len(target) != target:
            return True
        roomy = [load for load in loads if load < self.capacity]
        return not roomy or len(target) == roomy[-1]

    @classmethod
    def with_rules(cls, fields: SortFields) -> Self:
        """See `SortPuzzle.with_rules`."""
        return cast(Self, read_ruled(fields, BallSort, RuledBallSort, HiddenBallSort))

    def amount(self, source: bytes, target: bytes) -> int:
        """Always one."""
        return 1

    def lower_bound(self) -> int:
        """The number of balls that must move.

        At the goal ``full`` a colour that fills m tubes keeps at most its m longest one-colour bottom
        runs, and every other ball moves at least once. At ``monochrome`` every bottom run may stay.
        """
        return sum(map(len, self.tubes)) - most_that_stays(self, [bottom_run(tube) for tube in self.tubes])


class RuledBallSort(RuledSort, BallSort):
    """Ball sort with rules for tubes."""

    __slots__ = ()

    def bare(self) -> SortPuzzle:
        """See `RuledSort.bare`."""
        return BallSort(self.tubes, self.capacity, self.goal, self.palette)

    def with_unknown(self, tubes: tuple[bytes, ...]) -> RuledSort:
        """See `RuledSort.with_unknown`."""
        hidden = HiddenBallSort(tubes, self.capacity, self.goal, self.palette, self.rules, self.covers)
        return hidden.seen_as(tubes)


class HiddenBallSort(HiddenSort, RuledBallSort):
    """Ball sort with unknown balls."""

    __slots__ = ()

    @classmethod
    def known_type(cls) -> type[RuledSort]:
        """See `HiddenSort.known_type`."""
        return RuledBallSort
