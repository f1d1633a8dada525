"""An exactly-one constraint with thresholds, for the event of a step.

With pairwise clauses alone, a solver can only learn about single events. A threshold stands for all events behind a
place, and makes proofs several times shorter (docs/measurements.md).
"""

from collections.abc import Sequence

from bsp_sat.encoder.formula import Formula, Literal, VariableName

CHUNK = 3  # events between two thresholds


class ExactlyOne:
    """Exactly one of some events in a fixed order.

    Variables
        name(n)   the event comes after the first 3·(n + 1)   one for every three events

    Each threshold implies the one before, and each event agrees with its neighbouring thresholds: about 5 clauses an
    event.
    """

    def __init__(self, formula: Formula, events: Sequence[Literal], name: VariableName) -> None:
        chunks = [events[start : start + CHUNK] for start in range(0, len(events), CHUNK)]
        self._events = events
        self._thresholds = formula.variables(len(chunks) - 1, *name)
        for number, chunk in enumerate(chunks):
            reached, passed = self._thresholds[max(0, number - 1) : number], self._thresholds[number : number + 1]
            formula.add(*(-literal for literal in reached), *passed, *chunk)
            formula.at_most_one(chunk)
            for literal in reached:
                for implying in (*chunk, *passed):
                    formula.add(-implying, literal)
            for literal in passed:
                for event in chunk:
                    formula.add(-event, -literal)

    def behind(self, place: int) -> list[Literal]:
        """Literals, one of which holds if and only if the event comes after ``place``, counted from 0."""
        chunk = place // CHUNK
        return [*self._events[place + 1 : (chunk + 1) * CHUNK], *self._thresholds[chunk : chunk + 1]]
