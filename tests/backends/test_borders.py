"""The border argument against exhausted search."""

import random

import pytest

from bsp_sat import BallSort, Limits, Status, WaterSort, load, random_boards, solve
from bsp_sat.backends.result import Findings
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders, search_tables
from bsp_sat.instances.sorting import SortPuzzle
from tests.support.helpers import solve_here

FAMILIES = [(2, 3, 1), (3, 3, 1), (3, 4, 1), (4, 3, 1), (4, 4, 1), (3, 6, 1), (2, 6, 1), (4, 5, 2)]


def solvable(board: SortPuzzle) -> bool:
    findings = Findings(board, "astar")
    AStar().run(board, findings)
    assert findings.settled
    return findings.status is Status.OPTIMAL


@pytest.mark.parametrize(("colours", "capacity", "empty"), FAMILIES)
@pytest.mark.parametrize("rule", [BallSort, WaterSort])
def test_decides_boards_of_full_and_empty_tubes(
    rule: type[SortPuzzle], colours: int, capacity: int, empty: int
) -> None:
    boards = random_boards(rule, colours, capacity, empty)
    for _ in range(25):
        board = next(boards).puzzle
        assert isinstance(board, SortPuzzle)
        assert search_tables(board, 10**6)[0] == solvable(board)


def test_never_calls_a_solvable_board_unsolvable_whatever_its_start() -> None:
    chance = random.Random(7)
    unsolvable = 0
    for seed in range(300):
        board = _scrambled(chance, seed)
        way_out, _ = search_tables(board, 10**6)
        if way_out is False:
            unsolvable += 1
            assert not solvable(board)
    assert unsolvable > 20


def _scrambled(chance: random.Random, seed: int) -> SortPuzzle:
    """Tubes partly filled, and a colour that fills two of them."""
    tubes: list[list[int | str]] = [[] for _ in range(5)]
    balls = [colour for colour in (0, 0, 1, 2) for _ in range(3)]
    random.Random(seed).shuffle(balls)
    for ball in balls:
        chance.choice([tube for tube in tubes if len(tube) < 3]).append(ball)
    return chance.choice([BallSort, WaterSort]).from_tubes(tubes, 3, chance.choice(["full", "monochrome"]))


def test_says_which_argument_it_was() -> None:
    result = solve_here("auto", BallSort.from_text("abcd|abcd|abcd|abcd|-"), max_steps=10)
    assert (result.status, result.stats["settled_by"], result.reason) == (
        Status.UNSOLVABLE,
        "borders",
        "border argument",
    )


def test_claims_nothing_about_solvable_boards_and_within_too_few_tables() -> None:
    for backend in (Borders(), Borders(max_tables=3)):
        result = solve(load("level-80"), backend, limits=Limits(seconds=20))
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 31)
