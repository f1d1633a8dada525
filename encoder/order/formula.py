"""The order encoding as clauses: no steps and no horizon, only the order in which the blocks of the board are dug.

A ball only ever lands on its own colour or in an empty tube. So a tube holds either the rest of its original
blocks with balls of one colour on top, or, once it has been emptied, balls of one colour. Some shortest plan
moves balls only when a block is dug (`encoder.order.ball`): all balls of the block leave, with those on top
of them, and each goes to a place that is open at that moment:
    a visit           on top of an exposed block of its colour, until that block is dug in turn;
    the emptied tube  of its colour, which has at most one at a time. It opens when a ball has nowhere else
                      to go; its balls leave it only for a block that has just been exposed.
A bottom block may be **kept**: it is never dug, and its tube fills up with the rest of its colour.

**Terms.** A **block** is a maximal one-colour run of the start position. The balls that have never left their tube are
its **residue**; the top block of the residue is **exposed**. All other balls in the tube lie on the exposed block and
have its colour. A tube without a residue is **emptied**; its balls have one colour. A ball **rests** on a block of its
colour or in an emptied tube. A block is **dug** when its last own ball leaves; a bottom block that is never dug is
**kept**. The capacity is h, and each colour has h balls (other boards and the goal `monochrome` are refused). The
proofs are in `encoder.order.plan`, that a model is a plan, and in `encoder.order.ball` and `encoder.order.water`, that
a shortest plan has a model.

Variables (N blocks, B balls, C colours, v ≤ capacity blocks that a ball may visit)
    before(x, y)         the order of the digs: `encoder.order.events`                       N²/2
    kept(y)              bottom block y is never dug                                         tubes
    visit(b, j, y)       ball j of block b rests on block y, for a time or for good          B·v
    rests(y, x)          block y is exposed, and not dug yet, when x is dug                  N·v
    covers(b, j, y, x)   ball j of b visits y, and rests there when x is dug                 B·v·N
    gap(b, j, s)         when s is dug, ball j of b goes from it into an emptied tube        B·(v + 1)
    opens(x)             a ball of x goes into an emptied tube                               N
    tube(c, x)           colour c has an emptied tube while x is dug and opens one           C·N

Clause groups
    `_keep`       at most one kept block a colour, dug after all others         O(tubes·N)
    `_visit`      which blocks a ball may visit, and how many balls fit         O(B·v·capacity)
    `_route`      a ball that is dug rests on a block or goes into an emptied tube  O(B·v)
    `_tubes`      a dug ball that rests on no block is in its colour's emptied
                  tube; when a tube opens, one is free                          O(B·N·v + N·(tubes + C)²)
    `_count_extra_moves`   the cost of a plan: `encoder.order.ball`, `encoder.order.water`

The budget limits the moves beyond the board's `lower_bound`; `encoder.counters` lets it grow.

What UNSAT means: under ``at_horizon(h)``, no plan has h moves or fewer; under ``at_any_length()``, the board is
unsolvable. Nothing else is bounded: an emptied tube opens only at a dig, and there are variables for every dig, so
the formula allows as many temporary tubes as a plan can use.

Source: our own; partial-order planning as satisfiability is due to Kautz, McAllester and Selman, KR 1996.
"""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Mapping
from functools import cmp_to_key
from itertools import combinations
from typing import ClassVar

from bsp_sat.encoder.blocks import Ball, Block, dug_by, numbers_of_blocks
from bsp_sat.encoder.counters import Totalizer
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model, clause_group
from bsp_sat.encoder.order.events import Events
from bsp_sat.encoder.order.plan import EMPTIED, Schedule
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle


class OrderFormula(PlanFormula):
    """What the formulas of ball sort and water sort share.

    Literals are ``kept``, "the bottom block is kept"; for each ball and block ``visits``, and ``gaps``, "the ball goes
    from the block into an emptied tube"; and ``opens``, "the block's dig may open an emptied tube".
    """

    meanings: ClassVar[Mapping[str, str]] = {
        "before(x,y)": "block {x} is dug before block {y}",
        "kept(y)": "bottom block {y} is never dug",
        "visit(b,j,y)": "ball {j} of block {b} rests on block {y}, for a time or for good",
        "gap(b,j,s)": "ball {j} of block {b} goes into an emptied tube when block {s} is dug",
        "opens(x)": "the dig of block {x} puts a ball into an emptied tube",
        "rests(y,x)": "block {y} is exposed, and not dug yet, when block {x} is dug",
        "covers(b,j,y,x)": "ball {j} of block {b} rests on block {y} when block {x} is dug",
        "tube(c,x)": "colour {c} has an emptied tube when the dig of block {x} opens one",
        "used(x,k)": "{k} or more other tubes are in use when the dig of block {x} opens one",
    }

    def __init__(self, puzzle: SortPuzzle) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.events = self._events()
        self.blocks = self.events.blocks
        self.same_colour: dict[int, list[Block]] = defaultdict(list)
        for block in self.blocks:
            self.same_colour[block.colour].append(block)
        self.balls: list[tuple[Block, Ball]] = [(block, (block.index, j)) for block in self.blocks for j in block.balls]
        self.kept: dict[int, Literal] = {}
        self.visits: dict[Ball, dict[int, Literal]] = {}
        self.gaps: dict[tuple[Ball, int], Literal] = {}
        self.opens: dict[int, Literal] = {}
        self._rests: dict[tuple[int, int], Literal] = {}
        self._covers: dict[tuple[Ball, int], list[Literal]] = {}
        self._keep()
        self._visit()
        self._route()
        self._tubes()
        self._budget = self._count_extra_moves()

    def numbering(self) -> list[str]:
        return numbers_of_blocks(self.puzzle)

    @abstractmethod
    def _count_extra_moves(self) -> Totalizer:
        """Adds clauses that count the moves beyond the board's lower bound."""

    def add(self, *literals: Literal) -> None:
        """Adds one clause, simplified by the constants true and false."""
        true = self.events.true
        if true not in literals:
            self.clauses.append([literal for literal in literals if literal != -true])

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Assumptions for a plan of at most ``horizon`` moves; extends the budget's counter where needed."""
        extra = horizon - self.puzzle.lower_bound()
        return [-self.events.true] if extra < 0 else self._budget.at_most(extra)

    def at_any_length(self) -> list[Literal]:
        """Assumptions for a plan of any length: satisfiable if and only if the board is solvable."""
        return []

    def extra_moves(self) -> list[Literal]:
        """The inputs of the budget's counter."""
        return self._budget.inputs()

    def decode(self, model: Model, horizon: int) -> Plan:
        def holds(literal: Literal) -> bool:
            return (model[abs(literal) - 1] > 0) == (literal > 0)

        def order(x: int, y: int) -> int:
            return -1 if holds(self.events.before(x, y)) else 1

        kept = {index for index, literal in self.kept.items() if holds(literal)}
        dug = [block.index for block in self.blocks if block.index not in kept]
        visits = {ball: {y for y, visit in by_block.items() if holds(visit)} for ball, by_block in self.visits.items()}
        sends = {}
        for ball, stop in self.gaps:
            chosen = self.chosen(ball, stop)
            if chosen is not None:
                sends[ball, stop] = next((y for y, literal in chosen.items() if holds(literal)), EMPTIED)
        return Schedule(self.puzzle, self.blocks, sorted(dug, key=cmp_to_key(order)), visits, sends).plan()

    def likely(self, plan: Plan) -> list[Literal]:
        """The order in which the plan digs the blocks, and no visits."""
        last = dug_by(self.puzzle, plan)
        order = [last.get(block.index, len(plan)) for block in self.blocks]
        literals = [
            self.events.before(x, y) if order[x] < order[y] else -self.events.before(x, y)
            for x, y in combinations(range(len(self.blocks)), 2)
        ]
        literals += [kept if order[y] == len(plan) else -kept for y, kept in self.kept.items()]
        return literals + [-visit for by_block in self.visits.values() for visit in by_block.values()]

    def chosen(self, ball: Ball, stop: int) -> dict[int, Literal] | None:
        """For each block, the literal "``ball`` goes there from ``stop``"; None if the visits determine it."""
        return None

    @clause_group
    def _events(self) -> Events:
        """A block that is dug before another one is dug before the block below it too; no three digs form a cycle."""
        return Events(self, self.puzzle)

    @clause_group
    def _keep(self) -> None:
        """At most one bottom block of each colour is kept; it counts as dug after all other blocks."""
        for block in self.blocks:
            if block.level == 0:
                self.kept[block.index] = self.variable("kept", block.index)
        for bottom, kept in self.kept.items():
            for other in self.blocks:
                if other.tube != self.blocks[bottom].tube:
                    too = [self.kept[other.index]] if other.level == 0 else []
                    self.add(-kept, *too, self.events.before(other.index, bottom))
        for same in self.same_colour.values():
            self.at_most_one([self.kept[block.index] for block in same if block.level == 0])

    @clause_group
    def _visit(self) -> None:
        """A ball may visit blocks of its colour that have room for it and are dug after it.

        All balls of a colour visit its kept block, for good.
        """
        visitors: dict[int, list[Literal]] = defaultdict(list)
        for block, ball in self.balls:
            self.visits[ball] = {}
            for other in self.same_colour[block.colour]:
                if other.room == 0 or (other.tube == block.tube and other.level >= block.level):
                    continue
                visit = self.variable("visit", *ball, other.index)
                self.visits[ball][other.index] = visit
                visitors[other.index].append(visit)
                self.add(-visit, self.events.before(block.index, other.index))
                if other.index in self.kept:
                    self.add(-self.kept[other.index], visit)
                if block.index in self.kept:
                    self.add(-visit, -self.kept[block.index])
        for index, literals in visitors.items():
            self.at_most(self.blocks[index].room, literals, "room", index)

    @clause_group
    def _route(self) -> None:
        """When the block under a ball is dug, the ball goes to a block that it visits, or into an emptied tube."""
        for block, ball in self.balls:
            for stop in (block.index, *self.visits[ball]):  # the blocks that it may leave
                gap = self.variable("gap", *ball, stop)
                self.gaps[ball, stop] = gap
                self.add(gap, *(-literal for literal in self._at(ball, stop)), *self._covered(ball, stop))

    @clause_group
    def _tubes(self) -> None:
        """When a dig opens an emptied tube, one is free.

        The tubes in use are the one that is dug, the one that opens, those with blocks left, and one for each
        other colour with a dug ball that rests on no block.
        """
        gaps: dict[int, list[Literal]] = defaultdict(list)
        for (_, stop), gap in self.gaps.items():
            gaps[stop].append(gap)
        for block in self.blocks:
            x = block.index
            opens = self.opens[x] = self.variable("opens", x)
            for gap in gaps[x]:
                self.add(-gap, opens)
            used = [-self.events.before(y, x) for y in self.kept if self.blocks[y].tube != block.tube]
            for colour, same in self.same_colour.items():
                if colour != block.colour:
                    tube = self.variable("tube", colour, x)
                    used.append(tube)
                    for other in same:
                        for j in other.balls:
                            covered = self._covered((other.index, j), x)
                            self.add(-opens, self.events.before(x, other.index), tube, *covered)
            spare = len(self.puzzle.tubes) - 2
            if spare < 0:
                self.add(-opens)
            for limit in Totalizer(self, used, ("used", x)).at_most(spare) if spare >= 0 else []:
                self.add(-opens, limit)

    def _at(self, ball: Ball, stop: int) -> list[Literal]:
        """Literals that all hold if and only if ``ball`` is on block ``stop`` when that block is dug."""
        there = [] if stop == ball[0] else [self.visits[ball][stop]]
        return [*there, -self.kept[stop]] if stop in self.kept else there

    def _covered(self, ball: Ball, x: int) -> list[Literal]:
        """Literals, one of which holds if ``ball`` visits a block that is exposed and not dug yet when ``x`` is dug."""
        if (ball, x) not in self._covers:
            covers = self._covers[ball, x] = []
            for y, visit in self.visits[ball].items():
                if self.blocks[y].tube != self.blocks[x].tube:
                    cover = self.variable("covers", *ball, y, x)
                    self.add(-cover, visit)
                    self.add(-cover, self._rests_at(y, x))
                    covers.append(cover)
        return self._covers[ball, x]

    def _rests_at(self, y: int, x: int) -> Literal:
        """Block y is exposed, and not dug yet, when x, in another tube, is dug."""
        if (y, x) not in self._rests:
            rests = self._rests[y, x] = self.variable("rests", y, x)
            self.add(-rests, self.events.exposed_before(self.blocks[y], x))
            self.add(-rests, self.events.before(x, y))
        return self._rests[y, x]
