"""From a solution of the order encoding to moves on the board."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from bsp_sat.encoder.blocks import Ball, Block
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Move
from bsp_sat.instances.sorting import Pour, SortPuzzle, WaterSort

EMPTIED = -1
"""Where a ball is that lies in its colour's emptied tube, in place of a block's index."""


@dataclass(frozen=True)
class Schedule:
    """What a solution says, whoever found it.

    Attributes:
        puzzle: the board.
        blocks: its blocks, by index.
        order: the blocks that are dug, in that order.
        visits: by ball, the blocks it visits.
        sends: by ball and the block it leaves, where it goes. Where nothing is said, a ball that could go to
            several blocks goes to the one that is dug last, which saves moves that the solution has paid for.
    """

    puzzle: SortPuzzle
    blocks: Sequence[Block]
    order: Sequence[int]
    visits: Mapping[Ball, AbstractSet[int]]
    sends: Mapping[tuple[Ball, int], int] = field(default_factory=dict)

    def plan(self) -> Plan:
        """The digs in their order, each ball going where it is sent."""
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
        self.emptied: dict[int, int] = {}  # colour -> the tube it had last
        self.when = {index: position for position, index in enumerate(schedule.order)}

    def moves(self) -> list[Move]:
        """Carries out all digs."""
        for index in self.schedule.order:
            self._dig(index)
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

    def _dig(self, index: int) -> None:
        """Sends all balls on a block on their way, to the blocks that get full first."""
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
        never = len(self.when)
        now = self.when[index]
        visits = self.schedule.visits[ball]
        options = [y for y in self.exposed if y != index and y in visits and self.when.get(y, never) > now]
        return max(options, key=lambda y: self.when.get(y, never), default=EMPTIED)

    def _tube(self, index: int) -> bytes:
        return self.board.tubes[self.blocks[index].tube]

    def _move(self, balls: list[Ball], destination: int) -> None:
        """Moves balls that lie together, one by one or in one pour."""
        if not balls:
            return
        colour = self.blocks[balls[0][0]].colour
        start = self.place[balls[0]]
        source = self.emptied[colour] if start == EMPTIED else self.blocks[start].tube
        target = self._emptied_tube(colour) if destination == EMPTIED else self.blocks[destination].tube
        for _ in balls[:1] if isinstance(self.board, WaterSort) else balls:
            move = Pour(source, target)
            self.board = self.board.apply(move)
            self.done.append(move)
        for ball in balls:
            self.place[ball] = destination

    def _emptied_tube(self, colour: int) -> int:
        if not any(place == EMPTIED and self.blocks[ball[0]].colour == colour for ball, place in self.place.items()):
            self.emptied[colour] = self.board.tubes.index(b"")
        return self.emptied[colour]
