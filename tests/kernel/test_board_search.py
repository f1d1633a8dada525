"""A search in slices: at every moment what it says is true, and in the end it is the answer."""

from itertools import islice

import pytest

from bsp_sat import BallSort, Plan, load, random_boards
from bsp_sat.backends.kernel import Search
from tests.support.helpers import answer, board, every_rule, solve_here, under_both_rules


@pytest.mark.parametrize("homes", [True, False])
@pytest.mark.parametrize("any_plan_first", [True, False])
def test_every_slice_says_what_is_true(any_plan_first, homes):
    for instance in list(under_both_rules("small.jsonl"))[::5]:
        optimum = None if instance.known_answer == "unsolvable" else instance.known_answer
        search = Search(instance.puzzle, homes=homes, any_plan_first=any_plan_first, memory_mb=100)
        while not search.ended:
            assert search.dead is False, instance
            assert optimum is None or search.bound <= optimum, instance
            if search.plan is not None:
                search.plan.replay(instance.puzzle)
                assert len(search.plan) >= optimum, instance
            search.advance(20)
        assert search.settled, instance
        assert search.dead is (optimum is None), instance
        assert optimum is None or (len(search.plan), search.bound) == (optimum, optimum), instance


def test_a_plan_that_is_known_is_improved_on():
    puzzle = board(BallSort, "ab|ba|-|-", 2)
    detour = [(0, 2), (1, 2), (2, 1), (2, 0), *solve_here("astar", puzzle).plan.moves]
    search = Search(puzzle)
    search.take(Plan(tuple(puzzle.move_from_json(list(move)) for move in detour)))
    assert len(search.plan) == 7
    search.advance(1_000)
    assert (search.settled, len(search.plan)) == (True, 3)


def test_a_bound_that_is_known_settles_a_plan_of_that_length():
    puzzle = load("level-80")
    shortest = solve_here("kernel", puzzle).plan
    search = Search(puzzle, bound=len(shortest))
    search.take(shortest)
    assert (search.settled, search.expansions) == (True, 0)


@every_rule
def test_the_first_plan_is_a_shortest_one_where_no_other_is_looked_for(rule):
    for instance in islice(random_boards(rule, 5, 4, 2, seed=2), 5):
        search = Search(instance.puzzle, any_plan_first=False)
        search.advance(1_000_000)
        assert len(search.plan) == search.bound == answer(solve_here("astar", instance.puzzle))
