"""Seeded random boards."""

import random
from collections.abc import Iterator
from itertools import count

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import SortPuzzle


def random_boards(rule: type[SortPuzzle], colours: int, capacity: int, empty: int, seed: int = 0) -> Iterator[Instance]:
    """An endless series of uniformly shuffled full tubes, then empty ones; board i has seed ``seed + i``.

    The same arguments give the same boards on every machine: the list of all balls, colour by colour, is
    shuffled by ``random.Random(seed)`` and cut into tubes.

    Args:
        rule: `BallSort` or `WaterSort`.
        colours: number of colours, each filling one tube.
        capacity: balls a tube.
        empty: number of empty tubes.
        seed: seed of the first board.

    Raises:
        BoardError: a number that gives no board.
    """
    for name, value, least in (("colours", colours, 1), ("capacity", capacity, 1), ("empty", empty, 0)):
        if value < least:
            raise BoardError(name, f"expected {least} or more, found {value}")
    for board_seed in count(seed):
        balls: list[int | str] = [colour for colour in range(colours) for _ in range(capacity)]
        random.Random(board_seed).shuffle(balls)
        tubes = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
        puzzle = rule.from_tubes([*tubes, *([] for _ in range(empty))], capacity)
        yield Instance(puzzle, {"name": f"random-c{colours}-h{capacity}-e{empty}-s{board_seed}"})
