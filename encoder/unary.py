"""Numbers in unary, exact in both directions: ``number[k]`` holds if and only if the number is more than k."""

from collections.abc import Sequence

from bsp_sat.encoder.formula import Formula, Literal, VariableName

Unary = list[Literal]


def unary_sum(formula: Formula, numbers: Sequence[Unary], name: VariableName) -> Unary:
    """The sum of ``numbers``, added up in a balanced tree; a·b clauses for two numbers up to a and b."""
    if not numbers:
        return []
    if len(numbers) == 1:
        return numbers[0]
    middle = len(numbers) // 2
    left = unary_sum(formula, numbers[:middle], (*name, 0))
    right = unary_sum(formula, numbers[middle:], (*name, 1))
    if not left or not right:
        return left or right
    total = formula.variables(len(left) + len(right), *name)
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            if i + j:  # at least i and at least j
                formula.add(*(-x for x in left[i - 1 : i] if i), *(-x for x in right[j - 1 : j] if j), total[i + j - 1])
            if i + j < len(total):  # at most i and at most j
                formula.add(*left[i : i + 1], *right[j : j + 1], -total[i + j])
    return total


def equate(formula: Formula, left: Unary, right: Unary) -> None:
    """The two numbers are the same."""
    for k in range(max(len(left), len(right))):
        if k >= len(left):
            formula.add(-right[k])
        elif k >= len(right):
            formula.add(-left[k])
        else:
            formula.add(-left[k], right[k])
            formula.add(left[k], -right[k])
