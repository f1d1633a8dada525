"""Encodings with all devices off, whose models are the shortest plans, one for one: to count plans by a solver."""

from pysat.solvers import Solver

from bsp_sat.encoder.clicks import Clicks
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.knocks import Knocks
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.encoder.sequential.formula import Sequential
from bsp_sat.instances.puzzle import AnyPuzzle
from tests.support.unfolding import Unfolding

PLAIN: dict[type[Encoding], Encoding] = {
    Sequential: Sequential(break_symmetry=False, order_commuting=False, budget=False),
    Clicks: Clicks(budget=False, order_commuting=False),
    Knocks: Knocks(order_commuting=False),
    Unfolding: Unfolding(),
}
"""By encoding; others have no such variant. Duplicate moves (`Puzzle.renamings`) count once."""


def count_by_models(puzzle: AnyPuzzle, length: int) -> int:
    """The number of plans of ``length`` moves, the length of a shortest plan."""
    encoding = next(PLAIN[type(encoding)] for encoding in encodings_for(puzzle) if type(encoding) in PLAIN)
    formula = encoding.encode(puzzle)
    assumptions = formula.at_horizon(length)
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        return sum(1 for _ in solver.enum_models(assumptions=assumptions))
