"""The order encoding of ball sort: the cost of a plan, and dominance between plans of equal length.

Each ball outside the kept blocks moves at least once. `pays`, `visits` and `loses` count the extra moves.

Variables, beyond those of `encoder.order.formula`
    visits(b, j, y)   ball j of b visits bottom block y, which is dug later                  B·v
    pays(b, j, s)     ball j of b goes from s into an emptied tube and leaves it again       B·(v + 1)
    loses(c, w)       the kept block of colour c is more than w balls shorter than its longest bottom run   bottoms

Clause groups
    `_count_extra_moves`   the cost by ball, by colour and in total
    `_early`           implied: a ball dug before its home is open needs an extra move   B·tubes
    `_straight_home`   dominance: a ball whose home is open goes there          O(B·v·tubes)
    `_eager`           dominance: a colour whose kept block is exposed digs its
                       exposed blocks before a ball enters another's tube       O(tubes·(N/C)·N)

The last two are one device, ``dominance``.

**Every shortest plan has a model** (terms: `encoder.order.formula`). Balls of one colour are interchangeable, so two
that meet may swap names. A **place** is a block or an emptied tube, from its opening until it is empty again.

1. **Arrivals before departures.** In a shortest plan no ball arrives at a place after one has left it. Suppose that u
   leaves y for z, and that v is the first ball to arrive on y after that. Let u stay, and send v to the place where u
   is by then. Between the two y holds no more balls than before and other places hold one ball less, and the plan is
   shorter: a contradiction.
2. **Whole digs.** So all departures from y may wait for the last one: y needs no room for other balls, other places
   hold fewer, and y's tube is in use for as long as before. If a waiting ball's next place has gone by then, the ball
   goes straight to the place after it. No move is added. Hence a dig is one event that places all its balls at once.
3. **One emptied tube a colour.** If a colour has two emptied tubes, put its balls into one; there are only h. Moves
   between the two vanish, and no more tubes are in use at any time.
4. **Emptied tubes change only at digs.** By (3), a ball enters an emptied tube only from a dug block and leaves it only
   for a block. It may leave as soon as that block is exposed: by (1) there is room for it until the block itself is
   dug. A ball that would enter the tube later goes to the block directly; so does one that would get there by way of
   other blocks. So emptied tubes open and close at digs, and no ball is in one while a block that it visits later is
   exposed.
5. **The model.** Set `before` by the dig times and `visit` by the resting places; balls that no visit covers are in the
   emptied tube. Then the clauses hold. The extra moves that they count are the plan's moves beyond the lower bound:
   visits to blocks that are dug later, gaps followed by a visit, and the balls of a colour's longest bottom run if that
   isn't kept.

A colour's emptied tube opens only at the dig of one of its blocks, and `gap` has a literal for each dig. So every plan
length within a budget is covered, and without a budget every length: UNSAT then proves the board unsolvable.

**Dominance** keeps some shortest plan:

- **Straight home.** Once the kept block is exposed, it has room for its whole colour. A ball that goes elsewhere first
  only adds moves.
- **Eager.** Once colour c's kept block is exposed, an exposed block x of c can be dug at once. If a plan digs x later,
  dig it now and send home the balls that the plan would put onto x. Neither the tubes in use nor the moves increase,
  and no ball goes into an emptied tube. So in some shortest plan all such digs come before the next dig that puts a
  ball into an emptied tube. Both rules can be applied together, from the first such dig to the last. (For a home in an
  emptied tube that would be wrong: of two colours with such homes, each would have to come first.)
- **Early** (implied, `_early`). A ball dug before its kept block is exposed rests somewhere else first, which is an
  extra move.
"""

from collections.abc import Mapping
from itertools import permutations
from typing import ClassVar

from bsp_sat.encoder.blocks import Ball
from bsp_sat.encoder.counters import Totalizer
from bsp_sat.encoder.formula import Literal, clause_group
from bsp_sat.encoder.order.formula import OrderFormula
from bsp_sat.instances.sorting import SortPuzzle


class BallFormula(OrderFormula):
    """The order encoding of ball sort; with ``dominance`` balls go home as soon as their home is open."""

    meanings: ClassVar[Mapping[str, str]] = {
        **OrderFormula.meanings,
        "pays(b,j,s)": "ball {j} of block {b} goes from block {s} into an emptied tube and leaves it again",
        "visits(b,j,y)": "ball {j} of block {b} visits bottom block {y}, which is dug later",
        "loses(c,w)": "the block that colour {c} keeps is more than {w} balls shorter than possible",
    }

    def __init__(self, puzzle: SortPuzzle, dominance: bool) -> None:
        self.dominance = dominance
        super().__init__(puzzle)

    def _count_extra_moves(self) -> Totalizer:
        """Counts by ball, by colour and in total, so that the solver can learn clauses about one colour's cost."""
        pays = self._paid_gaps()
        by_ball = {}
        for _, ball in self.balls:
            paid = [pays[ball, stop] for stop in (ball[0], *self.visits[ball]) if (ball, stop) in pays]
            by_ball[ball] = Totalizer(self, [*self._paid_visits(ball), *paid], ("extra", "ball", *ball))
        by_colour = []
        for colour, same in self.same_colour.items():
            balls = [by_ball[block.index, j] for block in same for j in block.balls]
            by_colour.append(Totalizer(self, [*self._lost_bottoms(colour), *balls], ("extra", "colour", colour)))
        self._early(by_ball)
        if self.dominance:
            self._straight_home()
            self._eager()
        return Totalizer(self, by_colour, ("extra",))

    @clause_group
    def _lost_bottoms(self, colour: int) -> list[Literal]:
        """If a colour doesn't keep its longest bottom block, it moves more balls than the lower bound counts."""
        bottoms = [block for block in self.same_colour[colour] if block.level == 0]
        longest = max((block.size for block in bottoms), default=0)
        loses = self.variables(longest, "loses", colour)
        for lost, literal in enumerate(loses, start=1):
            self.add(literal, *(self.kept[block.index] for block in bottoms if block.size > longest - lost))
        return loses

    @clause_group
    def _paid_visits(self, ball: Ball) -> list[Literal]:
        """A visit to a block that is dug later is an extra move."""
        extras = []
        for y, visit in self.visits[ball].items():
            if y in self.kept:
                paid = self.variable("visits", *ball, y)
                self.add(-visit, self.kept[y], paid)
                extras.append(paid)
            else:
                extras.append(visit)
        return extras

    @clause_group
    def _early(self, by_ball: dict[Ball, Totalizer]) -> None:
        """Implied: a ball that is dug before its kept block is exposed makes at least one extra move."""
        for bottom, kept in self.kept.items():
            home = self.blocks[bottom]
            for other in self.same_colour[home.colour]:
                if home.above is not None and other.index != bottom:
                    for j in other.balls:
                        detours = by_ball[other.index, j]
                        detours.count_to(1)
                        early = self.events.before(other.index, home.above)
                        self.add(-kept, -early, *detours.counts[:1])

    @clause_group
    def _paid_gaps(self) -> dict[tuple[Ball, int], Literal]:
        """A ball that goes into an emptied tube and visits a block later makes an extra move."""
        extras = {}
        for (ball, stop), gap in self.gaps.items():
            later = [(y, visit) for y, visit in self.visits[ball].items() if y != stop]
            if later:
                extras[ball, stop] = pays = self.variable("pays", *ball, stop)
                for y, visit in later:
                    self.add(-gap, -visit, -self.events.before(stop, y), pays)
        return extras

    @clause_group
    def _straight_home(self) -> None:
        """A ball visits no other block if its kept block is exposed by the time that the visit could begin."""
        for block, ball in self.balls:
            for bottom in self.visits[ball]:
                if bottom not in self.kept:
                    continue
                home = self.blocks[bottom]
                for y, visit in self.visits[ball].items():
                    if y != bottom:
                        self.add(-self.kept[bottom], -visit, -self.events.exposed_before(home, block.index))
                        above = self.blocks[y].above
                        if above is not None and above != home.above:
                            self.add(-self.kept[bottom], -visit, -self.events.exposed_before(home, above))
                        elif home.above is None:
                            self.add(-self.kept[bottom], -visit)

    @clause_group
    def _eager(self) -> None:
        """A colour whose kept block is exposed digs its exposed blocks before another colour's ball enters a tube."""
        for colour, same in self.same_colour.items():
            others = [block.index for block in self.blocks if block.colour != colour]
            for home, block in permutations(same, 2):
                if home.index in self.kept:
                    for x in others:
                        is_open = [-self.kept[home.index], -self.events.exposed_before(home, x)]
                        exposed = self.events.exposed_before(block, x)
                        self.add(*is_open, -self.opens[x], -exposed, self.events.before(block.index, x))
