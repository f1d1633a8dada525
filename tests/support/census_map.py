"""The map of docs/census.md: for each class whether all its boards can be solved, and why.

What was proved by enumerations and case distinctions is in benchmarks/results/census.jsonl: lines of `bsp-sat
census --json`. The rest follows here: the theorem, the known unsolvable boards, and that fewer colours or more empty
tubes keep a class solvable.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path

from bsp_sat.apps.census import theorem, witnesses
from bsp_sat.apps.census.board_class import BoardClass

ANSWERS = Path(__file__).parents[2] / "benchmarks" / "results" / "census.jsonl"
MOST = 12  # colours, and balls a tube
EMPTIES = (2, 3)

LETTERS = {"enumerated": "E", "cases": "C"}

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], str]


@cache
def proved() -> dict[BoardClass, str]:
    """The classes whose boards can all be solved by an enumeration or a case distinction, and by which."""
    found: dict[BoardClass, str] = {}
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        if answer["always_solvable"]:
            of = BoardClass(answer["colours"], answer["capacity"], answer["empty"])
            found[of] = max(found.get(of, "C"), LETTERS[answer["how"]])
    return found


@cache
def reason(of: BoardClass) -> str:
    """What the map says about a class."""
    always = theorem.always_solvable(of)
    if always is not None:
        return "yes T" if always else "no T"
    if of in proved():
        return f"yes {proved()[of]}"
    board = witnesses.unsolvable_board(of)
    if board is not None:
        return "no W" if of in {known.board_class for known in witnesses.known_boards()} else "no m"
    return "yes m" if _follows(of) else "?"


def _follows(of: BoardClass) -> bool:
    """Whether a class with as many colours or more, and as many empty tubes or fewer, can always be solved."""
    return any(
        other.capacity == of.capacity and other.colours >= of.colours and other.empty <= of.empty for other in proved()
    )


def parts(table: Table) -> dict[str, Callable[[], str]]:
    """The computed part of docs/census.md by name."""
    return {"census": partial(_map, table)}


def _map(table: Table) -> str:
    header = ["colours", *(f"{empty} empty tubes" for empty in EMPTIES)]
    alike = groupby(range(2, MOST + 1), lambda colours: [_capacities(colours, empty) for empty in EMPTIES])
    return table(header, ([_first_and_last(colours), *cells] for cells, colours in alike))


def _capacities(colours: int, empty: int) -> str:
    """What the map says about each range of capacities."""
    alike = groupby(range(2, MOST + 1), lambda capacity: reason(BoardClass(colours, capacity, empty)))
    return "; ".join(f"{_first_and_last(capacities)} {said}" for said, capacities in alike)


def _first_and_last(numbers: Iterable[int]) -> str:
    first, *others = numbers
    return "–".join(map(str, (first, *others[-1:])))
