"""Formulas described for people."""

from collections import Counter

import pytest

from bsp_sat import load
from bsp_sat.encoder.description import clause_in_words, clause_text, describe
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.instances.sorting import BallSort, WaterSort

BOARDS = [
    BallSort.from_text("caac|bbac|bbac|-"),
    WaterSort.from_text("caac|bbac|bbac|-"),
    load("tiles-2022-11-16"),
    load("shot-literate"),
]
CASES = [(board, encoding) for board in BOARDS for encoding in encodings_for(board)]


def case(value):
    return getattr(value, "name", None) or getattr(value, "kind", None)


@pytest.mark.parametrize(("board", "encoding"), CASES, ids=case)
def test_counts_are_those_of_the_formula(board, encoding):
    horizon = board.lower_bound() + 1
    formula = encoding.encode(board)
    formula.at_horizon(horizon)
    found = describe(board, encoding, horizon)
    assert {each["kind"]: each["count"] for each in found.variables} == Counter(name[0] for name in formula.names)
    assert sum(each["count"] for each in found.clauses) == len(formula.clauses)
    assert found.unsat == encoding.unsat.meaning(horizon)
    texts = {clause_text(formula, clause) for clause in formula.clauses}
    assert {each["example"] for each in found.clauses if each["count"]} <= texts


UNDECLARED = {
    "order": {"true", "room", "extra", "exact", "full", "absent", "leaving", "pours", "fills", "all"},
    "homes": {"true", "takes", "unused"},
    "sequential": {"homes", "no-homes", "taken", "room", "again"},
    "clicks": set(),
    "knocks": {"too-few-moves"},
}
"""Inner variables of counters, and those with names of several forms."""

COUNTERS = {"used", "visiting", "balls"}  # whose parts have longer names


@pytest.mark.parametrize(("board", "encoding"), CASES, ids=case)
def test_kinds_of_variables_are_declared_with_the_arguments_of_their_names(board, encoding):
    formula = encoding.encode(board)
    formula.at_horizon(board.lower_bound() + 2)
    undeclared = set()
    for kind, *arguments in formula.names:
        if kind not in formula.kinds:
            undeclared.add(kind)
        elif kind not in COUNTERS:
            assert formula.kinds[kind].says(*arguments)
    assert undeclared <= UNDECLARED.get(encoding.name, set())
    for kind in formula.kinds.values():
        marks = [f"<{argument}>" for argument in kind.arguments]
        assert all(mark in kind.says(*marks) for mark in marks)


class TestWords:
    formula = Order().encode(BallSort.from_text("ab|ba|-"))

    def clause(self, text):
        return next(clause for clause in self.formula.clauses if clause_text(self.formula, clause) == text)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("kept(0) ∧ before(0,2) → kept(2)",
             "If bottom block 0 is never dug, and block 0 is dug before block 2, then bottom block 2 is never dug."),
            ("kept(0) → ¬before(0,3)",
             "If bottom block 0 is never dug, then it isn't so that block 0 is dug before block 3."),
            (
                "loses(0,0) ∨ kept(0)",
                "The block that colour 0 keeps is more than 0 balls shorter than possible, or bottom block 0 is "
                "never dug.",
            ),
        ],
    )  # fmt: skip
    def test_clauses_are_described_in_words(self, text, words):
        assert clause_in_words(self.formula, self.clause(text)) == words

    def test_what_is_not_declared_is_described_by_its_name(self):
        assert clause_in_words(self.formula, self.clause("true")) is None
