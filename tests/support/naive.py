"""The rules of the sort puzzles a second time, as plainly as possible, with exact distances and plan counts.

Nothing here is shared with the package: a board is a tuple of byte strings, bottom first, and every answer
comes from looking at all states.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

FAMILIES = [((2, 2), 2, 3), ((2, 2, 2), 2, 4), ((3, 3), 3, 3), ((2, 4), 2, 4), ((3, 6), 3, 4)]
"""Balls of each colour, capacity and tubes of boards that are few enough to look at all."""

Board = tuple[bytes, ...]
Move = tuple[int, int]


def moves(board: Board, capacity: int, *, water: bool) -> dict[Move, Board]:
    """Every legal (source, target) with the board that it leads to."""
    found = {}
    for i, source in enumerate(board):
        for j, target in enumerate(board):
            fits = i != j and source and len(target) < capacity
            if fits and (not target or target[-1] == source[-1]):
                ball = source[-1:]
                below, filled = source[:-1], target + ball
                while water and below[-1:] == ball and len(filled) < capacity:
                    below, filled = below[:-1], filled + ball
                after = [*board]
                after[i], after[j] = below, filled
                found[i, j] = tuple(after)
    return found


def is_goal(board: Board, capacity: int, goal: str) -> bool:
    """Every tube is empty or of one colour, and with ``full`` holds as many balls as it can."""
    return all(not tube or (len(set(tube)) == 1 and (goal != "full" or len(tube) == capacity)) for tube in board)


def all_boards(counts: tuple[int, ...], capacity: int, tubes: int) -> Iterator[Board]:
    """Every distribution of ``counts[c]`` balls of colour c over the tubes, tubes in order."""

    def tubes_from(left: tuple[int, ...], height: int) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        yield b"", left
        if height:
            for colour, count in enumerate(left):
                if count:
                    rest = (*left[:colour], count - 1, *left[colour + 1 :])
                    for above, remaining in tubes_from(rest, height - 1):
                        yield bytes([colour]) + above, remaining

    def extend(board: Board, left: tuple[int, ...]) -> Iterator[Board]:
        if len(board) == tubes:
            if not any(left):
                yield board
            return
        if sum(left) > (tubes - len(board)) * capacity:
            return
        for tube, remaining in tubes_from(left, capacity):
            if not board or tube >= board[-1]:
                yield from extend((*board, tube), remaining)

    return extend((), counts)


def forwards(start: Any, after: Callable[[Any], Iterable[Any]]) -> Iterator[tuple[Any, int]]:
    """All states that moves lead to, the nearest first, with how many it takes; ``after`` says where moves lead."""
    found = {start: 0}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        yield state, found[state]
        for following in after(state):
            if following not in found:
                found[following] = found[state] + 1
                queue.append(following)


def reachable(start: Board, capacity: int, *, water: bool) -> set[Board]:
    """Every board that moves lead to, ``start`` included; tubes keep their places."""
    return {board for board, _ in forwards(start, lambda board: moves(board, capacity, water=water).values())}


def backwards(goals: Iterable[Any], before: Callable[[Any], Iterable[Any]]) -> dict[Any, int]:
    """The fewest moves to one of the goals, from all states that lead there; ``before`` says where moves come from."""
    found = dict.fromkeys(goals, 0)
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for earlier in before(state):
            if earlier not in found:
                found[earlier] = found[state] + 1
                queue.append(earlier)
    return found


def distances(
    boards: set[Board], capacity: int, goal: str, *, water: bool, tubes_in_order: bool = False
) -> dict[Board, int]:
    """The length of a shortest plan from each board that has one, backwards from the goals.

    ``boards`` must be closed under moves; ``tubes_in_order`` says that they are, up to the order of tubes.
    """
    before = defaultdict(list)
    for board in boards:
        for after in moves(board, capacity, water=water).values():
            before[tuple(sorted(after)) if tubes_in_order else after].append(board)
    return backwards((board for board in boards if is_goal(board, capacity, goal)), before.__getitem__)


def optimum(start: Board, capacity: int, goal: str, *, water: bool) -> int | None:
    """The length of a shortest plan, None where there is none."""
    return distances(reachable(start, capacity, water=water), capacity, goal, water=water).get(start)


def plan_counts(start: Board, capacity: int, goal: str, longest: int, *, water: bool) -> list[int]:
    """The number of plans with exactly 0, 1, …, ``longest`` moves; a plan may pass through goals."""
    paths = Counter({start: 1})
    counts = []
    for _ in range(longest + 1):
        counts.append(sum(number for board, number in paths.items() if is_goal(board, capacity, goal)))
        following: Counter[Board] = Counter()
        for board, number in paths.items():
            for after in moves(board, capacity, water=water).values():
                following[after] += number
        paths = following
    return counts
