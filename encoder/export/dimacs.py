"""Formulas as DIMACS files, with the meaning of each variable in a comment.

    c any remark
    c variable 1 ["from",12,3]
    p cnf 1 2
    1 0
    -1 0

Names are JSON lists, so that strings and numbers are kept apart. Each line has one clause, in the order of the formula,
as proofs refer to clauses by number. Only this exact form can be read.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Literal, VariableName
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.words import quantity

VARIABLE = "variable"


@dataclass(frozen=True)
class Dimacs:
    """The contents of a DIMACS file.

    ``names``: the names of variables, with the name of variable v at index v − 1; empty if they have none.
    ``formula``: what the clauses are taken from, if they are those of a board.
    """

    clauses: Sequence[Sequence[Literal]]
    names: Sequence[VariableName] = ()
    comments: Sequence[str] = ()
    variables: int = 0
    formula: PlanFormula | None = None

    def answer_for(self, horizon: int | None, optimum: int | None) -> bool | None:
        """Whether the clauses of `decision_formula` have a model; None if that doesn't follow from what is known.

        ``horizon``: the number of moves asked about, None for any. ``optimum``: that of the board, None without a plan.
        """
        assert self.formula is not None
        if optimum is None or (horizon is not None and horizon < optimum):
            return None if self.formula.exact else False  # or else a model may be no plan
        return True if horizon in (None, optimum) or not self.formula.exactly else None


def write_dimacs(formula: Dimacs, stream: TextIO) -> None:
    r"""Writes ``formula``; the header's number of variables covers all names and clauses.

    >>> from io import StringIO
    >>> stream = StringIO()
    >>> write_dimacs(Dimacs([[1, -2], [2]], [("from", 12, 3), ("to", 12, 0)], ["a remark"]), stream)
    >>> print(stream.getvalue(), end="")
    c a remark
    c variable 1 ["from",12,3]
    c variable 2 ["to",12,0]
    p cnf 2 2
    1 -2 0
    2 0
    >>> read_clauses(stream.getvalue().splitlines())
    [[1, -2], [2]]
    """
    for comment in formula.comments:
        if comment.startswith(VARIABLE + " ") or len(comment.splitlines()) > 1 or not comment.isascii():
            raise ValueError(f"not a comment of one line: {comment!r}")
        stream.write(f"c {comment}\n")
    for variable, name in enumerate(formula.names, start=1):
        stream.write(f"c {VARIABLE} {variable} {json.dumps(name, separators=(',', ':'))}\n")
    highest = max((abs(literal) for clause in formula.clauses for literal in clause), default=0)
    variables = max(formula.variables, len(formula.names), highest)
    stream.write(f"p cnf {variables} {len(formula.clauses)}\n")
    stream.writelines(" ".join(map(str, [*clause, 0])) + "\n" for clause in formula.clauses)


def read_clauses(lines: Iterable[str]) -> list[list[Literal]]:
    """The clauses of what `write_dimacs` writes. BoardError if the file is malformed; the message names the line."""
    header: tuple[int, int] | None = None
    clauses: list[list[Literal]] = []
    line = 0
    for line, text in enumerate(lines, start=1):
        if header is not None:
            clauses.append(_read_clause(line, text, header[0]))
        elif text.split()[:1] != ["c"]:
            header = _read_header(line, text)
    if header is None:
        raise _fault(line + 1, 'expected a header such as "p cnf 3 2", found the end')
    if len(clauses) != header[1]:
        raise _fault(line, f"{len(clauses)} clauses up to here, but the header says {header[1]}")
    return clauses


def _read_header(line: int, text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) == 4 and words[:2] == ["p", "cnf"] and words[2].isdecimal() and words[3].isdecimal():
        return int(words[2]), int(words[3])
    raise _fault(line, f'expected a header such as "p cnf 3 2", found {text.rstrip()!r}')


def _read_clause(line: int, text: str, variables: int) -> list[Literal]:
    try:
        *clause, end = map(int, text.split())
    except ValueError:
        clause, end = [], 1
    if end != 0 or 0 in clause:
        raise _fault(line, f"expected literals and one 0 at the end, found {text.rstrip()!r}")
    for literal in clause:
        if abs(literal) > variables:
            raise _fault(line, f"variable {abs(literal)} is above {variables}, the number of variables")
    return clause


def _fault(line: int, problem: str) -> BoardError:
    """A file isn't DIMACS in this form, or contradicts its header; the line counts from 1."""
    return BoardError(f"line {line} of the CNF", problem)


def decision_formula(puzzle: AnyPuzzle, encoding: Encoding, max_steps: int | None) -> Dimacs:
    """The decision problem whether ``puzzle`` has a plan: clauses that have a model if it has one.

    Some encodings have models that are not plans, and `PlanFormula.exact` literals under which models are plans. The
    export doesn't require these literals, as refutations would then be meaningless: a refutation holds for all plans,
    and a model is a plan if it makes the literals true.

    Unsupported if the encoding refuses the board, or has no formula for plans of any length.
    """
    formula = encoding.encode(puzzle)
    if max_steps is None:
        assumptions = formula.at_any_length()
        if assumptions is None:
            raise Unsupported(f"the {encoding.name} encoding has no formula for plans of any length; give --max-steps")
        question, unsat = "a plan of any length", "the board has no plan"
    else:
        assumptions = formula.at_horizon(max_steps)
        how_many = "exactly" if formula.exactly else "at most"
        question = f"a plan of {how_many} {quantity(max_steps, 'move')}"
        unsat = encoding.unsat.meaning(max_steps)
    answers = [*_satisfiable(formula, question), f"UNSATISFIABLE: {unsat}"]
    comments = [f"{encoding.name} encoding: {question}", *answers, *_legend(formula)]
    clauses = [*formula.clauses, *([literal] for literal in assumptions)]
    return Dimacs(clauses, formula.names, comments, formula=formula)


def _legend(formula: PlanFormula) -> list[str]:
    """What the names of variables say, and the numbers in them; nothing if it isn't declared."""
    used = {name[0] for name in formula.names}
    kinds = [
        f"{kind}({','.join(of.arguments)}): {of.says(*of.arguments)}"
        for kind, of in formula.kinds.items()
        if kind in used
    ]
    return [*kinds, *formula.numbering()]


def condition_for_plans(formula: PlanFormula) -> str:
    """The values of variables under which a model is a plan, as text; for formulas with such a condition."""
    return " and ".join(
        f"variable {abs(literal)} {json.dumps(formula.names[abs(literal) - 1])} is {str(literal > 0).lower()}"
        for literal in formula.exact
    )


def _satisfiable(formula: PlanFormula, question: str) -> list[str]:
    if not formula.exact:
        return [f"SATISFIABLE: a model is {question}"]
    clauses = " and ".join(f'"{literal} 0"' for literal in formula.exact)
    return [
        f"SATISFIABLE: a model is {question} if {condition_for_plans(formula)}; otherwise it may not be a plan",
        f"with {clauses} added, every model is a plan, but UNSATISFIABLE means nothing",
    ]
