"""Boards made to take long: read, or refused, in a time that grows with their size and nothing else."""

import json
import time
from contextlib import nullcontext
from itertools import product
from random import Random

import pytest

from bsp_sat import BallSort
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.sorting.rules import Rules, TubeRule, can_be_filled

LONGEST = 1.0  # seconds of processor time; at rest the slowest takes a third


def half_filled(tubes: int) -> dict:
    """Tubes of capacities 1, 2, 3, …, with balls of one colour for half of the room."""
    balls = tubes * (tubes + 1) // 4
    contents = []
    for capacity in range(1, tubes + 1):
        contents.append(["a"] * min(balls, capacity))
        balls -= len(contents[-1])
    return {"capacity": tubes, "capacities": list(range(1, tubes + 1)), "tubes": contents}


def repeated_key(keys: int) -> str:
    return "{" + ", ".join(f'"{number}": 1' for number in [*range(keys), keys - 1]) + "}"


HOSTILE = {
    "capacities from 1 to 24": (half_filled(24), None),
    "capacities from 1 to 1500": (half_filled(1500), None),
    "tubes of many sizes and colours": ({"capacity": 60, "capacities": [1 + number % 60 for number in range(600)],
        "tubes": [[number % 50] for number in range(600)]}, None),
    "a key twice": (repeated_key(15_000), "14999: expected once, found twice"),
    "many colours, shown and counted": ({"capacity": 1, "tubes": [[str(number)] for number in range(20_000)],
        "colours": {str(number): 1 for number in range(20_000)}}, "expected at most 255 colours"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_reading_takes_no_longer_than_the_board_is_large(name):
    board, problem = HOSTILE[name]
    started = time.process_time()
    with nullcontext() if problem is None else pytest.raises(BoardError, match=problem):
        parse_instances(board if isinstance(board, str) else json.dumps(board))
    assert time.process_time() - started < LONGEST


def test_tubes_are_dealt_out_as_trying_all_ways_says():
    chance = Random(1)
    seen = set()
    for _ in range(300):
        capacities = [chance.randint(1, 6) for _ in range(chance.randint(1, 6))]
        counts = [chance.randint(1, 8) for _ in range(chance.randint(1, 3))]
        owners = product(range(len(counts) + 1), repeat=len(capacities))  # the last stands for no colour
        expected = any(
            all(
                sum(capacity for capacity, owner in zip(capacities, of, strict=True) if owner == colour) == count
                for colour, count in enumerate(counts)
            )
            for of in owners
        )
        assert can_be_filled(Rules(tuple(map(TubeRule, capacities)), tuple(counts))) is expected
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize(
    "more", [{"locked": [{"tube": 2, "until": 1}]}, {"hidden": [[False, True], [False, False], []]}, {"cork": False}]
)
def test_a_board_that_is_plain_after_all_is_written_as_it_is_read(more):
    """Its lock opens before the first move, or what covers it is gone."""
    (read,) = parse_instances(json.dumps({"capacity": 2, "tubes": [["a", "a"], ["b", "b"], []], **more}))
    assert parse_instances(json.dumps(read.to_json())) == [read]
    assert type(read.puzzle) is BallSort
