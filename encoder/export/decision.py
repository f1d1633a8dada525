"""Boards as decision problems: clauses that have a model if there is a plan, and the meaning of the answers.

Some encodings have models that are not plans, and `PlanFormula.exact` literals under which models are plans. The export
doesn't require these literals, as refutations would then be meaningless: a refutation holds for all plans, and a model
is a plan if it makes the literals true.
"""

import json

from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.export.dimacs import Dimacs
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle


def decision_formula(puzzle: AnyPuzzle, encoding: Encoding, max_steps: int | None) -> Dimacs:
    """The decision problem whether ``puzzle`` has a plan.

    Args:
        puzzle: the board.
        encoding: the encoding.
        max_steps: the largest number of moves; None for plans of any length.

    Raises:
        Unsupported: the encoding refuses the board, or has no formula for plans of any length.
    """
    formula = encoding.encode(puzzle)
    if max_steps is None:
        assumptions = formula.at_any_length()
        if assumptions is None:
            raise Unsupported(f"the {encoding.name} encoding has no formula for plans of any length; give --max-steps")
        question, unsat = "a plan of any length", "the board has no plan"
    else:
        assumptions = formula.at_horizon(max_steps)
        question, unsat = f"a plan of at most {max_steps} moves", encoding.unsat.meaning(max_steps)
    comments = [f"{encoding.name} encoding: {question}", *_satisfiable(formula, question), f"UNSATISFIABLE: {unsat}"]
    clauses = [*formula.clauses, *([literal] for literal in assumptions)]
    return Dimacs(clauses, formula.names, comments)


def condition_for_plans(formula: PlanFormula) -> str:
    """The values of variables under which a model is a plan, as text; for formulas with such a condition."""
    return " and ".join(
        f"variable {abs(literal)} {json.dumps(formula.names[abs(literal) - 1])} is {str(literal > 0).lower()}"
        for literal in formula.exact
    )


def _satisfiable(formula: PlanFormula, question: str) -> list[str]:
    if not formula.exact:
        return [f"SATISFIABLE: a model is {question}"]
    clauses = " and ".join(f'"{literal} 0"' for literal in formula.exact)
    return [
        f"SATISFIABLE: a model is {question} if {condition_for_plans(formula)}; otherwise it may not be a plan",
        f"with {clauses} added, every model is a plan, but UNSATISFIABLE means nothing",
    ]
