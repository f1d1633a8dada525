"""Turns a solution of the order encoding into moves, and so shows that **a model of the formula is a plan**.

The literals `before(x, y)` are a strict total order of the blocks, with each block before the one below it and kept
blocks last. `Schedule.plan` digs in this order. A ball on a block that is dug goes to a block that it visits,
if that block is exposed and not dug yet; otherwise it goes to the emptied tube of its colour. When a block is exposed,
the balls in its colour's emptied tube that visit it move onto it. A visit **covers** a ball from its dig on, while the
visited block is exposed and not dug; a **gap** is a ball's move into an emptied tube.

- **The target has room.** In the whole plan a block has at most as many visitors as there are free places above it. An
  emptied tube takes all h balls of its colour.
- **There is an emptied tube.** A dug ball that no visit covers is in the emptied tube, by induction over the digs. If a
  dig may open an emptied tube, the clauses count the tube being dug, each tube whose bottom block isn't dug before, the
  emptied tube of each other colour with an uncovered ball, and the new tube. The sum is at most the number of tubes.
- **The end is a goal.** If a colour keeps a block, all its other balls visit that block for good. If it keeps none, no
  visit covers its balls once its last block is dug, so all h are in one emptied tube.
- **The length.** Each ball outside kept blocks moves once for each visit and each gap; all but one of these moves are
  counted as extra. In water sort each dig takes one pour for each place that it is poured onto, and each pour out of an
  emptied tube is one more. Under `exact`, the literals `fills` and `all` make every pour take as much as fits: all
  pours of a dig but the last fill their target.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from bsp_sat.encoder.blocks import Ball, Block
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Move
from bsp_sat.instances.sorting import Pour, SortPuzzle, WaterSort

EMPTIED = -1
"""The place of a ball in its colour's emptied tube, in place of a block's index."""


@dataclass(frozen=True)
class Schedule:
    """A solution of the order encoding, independent of variables and solvers.

    ``sends``: for a ball and the block that it leaves, where it goes. A ball without an entry goes, of the open blocks
    that it visits, to the one that is dug last. That may take fewer moves than the solution counts.
    """

    puzzle: SortPuzzle
    blocks: Sequence[Block]
    order: Sequence[int]
    visits: Mapping[Ball, AbstractSet[int]]
    sends: Mapping[tuple[Ball, int], int] = field(default_factory=dict)

    def plan(self) -> Plan:
        """Carries out the digs in order."""
        return Plan(tuple(_Walk(self).moves()))


class _Walk:
    """The board while the digs are carried out."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.board = schedule.puzzle
        self.blocks = schedule.blocks
        self.done: list[Move] = []
        self.place: dict[Ball, int] = {(block.index, j): block.index for block in self.blocks for j in block.balls}
        self.exposed = {block.index for block in self.blocks if block.above is None}
        self.emptied: dict[int, int] = {}  # by colour, its last emptied tube
        self.dig_time = {index: position for position, index in enumerate(schedule.order)}

    def moves(self) -> list[Move]:
        """Carries out all digs."""
        for index in self.schedule.order:
            self._dig_block(index)
            block = self.blocks[index]
            self.exposed.discard(index)
            if block.level:
                self.exposed.add(index - 1)
                self._move(self._in_emptied(index - 1), index - 1)
        return self.done

    def _in_emptied(self, y: int) -> list[Ball]:
        """The balls in the emptied tube of block y's colour that visit y."""
        colour = self.blocks[y].colour
        return [
            ball
            for ball, place in self.place.items()
            if place == EMPTIED and self.blocks[ball[0]].colour == colour and y in self.schedule.visits[ball]
        ]

    def _dig_block(self, index: int) -> None:
        """Moves all balls of a block and those on top of it, to the places with the least room first."""
        groups: dict[int, list[Ball]] = defaultdict(list)
        for ball, place in self.place.items():
            if place == index:
                groups[self._destination(ball, index)].append(ball)

        def room_left(destination: int) -> int:
            if destination == EMPTIED:
                return self.board.capacity
            return self.board.capacity - len(self._tube(destination)) - len(groups[destination])

        for destination in sorted(groups, key=room_left):
            self._move(groups[destination], destination)

    def _destination(self, ball: Ball, index: int) -> int:
        sent = self.schedule.sends.get((ball, index))
        if sent is not None:
            return sent
        never = len(self.dig_time)
        now = self.dig_time[index]
        visits = self.schedule.visits[ball]
        options = [y for y in self.exposed if y != index and y in visits and self.dig_time.get(y, never) > now]
        return max(options, key=lambda y: self.dig_time.get(y, never), default=EMPTIED)

    def _tube(self, index: int) -> bytes:
        return self.board.tubes[self.blocks[index].tube]

    def _move(self, balls: list[Ball], destination: int) -> None:
        """Moves balls that lie together: one by one in ball sort, in one pour in water sort."""
        if not balls:
            return
        colour = self.blocks[balls[0][0]].colour
        start = self.place[balls[0]]
        source = self.emptied[colour] if start == EMPTIED else self.blocks[start].tube
        target = self._emptied_tube(colour) if destination == EMPTIED else self.blocks[destination].tube
        for _ in balls[:1] if isinstance(self.board, WaterSort) else balls:
            move = Pour(source, target)
            self.board = self.board.after_legal(move)
            self.done.append(move)
        for ball in balls:
            self.place[ball] = destination

    def _emptied_tube(self, colour: int) -> int:
        if not any(place == EMPTIED and self.blocks[ball[0]].colour == colour for ball, place in self.place.items()):
            self.emptied[colour] = self.board.tubes.index(b"")
        return self.emptied[colour]
