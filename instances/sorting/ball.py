"""Ball sort: one ball a move."""

from collections.abc import Iterator

from bsp_sat.instances.sorting.board import Pour
from bsp_sat.instances.sorting.position import SortPuzzle
from bsp_sat.instances.sorting.rules import bottom_run, top_run


class BallSort(SortPuzzle):
    """A ball-sort board, to solve, play and draw; a move takes one ball.

    >>> board = BallSort("abba|bcca|cabc|-")  # four tubes, each from bottom to top
    >>> board.apply((0, 3))  # a ball from the first tube to the last
    BallSort('abb|bcca|cabc|a')
    """

    __slots__ = ()

    kind = "ball-sort"
    whole_run = False
    prunings = SortPuzzle.prunings | {"uneven"}

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """See `SortPuzzle.pruned_moves`. Adds a rule for boards of the plain form.

        * ``uneven``: of the uniform tubes of a colour, balls leave only the one with the fewest, and go to the one with
          the most that has room, not to an empty tube.
        """
        moves = super().pruned_moves(prunings)
        return filter(self._is_uneven, moves) if self.is_plain and "uneven" in prunings else moves

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

    def amount(self, source: bytes, target: bytes) -> int:
        return 1

    def _plain_bound(self) -> int:
        """The number of balls that must move.

        At the goal ``full`` a colour that fills m tubes keeps at most its m longest one-colour bottom
        runs, and every other ball moves at least once. At ``monochrome`` every bottom run may stay.
        """
        return sum(map(len, self.tubes)) - self._most_that_stays([bottom_run(tube) for tube in self.tubes])
