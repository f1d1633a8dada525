"""Joins refutations of the parts of a formula, which many processes can find, to one refutation of it.

A part is the CNF with a **cube**: literals that are added as clauses of one literal, after all others. Its refutation
becomes a derivation of the clause that forbids the cube. Each clause that it derives gets the negated literals of the
cube, and its hints lose the cube's clauses: where a checker assumes the negation of the clause, the cube's literals
hold already. The CNF with the clauses that forbid all cubes is refuted too, and that refutation comes last.

The result need not be trusted: it is LRAT text for the CNF alone, and is checked as a whole.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from bsp_sat.encoder.formula import Literal

Part = tuple[Sequence[Literal], Path]
"""A cube, and the refutation of the CNF with it, as `bsp_sat.backends.proofs.refutation.refute` writes it."""


def join(clauses: int, parts: Iterable[Part], last: Path, joined: Path) -> None:
    """Writes one refutation.

    Args:
        clauses: the number of clauses of the CNF.
        parts: the refutations of the parts.
        last: that of the CNF with the clauses that forbid the cubes, in the same order.
        joined: receives LRAT text.
    """
    forbidding: list[int] = []
    number = clauses
    with joined.open("w", encoding="ascii", newline="\n") as stream:
        for cube, proof in parts:
            number = _append(stream, proof, clauses, [None] * len(cube), number, [str(-literal) for literal in cube])
            forbidding.append(number)
        _append(stream, last, clauses, forbidding, number)


def _append(
    stream: TextIO,
    proof: Path,
    clauses: int,
    added: Sequence[int | None],
    number: int,
    more: Sequence[str] = (),
) -> int:
    """Appends a refutation of the CNF with some clauses added, and returns the number of its last clause.

    Args:
        stream: receives it.
        proof: the refutation.
        clauses: the number of clauses of the CNF.
        added: the number that each added clause has here; None for one that is left out of hints.
        number: of the last clause that is derived before.
        more: literals that each derived clause gets.
    """
    before = clauses + len(added)
    shift = number - before

    def names(numbers: Sequence[str]) -> Iterator[str]:
        for each in map(int, numbers):
            name = each if each <= clauses else added[each - clauses - 1] if each <= before else each + shift
            if name is not None:
                yield str(name)

    with proof.open(encoding="ascii") as lines:
        for line in lines:
            first, *rest = line.split()
            if rest[0] == "d":
                words = ["d", *names(rest[1:-1])]
            else:
                number = int(first) + shift
                end = rest.index("0")
                words = [*rest[:end], *more, "0", *names(rest[end + 1 : -1])]
            stream.write(f"{number} {' '.join(words)} 0\n")
    return number
