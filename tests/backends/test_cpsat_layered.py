"""The layered model of CP-SAT against search: both goals, colours of several tubes, devices on and off."""

import random

import pytest

from bsp_sat import BallSort, Status
from bsp_sat.backends.cpsat.backend import CpSat
from tests.support import naive
from tests.support.helpers import answer, board, scattered, solve_here

LAYERED = CpSat(layered=True, guide=False)
FORMS = {"devices": LAYERED, "plain": CpSat(layered=True, guide=False, break_symmetry=False)}


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 300), marks=pytest.mark.slow)])
def test_the_layered_model_agrees_on_partly_filled_tubes_and_colours_of_several_tubes(seeds):
    for seed in seeds:
        goal = "full" if seed % 2 else "monochrome"
        puzzle = scattered(random.Random(seed), BallSort, "aaaaaabbbccc", 5, 3, goal)
        expected = answer(solve_here("astar", puzzle))
        for form in FORMS.values():
            assert answer(solve_here(form, puzzle)) == expected, puzzle


CLASSES = [
    ((2, 2), 2, 3, "full"), ((4, 2), 2, 4, "full"), ((2, 2, 2), 2, 4, "full"), ((3, 3), 3, 3, "full"),
    ((4, 4), 4, 3, "full"), ((3, 1), 2, 4, "monochrome"), ((4, 3), 3, 4, "monochrome"),
]  # fmt: skip


@pytest.mark.parametrize(("counts", "capacity", "tubes", "goal"), CLASSES, ids=str)
def test_every_board_of_a_class_has_its_distance(counts, capacity, tubes, goal, one_in):
    boards = set(naive.all_boards(counts, capacity, tubes))
    exact = naive.distances(boards, capacity, goal, water=False, tubes_in_order=True)
    for tubes_then in sorted(boards)[:: one_in(1 + len(boards) // 5)]:
        puzzle = BallSort(tubes_then, capacity, goal, tuple("abc"))
        for form in FORMS.values():
            assert answer(solve_here(form, puzzle)) == exact.get(tubes_then, "unsolvable"), puzzle


@pytest.mark.parametrize("blocks", [1, 2, 7])
def test_layers_are_enough_for_a_dig_of_each_block_and_two_layers_before_between_and_after(blocks):
    """The argument is in the module; no board is known that needs so many."""
    from bsp_sat.backends.cpsat.layered import enough_layers  # which loads OR-Tools

    assert enough_layers(blocks) == blocks + 2 * (blocks + 1)
    assert enough_layers(blocks, 1) == min(blocks + 1, enough_layers(blocks))
    assert enough_layers(blocks, 100) == enough_layers(blocks)


def test_devices_can_be_switched_off():
    """Or the comparisons above compare nothing."""
    puzzle = board(BallSort, "cab|abc|bca|-", 3)
    with_them, without = (solve_here(form, puzzle) for form in FORMS.values())
    assert with_them.stats["branches"] != without.stats["branches"]


def test_proves_boards_unsolvable_without_the_border_argument():
    for text in ("ab|ba", "302|310|322|011|-"):
        result = solve_here(LAYERED, board(BallSort, text, len(text.partition("|")[0])))
        assert (result.status, result.reason) == (Status.UNSOLVABLE, "infeasible without a bound on the length")


def test_a_limit_below_the_optimum_proves_one_move_more():
    puzzle = board(BallSort, "cab|abc|bca|-", 3)
    optimum = answer(solve_here("astar", puzzle))
    for backend in (LAYERED, CpSat(layered=True)):
        result = solve_here(backend, puzzle, optimum - 1)
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, optimum)
        assert answer(solve_here(backend, puzzle, optimum)) == optimum
