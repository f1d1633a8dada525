"""A seeded search for unsolvable boards: simulated annealing on the number of paths through the border tables.

A board without a path can't be solved (`bsp_sat.backends.search.borders`). So a run starts from a random board,
exchanges two balls at a time, and prefers boards with fewer paths; at first it often accepts more of them, later hardly
ever.
"""

import math
from collections.abc import Iterator
from itertools import count
from random import Random

from bsp_sat.backends.kernel import BoardClasses
from bsp_sat.census.board_class import BoardClass
from bsp_sat.instances.sorting import BallSort

EXCHANGES = 3000  # of one run
HOT, COLD = 1.0, 0.1  # temperatures at its start and end, for natural logarithms of the number of paths
FEW = 0.5  # added to the number of paths, so that none has a logarithm


def anneal(of: BoardClass, seed: str) -> BallSort | None:
    """One run; the same seed gives the same answer on every machine.

    Returns:
        An unsolvable board, or None.

    Raises:
        Unsupported: the class has too many border tables.
    """
    chance = Random(seed)
    tables = BoardClasses(of.colours, of.capacity, of.empty)
    balls = bytearray(colour for colour in range(of.colours) for _ in range(of.capacity))
    for place in range(len(balls) - 1, 0, -1):
        _exchange(balls, place, chance.randrange(place + 1))
    ways = tables.ways(bytes(balls))
    energy = math.log(ways + FEW)
    for step in range(EXCHANGES):
        if ways == 0:
            return of.board(bytes(balls))
        one, other = chance.randrange(len(balls)), chance.randrange(len(balls))
        if balls[one] == balls[other]:
            continue
        _exchange(balls, one, other)
        ways = tables.ways(bytes(balls))
        after = math.log(ways + FEW)
        temperature = HOT * (COLD / HOT) ** (step / EXCHANGES)
        if after <= energy or chance.random() < math.exp((energy - after) / temperature):
            energy = after
        else:
            _exchange(balls, one, other)
    return None


def seeds(seed: int) -> Iterator[str]:
    """The seeds of run after run, without end."""
    return (f"{seed} {run}" for run in count())


def _exchange(balls: bytearray, one: int, other: int) -> None:
    balls[one], balls[other] = balls[other], balls[one]
