"""Plain sort boards are read without pydantic, and just as it reads them."""

import json
import subprocess
import sys

import pytest
from pydantic import TypeAdapter, ValidationError

from bsp_sat.instances.sorting.fields import SortFields

PLAIN = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", 1], [1, "a"], []], "name": "n", "source": None}
OTHERS = [
    {"capacity": value} for value in (0, 10_001, True, 2.0, "2", None)
] + [
    {"tubes": value}
    for value in (None, {}, "ab", [["a", None]], [["a", True]], [["a", 1.0]], ["ab"], [["\ud800"]], [()])
] + [
    {"name": 1}, {"name": "\ud800"}, {"source": []}, {"optimal": 3}, {"optimal": {"ball-sort": -1}},
    {"optimal": {"ball-sort": True}}, {"optimal": {"ball-sort": "none"}}, {"optimal": {"ball-sort": []}},
    {"goal": "full"}, {"goal": "half"}, {"order": "top-down"}, {"hidden": [[True]]}, {"partial": False}, {"locked": []},
]  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"optimal": {"ball-sort": 3, "water-sort": "unknown"}}, {"other": [None]}])
def test_as_pydantic_reads_them(more):
    fields = PLAIN | more
    assert SortFields.at_sight(fields) == TypeAdapter(SortFields).validate_python(fields)


@pytest.mark.parametrize("more", OTHERS, ids=repr)
def test_whatever_may_be_wrong_is_left_to_pydantic(more):
    try:
        expected = TypeAdapter(SortFields).validate_python(PLAIN | more)
    except ValidationError:
        expected = None
    assert SortFields.at_sight(PLAIN | more) in (None, expected)
    assert SortFields.at_sight({"capacity": 2}) is None


def test_a_plain_board_needs_no_pydantic():
    load = "import bsp_sat, sys; bsp_sat.load('level-80'); print('pydantic' in sys.modules, 'numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", load], check=True, capture_output=True, text=True).stdout
    assert found.split() == ["False", "False"], json.dumps(found)
