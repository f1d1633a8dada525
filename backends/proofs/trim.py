"""Trims a solver's trace to a proof that is quick to check: only the needed steps, in LRAT's numbering.

There are three changes. They need not be trusted, as the result is checked as a whole.
    * Steps that the empty clause doesn't depend on are removed: a pass from the end to the start marks the needed
      ones. For refutations of plan lengths, about a fifth of the steps remain.
    * Clauses are renumbered. In LRAT the clauses of the CNF are 1, 2, …, m. CaDiCaL numbers clauses in order of
      appearance; if it simplifies a clause while it is still reading, a derived clause gets a number in between.
      So the k-th number that no step derives is that of the k-th clause.
    * A derived clause is deleted right after its last use, which saves memory in checkers and time in drat-trim.

The trace stays on disk; memory grows with the number of steps that are kept.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path

from bsp_sat.instances.errors import CertificateError

STEP = re.compile(rb"^(\d+) (?!d)", re.MULTILINE)
"""A line that derives a clause."""


@dataclass(frozen=True)
class Trimmed:
    """Figures of a trimmed trace.

    Attributes:
        steps: clauses that are derived in the proof.
        traced_steps: clauses that were derived in the trace.
    """

    steps: int
    traced_steps: int


@dataclass(frozen=True)
class _Step:
    """A step of the trace. Its numbers stay text, as there are millions of them."""

    number: str
    literals: str
    hints: str
    used_up: list[str]


def trim(trace: Path, clauses: int, proof: Path) -> Trimmed:
    """Writes the needed part of ``trace`` to ``proof``.

    Args:
        trace: LRAT text, with any rising numbers.
        clauses: the number of clauses of the CNF.
        proof: receives LRAT text, numbered from ``clauses`` + 1.

    Raises:
        CertificateError: the empty clause is not in the trace.
    """
    if trace.stat().st_size == 0:
        raise CertificateError("the trace is empty; is the disk full?")
    with trace.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        numbers: list[str] = []
        starts = array("q")
        for match in STEP.finditer(data):
            numbers.append(match[1].decode())
            starts.append(match.start())
        if not numbers:
            raise CertificateError("the trace derives nothing")
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
    """The steps that the empty clause depends on, in reverse order, beginning with the empty clause."""
    derived = set(numbers)
    needed = set(numbers[-1:])
    for number, start in zip(reversed(numbers), reversed(starts), strict=True):
        if number not in needed:
            continue
        line = data[start : data.find(b"\n", start) + 1].decode("ascii")
        head, _, tail = line.partition(" 0 ")
        literals = f"{head} ".partition(" ")[2]
        if number == numbers[-1] and (literals or not tail.endswith(" 0\n")):
            raise CertificateError("the trace ends before the empty clause; is the disk full?")
        hints = tail.removesuffix(" 0\n")
        unseen = set(hints.split()) - needed
        needed |= unseen
        yield _Step(number, literals, hints, sorted(unseen & derived, key=int) if literals else [])


def _names_of_clauses(derived: set[str], clauses: int) -> dict[str, str]:
    """For each clause of the CNF, its position by the solver's number."""
    original = islice((number for number in map(str, count(1)) if number not in derived), clauses)
    return {number: str(place) for place, number in enumerate(original, start=1)}
