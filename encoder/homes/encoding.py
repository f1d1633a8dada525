"""The homes encoding and its choices; `bsp_sat.encoder.homes.formula` has the variables and the clauses."""

from dataclasses import dataclass
from enum import Enum

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import BallSort


class Rule(Enum):
    """Rules that choose among plans of one length; each can be switched off (docs/encodings-homes.md)."""

    KEPT_FIRST = "a kept block that is exposed opens before anything else happens"
    REACHABLE = "a home opens in an emptied tube only where a ball is at hand that goes there"
    TEMPORARIES = "no temporary that should have been the home"
    NEEDED = "no clear before an opening that doesn't need it"
    ORDERED = "of two events that could be swapped, the one with the lower number first"


@dataclass(frozen=True)
class Homes(Encoding):
    """The homes encoding.

    Attributes:
        rules: those in force; none of them loses the last shortest plan.
    """

    rules: frozenset[Rule] = frozenset(Rule)

    name = "homes"
    scope = Scope((BallSort.kind,), frozenset())
    unsat = Unsat.UP_TO

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of ``puzzle``, without steps."""
        # Imported here, as other commands and most boards need no clauses.
        from bsp_sat.encoder.homes.rules import RuledFormula

        assert isinstance(puzzle, BallSort)
        return RuledFormula(puzzle, self.rules)
