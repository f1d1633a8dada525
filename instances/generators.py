"""Seeded random boards."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.tiles import Tiles


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
    _require_at_least(1, colours=colours, capacity=capacity)
    _require_at_least(0, empty=empty)
    for board_seed in count(seed):
        balls: list[int | str] = [colour for colour in range(colours) for _ in range(capacity)]
        random.Random(board_seed).shuffle(balls)
        tubes = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
        puzzle = rule.from_tubes([*tubes, *([] for _ in range(empty))], capacity)
        yield Instance(puzzle, {"name": f"random-c{colours}-h{capacity}-e{empty}-s{board_seed}"})


def random_tiles(columns: int, rows: int, colours: int, seed: int = 0) -> Iterator[Instance]:
    """An endless series of full boards, each tile of any colour; board i has seed ``seed + i``.

    Raises:
        BoardError: a number that gives no board.
    """
    _require_at_least(1, columns=columns, rows=rows, colours=colours)
    for board_seed in count(seed):
        draw = random.Random(board_seed)
        board: list[list[int | str]] = [[draw.randrange(colours) for _ in range(rows)] for _ in range(columns)]
        name = f"tiles-{columns}x{rows}-c{colours}-s{board_seed}"
        yield Instance(Tiles.from_columns(board), {"name": name})


def random_shot(balls: int, width: int, height: int, seed: int = 0) -> Iterator[Instance]:
    """An endless series of grids with balls in any places; board i has seed ``seed + i``.

    Raises:
        BoardError: a number that gives no board.
    """
    _require_at_least(1, balls=balls, width=width, height=height)
    if balls > width * height:
        raise BoardError("balls", f"expected at most {width * height}, the places of the grid, found {balls}")
    for board_seed in count(seed):
        places = random.Random(board_seed).sample(range(width * height), balls)
        puzzle = Shot.from_balls(width, height, [(place % width, place // width) for place in places])
        yield Instance(puzzle, {"name": f"shot-{width}x{height}-b{balls}-s{board_seed}"})


def _require_at_least(least: int, **values: int) -> None:
    for name, value in values.items():
        if value < least:
            raise BoardError(name, f"expected {least} or more, found {value}")


@dataclass(frozen=True)
class Generator:
    """A way to make boards that the command line offers by itself.

    Attributes:
        boards: an endless series of boards, from whole numbers and a seed.
        summary: help for the command.
        numbers: the whole numbers by name, each with its default (None where it has to be given) and its help.
        decidable: whether some boards are unsolvable, so that one may ask for either kind.
    """

    boards: Callable[..., Iterator[Instance]]
    summary: str
    numbers: Mapping[str, tuple[int | None, str]]
    decidable: bool


GENERATORS = {
    Tiles.kind: Generator(
        random_tiles,
        "Fill a grid with tiles of random colours; every such board can be cleared.",
        {"columns": (5, "Columns."), "rows": (5, "Tiles a column."), "colours": (4, "Colours to draw from.")},
        decidable=False,
    ),
    Shot.kind: Generator(
        random_shot,
        "Put balls into random places of a grid.",
        {"balls": (None, "Number of balls."), "width": (7, "Columns."), "height": (9, "Rows.")},
        decidable=True,
    ),
}
"""Generators by name, one command each."""
