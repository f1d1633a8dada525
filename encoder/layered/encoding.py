"""The layered encoding; `bsp_sat.encoder.layered.formula` has the variables and the clauses."""

from dataclasses import dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort


@dataclass(frozen=True)
class Layered(Encoding):
    """The layered encoding."""

    name = "layered"
    scope = Scope((BallSort.kind,), frozenset({MONOCHROME, SEVERAL_HOMES}))
    unsat = Unsat.UP_TO
    any_length = True

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """An empty formula for ``puzzle``."""
        # Imported here: other commands and most boards need no clauses.
        from bsp_sat.encoder.layered.formula import LayeredFormula

        assert isinstance(puzzle, BallSort)
        return LayeredFormula(puzzle)
