"""Best-first search: the common loop of A*, weighted A*, heuristic search and labels.

The queue is ordered by a rank. A state that is reached more cheaply is put back into the queue. So with the rank of A*,
cost so far plus lower bound, the first expanded goal is optimal for every admissible bound, consistent or not (Hart,
Nilsson and Raphael 1968). States are compared as wholes, not by hashes.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)


class BestFirst(Generic[State]):
    """A search from one state, as an iterable of the states in order of expansion.

    A state is expanded when the iteration goes on to the next one. The least ``rank`` of a state with a cost comes
    first; None leaves it out. Of equal ranks the newest comes first, or with ``deepest_first`` the one with the highest
    cost. ``reached`` has the cost of each state found, and its predecessor, None for the start.
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
        """Yields rank, cost and state; a state comes again if it is reached more cheaply later."""
        reached, following, rank_of, deepest_first = self.reached, self._following, self._rank, self._deepest_first
        newest_first = count(0, -1)
        queue: list[tuple[float, int, int, int, State]] = []
        if (rank := rank_of(self._start, 0)) is not None:
            reached[self._start] = 0, None
            queue.append((rank, 0, 0, 0, self._start))
        while queue:
            rank, _, _, cost, state = heappop(queue)
            if cost > reached[state][0]:
                continue  # an outdated entry: the state has been reached more cheaply
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
        """The states from the start to a state that was found."""
        path = [state]
        while (before := self.reached[path[-1]][1]) is not None:
            path.append(before)
        return path[::-1]
