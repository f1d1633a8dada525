"""How many empty tubes a board needs: `min_empty`."""

from bsp_sat.apps.levels.figure import Figure
from bsp_sat.apps.levels.study import Study, graph_of
from bsp_sat.backends.kernel import TooFar
from bsp_sat.instances.sorting import SortPuzzle


def min_empty(study: Study) -> Figure | None:
    """Fewest empty tubes with which the tubes that aren't empty can be solved.

    One more empty tube never hurts. With an empty tube for each tube of the goal, every ball can go where it belongs.
    """
    low, high = least_empties(study.puzzle)
    return Figure.bounded(low, high)


def least_empties(puzzle: SortPuzzle) -> tuple[int, int]:
    """A lower and an upper bound of `min_empty`; equal if it is known."""
    filled = sum(map(bool, puzzle.tubes))
    enough = sum(-(-sum(tube.count(c) for tube in puzzle.tubes) // puzzle.capacity) for c in range(len(puzzle.palette)))
    low = max(0, enough - filled)
    known = True
    for empties in range(low, enough):
        dead = is_unsolvable(with_empties(puzzle, empties))
        if dead is False:
            return low if not known else empties, empties
        if dead and known:
            low = empties + 1
        known &= dead is not None
    return low, enough


def with_empties(puzzle: SortPuzzle, empties: int) -> SortPuzzle:
    """The board with this number of empty tubes."""
    filled = [tube for tube in puzzle.tubes if tube]
    return type(puzzle)((*filled, *[b""] * empties), puzzle.capacity, puzzle.goal, puzzle.palette)


def is_unsolvable(puzzle: SortPuzzle) -> bool | None:
    """Whether there is no plan; None if finding out takes too long."""
    if not any(True for _ in puzzle.legal_moves()):
        return not puzzle.is_goal()
    graph = graph_of(puzzle)
    return graph.is_dead(graph.start)


def optimum_of(puzzle: SortPuzzle) -> int | None:
    """Moves of a shortest plan; None if there is none, or finding it takes too long."""
    graph = graph_of(puzzle)
    try:
        return graph.distance(graph.start)
    except TooFar:
        return None
