"""From what a solver traced to a proof that is quick to check: only what the empty clause needs, in LRAT's numbering.

Three things happen, none of which has to be trusted, since the result is checked as a whole.
    * Steps that the empty clause does not rest on go: a walk from the end to the start marks what is needed.
      For refutations of plan lengths that leaves about a fifth of the steps.
    * Clauses are renumbered. In LRAT the clauses of the CNF are 1, 2, …, m. CaDiCaL numbers clauses as they
      come, and where it simplifies a clause while it still reads the others, a derived clause takes a number
      in between. So the k-th number that no step derives is that of the k-th clause.
    * A derived clause is deleted right after its last use, which keeps checkers small and drat-trim fast.

The trace stays on disk; memory goes by the steps that are kept.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path

from bsp_sat.instances.errors import BspSatError

STEP = re.compile(rb"^(\d+) (?!d)", re.MULTILINE)
"""A line that derives a clause."""


class IncompleteTrace(BspSatError):
    """A trace that doesn't come to the empty clause."""


@dataclass(frozen=True)
class Trimmed:
    """What is left of a trace.

    Attributes:
        steps: clauses that are derived in the proof.
        traced_steps: clauses that were derived in the trace.
    """

    steps: int
    traced_steps: int


@dataclass(frozen=True)
class _Step:
    """A step as it stands in the trace: numbers stay text, of which there are millions."""

    number: str
    literals: str
    hints: str
    used_up: list[str]


def trim(trace: Path, clauses: int, proof: Path) -> Trimmed:
    """Writes the needed part of ``trace`` to ``proof``.

    Args:
        trace: LRAT text, with any rising numbers.
        clauses: how many clauses the CNF has.
        proof: gets LRAT text, numbered from ``clauses`` + 1.

    Raises:
        IncompleteTrace: the empty clause is not in the trace.
    """
    if trace.stat().st_size == 0:
        raise IncompleteTrace("the trace is empty; is the disk full?")
    with trace.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        numbers: list[str] = []
        starts = array("q")
        for match in STEP.finditer(data):
            numbers.append(match[1].decode())
            starts.append(match.start())
        if not numbers:
            raise IncompleteTrace("the trace derives nothing")
        needed = list(_needed_steps(data, numbers, starts))
    names = _names_of_clauses(set(numbers), clauses)
    with proof.open("w", encoding="ascii", newline="\n") as stream:
        for name, step in enumerate(reversed(needed), start=clauses + 1):
            names[step.number] = str(name)
            hints = " ".join([names[hint] for hint in step.hints.split()])
            stream.write(f"{name} {step.literals}0 {hints} 0\n")
            if step.used_up:
                stream.write(f"{name} d {' '.join([names.pop(number) for number in step.used_up])} 0\n")
    return Trimmed(len(needed), len(numbers))


def _needed_steps(data: mmap, numbers: list[str], starts: "array[int]") -> Iterator[_Step]:
    """The steps that the empty clause rests on, last first; it is the last step."""
    derived = set(numbers)
    needed = set(numbers[-1:])
    for number, start in zip(reversed(numbers), reversed(starts), strict=True):
        if number not in needed:
            continue
        line = data[start : data.find(b"\n", start) + 1].decode("ascii")
        head, _, tail = line.partition(" 0 ")
        literals = f"{head} ".partition(" ")[2]
        if number == numbers[-1] and (literals or not tail.endswith(" 0\n")):
            raise IncompleteTrace("the trace ends before the empty clause; is the disk full?")
        hints = tail.removesuffix(" 0\n")
        unseen = set(hints.split()) - needed
        needed |= unseen
        yield _Step(number, literals, hints, sorted(unseen & derived, key=int) if literals else [])


def _names_of_clauses(derived: set[str], clauses: int) -> dict[str, str]:
    """From the solver's numbers of the clauses of the CNF to their places in it."""
    original = islice((number for number in map(str, count(1)) if number not in derived), clauses)
    return {number: str(place) for place, number in enumerate(original, start=1)}
