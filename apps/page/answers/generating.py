"""``/api/generate``: random boards, and boards made to specification."""

from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from itertools import islice
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.apps.levels import board_spec, grade
from bsp_sat.apps.levels import levels as grading_levels
from bsp_sat.apps.levels.level_numbers import NUMBERS as LEVEL_NUMBERS
from bsp_sat.apps.page.answering import Service, Task, task_calling
from bsp_sat.apps.page.request_fields import MOST_PLACES, check_keys, check_size, chosen, whole, word, yes_or_no
from bsp_sat.backends.boards import filter_solvable, partition_boards
from bsp_sat.backends.run import Here
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.puzzle import AnyPuzzle, Number
from bsp_sat.instances.puzzle import Generator as BoardGenerator
from bsp_sat.instances.registry import PUZZLES, SORT_PUZZLES
from bsp_sat.instances.text.reading import as_json
from bsp_sat.instances.three_partition import NUMBERS as PARTITION_NUMBERS

MOST_BOARDS = 100
MOST_TRIES = 100_000
MOST_SEED = 2**53 - 1  # Number.MAX_SAFE_INTEGER

Boards = Generator[dict[str, int], None, dict[str, Any]]
"""Yields the number of boards so far under ``made``, and returns the boards under ``boards``."""


GeneratingFields = tuple[Any, ...]
"""The function that makes the boards, and its arguments."""


class Kind(NamedTuple):
    """The fields of a request for boards of one kind.

    Attributes:
        puzzles: values of ``puzzle``; the first is the default.
        numbers: the generator's whole numbers.
        others: other keys.
        asked: turns the request, the puzzle and the numbers into a function and its first arguments.
    """

    puzzles: Collection[str]
    numbers: Mapping[str, Number]
    others: Collection[str]
    asked: Callable[[Mapping[str, Any], str, dict[str, int]], GeneratingFields]


def generating_asked(fields: Mapping[str, Any]) -> GeneratingFields:
    """Boards of the kind under ``kind``, with the options of the command of that name.

    Raises:
        BoardError: there is no such kind, it has no such key, or a value is refused.
        Unsupported: there is no such measure.
    """
    kinds = _kinds()
    name = chosen(fields, "kind", kinds)
    if name is None:
        raise BoardError("kind", f"expected one of {', '.join(kinds)}, found none")
    kind = kinds[name]
    check_keys(fields, "kind", "count", "seed", "puzzle", *kind.numbers, *kind.others)
    puzzle = chosen(fields, "puzzle", kind.puzzles) or next(iter(kind.puzzles))
    numbers = {
        key: whole(fields, key, number.least, number.most, number.default) for key, number in kind.numbers.items()
    }
    count, seed = whole(fields, "count", 1, MOST_BOARDS, 1), whole(fields, "seed", 0, MOST_SEED, 0)
    return *kind.asked(fields, puzzle, numbers), count, seed


def generating(service: Service, asked: GeneratingFields) -> Task:
    """Makes the boards, and yields how many there are so far."""
    return task_calling(service.limits(), *asked, shown=("made",))


def _random_kind(generator: BoardGenerator) -> Kind:
    kinds = [kind for kind, puzzle in PUZZLES.items() if puzzle.generator is generator]
    others = (*generator.words, "solvable") if generator.decidable else tuple(generator.words)

    def asked(fields: Mapping[str, Any], puzzle: str, numbers: dict[str, int]) -> GeneratingFields:
        words = {name: word(fields, name) or "" for name in generator.words}
        return random_ones, PUZZLES[puzzle], {**numbers, **words}, yes_or_no(fields, "solvable")

    return Kind(kinds, _within(MOST_PLACES, generator.numbers), others, asked)


def _within(most: int, numbers: Mapping[str, Number]) -> dict[str, Number]:
    return {name: number._replace(most=min(number.most, most)) for name, number in numbers.items()}


def random_ones(
    puzzle: type[AnyPuzzle], given: Mapping[str, Any], solvable: bool | None, count: int, seed: int
) -> Boards:
    """The boards of `bsp-sat generate random`, ``tiles`` and ``shot``."""
    boards = _small_enough(random_boards(puzzle, seed=seed, **given))
    return _made(boards if solvable is None else filter_solvable(boards, solvable), count)


def _three_partition(fields: Mapping[str, Any], puzzle: str, numbers: dict[str, int]) -> GeneratingFields:
    return hard_ones, puzzle, numbers["triples"], numbers["target"], yes_or_no(fields, "solvable")


def hard_ones(puzzle: str, triples: int, target: int, solvable: bool | None, count: int, seed: int) -> Boards:
    """The boards of `bsp-sat generate three-partition`."""
    boards = _small_enough(partition_boards(SORT_PUZZLES[puzzle], triples, target, seed, solvable=solvable))
    return _made(boards, count)


def _levels(fields: Mapping[str, Any], puzzle: str, numbers: dict[str, int]) -> GeneratingFields:
    ranges, curve = fields.get("ranges", {}), word(fields, "curve")
    if not isinstance(ranges, dict) or not all(isinstance(wanted, str) for wanted in ranges.values()):
        expected = 'expected an object of texts, such as {"optimum": "8..12"}'
        raise BoardError("ranges", f"{expected}, found {as_json(ranges)}")
    wanted = {grade.checked_names([name])[0]: board_spec.Range.parse(text) for name, text in ranges.items()}
    colours, capacity, empty, tries = numbers.values()
    solvable = not yes_or_no(fields, "unsolvable")
    order = board_spec.BoardSpec(SORT_PUZZLES[puzzle], colours, capacity, empty, wanted, solvable)
    return levels, order, curve if curve is None else grade.checked_names([curve])[0], tries


def levels(order: "board_spec.BoardSpec", curve: str | None, tries: int, count: int, seed: int) -> Boards:
    """The boards of `bsp-sat generate levels`.

    ``missing`` counts those not found, and ``nearest`` is the board nearest to one of them.
    """
    boards: list[dict[str, Any]] = []
    nearest = None
    for level in grading_levels.make_pack([order] * count, curve, seed, Here(), Event(), most_tries=tries):
        if not level.distance:
            boards.append(level.to_json(seed))
            yield {"made": len(boards)}
        else:
            nearest = level.puzzle.to_json()
    return {"boards": boards, "missing": count - len(boards), "nearest": nearest}


def _small_enough(boards: Iterator[Instance]) -> Iterator[Instance]:
    for board in boards:
        check_size(board.puzzle)
        yield board


def _made(boards: Iterator[Instance], count: int) -> Boards:
    made = []
    for board in islice(boards, count):
        made.append(board.to_json())
        yield {"made": len(made)}
    return {"boards": made}


def _kinds() -> dict[str, Kind]:
    """All kinds, including generators of puzzles that a program has added."""
    generators = {puzzle.generator.command: puzzle.generator for puzzle in PUZZLES.values() if puzzle.generator}
    return {
        **{command: _random_kind(generator) for command, generator in generators.items()},
        "levels": Kind(SORT_PUZZLES, _within(MOST_TRIES, LEVEL_NUMBERS), ("ranges", "curve", "unsolvable"), _levels),
        "three-partition": Kind(SORT_PUZZLES, _within(MOST_PLACES, PARTITION_NUMBERS), ("solvable",), _three_partition),
    }
