"""A counter of costs, summed over stages. Stages can be added and its bound can be raised."""

from collections.abc import Sequence

from bsp_sat.encoder.formula import Formula, Literal, VariableName

Charge = tuple[Sequence[Literal], int]
"""Literals, and the cost if all of them hold. Of several charges of one stage, only the largest counts."""


class CostCounter:
    """The total cost of all stages so far, in unary.

    Variables
        name(s, k)   stages 0 to s cost more than k together   1 a stage and unit of the bound

    Costs imply counts, but not the reverse: enough for an upper bound. One clause for each charge, stage and unit.
    """

    def __init__(self, formula: Formula, name: VariableName) -> None:
        self._formula = formula
        self._name = name
        self._levels = 0
        self._charges: list[Sequence[Charge]] = []
        self._counts: list[list[Literal]] = []

    def stage(self, charges: Sequence[Charge]) -> None:
        """Adds a stage."""
        self._charges.append(charges)
        self._counts.append([])
        for level in range(self._levels):
            self._count(len(self._counts) - 1, level)

    def more_than(self, bound: int) -> Literal:
        """A literal that holds if all stages together cost more than ``bound``. There must be a stage already."""
        for level in range(self._levels, bound + 1):
            for stage in range(len(self._counts)):
                self._count(stage, level)
        self._levels = max(self._levels, bound + 1)
        return self._counts[-1][bound]

    def _count(self, stage: int, level: int) -> None:
        before = self._counts[stage - 1] if stage else []
        more = self._formula.variable(*self._name, stage, level)
        self._counts[stage].append(more)
        for less in self._counts[stage][level - 1 : level]:
            self._formula.add(-more, less)
        if stage:
            self._formula.add(-before[level], more)
        for causes, amount in self._charges[stage]:
            if amount > level:
                self._formula.add(*(-cause for cause in causes), more)
            elif amount and stage:
                self._formula.add(*(-cause for cause in causes), -before[level - amount], more)
