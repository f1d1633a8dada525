"""The events of the order encoding: digs of blocks, and their order.

A **block** is a maximal one-colour run of the start position. Its **dig** is one event: all its balls leave,
with all balls on top of them. The digs of a plan are in a strict total order, in which each block comes after
those above it in its tube. A block that is **kept** counts as dug at the very end.

Variables
    before(x, y)   block x is dug before block y; its negation is before(y, x), and within a tube it is a constant

Clause groups
    `_chains`         a block that is dug before another is dug before the block below it too   O(N²)
    `_transitivity`   no three blocks of three tubes form a cycle                               O(N³ / 3)
"""

from itertools import combinations, product

from bsp_sat.encoder.blocks import Block, blocks_of
from bsp_sat.encoder.formula import Formula, Literal
from bsp_sat.instances.sorting import SortPuzzle


class Events:
    """The order of the digs, as literals of a formula."""

    def __init__(self, formula: Formula, puzzle: SortPuzzle) -> None:
        self.formula = formula
        self.blocks = blocks_of(puzzle)
        self.true = formula.variable("true")
        formula.clauses.append([self.true])
        self._before = [[0] * len(self.blocks) for _ in self.blocks]
        for x, y in combinations(self.blocks, 2):
            literal = -self.true if x.tube == y.tube else formula.variable("before", x.index, y.index)
            self._before[x.index][y.index] = literal
            self._before[y.index][x.index] = -literal
        self._tubes: dict[int, list[Block]] = {}
        for block in self.blocks:
            self._tubes.setdefault(block.tube, []).append(block)
        self._chains()
        self._transitivity()

    def before(self, x: int, y: int) -> Literal:
        """Block x is dug before block y."""
        return self._before[x][y]

    def exposed_before(self, y: Block, x: int) -> Literal:
        """Block y is exposed before block x is dug."""
        if y.above is None:
            return self.true
        return -self.true if y.above == x else self._before[y.above][x]

    def _chains(self) -> None:
        for block in self.blocks:
            if block.above is not None:
                for other in self.blocks:
                    if other.tube != block.tube:
                        before = self._before[other.index]
                        self.formula.clauses.append([-before[block.above], before[block.index]])

    def _transitivity(self) -> None:
        clauses = self.formula.clauses
        for first, second, third in combinations(self._tubes.values(), 3):
            for x, y in product(first, second):
                xy = self._before[x.index][y.index]
                for z in third:
                    yz = self._before[y.index][z.index]
                    zx = self._before[z.index][x.index]
                    clauses.append([-xy, -yz, -zx])
                    clauses.append([xy, yz, zx])
