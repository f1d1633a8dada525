"""Boards as optimisation problems: clauses that a plan has to satisfy, and a cost for each move.

The puzzle's lower bound is the cost of a variable that must be true. Each move beyond it has a literal of its own.

**What the optimum means.** If every model is a plan, a move costs 1, and the optimum is the length of a shortest plan.
Some encodings have models that are not plans, and literals (`PlanFormula.exact`) under which models are plans. Without
the literals, the optimum would be a lower bound that no plan may attain. With the literals as hard clauses, the best
solution would be a plan, but maybe not a shortest one, as refutations don't count under them. So they get a small cost:
each one that is false costs 1, and a move costs one more than the number of such literals. If the optimum is a multiple
of a move's cost, all of the literals hold in its solution, which is then a shortest plan; if not, the multiple below it
is a lower bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.export.dimacs import condition_for_plans
from bsp_sat.encoder.formula import Literal
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class WeightedFormula:
    """Clauses and costs: for each soft literal, the cost of a solution in which it is true."""

    formula: PlanFormula
    clauses: list[list[Literal]]
    costs: dict[Literal, int]
    move_cost: int
    variables: int
    comments: Sequence[str]

    def to_wcnf(self) -> str:
        """The format of the MaxSAT evaluations since 2022: hard clauses begin with ``h``, soft ones with a weight."""
        comments = [f"c {comment}" for comment in self.comments]
        hard = [f"h {_clause(clause)}" for clause in self.clauses]
        soft = [f"{cost} {_clause([-literal])}" for literal, cost in self.costs.items()]
        return "\n".join([*comments, *hard, *soft]) + "\n"

    def to_opb(self) -> str:
        """The format of the pseudo-Boolean competitions, with an objective to minimise."""
        objective = " ".join(f"+{cost} {_opb_literal(literal)}" for literal, cost in self.costs.items())
        constraints = [" ".join(f"+1 {_opb_literal(x)}" for x in clause) + " >= 1 ;" for clause in self.clauses]
        header = f"* #variable= {self.variables} #constraint= {len(constraints)}"
        comments = [f"* {comment}" for comment in self.comments]
        return "\n".join([header, *comments, f"min: {objective} ;", *constraints]) + "\n"


def weighted_formula(puzzle: AnyPuzzle, encoding: Encoding) -> WeightedFormula:
    """The shortest-plan problem of a board; Unsupported if the encoding refuses it, or plans of any length."""
    formula = encoding.encode(puzzle)
    anything = formula.at_any_length()
    if anything is None:
        problem = f"the {encoding.name} encoding has no formula for plans of any length, which wcnf and opb need"
        raise Unsupported(f"{problem}; dimacs with --max-steps takes the board")
    extra = formula.extra_moves()
    always = len(formula.names) + 1
    move_cost = 1 + len(formula.exact)
    costs = {always: move_cost * puzzle.lower_bound()} if puzzle.lower_bound() else {}
    for literal in extra:
        costs[literal] = costs.get(literal, 0) + move_cost
    for literal in formula.exact:
        costs[-literal] = 1
    clauses = [*formula.clauses, *([literal] for literal in anything), [always]]
    comments = [
        f"{encoding.name} encoding: a shortest plan",
        *_meaning(formula),
        "UNSATISFIABLE: the board has no plan",
    ]
    return WeightedFormula(formula, clauses, costs, move_cost, always, comments)


def _meaning(formula: PlanFormula) -> list[str]:
    if not formula.exact:
        return ["OPTIMUM: the length of a shortest plan; its solution is one"]
    unit = 1 + len(formula.exact)
    return [
        f"a solution is a plan if {condition_for_plans(formula)}; a move costs {unit}, a variable with another value 1",
        f"OPTIMUM, if a multiple of {unit}: {unit} times the length of a shortest plan; its solution is one",
        f"OPTIMUM, if not: no plan has fewer moves than the optimum divided by {unit}, rounded down",
    ]


def _clause(literals: list[Literal]) -> str:
    return " ".join(map(str, [*literals, 0]))


def _opb_literal(literal: Literal) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"
