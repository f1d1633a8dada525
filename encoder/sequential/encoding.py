"""The sequential encoding and its devices; `bsp_sat.encoder.sequential.formula` has the variables and the clauses."""

from dataclasses import asdict, dataclass

from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import (
    ANYWHERE,
    COLOURED,
    COVERED,
    MONOCHROME,
    SEVERAL_HOMES,
    TUBE_RULES,
    BallSort,
    SortPuzzle,
    WaterSort,
)


@dataclass(frozen=True)
class Sequential(Encoding):
    """The sequential encoding and its devices.

    Attributes:
        break_symmetry: use only the first of several empty tubes, and never move a one-colour tube into one.
        order_commuting: allow only one order of two moves that could be swapped.
        budget: bound the remaining work in every state by the remaining moves.
    """

    break_symmetry: bool = True
    order_commuting: bool = True
    budget: bool = True

    name = "sequential"
    scope = Scope(
        (BallSort.kind, WaterSort.kind),
        frozenset({ANYWHERE, COLOURED, MONOCHROME, SEVERAL_HOMES, *TUBE_RULES} - {COVERED}),
    )

    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """An empty formula for ``puzzle``, to be raised to a horizon."""
        # Imported here: other commands and most boards need no clauses.
        from bsp_sat.encoder.sequential.formula import SequentialFormula

        assert isinstance(puzzle, SortPuzzle)
        return SequentialFormula(puzzle, **asdict(self))
