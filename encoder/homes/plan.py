"""Turns events of the homes encoding into moves, and so shows that **a model of the formula is a plan**.

`plan_of` carries out the events. The targets of a clear are exposed before the step and have room for all that ever
visits them; a new temporary or home finds a tube free before the step. Homes that open by themselves must not justify
each other in a circle: two kept blocks, each under a ball of the other's colour, never open. So there is an order of
all colours, `sooner`, that is transitive and agrees with the steps: of two homes that open with different steps, the
earlier one is first. Each block above a kept one has been cleared when that opens, or has its own home sooner. Among
the homes that open with one step, take the first in that order for which something isn't in its place yet: everything
above it was cleared, or has a home that is already open, so it has left. Every plan is replayed.

A clear may be of the colour whose home opens with it. What it puts down is counted before anything goes home, so a
temporary finds a tube, and its balls have their cost.

**Moves.** Each ball outside kept blocks moves home once. A clear or emptying also moves balls that aren't home
afterwards, and `spent` counts them all. The lower bound lets the longest bottom run of each colour stay, so a choice of
homes that loses some of these balls pays at the start. So do balls above their own kept block, which have to be
cleared.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, cast

from bsp_sat.encoder.blocks import Block, block_at
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Move
from bsp_sat.instances.sorting import Pour, SortPuzzle, top_run


class EventKind(Enum):
    """The kinds of events."""

    OPEN = auto()
    CLEAR = auto()
    EMPTY = auto()


@dataclass(frozen=True)
class Event:
    """One event; the tube that is cleared is None for a temporary, and for a home, as any free tube can become one.

    ``visitors`` says by block how many balls visit it afterwards, before any go home.
    """

    kind: EventKind
    colour: int
    tube: int | None
    visitors: Sequence[int]


def plan_of(puzzle: SortPuzzle, blocks: Sequence[Block], kept: Set[int], events: Sequence[Event]) -> Plan:
    """Carries out ``events`` in order, and after each one moves home every ball that can go there."""
    walk = _Walk(puzzle, blocks, kept)
    walk.all_home()
    for event in events:
        walk.carry_out(event)
    return Plan(tuple(walk.done))


class _Walk:
    def __init__(self, puzzle: SortPuzzle, blocks: Sequence[Block], kept: Set[int]) -> None:
        self.board = puzzle
        self.blocks = blocks
        self.kept = kept
        self.done: list[Move] = []
        self.homes: dict[int, int] = {}  # the tube by colour
        self.temporaries: dict[int, int] = {}
        self.visitors = [0] * len(blocks)

    def carry_out(self, event: Event) -> None:
        """Makes the moves of one event."""
        if event.kind is EventKind.OPEN:
            self.homes[event.colour] = self._free()
            self.all_home()
        elif event.kind is EventKind.CLEAR:
            assert event.tube is not None
            self._clear(event.tube, event)
        else:
            self._clear(self.temporaries.pop(event.colour), event)
        self.visitors = list(event.visitors)

    def _free(self) -> int:
        taken = {*self.homes.values(), *self.temporaries.values()}
        return next(tube for tube, content in enumerate(self.board.tubes) if not content and tube not in taken)

    def _clear(self, source: int, event: Event) -> None:
        """Moves the top run of ``source`` onto the blocks that get visitors, and the rest into the temporary."""
        run = top_run(self.board.tubes[source])
        for block, had, has in zip(self.blocks, self.visitors, event.visitors, strict=True):
            if block.colour == event.colour:
                for _ in range(has - had):
                    self._move(source, block.tube)
                    run -= 1
        if run and event.colour not in self.temporaries:
            self.temporaries[event.colour] = self._free()
        for _ in range(run):
            self._move(source, self.temporaries[event.colour])
        self.all_home()

    def all_home(self) -> None:
        """Moves home every reachable ball whose home is open; that may open the homes of kept blocks in turn."""
        moving = True
        while moving:
            moving = False
            for tube in self.kept:
                content = self.board.tubes[tube]
                if len(set(content)) == 1:
                    self.homes[content[0]] = tube
            for tube, content in enumerate(self.board.tubes):
                home = self.homes.get(content[-1]) if content else None
                if home is not None and home != tube:
                    self._move(tube, home)
                    moving = True
        for colour in self.homes:
            self.temporaries.pop(colour, None)

    def _move(self, source: int, target: int) -> None:
        move = Pour(source, target)
        self.board = self.board.after_legal(move)
        self.done.append(move)


LATER = 1 << 30
"""The step of what doesn't happen."""


class Walked(NamedTuple):
    """The events of a plan that may be any, as the formula would order them: kind, and block or colour, step by step.

    ``cleared`` and ``dug`` have the step of each block, ``opened`` that in which each colour's home opens, 0 for the
    start.
    """

    kept: set[int]
    events: list[tuple[EventKind, int]]
    cleared: dict[int, int]
    dug: dict[int, int]
    opened: dict[int, int]


def walked(puzzle: SortPuzzle, blocks: Sequence[Block], plan: Plan) -> Walked:
    """Reads the events of a plan: a block whose balls don't all go straight home is cleared."""
    *_, end = positions = list(puzzle.positions(plan))
    last = {tube[0]: place for place, tube in enumerate(end.tubes) if tube}
    left = {block.index: block.size for block in blocks}
    at = block_at(puzzle)
    heights = [len(tube) for tube in puzzle.tubes]  # of what never moved
    lowest = [*heights]
    for position in positions:
        lowest = [min(low, len(tube)) for low, tube in zip(lowest, position.tubes, strict=True)]
    kept = {block.index for block in blocks if block.level == 0 and lowest[block.tube] >= block.size}
    found = Walked(kept, [], {}, {}, {})
    stay = {blocks[index].colour: blocks[index].tube for index in kept}
    for before, (source, target) in zip(positions, cast(Iterable[Pour], plan), strict=False):
        colour = before.tubes[source][-1]
        home = last.get(colour)
        level = len(before.tubes[source]) - 1
        original = level < heights[source]
        if target == home and not before.tubes[target] and colour not in found.opened:
            found.events.append((EventKind.OPEN, colour))
            found.opened[colour] = len(found.events)
        if original:
            heights[source] = level
            block = at[source, level]
            left[block] -= 1
            if target != home and block not in found.cleared:
                found.events.append((EventKind.CLEAR, block))
                found.cleared[block] = len(found.events)
            if not left[block]:
                found.dug[block] = len(found.events)
        elif target != home and level == 0 and source not in stay.values():
            found.events.append((EventKind.EMPTY, colour))
    for colour, tube in stay.items():
        above = [found.dug.get(block.index, 0) for block in blocks if block.tube == tube and block.level]
        found.opened[colour] = max(above, default=0)
    return found
