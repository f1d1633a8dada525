"""From a model of the order encoding to moves on the board."""

from collections import defaultdict
from functools import cmp_to_key
from typing import TYPE_CHECKING

from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Move
from bsp_sat.instances.sorting import Pour, WaterSort

if TYPE_CHECKING:
    from bsp_sat.encoder.order import Ball, OrderFormula

EMPTIED = -1
"""Where a ball is that lies in its colour's emptied tube, in place of a block's index."""


def plan_of(formula: "OrderFormula", model: Model) -> Plan:
    """The digs in the model's order, each ball going where the model sends it.

    A ball that could go to several blocks goes to the one that is dug last, which saves moves that
    the model has paid for.
    """
    return Plan(tuple(_Walk(formula, model).moves()))


class _Walk:
    """The board while the digs are carried out."""

    def __init__(self, formula: "OrderFormula", model: Model) -> None:
        self.formula = formula
        self.model = model
        self.board = formula.puzzle
        self.blocks = formula.blocks
        self.done: list[Move] = []
        self.place: dict[Ball, int] = {ball: ball[0] for _, ball in formula.balls}
        self.exposed = {block.index for block in self.blocks if block.above is None}
        self.emptied: dict[int, int] = {}  # colour -> the tube it had last
        self.kept = {index for index, kept in formula.kept.items() if self._holds(kept)}
        dug = [block.index for block in self.blocks if block.index not in self.kept]
        before = formula.events.before

        def order(x: int, y: int) -> int:
            return -1 if self._holds(before(x, y)) else 1

        dug.sort(key=cmp_to_key(order))
        self.order = dug
        self.when = {index: position for position, index in enumerate(dug)}

    def moves(self) -> list[Move]:
        """Carries out all digs."""
        for index in self.order:
            self._dig(index)
            block = self.blocks[index]
            self.exposed.discard(index)
            if block.level:
                self.exposed.add(index - 1)
                self._move(self._in_emptied(index - 1), index - 1)
        return self.done

    def _holds(self, literal: Literal) -> bool:
        return (self.model[abs(literal) - 1] > 0) == (literal > 0)

    def _visits(self, ball: "Ball", y: int) -> bool:
        visit = self.formula.visits[ball].get(y)
        return visit is not None and self._holds(visit)

    def _in_emptied(self, y: int) -> "list[Ball]":
        """The balls in the emptied tube of block y's colour that visit y."""
        colour = self.blocks[y].colour
        return [
            ball
            for ball, place in self.place.items()
            if place == EMPTIED and self.blocks[ball[0]].colour == colour and self._visits(ball, y)
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

    def _destination(self, ball: "Ball", index: int) -> int:
        chosen = self.formula.chosen(ball, index)
        if chosen is not None:
            return next((y for y, literal in chosen.items() if self._holds(literal)), EMPTIED)
        never = len(self.order)
        now = self.when[index]
        options = [y for y in self.exposed if y != index and self._visits(ball, y) and self.when.get(y, never) > now]
        return max(options, key=lambda y: self.when.get(y, never), default=EMPTIED)

    def _tube(self, index: int) -> bytes:
        return self.board.tubes[self.blocks[index].tube]

    def _move(self, balls: "list[Ball]", destination: int) -> None:
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
