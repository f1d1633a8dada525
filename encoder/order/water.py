"""The order encoding of water sort: a pour is one move, however many units it moves.

Each block that is dug takes one pour. A visit costs nothing, as water that rests on a block leaves with it in one
pour. Extra moves arise when the water of one dig goes to several places, and when an emptied tube is poured out.

Variables, beyond those of `encoder.order.formula`
    goes(b, j, s, y)   unit j of block b is poured from block s onto block y        units·v²
    pours(s, y)        some unit is poured from s onto y; y = −1 for an emptied tube    N·v
    parts(s, y)        s is poured onto y and onto a place before y in the list     N·v
    fills(s, y)        y is full after s is poured onto it                          N·v
    leaves(y)          an emptied tube is poured onto y, which has just been exposed   N
    enters(b, j, y)    unit j of b is in an emptied tube when y is exposed          units·v
    loses(c)           colour c has a bottom block, but keeps none                  C

Clause groups
    `_goes`      each unit on a block that is dug goes to one place              O(units·v³)
    `_parts`     each pour of a dig after the first costs a move, and all but
                 the last fill their target                                      O(N·v²·units)
    `_arrive`    each visit takes place                                          units·v
    `_leaves`    a pour out of an emptied tube costs a move; it takes all, or fills its target  O(units·v)

    exact        each pour takes as much as fits, as in the rules                   1

A **free pour** moves any number of units of the top run that the target has room for, and costs one move. Every plan by
the rules is a plan with free pours, so a lower bound for free pours is one for the rules. The clauses that make pours
follow the rules depend on the assumption `exact`. A model under `exact` is a plan by the rules; a refutation counts
only if it doesn't use `exact`. If it does, `solve` answers `feasible`.

Claim: some plan with the fewest free pours has a model without `exact`. Of these plans, take one that moves the fewest
units in all. Units of a colour are interchangeable. The proof keeps back some units for a while. Call these units
**delayed**: they aren't at the places where the original plan has them, and pours that moved only delayed units are
saved. A pour of a units from a place with D delayed ones takes them all if a > D, and otherwise only delayed ones,
group by group: a group started together. So if a group is in j places, it has been parted by j − 1 saved pours, each of
which parts no other (†).

1. **Arrivals before departures**, on blocks. Let y → z of a units be the last departure before an arrival w → y of b
   units, and m = min(a, b). Leave m units on y at the departure; they are delayed until the arrival. At the arrival,
   pour m units of w to the j places where the delayed units would be, and the other b − m onto y. If m = a, the pour y
   → z is saved; if m = b, the pour w → y is. By (†) no pours are added. At no time do y or other places hold more than
   before. But fewer units are moved, a contradiction.
2. **Whole digs.** Let all departures from a block y wait for its last one. The waiting units are delayed, and go from y
   to the places where they would be; by (†) that adds no pours. No water arrives on y in between (1). The number of
   units moved doesn't increase.
3. **One emptied tube a colour**, as for balls: pours into two of them become one, and pours between them vanish.
4. **Straight to exposed blocks.** Let q → y be a pour of k units onto a block y, and p → q, of a units, the last pour
   into q before. Then y is exposed after p → q. Otherwise pour min(a, k) units from p onto y, and that many less from p
   onto q and from q onto y. One of these two pours is saved. By (1) nothing has left y, so it has room, and q keeps
   what it pours elsewhere. But fewer units are moved, a contradiction.
5. **Emptied tubes change only at digs.** By (4), what an emptied tube pours onto y was there before y was exposed, and
   may leave at the exposure. By (4) again, no unit is in an emptied tube while a block that it visits later is exposed.
6. **The model** is that for balls, and each visit takes place. A dig costs one pour for each place that it is poured
   onto, and an emptied tube one for each block that it is poured onto.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import ClassVar

from bsp_sat.encoder.blocks import Ball
from bsp_sat.encoder.counters import Totalizer
from bsp_sat.encoder.formula import Literal, clause_group
from bsp_sat.encoder.order.formula import OrderFormula
from bsp_sat.encoder.order.plan import EMPTIED


class WaterFormula(OrderFormula):
    """The order encoding of water sort."""

    meanings: ClassVar[Mapping[str, str]] = {
        **OrderFormula.meanings,
        "goes(b,j,s,y)": "unit {j} of block {b} is poured from block {s} onto block {y}",
        "parts(s,y)": "block {s} is poured onto block {y} and onto a place before it in the list",
        "leaves(y)": "an emptied tube is poured onto block {y}, which has just been exposed",
        "enters(b,j,y)": "unit {j} of block {b} is in an emptied tube when block {y} is exposed",
        "loses(c)": "colour {c} has a bottom block, but keeps none",
    }

    def _count_extra_moves(self) -> Totalizer:
        self.exact = [self.variable("exact")]
        self._full = {block.index: self._fullness(block.index) for block in self.blocks}
        self._choices: dict[tuple[Ball, int], dict[int, Literal]] = {}
        self._goes()
        self._arrivals: dict[tuple[Ball, int], list[Literal]] = defaultdict(list)
        extras = [*self._lost_bottoms(), *self._parts(), *self._leaves()]
        self._arrive()
        return Totalizer(self, extras, ("extra",))

    def chosen(self, ball: Ball, stop: int) -> dict[int, Literal]:
        """For each block, the literal "``ball`` goes there from ``stop``"."""
        return self._choices[ball, stop]

    @clause_group
    def _lost_bottoms(self) -> list[Literal]:
        """A colour that has a bottom block, but keeps none, needs a pour more than the lower bound counts."""
        extras = []
        for colour, same in self.same_colour.items():
            bottoms = [self.kept[block.index] for block in same if block.level == 0]
            if bottoms:
                loses = self.variable("loses", colour)
                self.add(loses, *bottoms)
                extras.append(loses)
        return extras

    def _fullness(self, y: int) -> Literal:
        """A literal that implies that visitors fill the room above block y."""
        visitors = [visits[y] for visits in self.visits.values() if y in visits]
        room = self.blocks[y].room
        if len(visitors) < room:
            return -self.events.true
        full = self.variable("full", y)
        absent = self.variables(len(visitors), "absent", y)
        for literal, visit in zip(absent, visitors, strict=True):
            self.add(-full, visit, literal)
        self.at_most(len(visitors) - room, absent, "absent", y)
        return full

    @clause_group
    def _goes(self) -> None:
        """Each unit on a block that is dug goes to one place."""
        for (ball, stop), gap in self.gaps.items():
            there = [-literal for literal in self._at(ball, stop)]
            goes = self._choices[ball, stop] = {}
            for y, visit in self.visits[ball].items():
                if self.blocks[y].tube == self.blocks[stop].tube:
                    continue
                rests = self._rests_at(y, stop)
                goes[y] = self.variable("goes", *ball, stop, y)
                self.add(-goes[y], visit)
                self.add(-goes[y], rests)
                exposed = self.events.exposed_before(self.blocks[y], stop)
                self.add(-gap, *there, -visit, -exposed, -self.events.before(stop, y))
            self.add(gap, *there, *goes.values())
            self.at_most_one([gap, *goes.values()])

    @clause_group
    def _parts(self) -> list[Literal]:
        """Each pour of a dig after the first costs a move, and all but the last fill their target."""
        places: dict[int, dict[int, list[Literal]]] = defaultdict(lambda: defaultdict(list))
        arrivals: dict[int, list[tuple[int, Literal]]] = defaultdict(list)
        for (ball, stop), goes in self._choices.items():
            there = self._at(ball, stop)
            for y, literal in goes.items():
                going = self.define_and(("leaving", *ball, stop, y), [*there, literal]) if there else literal
                places[stop][y].append(going)
                arrivals[y].append((stop, going))
                self._arrivals[ball, y].append(going)
            gap = self.gaps[ball, stop]
            places[stop][EMPTIED].append(self.define_and(("leaving", *ball, stop, EMPTIED), [*there, gap]))
        extras: list[Literal] = []
        for stop, by_place in places.items():
            pours = {y: self.variable("pours", stop, y) for y in by_place}
            fills = {y: self._fills(stop, y, arrivals[y]) if y != EMPTIED else -self.events.true for y in by_place}
            for y, causes in by_place.items():
                for cause in causes:
                    self.add(-cause, pours[y])
            parts = {y: self.variable("parts", stop, y) for y in list(by_place)[1:]}
            for first, second in combinations(by_place, 2):
                self.add(-pours[first], -pours[second], parts[second])
                self.add(-self.exact[0], -pours[first], -pours[second], fills[first], fills[second])
            extras += parts.values()
        return extras

    def _fills(self, stop: int, y: int, arrivals: list[tuple[int, Literal]]) -> Literal:
        """A literal that implies that y is full after ``stop`` is poured onto it, as no water arrives later."""
        fills = self.variable("fills", stop, y)
        self.add(-fills, self._full[y])
        for other, arrives in arrivals:
            if other != stop:
                self.add(-fills, -arrives, self.events.before(other, stop))
        return fills

    def _enters(self, ball: Ball, y: int, above: int) -> Literal:
        """A literal that implies that ``ball`` is in an emptied tube when y, below ``above``, is exposed."""
        enters = self.variable("enters", *ball, y)
        self.add(-enters, self.events.before(ball[0], above))
        for other, visit in self.visits[ball].items():
            if other != y and self.blocks[other].tube != self.blocks[y].tube:
                exposed = self.events.exposed_before(self.blocks[other], above)
                self.add(-enters, -visit, -exposed, -self.events.before(above, other))
        return enters

    @clause_group
    def _arrive(self) -> None:
        """Each visit takes place. Otherwise units that never arrive could count as filling a block."""
        for ball, visits in self.visits.items():
            for y, visit in visits.items():
                self.add(-visit, *self._arrivals[ball, y])

    @clause_group
    def _leaves(self) -> list[Literal]:
        """A unit that visits y, was dug before y is exposed and rests on no other block comes from the emptied tube."""
        extras = []
        for y, block in enumerate(self.blocks):
            if block.above is None or not any(y in visits for visits in self.visits.values()):
                continue
            above = block.above
            leaves = self.variable("leaves", y)
            all_of_it = self.variable("all", y)
            at_once = self.variable("fills", EMPTIED, y)
            self.add(-self.exact[0], -leaves, all_of_it, at_once)
            self.add(-at_once, self._full[y])
            for other in self.same_colour[block.colour]:
                if other.index == y:
                    continue
                for j in other.balls:
                    ball = (other.index, j)
                    visit = self.visits[ball].get(y)
                    dug_later = self.events.before(above, other.index)
                    covered = self._covered(ball, above)
                    if visit is None:
                        self.add(-leaves, -all_of_it, dug_later, *covered)
                        continue
                    self.add(-visit, dug_later, *covered, leaves)
                    self._arrivals[ball, y].append(self._enters(ball, y, above))
                    self.add(-leaves, -all_of_it, dug_later, *covered, visit)
            for (ball, stop), goes in self._choices.items():
                if y in goes:
                    self.add(-at_once, -goes[y], *(-literal for literal in self._at(ball, stop)))
            extras.append(leaves)
        return extras
