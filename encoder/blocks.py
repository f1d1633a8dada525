"""The blocks of a start position, for encodings that reason about whole blocks."""

import json
from dataclasses import dataclass
from itertools import islice, pairwise

from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle

Ball = tuple[int, int]
"""A ball: the index of its block, and its number in the block."""


@dataclass(frozen=True)
class Block:
    """A maximal one-colour run of the start position, the one of level 0 at the bottom of its tube.

    ``room`` is the number of free places above it, once it is exposed; ``above`` the index of the block on top of it.
    """

    index: int
    tube: int
    level: int
    colour: int
    size: int
    room: int
    above: int | None

    @property
    def balls(self) -> range:
        """The numbers of its balls."""
        return range(self.size)


def blocks_of(puzzle: SortPuzzle) -> list[Block]:
    """All blocks, tube by tube and bottom first."""
    blocks: list[Block] = []
    for number, tube in enumerate(puzzle.tubes):
        starts = [at for at in range(len(tube)) if at == 0 or tube[at] != tube[at - 1]]
        for level, (start, end) in enumerate(pairwise([*starts, len(tube)])):
            above = len(blocks) + 1 if end < len(tube) else None
            blocks.append(Block(len(blocks), number, level, tube[start], end - start, puzzle.capacity - end, above))
    return blocks


def numbers_of_blocks(puzzle: SortPuzzle) -> list[str]:
    """Which block each number means, line by line."""
    blocks = []
    for block in blocks_of(puzzle):
        colour = f"colour {block.colour} {json.dumps(puzzle.palette[block.colour])}"
        blocks.append(f"block {block.index}: in tube {block.tube}, {block.size} of {colour}")
    return ["blocks, tube by tube and bottom first; numbers count from 0", *blocks]


def block_at(puzzle: SortPuzzle) -> dict[tuple[int, int], int]:
    """The block of each ball, by tube and by the number of balls below it."""
    blocks = blocks_of(puzzle)
    return {
        (block.tube, puzzle.capacity - block.room - 1 - ball): block.index for block in blocks for ball in block.balls
    }


def dug_by(puzzle: SortPuzzle, plan: Plan) -> dict[int, int]:
    """For each block that a plan digs, the number of the move that takes its last ball, from 0."""
    blocks = block_at(puzzle)
    taken: dict[int, int] = {}
    heights = [len(tube) for tube in puzzle.tubes]  # of what never moved
    for number, after in enumerate(islice(puzzle.positions(plan), 1, None)):
        for place, tube in enumerate(after.tubes):
            while heights[place] > len(tube):
                heights[place] -= 1
                if blocks.get((place, heights[place] - 1)) != blocks[place, heights[place]]:
                    taken[blocks[place, heights[place]]] = number
    return taken
