"""A formula whose models are the unsolvable boards of a class: if it has none, every board of the class can be solved.

A class (n, h, k) has n colours, n full tubes of capacity h, k empty tubes, and h balls of each colour. The board itself
is variable, up to the names of colours and the order of tubes. Solvable means the same for ball sort and water sort.

The formula is about border tables, see `bsp_sat.backends.search.borders`. Here a table is a vector d of heights
0 … h − 1, one for each full tube. In tube i all balls at heights below d_i are still covered. If each d_i is a border
of the board (or 0), d is a border table. From it, tube i's border may go if at most k + (number of zeros in d) colours
need a tube: those c with F_c > G_c. One tube is always enough for a colour, since it has h balls.

Clauses say that a set of vectors, ``reached``, has the start (h − 1 everywhere: no table is higher) and not the end
(0 everywhere); that with each vector it has what is left when a height that is no border falls by one; and that with
each border table it has what is left when a border that may go falls by one.

**A model is an unsolvable board.** The border tables in ``reached`` have the board's first table: it comes from the
start by lowering heights that are no borders. They are closed under the steps of the border argument: after such a
step, heights that are no borders fall until all are. So no path of tables leads to the end, and the border argument
proves the board unsolvable.

**An unsolvable board is a model**, up to its symmetries. By Ito et al. (Sorting balls and water: equivalence and
computational complexity, FUN 2022, theorem 3 and corollary 4, doi 10.4230/LIPIcs.FUN.2022.16), for boards of full and
empty tubes a path through the tables to the end gives a plan. So on an unsolvable board the vectors that the steps
reach lack the end, and satisfy all clauses.

Hence **no model: every board of the class can be solved**. Only this direction rests on the theorem.

A step that may not go must have a proof: a literal ``blocked`` with enough colours that need a tube. So the sums
behind F_c > G_c are needed in one direction only: a literal "at least m" implies that the sum is, and is free to be
false otherwise. Sums are in unary, by halves of the tubes, and shared between vectors.

**Symmetry.** A board is read tube by tube, each from the top. Among the boards that differ by names of colours and the
order of tubes, one gives the first word in alphabetical order. That one obeys all rules of `Symmetry`, so that they
can be used together or apart.

**Cubes.** Where colours are named in order of appearance, the word of every model begins with exactly one of the words
of `first_places`. Each is a cube, with one literal for each ball. They can be solved apart, by many processes.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from bsp_sat.encoder.formula import Formula, Literal, Model, clause_group
from bsp_sat.instances.puzzle import symbols_for
from bsp_sat.instances.sorting import BallSort

Heights = tuple[int, ...]


@dataclass(frozen=True)
class Symmetry:
    """Which rules of symmetry a formula has; each keeps the first of all equal boards, see the module's docstring.

    Attributes:
        colours: colours are named in order of appearance.
        tops: the colours on top of the tubes don't fall from tube to tube. Tubes i < j were exchanged otherwise: if j's
            top colour has appeared before i, the word got smaller at once; if it hasn't, it isn't below i's. (Needs
            ``colours``.)
        first: no tube has a longer top run than the first one, as its word, with its own names, would be smaller.
    """

    colours: bool = True
    tops: bool = True
    first: bool = True


class UnsolvableBoard(Formula):
    """The formula of a class; the module's docstring has the argument.

    Args:
        colours: n, at least 1.
        capacity: h, at least 1.
        empty: k, at least 0.
        symmetry: the rules of symmetry.

    Attributes:
        true: a literal that holds.
        number_of_sums: how many sums there are.
    """

    def __init__(self, colours: int, capacity: int, empty: int, symmetry: Symmetry = Symmetry()) -> None:
        super().__init__()
        self.colours, self.capacity, self.empty = colours, capacity, empty
        self.number_of_sums = 0
        self._sums: dict[tuple[Heights, int, int, int], _Sum] = {}
        self._exposed: dict[tuple[int, int, int], _Sum] = {}
        self.true = self.variable("true")
        self.add(self.true)
        self._ball = [
            [[self.variable("ball", i, p, c) for c in range(colours)] for p in range(capacity)] for i in range(colours)
        ]
        # No border is below the first ball.
        self._border = [
            [-self.true, *(self.variable("border", i, p) for p in range(1, capacity))] for i in range(colours)
        ]
        self._reached = {
            heights: self.variable("reached", *heights) for heights in product(range(capacity), repeat=colours)
        }
        self._board()
        self._borders()
        if symmetry.colours:
            self._colours_in_order()
            if symmetry.tops:
                self._tops_in_order()
        if symmetry.first:
            self._first_tube()
        self._ends()
        self._steps()

    @clause_group
    def _board(self) -> None:
        """Each place has one ball, and there are as many balls of each colour as a tube holds."""
        for tube in self._ball:
            for place in tube:
                self.exactly_one(place)
        for c in range(self.colours):
            balls = [place[c] for tube in self._ball for place in tube]
            # All places are taken, so that no colour can have too few either.
            self.at_most(self.capacity, balls, "balls", c)

    @clause_group
    def _borders(self) -> None:
        """A border is where two neighbouring balls of a tube differ."""
        for tube, borders in zip(self._ball, self._border, strict=True):
            for p in range(1, self.capacity):
                for below, above in product(range(self.colours), repeat=2):
                    border = -borders[p] if below == above else borders[p]
                    self.add(border, -tube[p - 1][below], -tube[p][above])

    @clause_group
    def _colours_in_order(self) -> None:
        """Colours are named in order of appearance, the tubes read one by one from the top."""
        before = [-self.true] * self.colours
        for number, place in enumerate(self._places()):
            for c in range(1, self.colours):
                self.add(-place[c], before[c - 1])
            before = [
                self.define_or(("appeared", number, c), [seen, place[c]]) if number else place[c]
                for c, seen in enumerate(before)
            ]

    @clause_group
    def _tops_in_order(self) -> None:
        """The colours on top of the tubes don't fall from tube to tube."""
        for left, right in zip(self._ball, self._ball[1:], strict=False):
            for high, low in combinations(range(self.colours - 1, -1, -1), 2):
                self.add(-left[-1][high], -right[-1][low])

    @clause_group
    def _first_tube(self) -> None:
        """No tube has a longer top run than the first."""
        for other in self._border[1:]:
            for p in range(1, self.capacity):
                self.add(-self._border[0][p], *other[p:])

    @clause_group
    def _ends(self) -> None:
        """The start is reached, the end isn't."""
        self.add(self._reached[(self.capacity - 1,) * self.colours])
        if self.capacity > 1:
            self.add(-self._reached[(0,) * self.colours])
        else:
            self.add()  # the start is the end

    @clause_group
    def _steps(self) -> None:
        """What is left when a height falls that is no border, or a border that may go, is reached."""
        for heights, reached in self._reached.items():
            covered = [i for i, height in enumerate(heights) if height]
            no_table = [-self._border[i][heights[i]] for i in covered]
            free = self.empty + self.colours - len(covered)
            for i in covered:
                following = self._reached[(*heights[:i], heights[i] - 1, *heights[i + 1 :])]
                self.add(-reached, self._border[i][heights[i]], following)
                blocked = [self._blocked(heights, i, free)] if free < self.colours else []
                self.add(-reached, *no_table, following, *blocked)

    def _blocked(self, heights: Heights, going: int, free: int) -> Literal:
        """A literal that implies that more than ``free`` colours need a tube if tube ``going``'s border goes."""
        blocked = self.variable("blocked", *heights, going)
        above = self._ball[going][heights[going]]
        needs = []
        for c in range(self.colours):
            need = self.variable("need", *heights, going, c)
            # The places above the border that goes count only if c is the ball right above it.
            self.add(-need, above[c], self._sum(heights, c).at_least(1))
            self.add(-need, -above[c], self._sum(heights, c, going).at_least(1))
            needs.append(need)
        for some in combinations(needs, self.colours - free):
            self.add(-blocked, *some)
        return blocked

    # -- sums: F_c − G_c, and its parts -----------------------------------------------------------------------

    def _sum(self, heights: Heights, colour: int, going: int = -1, first: int = 0) -> "_Sum":
        """F_c − G_c of neighbouring tubes, the first of which is ``first``; tube ``going`` counts nothing in G_c."""
        if not first <= going < first + len(heights):
            going = -1
        key = heights, colour, going, first
        if key not in self._sums:
            if len(heights) == 1:
                self._sums[key] = self._part(first, heights[0], colour, goes=going == first)
            else:
                half = len(heights) // 2
                left = self._sum(heights[:half], colour, going, first)
                right = self._sum(heights[half:], colour, going, first + half)
                self._sums[key] = _Added(self, left, right)
        return self._sums[key]

    def _part(self, tube: int, height: int, colour: int, *, goes: bool) -> "_Sum":
        """The same of one tube."""
        if goes or height == 0:
            return self._balls(tube, height, colour)
        return _Bordered(
            self, self._ball[tube][height][colour], self._balls(tube, height + 1, colour), self.capacity - height
        )

    def _balls(self, tube: int, height: int, colour: int) -> "_Sum":
        """The number of balls of a colour at ``height`` and above."""
        key = tube, height, colour
        if key not in self._exposed:
            self._exposed[key] = (
                _Nothing(self, 0, 0)
                if height == self.capacity
                else _Counted(self, self._ball[tube][height][colour], self._balls(tube, height + 1, colour))
            )
        return self._exposed[key]

    # -- cubes and models --------------------------------------------------------------------------------------

    def _places(self) -> list[list[Literal]]:
        """The literals of the places, tube by tube, each from the top: one for each colour."""
        return [place for tube in self._ball for place in reversed(tube)]

    def cube(self, first: Sequence[int]) -> list[Literal]:
        """The literals that say which colours the first places have; see `first_places`."""
        return [place[c] for place, c in zip(self._places(), first, strict=False)]

    def decode(self, model: Model) -> BallSort:
        """The board of a model."""
        chosen = set(model)
        names = symbols_for(range(self.colours))
        tubes = [
            [names[c] for place in tube for c, literal in enumerate(place) if literal in chosen] for tube in self._ball
        ]
        return BallSort.from_tubes([*tubes, *[[]] * self.empty], self.capacity)


def first_places(colours: int, capacity: int, fewest: int) -> list[bytes]:
    """The ways in which the first places of a board can be filled, with colours named in order of appearance.

    Args:
        colours: n.
        capacity: h.
        fewest: places are taken until there are at least this many ways, or no more places.
    """
    found = [b""]
    while len(found) < fewest and len(found[0]) < colours * capacity:
        found = [word + bytes([c]) for word in found for c in range(min(colours, max(word, default=-1) + 2))]
    return found


class _Sum(ABC):
    """An integer that depends on the board, with a literal for each threshold that is asked for.

    Args:
        formula: receives variables and clauses.
        least: it is at least this.
        most: it is at most this.
    """

    def __init__(self, formula: UnsolvableBoard, least: int, most: int) -> None:
        self._formula = formula
        self._number = formula.number_of_sums
        formula.number_of_sums += 1
        self.least, self.most = least, most
        self._thresholds: dict[int, Literal] = {}

    def at_least(self, amount: int) -> Literal:
        """A literal that implies that the integer is at least ``amount``."""
        if amount <= self.least:
            return self._formula.true
        if amount > self.most:
            return -self._formula.true
        if amount not in self._thresholds:
            self._thresholds[amount] = literal = self._formula.variable("sum", self._number, amount)
            for clause in self._reasons(amount):
                if self._formula.true not in clause:
                    self._formula.add(-literal, *(reason for reason in clause if reason != -self._formula.true))
        return self._thresholds[amount]

    @abstractmethod
    def _reasons(self, amount: int) -> Sequence[Sequence[Literal]]:
        """Clauses that together imply that it is at least ``amount``, between the bounds."""


class _Nothing(_Sum):
    """Zero."""

    def _reasons(self, amount: int) -> Sequence[Sequence[Literal]]:
        return []


class _Counted(_Sum):
    """Balls of a colour: those above a place, and the ball there if it has the colour."""

    def __init__(self, formula: UnsolvableBoard, ball: Literal, above: _Sum) -> None:
        super().__init__(formula, 0, above.most + 1)
        self._ball, self._above = ball, above

    def _reasons(self, amount: int) -> Sequence[Sequence[Literal]]:
        return [self._above.at_least(amount), self._ball], [self._above.at_least(amount - 1)]


class _Bordered(_Sum):
    """Balls of a colour above a border, less the places there if the ball right above the border has the colour."""

    def __init__(self, formula: UnsolvableBoard, ball: Literal, above: _Sum, places: int) -> None:
        super().__init__(formula, 1 - places, places - 1)
        self._ball, self._above, self._places = ball, above, places

    def _reasons(self, amount: int) -> Sequence[Sequence[Literal]]:
        with_ball = self._above.at_least(amount - 1 + self._places)
        return [self._ball, self._above.at_least(amount)], [-self._ball, with_ball]


class _Added(_Sum):
    """The sum of two integers."""

    def __init__(self, formula: UnsolvableBoard, left: _Sum, right: _Sum) -> None:
        super().__init__(formula, left.least + right.least, left.most + right.most)
        self._left, self._right = left, right

    def _reasons(self, amount: int) -> Sequence[Sequence[Literal]]:
        # For each split, the left one reaches it or the right one more than the rest.
        return [
            [self._left.at_least(split), self._right.at_least(amount - split + 1)]
            for split in range(max(self._left.least + 1, amount - self._right.most), self._left.most + 2)
        ]
