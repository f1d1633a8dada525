"""The homes encoding of ball sort as clauses: one event a step; the moves that an event makes possible are implied.

A colour's **home** is the tube that ends full of it: the tube of a **kept** bottom block, or an emptied tube. A kept
block becomes the home as soon as no other block lies on it. Once a home is open, every ball of the colour goes there
as soon as it is reachable. Neither needs an event. The events of a plan are
    open(c)     the home of colour c opens in an emptied tube
    clear(x)    block x and its visitors leave for exposed blocks of the colour (a **visit**) and its temporary
    empty(c)    the temporary of colour c is cleared onto exposed blocks of the colour
    idle        nothing is left to do; also the first step, if a tube of one colour is a home from the start
docs/encodings.md has a tiny board.

Variables (N blocks, C colours, T steps, h the capacity; t = 1 … T; the values before step 1 are constants)
    kept(x)          bottom block x becomes its colour's home                              tubes
    new(c)           the home of c will be an emptied tube                                 C
    sooner(c, d)     the home of c opens before the home of d; c before d in the list      C²/2
    cleared(x, t)    block x has been cleared by step t                                    N·T
    dug(x, t)        block x is gone after step t: cleared, or at home                     N·T
    home(c, t)       the home of c is open after step t                                    C·T
    opening(c, t)    the home of c opens with step t                                       C·T
    temporary(c, t, k)   more than k balls of c are in its temporary after the event of step t, before any go home
                                                                                           C·h·T
    visitors(x, t, k)    more than k balls visit block x, likewise                         N·h·T
    open, clear, empty, idle   the event of step t                                         (N + 2·C + 1)·T
    stays(c, t)      the temporary of c is there after step t                              C·T
    tube(c, t)       the home of c is open after step t, in a tube that was emptied        C·T
    event(t, n)      thresholds: `encoder.counters.ExactlyOne`                             (N + 2·C)·T / 3
    spent(s, k)      `encoder.counters.CostCounter`: the choice of homes, then each step   (C + T)·e
    visiting, balls, used   sums, `encoder.counters`

Clause groups
    `_choose_homes`  one home a colour, and its cost                                       C + tubes
    `_order_homes`   the order of the homes is transitive                                  C³
    `_events`        one event a step                                                      5·(N + 2·C)·T
    `_dig`           blocks leave by a clear or to an open home, from the top;
                     reachable balls do go to an open home                                 11·N·T
    `_open`          where and when homes open: a kept block opens after all blocks on it
                     are cleared or at home                                                (C² + N)·T
    `_temporary`     clears fill a temporary; its balls leave by `empty` or go home        (C·(2·h + 3) + N)·T
    `_visit`         visits to exposed blocks, which stay until the block leaves           5·N·h·T
    `_conserve`      balls of cleared blocks are in the temporary or visiting              C·h²·log(N/C)·T
    `_tubes`         tubes in use after each step: at most all                             (tubes + C)²·T
    `_charges`       the cost of a clear: balls that move, but not to their home           N·h·e·T
`encoder.homes.rules` has the clauses that choose among plans of equal length.

The budget e limits the moves beyond the lower bound. A greater budget adds steps.

**Every shortest plan is imitated.** The claims 1 to 3 of engine/homes.md show that some shortest plan consists of
openings and clears, with all reachable balls going home after each, and with homes declared as soon as their tube has
one colour. Three things are added:

1. **One temporary a colour**, as in `encoder.order.ball`.
2. **A clear's targets are exposed before it.** The clear itself exposes what lies below its block, and balls there have
   another colour.
3. **f + e steps are enough**, f the number of colours without a bottom block. Each clear and each emptying moves a ball
   that isn't home afterwards, so it costs at least one move of the budget e; clears of what lies above its own kept
   block are paid for by the choice of homes, at least one move each. Opening an emptied tube for a colour that has a
   bottom block costs that block, at least one move. The rest is one opening for each of the f colours, and one idle
   step where a tube has one colour at the start. Idle steps at the end fill up.

So under `at_horizon(h)`, UNSAT means that no plan has h moves or fewer. It never means unsolvable: `order` answers
that.

Source: our own; engine/homes.md describes a search with the same steps. `encoder.homes.plan` shows that a model is a
plan.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import ClassVar

from bsp_sat.encoder.blocks import Block, blocks_of, numbers_of_blocks
from bsp_sat.encoder.counters import Charge, CostCounter, ExactlyOne, Unary, unary_sum
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model, clause_group
from bsp_sat.encoder.homes.plan import LATER, Event, EventKind, plan_of, walked
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle


@dataclass
class Step:
    """One step's event, and the state that it leads to; number 0 is the start, which has no event.

    ``dug``, ``cleared`` and ``visitors``, the number of balls that visit before any go home, are by block; ``home``,
    ``temporary``, the number of balls there before any go home, and ``opening``, "the home opens with this step", by
    colour. ``tight`` says that at most one tube is free. ``open``, ``clear`` and ``empty`` are the events, by colour,
    block and colour.
    """

    number: int
    dug: list[Literal]
    cleared: list[Literal]
    home: dict[int, Literal]
    temporary: dict[int, Unary]
    visitors: list[Unary]
    full: Literal = 0
    tight: Literal = 0
    open: dict[int, Literal] = field(default_factory=dict)
    clear: list[Literal] = field(default_factory=list)
    empty: dict[int, Literal] = field(default_factory=dict)
    event: ExactlyOne | None = None
    opening: dict[int, Literal] = field(default_factory=dict)

    @property
    def events(self) -> list[tuple[EventKind, int, Literal]]:
        """What may happen: the kind, the colour or block, the literal."""
        kinds = {EventKind.OPEN: self.open, EventKind.EMPTY: self.empty, EventKind.CLEAR: dict(enumerate(self.clear))}
        return [(kind, key, literal) for kind, literals in kinds.items() for key, literal in literals.items()]


class HomesFormula(PlanFormula):
    """The formula of one board, for growing budgets.

    ``tubes`` has the blocks of each tube that isn't empty, bottom first; ``uniform`` are bottom blocks with nothing on
    them at the start. Literals are ``kept``, "the bottom block becomes a home", ``new``, "the colour's home will be an
    emptied tube", and ``sooner``, "the first colour's home opens first". ``free_steps`` is how many may cost nothing.
    """

    leaps = True
    meanings: ClassVar[Mapping[str, str]] = {
        "kept(x)": "bottom block {x} becomes a home",
        "new(c)": "the home of colour {c} will be an emptied tube",
        "sooner(c,d)": "the home of colour {c} opens before that of colour {d}",
        "spent(s,k)": "the choice of homes (stage 1) and the steps (from stage 2 on) cost more than {k} by stage {s}",
        "idle(t)": "nothing happens in step {t}",
        "open(c,t)": "in step {t} the home of colour {c} opens in an emptied tube",
        "empty(c,t)": "in step {t} the temporary of colour {c} is emptied",
        "clear(t,x)": "in step {t} block {x} is cleared",
        "event(t,n)": "step {t} has none of the first 3*({n}+1) of idle, open, empty, clear",
        "dug(t,x)": "block {x} is gone after step {t}: cleared, or at home",
        "cleared(t,x)": "block {x} has been cleared by step {t}",
        "home(c,t)": "the home of colour {c} is open after step {t}",
        "opening(c,t)": "the home of colour {c} opens with step {t}",
        "temporary(c,t,k)": "more than {k} balls of colour {c} are in its temporary after the event of step {t}",
        "visitors(x,t,k)": "more than {k} balls visit block {x} after the event of step {t}",
        "visiting(c,t,k)": "more than {k} balls of colour {c} visit blocks or are in its temporary in step {t}",
        "balls(c,t,k)": "more than {k} balls of colour {c} have been cleared by step {t}",
        "stays(c,t)": "the temporary of colour {c} is there after step {t}",
        "tube(c,t)": "the home of colour {c} is open after step {t}, in a tube that was emptied",
        "used(t,k)": "more than {k} tubes are in use after step {t}",
    }

    def __init__(self, puzzle: SortPuzzle) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.true = self.variable("true")
        self.clauses.append([self.true])
        self.blocks = blocks_of(puzzle)
        by_tube: dict[int, list[Block]] = defaultdict(list)
        self.same_colour: dict[int, list[Block]] = defaultdict(list)
        for block in self.blocks:
            by_tube[block.tube].append(block)
            self.same_colour[block.colour].append(block)
        self.tubes = list(by_tube.values())
        self.uniform = [row[0] for row in self.tubes if len(row) == 1]
        bottoms = {row[0].colour for row in self.tubes}
        self.free_steps = len(self.same_colour.keys() - bottoms) + bool(self.uniform)
        self._cost = CostCounter(self, ("spent",))
        self._cost.stage([])
        self._choose_homes()
        self._order_homes()
        used = len(self.tubes)
        self.steps = [
            Step(
                number=0,
                dug=[-self.true for _ in self.blocks],
                cleared=[-self.true for _ in self.blocks],
                home=dict.fromkeys(self.same_colour, -self.true),
                temporary={colour: [] for colour in self.same_colour},
                visitors=[[] for _ in self.blocks],
                full=self.true if used >= len(puzzle.tubes) else -self.true,
                tight=self.true if used + 1 >= len(puzzle.tubes) else -self.true,
            )
        ]

    def numbering(self) -> list[str]:
        return ["steps count from 1", *numbers_of_blocks(self.puzzle)]

    def add(self, *literals: Literal) -> None:
        """Adds one clause, simplified by the constants true and false."""
        if self.true not in literals:
            self.clauses.append([literal for literal in literals if literal != -self.true])

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Assumptions for a plan of at most ``horizon`` moves; horizons may be asked for in any order.

        The number of clauses grows with the square of ``horizon`` less the lower bound: 200 moves too many on a small
        board take seconds.
        """
        extra = horizon - self.puzzle.lower_bound()
        if extra < 0:
            return [-self.true]
        while len(self.steps) <= self.free_steps + extra:
            self.add_step()
        return [-self._cost.more_than(extra), *self.steps[-1].home.values()]

    def likely(self, plan: Plan) -> list[Literal]:
        """The homes and the events of the plan, one a step; blocks are gone when it has dug them."""
        walk = walked(self.puzzle, self.blocks, plan)
        literals = [kept if block in walk.kept else -kept for block, kept in self.kept.items()]
        for step in self.steps[1:]:
            event = walk.events[step.number - 1] if step.number <= len(walk.events) else None
            literals += [literal if event == (kind, key) else -literal for kind, key, literal in step.events]
            for block, (cleared, dug) in enumerate(zip(step.cleared, step.dug, strict=True)):
                literals.append(cleared if walk.cleared.get(block, LATER) <= step.number else -cleared)
                literals.append(dug if walk.dug.get(block, LATER) <= step.number else -dug)
            literals += [home if walk.opened.get(c, LATER) <= step.number else -home for c, home in step.home.items()]
            literals += [-more for counter in (*step.temporary.values(), *step.visitors) for more in counter]
        return literals

    def decode(self, model: Model, horizon: int) -> Plan:
        """Decodes a model into events, and the events into moves."""

        def holds(literal: Literal) -> bool:
            return (model[abs(literal) - 1] > 0) == (literal > 0)

        events = []
        for step in self.steps[1:]:
            visitors = [sum(map(holds, number)) for number in step.visitors]
            for kind, key, literal in step.events:
                if holds(literal):
                    block = self.blocks[key] if kind is EventKind.CLEAR else None
                    colour, tube = (key, None) if block is None else (block.colour, block.tube)
                    events.append(Event(kind, colour, tube, visitors))
        kept = {x.tube for x in self.blocks if holds(self.is_kept(x))}
        return plan_of(self.puzzle, self.blocks, kept, events)

    def exposed(self, block: Block, step: Step) -> Literal:
        """The blocks that lay on ``block`` at the start are gone after ``step``."""
        return self.true if block.above is None else step.dug[block.above]

    def is_kept(self, block: Block) -> Literal:
        """``block`` becomes a home."""
        return self.kept.get(block.index, -self.true)

    def at_least(self, number: Unary, amount: int) -> Literal:
        """``number`` is at least ``amount``, which is positive."""
        return number[amount - 1] if amount <= len(number) else -self.true

    @clause_group
    def _choose_homes(self) -> None:
        """A colour pays for keeping a block shorter than its longest bottom run, and for its balls above that block."""
        self.kept = {row[0].index: self.variable("kept", row[0].index) for row in self.tubes}
        self.new: dict[int, Literal] = {}
        for colour, same in self.same_colour.items():
            new = self.new[colour] = self.variable("new", colour)
            bottoms = [block for block in same if block.level == 0]
            longest = max((block.size for block in bottoms), default=0)
            self.exactly_one([new, *(self.kept[block.index] for block in bottoms)])
            charges: list[Charge] = [([new], longest)]
            for block in bottoms:
                above = sum(x.size for x in same if x.tube == block.tube and x.level)
                charges.append(([self.kept[block.index]], longest - block.size + above))
            self._cost.stage(charges)

    @clause_group
    def _order_homes(self) -> None:
        """A strict order of the colours, for kept blocks that open with the same step."""
        colours = list(self.same_colour)
        self.sooner: dict[tuple[int, int], Literal] = {}
        for first, second in combinations(colours, 2):
            self.sooner[first, second] = self.variable("sooner", first, second)
            self.sooner[second, first] = -self.sooner[first, second]
        for first, second, third in permutations(colours, 3):
            self.add(-self.sooner[first, second], -self.sooner[second, third], self.sooner[first, third])

    def add_step(self) -> None:
        """Adds one more step."""
        t, h = len(self.steps), self.puzzle.capacity
        step = Step(
            number=t,
            dug=self.variables(len(self.blocks), "dug", t),
            cleared=self.variables(len(self.blocks), "cleared", t),
            home={colour: self.variable("home", colour, t) for colour in self.same_colour},
            temporary={colour: self.variables(h, "temporary", colour, t) for colour in self.same_colour},
            visitors=[self.variables(min(x.room, h - x.size), "visitors", x.index, t) for x in self.blocks],
        )
        before = self.steps[-1]
        self.steps.append(step)
        self._events(before, step)
        for block in self.blocks:
            self._dig(block, before, step)
            self._visit(block, before, step)
        for colour in self.same_colour:
            self._open(colour, before, step)
            self._temporary(colour, before, step)
            self._conserve(colour, before, step)
        self._tubes(step)
        self._charges(before, step)

    @clause_group
    def _events(self, before: Step, step: Step) -> None:
        """Each step has one event; nothing happens only once all homes are open, or first."""
        t = step.number
        idle = self.variable("idle", t)
        step.open = {colour: self.variable("open", colour, t) for colour in self.same_colour}
        step.empty = {colour: self.variable("empty", colour, t) for colour in self.same_colour}
        step.clear = self.variables(len(self.blocks), "clear", t)
        step.event = ExactlyOne(self, [idle, *step.open.values(), *step.empty.values(), *step.clear], ("event", t))
        if t == 1 and self.uniform:
            for block in self.uniform:
                self.add(-self.kept[block.index], idle)
        else:
            for literal in before.home.values():
                self.add(-idle, literal)

    @clause_group
    def _dig(self, block: Block, before: Step, step: Step) -> None:
        """A block leaves by a clear or to an open home, after those on it; reachable balls do go to an open home."""
        x, home = block.index, step.home[block.colour]
        dug, cleared, clear = step.dug[x], step.cleared[x], step.clear[x]
        exposed = self.exposed(block, step)
        self.add(-before.dug[x], dug)
        self.add(-dug, exposed)
        self.add(-dug, -self.is_kept(block))
        self.add(-dug, cleared, home)
        self.add(-home, -exposed, self.is_kept(block), dug)
        self.add(-cleared, dug)
        self.add(-before.cleared[x], cleared)
        self.add(-cleared, before.cleared[x], clear)
        self.add(-clear, cleared)
        self.add(-clear, self.exposed(block, before))
        self.add(-clear, -before.dug[x])
        self.add(-clear, -before.home[block.colour])

    @clause_group
    def _open(self, colour: int, before: Step, step: Step) -> None:
        """A home opens in an emptied tube by an event, on a kept block when all blocks on it are gone."""
        opens, home = step.open[colour], step.home[colour]
        self.add(-before.home[colour], home)
        opening = step.opening[colour] = self.define_and(("opening", colour, step.number), [home, -before.home[colour]])
        self.add(-opens, opening)
        self.add(-opens, self.new[colour])
        self.add(-opening, opens, -self.new[colour])
        self.add(-opens, -before.full)
        for other in self.same_colour:
            if other != colour:
                self.add(-home, step.home[other], self.sooner[colour, other])
        for row in self.tubes:
            block = row[0]
            if block.colour == colour:
                kept = self.kept[block.index]
                self.add(-kept, -self.exposed(block, step), home)
                self.add(-kept, -home, self.exposed(block, step))
                for above in row[1:]:
                    sooner = [] if above.colour == colour else [self.sooner[above.colour, colour]]
                    self.add(-kept, -opening, step.cleared[above.index], *sooner)

    @clause_group
    def _temporary(self, colour: int, before: Step, step: Step) -> None:
        """Clears fill a temporary; its balls leave when it is emptied, or go home."""
        had, has, empty = before.temporary[colour], step.temporary[colour], step.empty[colour]
        home = before.home[colour]
        clears = [step.clear[block.index] for block in self.same_colour[colour]]
        for more, most in zip(has[1:], has, strict=False):
            self.add(-more, most)
        self.add(-has[0], -home)
        for amount, more in enumerate(has, start=1):
            earlier = self.at_least(had, amount)
            self.add(-more, earlier, *clears)
            self.add(-earlier, more, empty, home)
        self.add(-has[0], self.at_least(had, 1), -before.full)
        self.add(-empty, self.at_least(had, 1))
        self.add(-empty, -has[0])
        self.add(-empty, -home)

    @clause_group
    def _visit(self, block: Block, before: Step, step: Step) -> None:
        """Balls visit an exposed block when others of their colour are cleared, and stay until it is."""
        x, home = block.index, before.home[block.colour]
        movers = [step.clear[y.index] for y in self.same_colour[block.colour] if y.index != x]
        visitors = step.visitors[x]
        for more, most in zip(visitors[1:], visitors, strict=False):
            self.add(-more, most)
        for least in visitors[:1]:
            self.add(-least, -step.cleared[x])
            self.add(-least, -home)
            self.add(-least, self.exposed(block, before))
        for amount, more in enumerate(visitors, start=1):
            earlier = self.at_least(before.visitors[x], amount)
            self.add(-more, earlier, step.empty[block.colour], *movers)
            self.add(-earlier, more, step.clear[x], home)

    @clause_group
    def _conserve(self, colour: int, before: Step, step: Step) -> None:
        """Cleared balls are in the temporary or visit blocks, unless the home is open."""
        same = self.same_colour[colour]
        visiting = [step.visitors[block.index] for block in same if step.visitors[block.index]]
        most = self.puzzle.capacity + 1  # no colour has that many balls
        resting = unary_sum(self, [step.temporary[colour], *visiting], ("visiting", colour, step.number), most)
        cleared = unary_sum(self, [[step.cleared[x.index]] * x.size for x in same], ("balls", colour, step.number))
        for k in range(max(len(resting), len(cleared))):
            left, right = (number[k] if k < len(number) else -self.true for number in (resting, cleared))
            self.add(before.home[colour], -left, right)
            self.add(before.home[colour], left, -right)

    @clause_group
    def _tubes(self, step: Step) -> None:
        """There are no more tubes in use after a step than the board has."""
        inputs = [-step.dug[row[0].index] for row in self.tubes]
        for colour, temporary in step.temporary.items():
            stays = [temporary[0], -step.home[colour]]
            inputs.append(self.define_and(("stays", colour, step.number), stays))
        for colour, new in self.new.items():
            inputs.append(self.define_and(("tube", colour, step.number), [step.home[colour], new]))
        tubes = len(self.puzzle.tubes)
        used = unary_sum(self, [[literal] for literal in inputs], ("used", step.number), tubes + 1)
        self.add(-self.at_least(used, tubes + 1))
        step.full = self.at_least(used, tubes)
        step.tight = self.at_least(used, tubes - 1) if tubes > 1 else self.true

    @clause_group
    def _charges(self, before: Step, step: Step) -> None:
        """A clear costs its balls and visitors; balls above a kept block of their colour are already paid for."""
        charges: list[Charge] = []
        for row in self.tubes:
            for block in row:
                clear, bottom = step.clear[block.index], row[0]
                own = block.level and block.colour == bottom.colour
                unpaid = [-self.kept[bottom.index]] if own else []
                for visiting in range(len(before.visitors[block.index]) + 1):
                    causes = [clear, *before.visitors[block.index][visiting - 1 : visiting]] if visiting else [clear]
                    charges.append(([*causes, *unpaid], block.size + visiting))
                    if own and visiting:
                        charges.append((causes, visiting))
        for colour, empty in step.empty.items():
            for amount, more in enumerate(before.temporary[colour], start=1):
                charges.append(([empty, more], amount))
        self._cost.stage(charges)
