"""Counts the shortest plans of a board.

A plan is a sequence of moves; equal moves with two names (the puzzle's `renamings`) count once. There are two ways,
which share only the rules:

* **search**: counts the ways to reach each position, layer by layer. Symmetric positions are merged, as their moves
  correspond; positions whose lower bound exceeds the moves left are dropped. Memory grows with the number of
  positions, not with the number of plans.
* **models**: the models of an encoding in its plain variant (`Encoding.plain`), one for each plan. Time grows
  with the plans.
"""

from collections import Counter

from bsp_sat.encoder.registry import counting_encoding
from bsp_sat.instances.puzzle import AnyPuzzle


def count_by_search(puzzle: AnyPuzzle, length: int) -> int:
    """The number of plans of ``length`` moves, which must be the length of a shortest plan."""
    ways = Counter({puzzle.canonical(): 1})
    for left in reversed(range(length)):
        following: Counter[AnyPuzzle] = Counter()
        for position, number in ways.items():
            for move in position.pruned_moves(position.renamings):
                after = position.apply(move).canonical()
                if after.lower_bound() <= left:
                    following[after] += number
        ways = following
    return sum(number for position, number in ways.items() if position.is_goal())


def count_by_models(puzzle: AnyPuzzle, length: int) -> int:
    """The same number, by a solver that lists all models.

    Raises:
        Unsupported: see `bsp_sat.encoder.registry.counting_encoding`.
    """
    # Imported here: only a process that solves pays for it.
    from pysat.solvers import Solver

    formula = counting_encoding(puzzle).encode(puzzle)
    assumptions = formula.at_horizon(length)
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        return sum(1 for _ in solver.enum_models(assumptions=assumptions))


COUNTERS = {"search": count_by_search, "models": count_by_models}
"""The ways to count, by name."""
