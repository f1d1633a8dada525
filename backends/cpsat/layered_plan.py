"""Turns states of the layered model into single moves.

A layer determines how many balls each place gives or receives. Places that receive exist before the layer, so the
tubes may give in any order, each from the top down.
"""

from itertools import pairwise

from bsp_sat.encoder.blocks import Block
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort, Pour

StateValues = tuple[list[bool], list[int], list[int]]
"""One state of a solution: which blocks are dug, how many balls are added on each block, loose balls of each colour."""


class Player:
    """Turns one sequence of states into moves. Use each instance once."""

    def __init__(self, puzzle: BallSort, blocks: list[Block]) -> None:
        self.capacity = puzzle.capacity
        self.blocks = blocks
        self.tubes = [bytearray(tube) for tube in puzzle.tubes]
        self.emptied = {i for i, tube in enumerate(puzzle.tubes) if not tube}
        self.moves: list[Pour] = []

    def play(self, states: list[StateValues]) -> Plan:
        """The moves that lead through ``states``, from the start to the goal."""
        for before, after in pairwise(states):
            self._play_layer(before, after)
        return Plan(tuple(self.moves))

    def _play_layer(self, before: StateValues, after: StateValues) -> None:
        dug_before, added_before, loose_before = before
        dug, added, loose = after
        wanted = {b.tube: added[b.index] - added_before[b.index] for b in self.blocks if not dug[b.index]}
        wanted = {tube: balls for tube, balls in wanted.items() if balls > 0}
        for block in reversed(self.blocks):  # from the top of each tube
            if not dug_before[block.index]:
                leaves = added_before[block.index] - added[block.index] + (block.size if dug[block.index] else 0)
                for _ in range(leaves):
                    self._give(block.tube, wanted)
                if dug[block.index] and block.level == 0:
                    self.emptied.add(block.tube)
        for c, (had, has) in enumerate(zip(loose_before, loose, strict=True)):
            for _ in range(had - has):
                fewest = min((i for i in self.emptied if self._top(i) == c), key=lambda i: len(self.tubes[i]))
                self._give(fewest, wanted)

    def _give(self, source: int, wanted: dict[int, int]) -> None:
        """Moves the top ball of ``source`` onto a block that still receives balls, or else into an emptied tube."""
        colour = self.tubes[source].pop()
        target = next((i for i, balls in wanted.items() if balls and self._top(i) == colour), -1)
        if target >= 0:
            wanted[target] -= 1
        else:
            with_room = [i for i in self.emptied if i != source and len(self.tubes[i]) < self.capacity]
            own = [i for i in with_room if self._top(i) == colour]
            target = own[0] if own else next(i for i in with_room if not self.tubes[i])
        self.tubes[target].append(colour)
        self.moves.append(Pour(source, target))

    def _top(self, tube: int) -> int | None:
        return self.tubes[tube][-1] if self.tubes[tube] else None
