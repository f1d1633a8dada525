"""The border argument against exhausted search."""

import random

import pytest

from bsp_sat import Limits, Status, load, random_boards, solve
from bsp_sat.backends.result import Findings
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders, search_tables
from bsp_sat.instances.sorting import SortPuzzle
from tests.support.helpers import RULES, every_rule, scattered

FAMILIES = [(2, 3, 1), (3, 3, 1), (3, 4, 1), (4, 3, 1), (4, 4, 1), (3, 6, 1), (2, 6, 1), (4, 5, 2)]


def solvable(board: SortPuzzle) -> bool:
    findings = Findings(board, "astar")
    AStar().run(board, findings)
    assert findings.settled
    return findings.status is Status.OPTIMAL


@pytest.mark.parametrize(("colours", "capacity", "empty"), FAMILIES)
@every_rule
def test_decides_boards_of_full_and_empty_tubes(rule, colours, capacity, empty):
    boards = random_boards(rule, colours, capacity, empty)
    for _ in range(25):
        board = next(boards).puzzle
        assert isinstance(board, SortPuzzle)
        assert search_tables(board, 10**6)[0] == solvable(board)


def test_never_calls_a_solvable_board_unsolvable_whatever_its_start():
    """Also where a colour fills two tubes."""
    chance = random.Random(7)
    unsolvable = 0
    for _ in range(300):
        goal = "full" if chance.random() < 0.5 else "monochrome"
        board = scattered(chance, chance.choice(RULES), "aaaaaabbbccc", 5, 3, goal)
        way_out, _ = search_tables(board, 10**6)
        if way_out is False:
            unsolvable += 1
            assert not solvable(board)
    assert unsolvable > 20


def test_claims_nothing_about_solvable_boards_and_within_too_few_tables():
    for backend in (Borders(), Borders(max_tables=3)):
        result = solve(load("level-80"), backend, limits=Limits(seconds=600))
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 31)
