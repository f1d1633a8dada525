"""Seeded random boards of any puzzle with a generator."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle


def random_boards(puzzle: type[AnyPuzzle], *numbers: int, seed: int = 0, **named: int | str) -> Iterator[Instance]:
    """An endless series of random boards; board i is made by ``random.Random(seed + i)``.

    The same arguments give the same boards on every machine. ``numbers`` are the generator's in order, for `BallSort`
    colours, capacity and empty tubes. ``named`` are numbers by name, and the generator's options, for `BallSort`
    ``hide``, ``capacities`` and ``locked``. Numbers with a default may be left out. Raises BoardError for a number out
    of range, Unsupported for a puzzle without a generator, and TypeError for a number that is missing, unknown or given
    twice.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> board = next(random_boards(BallSort, colours=5, seed=7))
    >>> board.name, board.puzzle.summary()
    ('random-c5-h4-e2-s7', 'ball-sort, 5 colours, 7 tubes of 4')
    """
    generator = puzzle.generator
    if generator is None:
        raise Unsupported(f"there is no generator of {puzzle.kind} boards")
    words = {name: str(named.pop(name, "")) for name in generator.words}
    names = list(generator.numbers)
    defaults = {name: number.default for name, number in generator.numbers.items() if number.default is not None}
    given: dict[str, Any] = {**defaults, **dict(zip(names, numbers, strict=False)), **named}
    if len(numbers) > len(names) or given.keys() != set(names):
        raise TypeError(f"{puzzle.kind} boards are made from {', '.join(names)}, by position or by name")
    for name, number in generator.numbers.items():
        number.check(name, given[name])
    name = generator.board_name.format(**given)
    name += "".join(f"-{word}-{value.replace(',', '+')}" for word, value in words.items() if value)
    for board_seed in count(seed):
        fields = generator.make(Random(board_seed), **given, **words)
        yield Instance(puzzle.from_fields(fields), {"name": f"{name}-s{board_seed}", **fields.about()})
