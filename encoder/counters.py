"""Counters as clauses, where the fixed bound of `Formula.at_most` isn't enough.

Totalizer    counts the inputs that hold, up to a bound that can be raised: for budgets
unary_sum    adds numbers in unary, exact in both directions: for equations
"""

from collections.abc import Sequence

from bsp_sat.encoder.formula import Formula, Literal, VariableName


class Totalizer:
    """Counts literals of a formula up to a bound that can be raised; ``counts[k]`` is implied if more than k hold.

    A balanced tree over the inputs; each node has literals "at least 1, 2, … of my inputs hold". Inputs imply counts,
    but not the reverse: enough for upper bounds. Clauses are added only up to the highest bound asked for: about n·k² /
    2 for bound k over n inputs. Inputs may be counters themselves, so that the cost of a part can be used too.

    Source: Bailleux and Boufkhad, CP 2003; incremental as in Martins, Joshi, Manquinho and Lynce, CP 2014.
    """

    def __init__(self, formula: Formula, parts: "Sequence[Literal | Totalizer]", name: VariableName) -> None:
        self._formula = formula
        self._name = name
        self._halves: tuple[Totalizer, Totalizer] | None = None
        self.counts: list[Literal] = []
        self.size: int = sum(part.size if isinstance(part, Totalizer) else 1 for part in parts)
        if len(parts) == 1 and not isinstance(parts[0], Totalizer):
            self.counts = [parts[0]]
        elif parts:
            middle = (len(parts) + 1) // 2
            self._halves = (_part(formula, parts[:middle], (*name, 0)), _part(formula, parts[middle:], (*name, 1)))

    def inputs(self) -> list[Literal]:
        """The literals that are counted."""
        if self._halves is None:
            return self.counts
        return [literal for half in self._halves for literal in half.inputs()]

    def at_most(self, bound: int) -> list[Literal]:
        """Literals to assume (or to add as units) so that at most ``bound`` inputs hold."""
        if bound >= self.size:
            return []
        self.count_to(bound + 1)
        return [-self.counts[bound]]

    def count_to(self, limit: int) -> None:
        """Extends ``counts`` to at least ``limit`` entries, as far as there are inputs."""
        old, new = len(self.counts), min(limit, self.size)
        if self._halves is None or new <= old:
            return
        self.counts += [self._formula.variable(*self._name, amount) for amount in range(old + 1, new + 1)]
        left, right = self._halves
        left.count_to(new)
        right.count_to(new)
        for total in range(old + 1, new + 1):
            for part in range(max(0, total - len(right.counts)), min(total, len(left.counts)) + 1):
                causes = [-left.counts[part - 1]] if part else []
                if total - part:
                    causes.append(-right.counts[total - part - 1])
                self._formula.add(*causes, self.counts[total - 1])


def _part(formula: Formula, parts: Sequence[Literal | Totalizer], name: VariableName) -> Totalizer:
    if len(parts) == 1 and isinstance(parts[0], Totalizer):
        return parts[0]
    return Totalizer(formula, parts, name)


Unary = list[Literal]
"""A number in unary: literal ``number[k]`` holds if and only if the number is more than k."""


def unary_sum(formula: Formula, numbers: Sequence[Unary], name: VariableName, most: int | None = None) -> Unary:
    """The sum of numbers, ``most`` at most, as a balanced tree; a·b clauses for two numbers up to a and b."""
    if not numbers:
        return []
    if len(numbers) == 1:
        return numbers[0][:most]
    middle = len(numbers) // 2
    left = unary_sum(formula, numbers[:middle], (*name, 0), most)
    right = unary_sum(formula, numbers[middle:], (*name, 1), most)
    if not left or not right:
        return left or right
    size = len(left) + len(right)
    total = formula.variables(size if most is None else min(size, most), *name)
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            if 0 < i + j <= len(total):  # at least i and at least j
                formula.add(*(-x for x in left[i - 1 : i] if i), *(-x for x in right[j - 1 : j] if j), total[i + j - 1])
            if i + j < len(total):  # at most i and at most j
                formula.add(*left[i : i + 1], *right[j : j + 1], -total[i + j])
    return total


CHUNK = 3  # events between two thresholds


class ExactlyOne:
    """Exactly one of some events in a fixed order.

    With pairwise clauses alone, a solver can only learn about single events. A threshold stands for all events behind a
    place, and makes proofs several times shorter (benchmarks/tried.md).

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
