"""From what a solver traced to a proof that is quick to check: only what the empty clause needs, in LRAT's numbering.

Three things happen, none of which has to be trusted, since the result is checked as a whole.
    * Steps that the empty clause does not rest on go: a walk from the end to the start marks what is needed.
      For refutations of plan lengths that leaves about a fifth of the steps.
    * Clauses are renumbered. In LRAT the clauses of the CNF are 1, 2, …, m. CaDiCaL numbers clauses as they
      come, and where it simplifies a clause while it still reads the others, a derived clause takes a number
      in between. So the k-th number that no step derives is that of the k-th clause.
    * A derived clause is deleted right after its last use, which keeps checkers small.

The trace stays on disk; memory goes by the steps that are kept.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TextIO

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
    number: int
    literals: str
    hints: "array[int]"
    used_up: list[int]


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
        raise IncompleteTrace("the solver traced no proof")
    with trace.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        numbers = array("q")
        starts = array("q")
        for match in STEP.finditer(data):
            numbers.append(int(match[1]))
            starts.append(match.start())
        needed = list(_needed_steps(data, numbers, starts))
    derived = set(numbers)
    original = islice((number for number in count(1) if number not in derived), clauses)
    names = {number: str(name) for name, number in enumerate(original, start=1)}
    with proof.open("w", encoding="ascii", newline="\n") as stream:
        for name, step in enumerate(reversed(needed), start=clauses + 1):
            _write_step(step, name, names, stream)
    return Trimmed(len(needed), len(numbers))


def _needed_steps(data: mmap, numbers: "array[int]", starts: "array[int]") -> Iterator[_Step]:
    """The steps that the empty clause rests on, last first; it is the last step."""
    derived = set(numbers)
    needed = set(numbers[-1:])
    for number, start in zip(reversed(numbers), reversed(starts), strict=True):
        if number not in needed:
            continue
        line = data[start : data.find(b"\n", start)].decode("ascii")
        head, _, tail = line.partition(" 0 ")
        hints = array("q", map(int, tail.split()[:-1]))
        literals = head.partition(" ")[2]
        if number == numbers[-1] and literals:
            raise IncompleteTrace("the trace ends before the empty clause; is the disk full?")
        unseen = set(hints) - needed
        needed |= unseen
        yield _Step(number, literals, hints, sorted(unseen & derived))


def _write_step(step: _Step, name: int, names: dict[int, str], stream: TextIO) -> None:
    names[step.number] = str(name)
    stream.write(" ".join([str(name), *step.literals.split(), "0", *(names[hint] for hint in step.hints), "0"]))
    stream.write("\n")
    if step.used_up:
        stream.write(" ".join([str(name), "d", *(names.pop(number) for number in step.used_up), "0"]))
        stream.write("\n")
