"""Rules of the homes encoding that choose among plans of equal length, each a clause group.

Each can be switched off.

- `REACHABLE`: a home opens in a free tube only if a ball of it is reachable.
- `TEMPORARIES`: a home opens in a free tube only without a temporary; on a kept block only if that has more balls than
  the temporary.
- `NEEDED`: when a home opens, the last clear of each tube and the emptying of a temporary have been of use, or are now.
- `ORDERED`: of two consecutive events that could be swapped, the lower number comes first; openings before clears.

A clear in a tube is **of use** to an event that clears the next block of the tube, puts visitors on it, or opens a home
in a free tube because a ball is reachable by it; to a kept block that opens with the clear itself; and, where it left
the tube empty, to an event that takes a free tube while no other is free. (The first kept block that opens with a clear
lies in the tube of that clear: nothing else has changed.)

Variables
    reach(x, t)       block x is exposed and not dug after step t                      N·T
    at_hand(c, t)     some block of c is exposed and not dug after step t              C·T
    late(x, t)        some ball visits x, which step t − 1 exposed                     N·T
    opened(t)         some home opens with step t                                      T
    begins(c, t)      the temporary of c begins with step t                            C·T
    takes(t)          the event of step t takes a free tube                            T
    grows(x, t, k)    step t raises the number of visitors of x above k                N·h·T
    unused(i, t)      up to step t, no event has needed the last clear in tube i       tubes·T
    unused(c, t)      up to step t, no event has needed the emptied temporary of c     C·T

Clause groups
    `_reachable`      a home opens only if a ball of its colour is reachable           C·T
    `_temporaries`    a home opens only if it has more balls than the temporary        (C + tubes)·T
    `_ordered`        events that could be swapped come in a fixed order               (N + 2·C)·T
    `_needed`         a clear is needed before the next home opens                     (N·h + C·tubes)·T

**Together they lose no shortest plan.** Of all shortest plans, written as events, take one that is least in this list,
compared lexicographically:

1. the sum, over all colours, of the number of clears (and emptyings) before the home opens, if it is a kept block, or
   else before the first ball finds it open;
2. the sum, over all colours without kept block, of the events between the opening and that first ball;
3. the events themselves, as numbers: openings before emptyings before clears.

A plan that breaks a rule isn't least:

- `NEEDED`. Let a home open while the clear of x has been of no use. Move the clear to just after the event with which
  the home opens. Nothing in between used what x exposed or its tube, or needed the room: where x would lie there is
  less now. What would have been put onto x's balls in a temporary begins that temporary instead, in the tube that they
  had. What cleared them along with a block clears that block alone, for less. If the home that opens is that of x, its
  balls go there directly, and the plan is shorter. Number 1 falls, as one clear less comes before that opening. (A
  bottom block never leaves for a new temporary: it could stay and save its moves.) The same holds for an emptying. If
  the colour has a new temporary by then, leave the emptying out: the balls stay in the old one, the others join them
  there, and they leave together.
- `REACHABLE`. An opening that no ball follows waits until just after the event that makes a ball reachable; the tube is
  free for longer. Number 1 stays and 2 falls.
- `TEMPORARIES`. By claims 4 and 5 of engine/homes.md the temporary is declared the home when it begins. No move is
  added, and 1 falls.
- `ORDERED`. The second event could come first: what it clears is exposed, its targets are exposed, a ball is reachable
  for the opening, and tubes allow it. Tubes don't allow it if the second event takes one and none is free, or if both
  take one and only one is free. If an opening comes after a clear, the swap lowers 1: by `REACHABLE` a ball finds each
  home at once, here one clear sooner. Swapping two openings, or two clears of which the first opens no home, leaves 1
  and 2 as they are or lowers them, and 3 falls. Balls of one colour are alike, so two clears of one colour can be
  swapped too.

The least plan breaks no rule, so all rules hold together for some shortest plan. What the rules' exceptions are about
(tubes in use, reachable balls, beginning temporaries) is defined in both directions; otherwise a solver could claim an
exception that isn't there.
"""

from collections.abc import Mapping
from enum import Flag, auto
from typing import ClassVar

from bsp_sat.encoder.blocks import Block
from bsp_sat.encoder.formula import Literal, clause_group
from bsp_sat.encoder.homes.formula import HomesFormula, Step
from bsp_sat.instances.sorting import SortPuzzle


class Rule(Flag):
    """Rules that choose among plans of equal length; each can be switched off (`encoder.homes.rules`)."""

    REACHABLE = auto()
    """A home opens in an emptied tube only if a ball of its colour is reachable."""

    TEMPORARIES = auto()
    """A home opens only if it has more balls than the colour's temporary."""

    NEEDED = auto()
    """A clear comes before an opening only if that opening, or an event in between, needs it."""

    ORDERED = auto()
    """Of two events that could be swapped, the one with the lower number first."""


NO_RULES = Rule(0)
ALL_RULES = ~NO_RULES


class RuledFormula(HomesFormula):
    """The formula of one board with rules."""

    meanings: ClassVar[Mapping[str, str]] = {
        **HomesFormula.meanings,
        "reach(x,t)": "block {x} is exposed and not dug after step {t}",
        "at_hand(c,t)": "some block of colour {c} is exposed and not dug after step {t}",
        "late(x,t)": "a ball visits block {x} after step {t}, which it couldn't one step earlier",
        "opened(t)": "some home opens with step {t}",
        "begins(c,t)": "the temporary of colour {c} begins with step {t}",
        "begun(t)": "some temporary begins with the step before step {t}",
        "short(t)": "a temporary begins with the step before step {t}; one tube was free, or none",
        "grows(x,t,k)": "step {t} makes the visitors of block {x} {k} or more",
        "opens_at(x,t)": "step {t} opens the home of block {x}'s colour while the block is reachable",
    }

    def __init__(self, puzzle: SortPuzzle, rules: Rule) -> None:
        super().__init__(puzzle)
        self.rules = rules
        self._reach: dict[tuple[int, int], Literal] = {}
        self._at_hand: dict[tuple[int, int], Literal] = {}
        self._opened: dict[int, Literal] = {}
        self._begun: dict[tuple[int, int], Literal] = {}
        self._unused_tubes: list[list[Literal]] = [[-self.true for _ in self.tubes]]
        self._unused_empties: list[dict[int, Literal]] = [dict.fromkeys(self.same_colour, -self.true)]

    def numbering(self) -> list[str]:
        """See `PlanFormula.numbering`; also names that come in two forms."""
        return [
            *super().numbering(),
            "takes(t): step t takes the only free tube; takes(i,t): and that is tube i",
            "unused(t,i): up to step t nothing has needed the last clear in tube i, of those with balls",
            'unused("temporary",c,t): up to step t nothing has needed the emptied temporary of colour c',
        ]

    def add_step(self) -> None:
        """Adds one more step, with the clauses of the rules."""
        super().add_step()
        before, step = self.steps[-2:]
        if Rule.REACHABLE in self.rules:
            self._reachable(before, step)
        if Rule.TEMPORARIES in self.rules:
            self._temporaries(before, step)
        if Rule.ORDERED in self.rules and before.event is not None:
            self._ordered(self.steps[-3], before, step)
        if Rule.NEEDED in self.rules:
            self._needed(before, step)

    @clause_group
    def _reachable(self, before: Step, step: Step) -> None:
        """A home opens in an emptied tube only if a ball of its colour is reachable."""
        for colour, opens in step.open.items():
            self.add(-opens, self.at_hand(colour, before))

    def reach(self, block: Block, step: Step) -> Literal:
        """``block`` is exposed and not dug after ``step``."""
        key = block.index, step.number
        if key not in self._reach:
            exposed, dug = self.exposed(block, step), step.dug[block.index]
            if step.number == 0:
                self._reach[key] = exposed
            elif block.above is None:
                self._reach[key] = -dug
            else:
                self._reach[key] = self.define_and(("reach", *key), [exposed, -dug])
        return self._reach[key]

    def at_hand(self, colour: int, step: Step) -> Literal:
        """Some block of ``colour`` is exposed and not dug after ``step``."""
        key = colour, step.number
        if key not in self._at_hand:
            blocks = [self.reach(block, step) for block in self.same_colour[colour]]
            self._at_hand[key] = self.define_or(("at_hand", *key), blocks)
        return self._at_hand[key]

    @clause_group
    def _temporaries(self, before: Step, step: Step) -> None:
        """A home opens in an emptied tube only if there is no temporary, on a kept block only if that is larger."""
        for colour, opens in step.open.items():
            self.add(-opens, -self.at_least(before.temporary[colour], 1))
            for block in self.same_colour[colour]:
                if block.level == 0:
                    most = self.at_least(step.temporary[colour], block.size)
                    self.add(-step.opening[colour], -self.kept[block.index], -most)

    @clause_group
    def _ordered(self, earlier: Step, before: Step, step: Step) -> None:
        """Of two events that could be swapped, openings come before clears, and lower numbers before higher ones.

        The swap has enough tubes unless both events take one, or only the second does and none is free. An opening
        always takes a tube, a clear only if it begins a temporary.
        """
        assert before.event is not None
        colours = list(self.same_colour)
        last_but_clears = 2 * len(colours)  # the places of clears among the events come after idle, opens and empties
        clears = before.event.behind(last_but_clears)
        begun = [self._begins(colour, before) for colour in colours]
        short = [earlier.tight, self.define_or(("begun", step.number), begun)]
        both = [earlier.full, self.define_and(("short", step.number), short)]
        for place, colour in enumerate(colours):
            opens = [-step.open[colour], -self.at_hand(colour, earlier)]
            for literal in clears:
                self.add(*opens, -literal, *both)
            for other in colours[place + 1 :]:
                self.add(*opens, -before.open[other], earlier.tight)
        for colour, same in self.same_colour.items():
            late = [self._late(block, earlier, step) for block in same]
            begins = self._begins(colour, step)
            for block in same:
                possible = [-step.clear[block.index], -self.exposed(block, earlier), *late, self.opened(before)]
                for literal in before.event.behind(last_but_clears + 1 + block.index):
                    self.add(*possible, -literal, begins)
                    self.add(*possible, -literal, *both)

    def opened(self, step: Step) -> Literal:
        """Some home opens with ``step``."""
        if step.number not in self._opened:
            self._opened[step.number] = self.define_or(("opened", step.number), list(step.opening.values()))
        return self._opened[step.number]

    def _begins(self, colour: int, step: Step) -> Literal:
        """The temporary of ``colour`` begins with the event of ``step``."""
        key = colour, step.number
        if key not in self._begun:
            had = self.at_least(self.steps[step.number - 1].temporary[colour], 1)
            self._begun[key] = self.define_and(("begins", *key), [step.temporary[colour][0], -had])
        return self._begun[key]

    def _late(self, block: Block, earlier: Step, step: Step) -> Literal:
        """``block`` has visitors that it couldn't have had one step earlier."""
        visitors = step.visitors[block.index]
        if not visitors or block.above is None:
            return -self.true
        if earlier.number == 0:
            return visitors[0]
        return self.define_and(("late", block.index, step.number), [visitors[0], -self.exposed(block, earlier)])

    @clause_group
    def _needed(self, before: Step, step: Step) -> None:
        """No home opens while no event has needed the last clear of some tube, or the emptying of some temporary."""
        t = step.number
        takes, opened = self._takes(before, step), self.opened(step)
        unused = self.variables(len(self.tubes), "unused", t)
        for row, was, still in zip(self.tubes, self._unused_tubes[-1], unused, strict=True):
            uses = [self._takes_this_tube(row, before, takes)]
            for block in row:
                uses += self._uses(block, before, step)
                uses.append(step.clear[block.index])
                self.add(-step.clear[block.index], still, opened)
            self.add(-was, still, *uses)
            self.add(-opened, -was, *uses)
        self._unused_tubes.append(unused)
        emptied = {colour: self.variable("unused", "temporary", colour, t) for colour in self.same_colour}
        for colour, still in emptied.items():
            was = self._unused_empties[-1][colour]
            self.add(-step.empty[colour], still)
            self.add(-was, still, takes)
            self.add(-opened, -was, takes)
        self._unused_empties.append(emptied)

    def _takes(self, before: Step, step: Step) -> Literal:
        """The event takes the only free tube."""
        causes = []
        for colour in self.same_colour:
            causes.append(self._begins(colour, step))
            causes.append(step.open[colour])
        takes = self.variable("takes", step.number)
        self.add(-takes, *causes)
        self.add(-takes, before.tight)
        return takes

    def _takes_this_tube(self, row: list[Block], before: Step, takes: Literal) -> Literal:
        this = self.variable("takes", row[0].tube, before.number + 1)
        self.add(-this, takes)
        self.add(-this, before.dug[row[0].index])
        return this

    def _uses(self, block: Block, before: Step, step: Step) -> list[Literal]:
        """Uses of ``block``, apart from a clear, that weren't possible while another block lay on it."""
        x = block.index
        uses = []
        for k, more in enumerate(step.visitors[x], start=1):
            grows = self.variable("grows", x, step.number, k)
            self.add(-grows, more)
            self.add(-grows, -self.at_least(before.visitors[x], k))
            uses.append(grows)
        here = self.variable("opens_at", x, step.number)
        self.add(-here, step.open[block.colour])
        self.add(-here, self.reach(block, before))
        uses.append(here)
        return uses
