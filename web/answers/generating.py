"""``/api/generate``: boards at random, and to order."""

from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any

from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.sorting.generator import GENERATOR
from bsp_sat.instances.text.fields import as_json
from bsp_sat.instances.text.words import short
from bsp_sat.web.request_fields import MOST_PLACES, check_size, chosen, whole, word, yes_or_no
from bsp_sat.web.work.calls import calling
from bsp_sat.web.work.service import Service
from bsp_sat.web.work.work_queue import Work

if TYPE_CHECKING:
    from bsp_sat.backends.many.pool import CallTask

MOST_BOARDS = 100
MOST_TRIES = 100_000
MOST_SEED = 2**53 - 1  # Number.MAX_SAFE_INTEGER
LEVELS, THREE_PARTITION = "levels", "three-partition"
RULES = {kind: puzzle for kind, puzzle in PUZZLES.items() if issubclass(puzzle, SortPuzzle)}
GENERATORS = {puzzle.generator.command: puzzle.generator for puzzle in PUZZLES.values() if puzzle.generator is not None}
KINDS = (*GENERATORS, LEVELS, THREE_PARTITION)

Boards = Generator[dict[str, int], None, dict[str, Any]]
"""Yields under ``made`` how many there are, and returns them under ``boards``."""


Asked = tuple[Any, ...]
"""The function that makes the boards, and its arguments."""


def generating_asked(fields: Mapping[str, Any]) -> Asked:
    """Boards of the kind under ``kind``, by what the command of that name has as options.

    Raises:
        BoardError: no such kind, or what its boards can't be made from.
        Unsupported: a key that means nothing for that kind.
    """
    kind = chosen(fields, "kind", KINDS)
    if kind is None:
        raise BoardError("kind", f"expected one of {', '.join(KINDS)}, found none")
    left = dict(fields)
    make, *arguments = {LEVELS: _levels, THREE_PARTITION: _three_partition}.get(kind, _at_random)(left)
    count, seed = whole(left, "count", 1, MOST_BOARDS, 1), whole(left, "seed", 0, MOST_SEED, 0)
    for key in left.keys() - {"kind", "count", "seed", "puzzle"}:
        raise Unsupported(f"generate {kind} takes no {short(repr(key))}")
    return make, *arguments, count, seed


def generating(service: Service, asked: Asked) -> Work:
    """The boards, told meanwhile how many there are."""
    return calling(service.limits(), *asked, shown=("made",))


def _rule(fields: Mapping[str, Any]) -> str:
    return chosen(fields, "puzzle", RULES) or next(iter(RULES))


def _at_random(fields: dict[str, Any]) -> tuple[Any, ...]:
    generator = GENERATORS[fields["kind"]]
    kinds = [kind for kind, puzzle in PUZZLES.items() if puzzle.generator is generator]
    puzzle = chosen(fields, "puzzle", kinds) or kinds[0]
    given: dict[str, int | str] = {}
    for name, number in generator.numbers.items():
        most = min(number.most, MOST_PLACES)
        if name in fields or number.default is None:
            given[name] = whole(fields, name, number.least, most, -1)
            fields.pop(name, None)
    for name in generator.words:
        given[name] = word(fields, name) or ""
        fields.pop(name, None)
    solvable = None
    if generator.decidable:
        solvable = yes_or_no(fields, "solvable")
        fields.pop("solvable", None)
    return random_ones, puzzle, given, solvable


def random_ones(puzzle: str, given: Mapping[str, Any], solvable: bool | None, count: int, seed: int) -> Boards:
    """What `bsp-sat generate random`, ``tiles`` and ``shot`` print."""
    # Imported here, in the worker's process.
    from bsp_sat.backends.baselines.solvable import filter_solvable

    boards = _small_enough(random_boards(PUZZLES[puzzle], seed=seed, **given))
    return _made(boards if solvable is None else filter_solvable(boards, solvable), count)


def _three_partition(fields: dict[str, Any]) -> tuple[Any, ...]:
    triples = whole(fields, "triples", 1, MOST_PLACES, -1)
    target = whole(fields, "target", 1, MOST_PLACES, -1)
    solvable = yes_or_no(fields, "solvable")
    mix = whole(fields, "mix", 0, MOST_PLACES, 0)
    for name in ("triples", "target", "solvable", "mix"):
        fields.pop(name, None)
    return hard_ones, _rule(fields), triples, target, solvable, mix


def hard_ones(puzzle: str, triples: int, target: int, solvable: bool | None, mix: int, count: int, seed: int) -> Boards:
    """What `bsp-sat generate three-partition` prints."""
    # Imported here, in the worker's process: CP-SAT.
    from bsp_sat.backends.baselines.partition import mixed, partition_boards

    boards = _small_enough(partition_boards(RULES[puzzle], triples, target, seed, solvable=solvable))
    if mix:
        boards = (mixed(board, mix, seed + number) for number, board in enumerate(boards))
    return _made(_small_enough(boards), count)


def _levels(fields: dict[str, Any]) -> tuple[Any, ...]:
    colours = whole(fields, "colours", 1, GENERATOR.numbers["colours"].most, -1)
    capacity, empty = whole(fields, "capacity", 1, 64, 4), whole(fields, "empty", 0, 64, 2)
    tries = whole(fields, "tries", 1, MOST_TRIES, 6_000)
    ranges, curve = fields.get("ranges", {}), word(fields, "curve")
    if not isinstance(ranges, dict) or not all(isinstance(wanted, str) for wanted in ranges.values()):
        raise BoardError("ranges", f"expected an object with a range for each measure, found {as_json(ranges)}")
    unsolvable = bool(yes_or_no(fields, "unsolvable"))
    for name in ("colours", "capacity", "empty", "tries", "ranges", "curve", "unsolvable"):
        fields.pop(name, None)
    return levels, _rule(fields), colours, capacity, empty, ranges, unsolvable, curve, tries


def levels(
    puzzle: str,
    colours: int,
    capacity: int,
    empty: int,
    ranges: Mapping[str, str],
    unsolvable: bool,
    curve: str | None,
    tries: int,
    count: int,
    seed: int,
) -> Boards:
    """What `bsp-sat generate levels` prints; where none is found, ``missing`` says how many."""
    # Imported here, in the worker's process: numpy and llvmlite.
    from bsp_sat.grading.grade import checked_names
    from bsp_sat.grading.levels import make_levels
    from bsp_sat.grading.order import Order, Range, along_curve

    wanted = {name: Range.parse(ranges[name]) for name in checked_names(ranges)}
    order = Order(RULES[puzzle], colours, capacity, empty, wanted, solvable=not unsolvable)
    orders = [order] * count if curve is None else along_curve(order, checked_names([curve])[0], count)
    boards = []
    for level in make_levels(orders, seed, _at_once, Event(), most_tries=tries):
        if not level.distance:
            boards.append(level.to_json(seed))
            yield {"made": len(boards)}
    return {"boards": boards, "missing": count - len(boards)}


def _at_once(task: "CallTask[Any]") -> "Future[Any]":
    """Does a task in this process."""
    future: Future[Any] = Future()
    future.set_result(task.call.function(*task.call.arguments))
    return future


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
