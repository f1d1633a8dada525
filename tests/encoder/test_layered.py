"""The layered encoding against search, unsolvable boards included."""

import random

import pytest

from bsp_sat import BallSort, Status, random_boards
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.encoder.layered.encoding import Layered
from tests.support.helpers import answer, board, solve_here

LAYERED = Sat(Layered(), head_start=False)
FAMILIES = [(2, 3, 1), (2, 5, 1), (3, 3, 1), (3, 4, 1), (3, 3, 2), (4, 3, 1), (4, 3, 2)]


@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize(("colours", "capacity", "empty"), FAMILIES)
@pytest.mark.sampled(every=4)
def test_layered_agrees_with_search(colours, capacity, empty, seed):
    puzzle = next(random_boards(BallSort, colours, capacity, empty, seed=seed)).puzzle
    assert answer(solve_here(LAYERED, puzzle)) == answer(solve_here("astar", puzzle))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sampled(every=6)
def test_layered_agrees_with_search_on_partly_filled_tubes_and_colours_of_several_tubes(seed):
    chance = random.Random(seed)
    tubes = [[] for _ in range(5)]
    balls = [colour for colour in (0, 0, 1, 2) for _ in range(3)]
    chance.shuffle(balls)
    for ball in balls:
        chance.choice([tube for tube in tubes if len(tube) < 3]).append(ball)
    puzzle = BallSort.from_tubes(tubes, 3, chance.choice(["full", "monochrome"]))
    assert answer(solve_here(LAYERED, puzzle)) == answer(solve_here("astar", puzzle))


def test_a_plan_longer_than_asked_for_is_no_answer():
    puzzle = board(BallSort, "cab|abc|bca|-", 3)
    optimum = answer(solve_here(LAYERED, puzzle))
    result = solve_here(LAYERED, puzzle, optimum - 1)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, optimum)
