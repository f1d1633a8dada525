"""The homes encoding and its options; `bsp_sat.encoder.homes.formula` has the variables and the clauses."""

from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.encoder.homes.rules import ALL_RULES, Rule, RuledFormula
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import BallSort

MOST_EMPTY = 2  # with more empty tubes `Order` is faster: benchmarks/measurements.md


@dataclass(frozen=True)
class Homes(Encoding):
    """The homes encoding. ``rules``: the rules in use. All of them together still allow some shortest plan."""

    rules: Rule = ALL_RULES

    name = "homes"
    scope = Scope((BallSort.kind,), frozenset())
    unsat = Unsat.UP_TO

    def suits(self, puzzle: AnyPuzzle) -> bool:
        """Whether the board has few empty tubes; with more of them `Order` proves more."""
        assert isinstance(puzzle, BallSort)
        return puzzle.tubes.count(b"") <= MOST_EMPTY

    def for_any_length(self) -> Encoding:
        """`Order`, which needs no bound on the number of steps."""
        return Order()

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        assert isinstance(puzzle, BallSort)
        return RuledFormula(puzzle, self.rules)


HOMES = Homes()
