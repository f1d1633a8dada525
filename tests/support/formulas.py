"""What each encoding's formula has to say of a board whose shortest plan is known."""

from pysat.solvers import Solver

from bsp_sat.encoder.encoding import Encoding, Unsat
from bsp_sat.instances.puzzle import AnyPuzzle

Distance = int | None
"""The length of a shortest plan; None where there is none."""


def check_formula(encoding: Encoding, puzzle: AnyPuzzle, optimum: Distance) -> None:
    """There is a model wherever there is a plan, it is that plan, and none below."""
    formula = encoding.encode(puzzle)
    lowest = puzzle.lower_bound()
    with Solver("cadical195") as solver:
        fed = 0

        def model_at(horizon: int | None) -> list[int] | None:
            nonlocal fed
            assumptions = formula.at_any_length() if horizon is None else formula.at_horizon(horizon)
            assert assumptions is not None
            solver.append_formula(formula.clauses[fed:])
            fed = len(formula.clauses)
            return solver.get_model() if solver.solve(assumptions=[*assumptions, *formula.exact]) else None

        hopeless = range(lowest, lowest + 3 if optimum is None else optimum)
        for horizon in hopeless[-1:] if encoding.unsat is Unsat.UP_TO else hopeless:
            assert model_at(horizon) is None, (encoding, puzzle, horizon)
        if optimum is not None:
            longer = 2 if encoding.unsat is Unsat.UP_TO else 0
            for horizon in range(optimum, optimum + longer + 1):
                model = model_at(horizon)
                assert model is not None, (encoding, puzzle, horizon)
                plan = formula.decode(model, horizon)
                plan.replay(puzzle)
                assert optimum <= len(plan) <= horizon
        if encoding.any_length:
            assert (model_at(None) is None) == (optimum is None), (encoding, puzzle)
