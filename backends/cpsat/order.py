"""The order encoding of ball sort as a CP-SAT model, with the number of moves as its objective.

The plans are those of `bsp_sat.encoder.order`, which explains digs, visits and kept blocks; docs/encodings-order.md
argues why each shortest plan is among them. What clauses spell out with counters is said here in linear
inequalities: the room on a block, the tubes in use where an emptied tube opens, and the cost. CP-SAT moves the
bounds on the cost from both sides; infeasible means that the board is unsolvable.

The order of the digs has two forms: a literal a pair with transitivity as clauses, or an integer time a block,
which the literals compare. docs/measurements/strategies.md has the figures that made the first the default.

Variables (N blocks, B balls, C colours, v ≤ capacity blocks that a ball may visit)
    before(x, y)   block x is dug before block y                                   N²/2 literals
    time(x)        position of x among the digs, with ``integer_times``            N integers
    kept, visit, rests, covers, gap, opens, tube, pays, leaves                     as in `bsp_sat.encoder.order`
"""

from collections import defaultdict
from itertools import combinations, product
from math import ceil
from typing import Protocol

from ortools.sat.python.cp_model import CpModel, CpSolverSolutionCallback, LinearExpr, LinearExprT, LiteralT

from bsp_sat.backends.backend import Report
from bsp_sat.encoder.blocks import Ball, Block, blocks_of
from bsp_sat.encoder.order.plan import Schedule
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort

ROUNDING = 1e-6  # CP-SAT tells its bound as a floating-point number


class Values(Protocol):
    """Where the values of a solution are read: a solver, or a callback."""

    def boolean_value(self, literal: LiteralT) -> bool:
        """Whether ``literal`` holds."""


class OrderModel:
    """A CP-SAT model whose solutions are plans, and whose optimum is a shortest one.

    Attributes:
        puzzle: the board.
        model: the CP-SAT model; its objective is the number of moves.
        moves: the same as an expression.
    """

    def __init__(self, puzzle: BallSort, *, integer_times: bool = False) -> None:
        self.puzzle = puzzle
        self.model = CpModel()
        self.blocks = blocks_of(puzzle)
        self.same_colour: dict[int, list[Block]] = defaultdict(list)
        for block in self.blocks:
            self.same_colour[block.colour].append(block)
        self.balls: list[tuple[Block, Ball]] = [(block, (block.index, j)) for block in self.blocks for j in block.balls]
        self._true = self.model.new_constant(1)
        self._before: dict[tuple[int, int], LiteralT] = {}
        self._kept: dict[int, LiteralT] = {}
        self._visits: dict[Ball, dict[int, LiteralT]] = {}
        self._gaps: dict[tuple[Ball, int], LiteralT] = {}
        self._opens: dict[int, LiteralT] = {}
        self._rests: dict[tuple[int, int], LiteralT] = {}
        self._covers: dict[tuple[Ball, int], list[LiteralT]] = {}
        self._order()
        if integer_times:
            self._times()
        else:
            self._transitivity()
        self._keep()
        self._visit()
        self._route()
        self._tubes()
        pays = self._paid_gaps()
        extras = self._extras(pays)
        self._detours(extras)
        self._straight_home()
        self._eager(pays)
        self.moves = puzzle.lower_bound() + LinearExpr.sum([*extras.values(), *self._lost_bottoms()])
        self.model.minimize(self.moves)

    def decode(self, values: Values) -> Plan:
        """The plan that a solution stands for."""
        holds = values.boolean_value
        dug = [block.index for block in self.blocks if not (block.level == 0 and holds(self._kept[block.index]))]
        order = sorted(dug, key=lambda x: sum(holds(self._before[y, x]) for y in dug if y != x))
        visits = {ball: {y for y, visit in by_block.items() if holds(visit)} for ball, by_block in self._visits.items()}
        return Schedule(self.puzzle, self.blocks, order, visits).plan()

    def _literal(self) -> LiteralT:
        return self.model.new_bool_var("")

    def _clause(self, *literals: LiteralT) -> None:
        self.model.add_bool_or(literals)

    def _order(self) -> None:
        """Literals for pairs of blocks; within a tube from the top down, and what precedes a block also those below."""
        for x, y in combinations(self.blocks, 2):
            before = ~self._true if x.tube == y.tube else self._literal()
            self._before[x.index, y.index] = before
            self._before[y.index, x.index] = ~before
        for block, other in product(self.blocks, repeat=2):
            if block.above is not None and other.tube != block.tube:
                self._clause(~self._before[other.index, block.above], self._before[other.index, block.index])

    def _times(self) -> None:
        """The literals compare positions, all different."""
        times = [self.model.new_int_var(0, len(self.blocks) - 1, "") for _ in self.blocks]
        self.model.add_all_different(times)
        for (x, y), before in self._before.items():
            self.model.add(times[x] < times[y]).only_enforce_if(before)

    def _transitivity(self) -> None:
        """No three blocks of three tubes are in a cycle."""
        tubes: dict[int, list[Block]] = defaultdict(list)
        for block in self.blocks:
            tubes[block.tube].append(block)
        for three in combinations(tubes.values(), 3):
            for x, y, z in product(*three):
                cycle = self._before[x.index, y.index], self._before[y.index, z.index], self._before[z.index, x.index]
                self._clause(*cycle)
                self._clause(*(~before for before in cycle))

    def _exposed_before(self, y: Block, x: int) -> LiteralT:
        """Block y is exposed by a dig before that of block x."""
        if y.above is None:
            return self._true
        return ~self._true if y.above == x else self._before[y.above, x]

    def _keep(self) -> None:
        """At most one bottom block a colour is kept; it counts as dug after all that are dug."""
        self._kept = {block.index: self._literal() for block in self.blocks if block.level == 0}
        for bottom, kept in self._kept.items():
            for other in self.blocks:
                if other.tube != self.blocks[bottom].tube:
                    too = [self._kept[other.index]] if other.level == 0 else []
                    self._clause(~kept, *too, self._before[other.index, bottom])
        for same in self.same_colour.values():
            self.model.add_at_most_one([self._kept[block.index] for block in same if block.level == 0])

    def _visit(self) -> None:
        """What a ball may visit: room there, and not dug before the ball is; all of a colour visit its kept block."""
        visitors: dict[int, list[LiteralT]] = defaultdict(list)
        for block, ball in self.balls:
            self._visits[ball] = {}
            for other in self.same_colour[block.colour]:
                if other.room == 0 or (other.tube == block.tube and other.level >= block.level):
                    continue
                visit = self._literal()
                self._visits[ball][other.index] = visit
                visitors[other.index].append(visit)
                self._clause(~visit, self._before[block.index, other.index])
                if other.index in self._kept:
                    self._clause(~self._kept[other.index], visit)
                if block.index in self._kept:
                    self._clause(~visit, ~self._kept[block.index])
        for index, literals in visitors.items():
            self.model.add(LinearExpr.sum(literals) <= self.blocks[index].room)

    def _stops(self, block: Block, ball: Ball) -> list[int]:
        """The blocks from which a ball may leave: its own, and those it may visit."""
        return [block.index, *self._visits[ball]]

    def _route(self) -> None:
        """When the block is dug on which a ball lies, the ball goes to a block it visits, or into an emptied tube."""
        for block, ball in self.balls:
            for stop in self._stops(block, ball):
                gap = self._gaps[ball, stop] = self._literal()
                elsewhere = [] if stop == block.index else [~self._visits[ball][stop]]
                stays = [self._kept[stop]] if stop in self._kept else []
                self._clause(gap, *elsewhere, *stays, *self._covered(ball, stop))

    def _covered(self, ball: Ball, x: int) -> list[LiteralT]:
        """Literals of which one holds if ``ball`` visits a block that is exposed and there when ``x`` is dug."""
        if (ball, x) not in self._covers:
            covers = self._covers[ball, x] = []
            for y, visit in self._visits[ball].items():
                if self.blocks[y].tube != self.blocks[x].tube:
                    cover = self._literal()
                    self._clause(~cover, visit)
                    self._clause(~cover, self._rests_at(y, x))
                    covers.append(cover)
        return self._covers[ball, x]

    def _rests_at(self, y: int, x: int) -> LiteralT:
        """Block y is exposed and there when x, in another tube, is dug."""
        if (y, x) not in self._rests:
            rests = self._rests[y, x] = self._literal()
            self._clause(~rests, self._exposed_before(self.blocks[y], x))
            self._clause(~rests, self._before[x, y])
        return self._rests[y, x]

    def _tubes(self) -> None:
        """Where a dig opens an emptied tube, the other tubes in use leave room for that one and the one that is dug."""
        for block in self.blocks:
            self._opens[block.index] = self._literal()
        for (_, stop), gap in self._gaps.items():
            self._clause(~gap, self._opens[stop])
        for x, opens in self._opens.items():
            with_blocks = [self._before[x, y] for y in self._kept if self.blocks[y].tube != self.blocks[x].tube]
            emptied = []
            for colour, same in self.same_colour.items():
                if colour != self.blocks[x].colour:
                    tube = self._literal()
                    emptied.append(tube)
                    for other in same:
                        for j in other.balls:
                            still_there = self._before[x, other.index]
                            self._clause(~opens, still_there, tube, *self._covered((other.index, j), x))
            used = LinearExpr.sum([*with_blocks, *emptied])
            self.model.add(used <= len(self.puzzle.tubes) - 2).only_enforce_if(opens)

    def _paid_gaps(self) -> dict[tuple[Ball, int], LiteralT]:
        """Going into an emptied tube is the one move that all balls pay, unless there is a block to go to later."""
        pays = {}
        for (ball, stop), gap in self._gaps.items():
            later = [(y, visit) for y, visit in self._visits[ball].items() if y != stop]
            if later:
                paid = pays[ball, stop] = self._literal()
                for y, visit in later:
                    self._clause(~gap, ~visit, ~self._before[stop, y], paid)
        return pays

    def _extras(self, pays: dict[tuple[Ball, int], LiteralT]) -> dict[Ball, LinearExprT]:
        """By ball, its moves beyond the first: gaps it leaves again, and visits of blocks that are not kept."""
        extras: dict[Ball, LinearExprT] = {}
        for block, ball in self.balls:
            gaps = [pays[ball, stop] for stop in self._stops(block, ball) if (ball, stop) in pays]
            final = [self._kept[y] for y in self._visits[ball] if y in self._kept]
            extras[ball] = LinearExpr.sum([*self._visits[ball].values(), *gaps]) - LinearExpr.sum(final)
        return extras

    def _lost_bottoms(self) -> list[LinearExprT]:
        """By colour, by how many balls the block it keeps is shorter than its longest bottom block."""
        lost: list[LinearExprT] = []
        for same in self.same_colour.values():
            sizes = {self._kept[block.index]: block.size for block in same if block.level == 0}
            if sizes:
                lost.append(max(sizes.values()) - LinearExpr.weighted_sum(list(sizes), list(sizes.values())))
        return lost

    def _detours(self, extras: dict[Ball, LinearExprT]) -> None:
        """Implied: a ball that is dug before its kept block is exposed makes a detour."""
        for bottom, kept in self._kept.items():
            home = self.blocks[bottom]
            for other in self.same_colour[home.colour]:
                if home.above is not None and other.index != bottom:
                    early = self._before[other.index, home.above]
                    for j in other.balls:
                        self.model.add(extras[other.index, j] >= 1).only_enforce_if(kept, early)

    def _straight_home(self) -> None:
        """A ball visits no other block if, when it could start to, its kept block is exposed."""
        for block, ball in self.balls:
            for bottom, y in product(self._visits[ball], repeat=2):
                if bottom in self._kept and y != bottom:
                    home, above = self.blocks[bottom], self.blocks[y].above
                    not_both = ~self._kept[bottom], ~self._visits[ball][y]
                    self._clause(*not_both, ~self._exposed_before(home, block.index))
                    if above is not None:
                        self._clause(*not_both, ~self._exposed_before(home, above))

    def _eager(self, pays: dict[tuple[Ball, int], LiteralT]) -> None:
        """Where the home is open, exposed blocks are dug before another colour's tube opens.

        Open is an exposed kept block, or an emptied tube if its colour never leaves one.
        """
        for colour, same in self.same_colour.items():
            leaves = self._literal()
            for (ball, _), paid in pays.items():
                if self.blocks[ball[0]].colour == colour:
                    self._clause(~paid, leaves)
            others = [block.index for block in self.blocks if block.colour != colour]
            for home, block in product(same, repeat=2):
                if home.index == block.index:
                    continue
                for x in others:
                    dug_first = [~self._opens[x], ~self._exposed_before(block, x), self._before[block.index, x]]
                    self._clause(leaves, ~self._opens[home.index], ~self._before[home.index, x], *dug_first)
                    if home.index in self._kept:
                        self._clause(~self._kept[home.index], ~self._exposed_before(home, x), *dug_first)


class PlanReporter(CpSolverSolutionCallback):
    """Reports the plan of each solution, and each bound, as CP-SAT finds them; it calls one at a time."""

    def __init__(self, model: OrderModel, report: Report) -> None:
        super().__init__()
        self._model = model
        self._report = report

    def on_solution_callback(self) -> None:
        """A better solution."""
        self._report.plan(self._model.decode(self))

    def on_bound(self, bound: float) -> None:
        """A better bound on the objective."""
        self._report.lower_bound(ceil(bound - ROUNDING))
