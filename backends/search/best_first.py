"""Best-first search: the one loop behind A*, weighted A*, a search led by a guess, and the positions of labels.

States wait in order of a rank. A state whose cost drops is put back, so that with the rank of A*, cost so far plus a
lower bound, the first goal taken out is optimal for every admissible bound, consistent or not (Hart, Nilsson and
Raphael 1968). Only whole states are compared.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)


class BestFirst(Generic[State]):
    """A search from one state, to be iterated over: the states in the order in which they are expanded.

    The states after one are asked for when the next one is.

    Args:
        start: the state to begin with.
        following: the states that a move leads to from a state.
        rank: from a state and its cost, its rank, the least first; None to leave the state out.
        deepest_first: of states with equal ranks, take those with the highest cost; if not, the newest.

    Attributes:
        reached: for each state found its cost, and the state before it; None for the start.
    """

    def __init__(
        self,
        start: State,
        following: Callable[[State], Iterable[State]],
        rank: Callable[[State, int], float | None],
        *,
        deepest_first: bool = False,
    ) -> None:
        self.reached: dict[State, tuple[int, State | None]] = {}
        self._start = start
        self._following = following
        self._rank = rank
        self._deepest_first = deepest_first

    def __iter__(self) -> Iterator[tuple[float, int, State]]:
        """Rank, cost and state, one by one; a state comes again when it is reached more cheaply after that."""
        reached, following, rank_of, deepest_first = self.reached, self._following, self._rank, self._deepest_first
        newest_first = count(0, -1)
        queue: list[tuple[float, int, int, int, State]] = []
        if (rank := rank_of(self._start, 0)) is not None:
            reached[self._start] = 0, None
            queue.append((rank, 0, 0, 0, self._start))
        while queue:
            rank, _, _, cost, state = heappop(queue)
            if cost > reached[state][0]:
                continue  # reached more cheaply since it was put in
            yield rank, cost, state
            cost += 1
            for child in following(state):
                known = reached.get(child)
                if known is not None and known[0] <= cost:
                    continue
                if (rank := rank_of(child, cost)) is not None:
                    reached[child] = cost, state
                    heappush(queue, (rank, -cost if deepest_first else 0, next(newest_first), cost, child))

    def path_to(self, state: State) -> list[State]:
        """The states from the start to one that was found."""
        path = [state]
        while (before := self.reached[path[-1]][1]) is not None:
            path.append(before)
        return path[::-1]
