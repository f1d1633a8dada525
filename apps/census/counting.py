"""How many boards a class has up to names of colours and the order of tubes, without listing them.

By Burnside's lemma the number of orbits of a group is the mean number of boards that an element of the group keeps.
Here it consists of the pairs of a permutation σ of the n colours and a permutation τ of the n tubes. A pair keeps a
board if tube τ(i) has at each height the colour σ(c) where tube i has c.

Take a cycle of l tubes of τ. The balls at one height of these tubes follow from that of one tube, and going around the
cycle must lead back to it: its colour c is in a cycle of σ whose length m divides l. Then each of the m colours of that
cycle occurs l/m times among them. So the kept boards are counted by the product, over the cycles of τ, of

    (Σ m · x_C^(l/m), over the cycles C of σ, of length m, with m dividing l)^h

as the coefficient of Π x_C^h: each colour has h balls. Permutations with the same lengths of cycles keep equally many.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import factorial, prod

PAIRS = 500  # that are counted before it is asked whether to stop: less than a tenth of a second


def count_classes(colours: int, capacity: int, is_stopped: Callable[[], bool] = lambda: False) -> int | None:
    """The number of classes of equal boards of n colours and n full tubes of capacity h; None if it was stopped.

    >>> count_classes(2, 2)
    3
    """
    kept = 0
    for number, (of_colours, of_tubes) in enumerate(product(_cycle_lengths(colours), repeat=2), 1):
        if number % PAIRS == 0 and is_stopped():
            return None
        kept += _permutations(of_colours) * _permutations(of_tubes) * _boards_kept(of_colours, of_tubes, capacity)
    return kept // factorial(colours) ** 2


def _cycle_lengths(elements: int, longest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The lengths of the cycles of permutations, from high to low."""
    if elements == 0:
        yield ()
    for first in range(min(elements, longest or elements), 0, -1):
        for rest in _cycle_lengths(elements - first, first):
            yield first, *rest


def _permutations(lengths: tuple[int, ...]) -> int:
    """How many permutations have cycles of these lengths."""
    alike = Counter(lengths)
    keeping: int = prod(length**many * factorial(many) for length, many in alike.items())
    return factorial(sum(lengths)) // keeping


def _boards_kept(of_colours: tuple[int, ...], of_tubes: tuple[int, ...], capacity: int) -> int:
    """How many boards a pair of permutations with these cycles keeps.

    Cycles of the same length with as many balls left count alike: for 24 colours that leaves 25 cases of 2²⁴.
    """
    ways = Counter({tuple((colours, capacity) for colours in sorted(of_colours)): 1})  # by the balls that are left
    for tubes in of_tubes:
        for _ in range(capacity):
            following: Counter[tuple[tuple[int, int], ...]] = Counter()
            for left, number in ways.items():
                for cycle, alike in Counter(left).items():
                    colours, balls = cycle
                    if tubes % colours == 0 and balls >= tubes // colours:
                        rest = [*left, (colours, balls - tubes // colours)]
                        rest.remove(cycle)
                        following[tuple(sorted(rest))] += number * colours * alike
            if not following:
                return 0
            ways = following
    (kept,) = ways.values()
    return kept
