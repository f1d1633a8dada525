"""Descriptions of formulas for people: variables by kind, clauses by group, and clauses as text.

Formulas themselves declare what their variables and clause groups mean (`PlanFormula.kinds`, `clause_group`). Without
a declaration, a description has names and numbers only.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bsp_sat.encoder.blocks import blocks_of
from bsp_sat.encoder.encoding import Encoding, PlanFormula
from bsp_sat.encoder.formula import Formula, Literal
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

OTHERS = "others"
"""The group of all clauses outside declared groups, such as counters."""


def literal_text(formula: Formula, literal: Literal) -> str:
    """A literal by its variable's name: ``¬kept(0)``."""
    kind, *arguments = formula.names[abs(literal) - 1]
    return f"{'¬' if literal < 0 else ''}{kind}{'(' + ','.join(map(str, arguments)) + ')' if arguments else ''}"


def clause_text(formula: Formula, clause: Sequence[Literal]) -> str:
    """A clause as an implication: ``visit(1,0,2) → before(1,2)``."""
    causes, effects = _implication(clause)
    right = " ∨ ".join(literal_text(formula, literal) for literal in effects)
    left = " ∧ ".join(literal_text(formula, literal) for literal in causes)
    return f"{left} → {right}" if causes else right


def clause_in_words(formula: PlanFormula, clause: Sequence[Literal]) -> str | None:
    """A clause as a sentence; None if the encoding doesn't declare the meaning of all its variables."""
    if not all(_is_declared(formula, literal) for literal in clause):
        return None
    causes, effects = _implication(clause)
    right = ", or ".join(_words(formula, literal) for literal in effects)
    left = ", and ".join(_words(formula, literal) for literal in causes)
    sentence = f"if {left}, then {right}." if causes else f"{right}."
    return sentence[0].upper() + sentence[1:]


def _is_declared(formula: PlanFormula, literal: Literal) -> bool:
    """Whether the encoding says what a variable means; inner ones of a counter have more arguments than its results."""
    kind, *arguments = formula.names[abs(literal) - 1]
    return kind in formula.kinds and len(arguments) == len(formula.kinds[str(kind)].arguments)


def _words(formula: PlanFormula, literal: Literal) -> str:
    kind, *arguments = formula.names[abs(literal) - 1]
    says = formula.kinds[str(kind)].says(*arguments)
    return says if literal > 0 else f"it isn't so that {says}"


def _implication(clause: Sequence[Literal]) -> tuple[list[Literal], list[Literal]]:
    """The causes and effects of a clause: if all causes hold, one effect does. Literals are positive where possible."""
    causes = [-literal for literal in clause if literal < 0]
    effects = [literal for literal in clause if literal > 0]
    if causes and not effects:
        *causes, last = causes
        effects = [-last]
    return causes, effects


@dataclass(frozen=True)
class Description:
    """A formula at a horizon, and what it means if it has no model.

    Attributes:
        variables: of each kind of variables, in order of first appearance: ``kind``, the first word of their names;
            ``count``; ``arguments``, whose names follow, and ``meaning``, what such a variable says in terms of them,
            both None if not declared.
        clauses: of each group of clauses, in order of first appearance, `OTHERS` last: ``group``, its name; ``count``;
            ``meaning``, None if not declared; ``example``, one of them as an implication, None if it is empty;
            ``words``, the same as a sentence, None if the meaning of its variables isn't declared.
    """

    encoding: str
    horizon: int
    unsat: str
    variables: list[dict[str, Any]]
    clauses: list[dict[str, Any]]

    def to_json(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """The description, with a list of the blocks of ``puzzle``, to which its numbers refer."""
        blocks = colours = None
        if isinstance(puzzle, SortPuzzle):
            blocks = [
                {"tube": block.tube, "level": block.level, "size": block.size, "colour": puzzle.palette[block.colour]}
                for block in blocks_of(puzzle)
            ]
            colours = list(puzzle.palette)
        return {**asdict(self), "blocks": blocks, "colours": colours}


def describe(puzzle: AnyPuzzle, encoding: Encoding, horizon: int) -> Description:
    """The formula that asks for a plan of ``horizon`` moves. Unsupported if the encoding doesn't take the board."""
    formula = encoding.encode(puzzle)
    formula.at_horizon(horizon)
    counts = Counter(str(name[0]) for name in formula.names)
    variables = []
    for kind, count in counts.items():
        known = formula.kinds.get(kind)
        arguments = None if known is None else known.arguments
        meaning = None if known is None else known.says(*known.arguments)
        variables.append({"kind": kind, "count": count, "arguments": arguments, "meaning": meaning})
    return Description(encoding.name, horizon, encoding.unsat.meaning(horizon), variables, _groups(formula))


def _groups(formula: PlanFormula) -> list[dict[str, Any]]:
    clauses: dict[str, list[list[Literal]]] = {}
    meanings: dict[str, str] = {}
    others, end = [], 0
    for group in sorted(formula.groups, key=lambda group: group.start):
        clauses.setdefault(group.name, []).extend(formula.clauses[group.start : group.end])
        meanings[group.name] = group.meaning
        others += formula.clauses[end : group.start]
        end = group.end
    others += formula.clauses[end:]
    listed = [_group(formula, name, meanings[name], found) for name, found in clauses.items()]
    return [*listed, _group(formula, OTHERS, None, others)] if others else listed


def _group(formula: PlanFormula, name: str, meaning: str | None, clauses: list[list[Literal]]) -> dict[str, Any]:
    """One group; its example is the shortest clause that can be written as a sentence, if any can."""
    shortest = sorted((clause for clause in clauses if len(clause) > 1), key=len)
    example = next(
        (clause for clause in shortest if clause_in_words(formula, clause)), next(iter([*shortest, *clauses]), None)
    )
    text, words = (None if example is None else write(formula, example) for write in (clause_text, clause_in_words))
    return {"group": name, "count": len(clauses), "meaning": meaning, "example": text, "words": words}
