"""The measures a second time, as plainly as their definitions, for small boards; nothing is shared but the prunings."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import inf, log2
from statistics import fmean

from bsp_sat.instances.puzzle import Move
from bsp_sat.instances.sorting import SortPuzzle, WaterSort
from tests.support import naive
from tests.support.naive import Board


class Plain:
    """One solvable board, and everything that can happen on it."""

    def __init__(self, puzzle: SortPuzzle) -> None:
        self.puzzle = puzzle
        self.water = isinstance(puzzle, WaterSort)
        self._nexts: dict[Board, set[Board]] = {}
        self.start = tuple(sorted(puzzle.tubes))
        self.reach = {board for board, _ in naive.forwards(self.start, self.nexts)}
        known = naive.distances(self.reach, puzzle.capacity, puzzle.goal, water=self.water, tubes_in_order=True)
        self.distance = dict.fromkeys(self.reach, inf) | known
        self.optimum = self.distance[self.start]

    def is_goal(self, board: Board) -> bool:
        return naive.is_goal(board, self.puzzle.capacity, self.puzzle.goal)

    def nexts(self, board: Board) -> set[Board]:
        """Different next positions; none where the game is over."""
        if board not in self._nexts:
            afters = naive.moves(board, self.puzzle.capacity, water=self.water).values()
            different = {tuple(sorted(after)) for after in afters} - {tuple(sorted(board))}
            self._nexts[board] = set() if self.is_goal(board) else different
        return self._nexts[board]

    def plans(self) -> Iterator[list[Board]]:
        """The positions along each shortest plan, one for each sequence of moves between tubes where they stand."""

        def further(way: list[Board], left: float) -> Iterator[list[Board]]:
            if left == 0:
                yield way
                return
            for after in naive.moves(way[-1], self.puzzle.capacity, water=self.water).values():
                if self.distance[tuple(sorted(after))] == left - 1:
                    yield from further([*way, after], left - 1)

        for way in further([self.puzzle.tubes], self.optimum):
            yield [tuple(sorted(board)) for board in way]

    def figures(self) -> dict[str, float]:
        """The exact measures that don't speak of one plan."""
        plans = list(self.plans())
        on_plans = {board for plan in plans for board in plan if not self.is_goal(board)}

        def right(board: Board) -> int:
            return sum(self.distance[after] == self.distance[board] - 1 for after in self.nexts(board))

        pairs = [after for board in on_plans for after in self.nexts(board)]
        return {
            "optimum": self.optimum,
            "bound_gap": self.optimum - self.puzzle.lower_bound(),
            "shortest_plans": len(plans),
            "decision_bits": fmean(
                sum(log2(len(self.nexts(board)) / right(board)) for board in plan[:-1]) for plan in plans
            ),
            "forced_share": sum(len(self.nexts(board)) == 1 for board in on_plans) / max(1, len(on_plans)),
            "dead_share": sum(self.distance[board] == inf for board in self.reach) / len(self.reach),
            "trap_share": sum(self.distance[after] == inf for after in pairs) / max(1, len(pairs)),
        }

    def along(self, plan: list[Board]) -> dict[str, float]:
        """The measures that speak of one plan, given by its positions."""
        slips = [
            self.distance[after] + 1 - self.distance[board]
            for board in plan
            for after in self.nexts(board)
            if self.distance[after] < inf
        ]
        safe = [number for number, board in enumerate(plan) if not self._may_die(board)]
        return {"costliest_slip": max(slips, default=0), "safe_from": min(safe)}

    def _may_die(self, board: Board) -> bool:
        return any(self.distance[each] == inf for each, _ in naive.forwards(board, self.nexts))


def moves_left(position: SortPuzzle) -> list[Move]:
    """Moves that aren't pointless."""
    return list(position.pruned_moves(position.prunings))


def greedy_moves(position: SortPuzzle, last: Move | None) -> list[Move]:
    """Those of the best kind."""

    def worth(move: Move) -> int:
        if last is not None and tuple(move) == tuple(last)[::-1]:
            return -1
        target = position.apply(move).tubes[move[1]]
        if len(target) == position.capacity and len(set(target)) == 1:
            return 2
        return 1 if position.tubes[move[1]] else 0

    moves = moves_left(position)
    best = max(map(worth, moves), default=0)
    return [move for move in moves if worth(move) == best]


def success(puzzle: SortPuzzle, moves: int, *, greedy: bool) -> float:
    """The exact chance that a player solves the board within a number of moves."""
    chances: dict[tuple[SortPuzzle, Move | None], float] = {(puzzle, None): 1.0}
    solved = 0.0
    for _ in range(moves + 1):
        following: dict[tuple[SortPuzzle, Move | None], float] = defaultdict(float)
        for (position, last), chance in chances.items():
            if position.is_goal():
                solved += chance
                continue
            choice = greedy_moves(position, last) if greedy else moves_left(position)
            for move in choice:
                after = position.apply(move)
                key = (after, move) if greedy else (after.canonical(), None)
                following[key] += chance / len(choice)
        chances = following
    return solved


def wandering(puzzle: SortPuzzle, moves: int, dead: set[Board]) -> float:
    """The exact chance that a player who makes any moves is in a dead position after 1 to ``moves`` of them."""
    chances = {puzzle.canonical(): 1.0}
    total = 0.0
    for _ in range(moves):
        following: dict[SortPuzzle, float] = defaultdict(float)
        for position, chance in chances.items():
            choice = [] if position.is_goal() else moves_left(position)
            for move in choice:
                following[position.apply(move).canonical()] += chance / len(choice)
            if not choice:
                following[position] += chance
        chances = following
        total += sum(chance for position, chance in chances.items() if position.tubes in dead)
    return total / moves


def positions_along(puzzle: SortPuzzle, plan: list[Move]) -> list[Board]:
    """The positions of a plan, the board's own first."""
    way = [puzzle]
    for move in plan:
        way.append(way[-1].apply(move))
    assert all(before != after for before, after in pairwise(way))
    return [tuple(sorted(position.tubes)) for position in way]
