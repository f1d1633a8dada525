"""Boards that a solver helps to make: those that are solvable, those that aren't, and those of 3-Partition."""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.baselines.depth_first import DepthFirstSorted
from bsp_sat.backends.cpsat.partition import find_triples
from bsp_sat.backends.result import Findings
from bsp_sat.instances import three_partition
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance, KnownAnswer
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort

TRIES = 50  # random instances to try, before one without a partition is made from a known one
MOST_REFUSED = 1000  # boards in a row of the wrong kind before giving up


def filter_solvable(boards: Iterator[Instance], solvable: bool) -> Iterator[Instance]:
    """The boards that are solvable, or those that aren't; BoardError if too many in a row are of the other kind."""
    refused = 0
    for board in boards:
        if _is_solvable(board.contents) is solvable:
            refused = 0
            yield board
        elif (refused := refused + 1) == MOST_REFUSED:
            kind = "solvable" if solvable else "unsolvable"
            raise BoardError("", f"none of {refused} boards in a row is {kind}; try other numbers")


def _is_solvable(position: AnyPuzzle) -> bool:
    """Decides in this process: for most boards a new one would take longer than the search."""
    findings = Findings(position, Auto.name)
    if not (Auto().solves_together(position) and Auto().solve_together([(position, findings, None)])):
        DepthFirstSorted().run(position, findings)
    return findings.best is not None


def partition_instance(rule: type[SortPuzzle], numbers: Sequence[int], target: int, name: str) -> Instance:
    """The board for some numbers, with the answer and the optima under both rules; BoardError for other numbers."""
    puzzle = rule.from_tubes(three_partition.partition_tubes(numbers, target), target)
    triples = find_triples(numbers, target)
    about: dict[str, Any] = {"name": name, "numbers": list(numbers), "target": target}
    if triples is None:
        optimal: dict[str, KnownAnswer] = dict.fromkeys((BallSort.kind, WaterSort.kind), "unsolvable")
        return Instance(puzzle, {**about, "answer": "no", "optimal": optimal})
    balls = 2 * sum(numbers) - sum(map(max, triples))
    optimal = {BallSort.kind: balls, WaterSort.kind: 5 * len(triples)}
    return Instance(puzzle, {**about, "answer": "yes", "optimal": optimal})


def partition_boards(
    rule: type[SortPuzzle], triples: int, target: int, seed: int = 0, *, solvable: bool | None = None
) -> Iterator[Instance]:
    """An endless series of instances; number i has seed ``seed + i``.

    Each has 3·``triples`` numbers; ``target`` is the sum of each triple, and the capacity. ``solvable`` makes numbers
    of random triples; False searches for numbers that CP-SAT proves to have no partition, None takes random numbers
    with either answer. Raises BoardError if there is no such instance.
    """
    three_partition.check_size(triples, target, solvable=solvable)
    for number in count(seed):
        chance = Random(number)
        if solvable:
            numbers = three_partition.planted_numbers(triples, target, chance)
        elif solvable is None:
            numbers = three_partition.random_numbers(triples, target, chance)
        else:
            numbers = _unsolvable_numbers(triples, target, chance)
        instance = partition_instance(rule, numbers, target, f"three-partition-m{triples}-b{target}-s{number}")
        yield Instance(instance.puzzle, {**instance.about, "name": f"{instance.name}-{instance.about['answer']}"})


def _unsolvable_numbers(triples: int, target: int, chance: Random) -> list[int]:
    """Random numbers without a partition; if these are rare, by a random walk among them."""
    for _ in range(TRIES):
        numbers = three_partition.random_numbers(triples, target, chance)
        if find_triples(numbers, target) is None:
            return numbers
    numbers = three_partition.stuck_numbers(triples, target)
    for _ in numbers:
        changed = three_partition.exchanged(numbers, target, chance)
        if find_triples(changed, target) is None:
            numbers = changed
    chance.shuffle(numbers)
    return numbers
