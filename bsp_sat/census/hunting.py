"""A seeded search for unsolvable boards: simulated annealing on the number of paths through the border tables.

A board without a path can't be solved (`bsp_sat.backends.search.borders`). So a run starts from a random board,
exchanges balls, and prefers boards with fewer paths; at first it often accepts more of them, later hardly ever.

Many of the unsolvable boards of small classes have equal tubes. So every second run keeps the first two tubes equal,
which leaves far fewer boards: of four colours, capacity 8 and two empty tubes it finds one in seconds, where other runs
find none in hours.
"""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

from bsp_sat.census.board_class import BoardClass
from bsp_sat.census.board_classes import BoardClasses
from bsp_sat.instances.sorting import BallSort

EXCHANGES = 3000  # of one run
HOT, COLD = 1.0, 0.1  # temperatures at its start and end, for natural logarithms of the number of paths
FEW = 0.5  # added to the number of paths, so that none has a logarithm


def anneal(of: BoardClass, seed: str, equal: bool) -> BallSort | None:
    """One run; the same seed gives the same answer on every machine.

    Args:
        of: the class; with ``equal`` of at least three colours.
        seed: of the run.
        equal: whether the first two tubes are equal.

    Returns:
        An unsolvable board, or None.

    Raises:
        Unsupported: the class has too many border tables.
    """
    chance = Random(seed)
    tables = BoardClasses(of.colours, of.capacity, of.empty)
    balls = _begin(of, chance, equal=equal)
    paths = tables.paths(bytes(balls))
    energy = math.log(paths + FEW)
    for step in range(EXCHANGES):
        if paths == 0:
            return of.board(bytes(balls))
        places = _places(balls, of.capacity if equal else 0, chance)
        _exchange(balls, places)
        paths = tables.paths(bytes(balls))
        after = math.log(paths + FEW)
        temperature = HOT * (COLD / HOT) ** (step / EXCHANGES)
        if after <= energy or chance.random() < math.exp((energy - after) / temperature):
            energy = after
        else:
            _exchange(balls, places)
    return None


def _begin(of: BoardClass, chance: Random, *, equal: bool) -> bytearray:
    """A random board."""
    balls = Counter(dict.fromkeys(range(of.colours), of.capacity))
    twice: list[int] = []
    if equal:
        pairs = [colour for colour in range(of.colours) for _ in range(of.capacity // 2)]
        chance.shuffle(pairs)
        twice = pairs[: of.capacity]
        balls.subtract(twice * 2)
    rest = list(balls.elements())
    chance.shuffle(rest)
    return bytearray([*twice, *twice, *rest])


def _places(balls: bytearray, twin: int, chance: Random) -> list[tuple[int, int]]:
    """Places of balls to exchange, so that equal tubes stay equal; ``twin`` is the capacity, or 0 without them."""
    while True:
        one, other = chance.randrange(twin, len(balls)), chance.randrange(twin, len(balls))
        if balls[one] != balls[other] and (one < 2 * twin) == (other < 2 * twin):
            return [(one, other), (one - twin, other - twin)] if one < 2 * twin else [(one, other)]


def seeds(seed: int) -> Iterator[str]:
    """The seeds of run after run, without end."""
    return (f"{seed} {run}" for run in count())


def _exchange(balls: bytearray, places: list[tuple[int, int]]) -> None:
    for one, other in places:
        balls[one], balls[other] = balls[other], balls[one]
