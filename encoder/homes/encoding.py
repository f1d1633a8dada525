"""The homes encoding and its choices; `bsp_sat.encoder.homes.formula` has the variables and the clauses."""

from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.encoder.homes.switches import ALL_RULES, Rule
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import BallSort

MOST_EMPTY = 2  # empty tubes of a cramped board, docs/measurements/homes.md


@dataclass(frozen=True)
class Homes(Encoding):
    """The homes encoding.

    Attributes:
        rules: those in force; none of them loses the last shortest plan.
    """

    rules: Rule = ALL_RULES

    name = "homes"
    scope = Scope((BallSort.kind,), frozenset())
    unsat = Unsat.UP_TO

    def suits(self, puzzle: AnyPuzzle) -> bool:
        """Cramped boards: there the order of events decides, elsewhere the order of the digs says more."""
        assert isinstance(puzzle, BallSort)
        return puzzle.tubes.count(b"") <= MOST_EMPTY

    def for_any_length(self) -> Encoding:
        """`Order`, which has no steps that would have to be bounded."""
        return Order()

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of ``puzzle``, without steps."""
        # Imported here, as other commands and most boards need no clauses.
        from bsp_sat.encoder.homes.rules import RuledFormula

        assert isinstance(puzzle, BallSort)
        return RuledFormula(puzzle, self.rules)
