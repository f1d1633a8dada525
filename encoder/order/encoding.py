"""The order encoding and its options; `bsp_sat.encoder.order.formula` has the variables and the clauses."""

from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.encoder.order.ball import BallFormula
from bsp_sat.encoder.order.water import WaterFormula
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort


@dataclass(frozen=True)
class Order(Encoding):
    """The order encoding; with ``dominance`` balls go home as soon as their home is open, in ball sort."""

    dominance: bool = True

    name = "order"
    scope = Scope((BallSort.kind, WaterSort.kind), frozenset())
    unsat = Unsat.UP_TO
    any_length = True

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of ``puzzle``, without a budget."""
        assert isinstance(puzzle, SortPuzzle)
        return WaterFormula(puzzle) if isinstance(puzzle, WaterSort) else BallFormula(puzzle, self.dominance)


ORDER = Order()
