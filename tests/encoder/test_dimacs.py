"""DIMACS: what is written comes back, what is damaged is refused with its line."""

import json
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bsp_sat import load
from bsp_sat.encoder.export.dimacs import Dimacs, decision_formula, read_clauses, write_dimacs
from bsp_sat.encoder.formula import VariableName
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.instances.errors import BoardError
from tests.support.helpers import RULES

names = st.lists(st.tuples(st.text() | st.integers(), st.text() | st.integers()), max_size=4)
clauses = st.lists(st.lists(st.integers(-9, 9).filter(bool), max_size=5), max_size=5)
comments = st.lists(
    st.text(st.characters(min_codepoint=32, max_codepoint=126)).filter(lambda text: not text.startswith("variable ")),
    max_size=3,
)


def written(formula: Dimacs) -> str:
    stream = StringIO()
    write_dimacs(formula, stream)
    return stream.getvalue()


def names_in(text: str) -> list[VariableName]:
    """The names of the variables 1, 2, … of a file, from its comments."""
    words = [line.split(" ", 3) for line in text.split("\n") if line.startswith("c variable ")]
    assert [int(number) for _, _, number, _ in words] == list(range(1, len(words) + 1))
    return [tuple(json.loads(name)) for *_, name in words]


def comments_in(text: str) -> list[str]:
    """The other comments."""
    return [line[2:] for line in text.split("\n") if line[:2] == "c " and not line.startswith("c variable ")]


@given(clauses, names, comments)
def test_a_formula_that_is_written_is_read_as_it_was(clauses, names, comments):
    text = written(Dimacs(clauses, names, comments, variables=9))
    assert read_clauses(StringIO(text)) == clauses
    assert (names_in(text), comments_in(text)) == (names, comments)
    assert text.isascii()


SMALL = [rule.from_tubes([["a", "b"], ["b", "a"], []], capacity=2) for rule in RULES]
ENCODED = [
    (puzzle, encoding)
    for puzzle in (*SMALL, load("tiles-2022-11-16"), load("shot-literate"))
    for encoding in encodings_for(puzzle)
]


@pytest.mark.parametrize(("puzzle", "encoding"), ENCODED, ids=[f"{puzzle.kind}-{by.name}" for puzzle, by in ENCODED])
def test_formulas_of_encodings_are_read_as_they_were_written(puzzle, encoding):
    question = decision_formula(puzzle, encoding, 3)
    text = written(question)
    assert read_clauses(StringIO(text)) == question.clauses
    assert (names_in(text), comments_in(text)) == (question.names, question.comments)


def test_other_readers_take_the_formula():
    from pysat.formula import CNF

    text = written(Dimacs([[1, -2], [], [2]], [("from", 12, 3), ("to", "ü", 0)], ["a remark", ""]))
    assert CNF(from_string=text).clauses == [[1, -2], [], [2]]


@pytest.mark.parametrize("comment", ["two\nlines", "variable 1", "variable 7 [1]", "ü", "two\rlines"])
def test_comments_that_would_not_come_back(comment):
    with pytest.raises(ValueError, match="not a comment"):
        written(Dimacs([], comments=[comment]))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1 of the CNF: expected a header"),
        ("c only\n", "line 2 of the CNF: expected a header"),
        ("1 0\n", "line 1 of the CNF: expected a header"),
        ("p cnf -1 0\n", "line 1 of the CNF: expected a header"),
        ("p cnf 1 1\n", "line 1 of the CNF: 0 clauses up to here, but the header says 1"),
        ("p cnf 1 0\n1 0\n", "line 2 of the CNF: 1 clauses up to here, but the header says 0"),
        ("p cnf 1 1\n2 0\n", "line 2 of the CNF: variable 2 is above 1"),
        ("p cnf 1 1\n1\n", "line 2 of the CNF: expected literals and one 0"),
        ("p cnf 1 1\n\n", "line 2 of the CNF: expected literals and one 0"),
        ("p cnf 1 2\n1 0 1 0\n", "line 2 of the CNF: expected literals and one 0"),
        ("p cnf 1 1\none 0\n", "line 2 of the CNF: expected literals and one 0"),
    ],
)
def test_damaged_formulas_are_refused(text, problem):
    with pytest.raises(BoardError, match=f"^{problem}"):
        read_clauses(StringIO(text))
