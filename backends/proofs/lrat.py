"""A proof checker that shares no code with the solvers: standard library only, no other module of this package.

It reads a CNF in DIMACS and a refutation in LRAT (text). It accepts if and only if one of the steps is the empty
clause, and that step and every step before it follow from the clauses before them. Then the CNF has no model, wherever
the proof comes from. Steps after the empty clause are not read.

The clauses of the CNF are numbered 1, 2, … in order. A line of the proof is one of

    ID LITERALS 0 HINTS 0     a new clause; HINTS are the numbers of the clauses that it follows from
    ID d NUMBERS 0            clauses that are no longer needed
    c ANYTHING                a comment

and the ids of new clauses are rising. A clause follows by *reverse unit propagation*: assume that all its literals
are false; then each hint in turn has at most one literal left. If one is left, it must be true, so its negation is
false from here on. If none is left, there is a contradiction, so the clause holds. Thanks to the hints there is no
search for clauses to propagate, so checking takes time linear in the size of the proof.
Steps that only preserve satisfiability (RAT, with negative hints) are refused: the solvers used here write none.

Source: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT verification, CADE 2017.

Also a program: ``python -m bsp_sat.backends.proofs.lrat FILE.cnf FILE.lrat``.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

MAX_LINE = 16_000_000  # characters of a line of the proof: about two million hints

Clause = tuple[int, ...]


class InvalidProof(Exception):
    """The proof does not refute the CNF; the message says where and why."""


class UnreadableCnf(Exception):
    """The CNF is not DIMACS; the message says where and why."""


@dataclass(frozen=True)
class ProofSize:
    """The size of an accepted proof. ``steps``: clauses that were derived, the empty one included."""

    steps: int
    hints: int


def check_lrat(cnf: Path, proof: Path) -> ProofSize:
    """Checks that ``proof`` refutes ``cnf``; raises InvalidProof or UnreadableCnf, naming the line, or OSError."""
    clauses = dict(enumerate(read_cnf(cnf), start=1))
    with proof.open(encoding="ascii", errors="replace") as stream:
        return check_steps(clauses, _bounded_lines(stream))


def _bounded_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a proof; InvalidProof names one that is longer than `MAX_LINE`."""
    where = 0
    while line := stream.readline(MAX_LINE + 1):
        where += 1
        if len(line) > MAX_LINE:
            raise InvalidProof(f"line {where} of the proof has more than {MAX_LINE} characters")
        yield line


def check_steps(clauses: dict[int, Clause], lines: Iterable[str]) -> ProofSize:
    """Checks a proof, line by line, up to the empty clause; ``clauses`` by number changes on the way.

    Raises InvalidProof if a step does not follow, or none is the empty clause.

    >>> cnf = {1: (1, 2), 2: (-1,), 3: (-2,)}
    >>> check_steps(cnf, ["4 1 0 1 3 0", "5 0 4 2 0"])
    ProofSize(steps=2, hints=4)
    """
    newest = len(clauses)
    steps = looked_up = 0
    where = 0
    for where, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[1:2] == ["d"]:
            for number in _numbers(words[2:], 1, where)[:-1]:
                if clauses.pop(number, None) is None:
                    raise InvalidProof(f"line {where} of the proof deletes clause {number}, which does not exist")
            continue
        numbers = _numbers(words, 2, where)
        end = numbers.index(0)
        number, literals, hints = numbers[0], numbers[1:end], numbers[end + 1 : -1]
        if number <= newest:
            raise InvalidProof(f"line {where} of the proof: clause id {number} is not above {newest}, the last one")
        looked_up += _follow(literals, hints, clauses, where)
        clauses[number] = tuple(literals)
        newest = number
        steps += 1
        if not literals:
            return ProofSize(steps, looked_up)
    raise InvalidProof(f"the proof ends after line {where} without the empty clause")


def _follow(literals: Sequence[int], hints: Sequence[int], clauses: dict[int, Clause], where: int) -> int:
    """Checks that a clause follows from its hints, and returns the number of hints used."""
    false = set(literals)
    for taken, hint in enumerate(hints, start=1):
        clause = clauses.get(hint)
        if clause is None:
            reason = (
                "is a RAT step, which is not supported" if hint < 0 else f"needs clause {hint}, which does not exist"
            )
            raise InvalidProof(f"line {where} of the proof {reason}")
        left = 0
        for literal in clause:
            if literal not in false:
                if left not in (0, literal):
                    shown = _shown([literal for literal in clause if literal not in false])
                    problem = f"clause {hint} leaves more than one literal ({shown})"
                    raise InvalidProof(f"line {where} of the proof: {problem}")
                left = literal
        if not left:
            return taken
        false.add(-left)
    raise InvalidProof(f"line {where} of the proof: the clause ({_shown(literals)}) does not follow from its hints")


def _numbers(words: list[str], zeros: int, where: int) -> list[int]:
    """Parses integers, of which ``zeros`` must be 0, the last one among them."""
    try:
        numbers = list(map(int, words))
    except ValueError:
        numbers = []
    if numbers.count(0) != zeros or numbers[-1] != 0:
        raise InvalidProof(f"line {where} of the proof can't be read, or is cut off")
    return numbers


def read_cnf(path: Path) -> list[Clause]:
    """The clauses of a DIMACS file with one clause on each line; raises UnreadableCnf, naming the line, or OSError."""
    clauses: list[Clause] = []
    variables = promised = -1
    where = 0
    with path.open(encoding="ascii", errors="replace") as lines:
        for where, line in enumerate(lines, start=1):
            words = line.split()
            if not words or words[0] == "c":
                continue
            try:
                if words[0] == "p" and promised < 0:
                    kind, variables, promised = words[1], int(words[2]), int(words[3])
                    if kind != "cnf" or len(words) != 4:
                        raise ValueError
                    continue
                numbers = list(map(int, words))
                if promised < 0 or numbers.count(0) != 1 or numbers[-1] != 0:
                    raise ValueError
            except (ValueError, IndexError):
                raise UnreadableCnf(f"line {where} of the CNF can't be read, or is cut off") from None
            if max(map(abs, numbers)) > variables:
                problem = f"a variable is above {variables}, the number of variables"
                raise UnreadableCnf(f"line {where} of the CNF: {problem}")
            clauses.append(tuple(numbers[:-1]))
    if len(clauses) != promised:
        raise UnreadableCnf(f"the CNF has {len(clauses)} clauses in {where} lines, its header says {promised}")
    return clauses


def _shown(literals: Collection[int]) -> str:
    return " ".join(map(str, sorted(literals, key=abs)[:8])) + (" …" if len(literals) > 8 else "")


def main(arguments: Sequence[str]) -> int:
    """Checks ``FILE.cnf FILE.lrat``; 0 if the proof is accepted, 1 if not, 2 for files that can't be read."""
    if len(arguments) != 2:
        print("usage: python -m bsp_sat.backends.proofs.lrat FILE.cnf FILE.lrat", file=sys.stderr)
        return 2
    try:
        checked = check_lrat(*map(Path, arguments))
    except InvalidProof as error:
        print(f"s NOT VERIFIED\nc {error}")
        return 1
    except (UnreadableCnf, OSError) as error:
        print(f"c {error}", file=sys.stderr)
        return 2
    print(f"s VERIFIED UNSAT\nc {checked.steps} steps, {checked.hints} hints")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
