"""Boards as optimisation problems: clauses that a plan has to satisfy, and a price for each of its moves.

The least cost of a solution is the length of a shortest plan. What every plan costs, the puzzle's lower bound, is
charged to one variable that has to be true; each move beyond it costs one.
"""

from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class WeightedFormula:
    """Clauses and costs.

    Attributes:
        formula: the formula that the clauses come from, for its variables' names and to decode models.
        clauses: what has to hold.
        costs: what a literal costs where it is true.
        variables: number of variables.
    """

    formula: PlanFormula
    clauses: list[list[Literal]]
    costs: dict[Literal, int]
    variables: int

    def to_wcnf(self) -> str:
        """The format of the MaxSAT evaluations since 2022: hard clauses behind ``h``, soft ones behind their weight."""
        hard = [f"h {_clause(clause)}" for clause in self.clauses]
        soft = [f"{cost} {_clause([-literal])}" for literal, cost in self.costs.items()]
        return "\n".join([*hard, *soft]) + "\n"

    def to_opb(self) -> str:
        """The format of the pseudo-Boolean competitions, with an objective to minimise."""
        objective = " ".join(f"+{cost} {_opb_literal(literal)}" for literal, cost in self.costs.items())
        constraints = [" ".join(f"+1 {_opb_literal(x)}" for x in clause) + " >= 1 ;" for clause in self.clauses]
        header = f"* #variable= {self.variables} #constraint= {len(constraints)}"
        return "\n".join([header, f"min: {objective} ;", *constraints]) + "\n"


def weighted_formula(puzzle: AnyPuzzle, encoding: Encoding) -> WeightedFormula:
    """The shortest-plan problem of ``puzzle``.

    Raises:
        Unsupported: the encoding refuses the board, or has no formula for plans of any length.
    """
    formula = encoding.encode(puzzle)
    anything = formula.at_any_length()
    if anything is None:
        raise Unsupported(f"the {encoding.name} encoding has no formula for plans of any length")
    extra = formula.extra_moves()
    always = len(formula.names) + 1
    costs = {always: puzzle.lower_bound()} if puzzle.lower_bound() else {}
    for literal in extra:
        costs[literal] = costs.get(literal, 0) + 1
    clauses = [*formula.clauses, *([literal] for literal in [*anything, *formula.exact]), [always]]
    return WeightedFormula(formula, clauses, costs, always)


def _clause(literals: list[Literal]) -> str:
    return " ".join(map(str, [*literals, 0]))


def _opb_literal(literal: Literal) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"
