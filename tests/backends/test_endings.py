"""What is said of each way that a run can end: first what is proved, then what to try."""

import pytest

from bsp_sat import BallSort, Limits, Plan, Pour, Result, Status, Tiles, Unsupported, load, make_backend, solve
from bsp_sat.backends.result import ADVICE, Ending, read_result
from bsp_sat.instances.files import parse_instances
from tests.support.helpers import board, solve_here

PUZZLE = board(BallSort, "ab|ba|-", 2)
PLAN = Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2)))
LONGER = Plan((*PLAN.moves, Pour(2, 1), Pour(1, 2)))


def said(status, plan, bound, ending=Ending.DONE, max_steps=None, reason="because"):
    return str(Result(status, plan, bound, reason, "astar", ending=ending, max_steps=max_steps))


def test_what_is_settled_is_said_in_one_sentence():
    assert said(Status.OPTIMAL, PLAN, 3) == "Optimal: 3 moves. No plan is shorter."
    assert said(Status.OPTIMAL, Plan(()), 0) == "Optimal: 0 moves. No plan is shorter."
    assert said(Status.UNSOLVABLE, None, None) == "Unsolvable: no plan exists, proved (because)."


@pytest.mark.parametrize(
    ("backend", "most"),
    [(name, 8) for name in ("auto", "sat", "cpsat", "kernel", "astar", "bfs", "dfs")] + [("sat", 5)],
)
def test_a_bound_below_that_of_the_board_is_too_small_whatever_the_backend(backend, most):
    result = solve_here(backend, board(BallSort, "caac|bbac|bbac|-", 4), most)
    assert str(result).startswith(
        f"Every plan has at least 9 moves, so there is none within {most}. Allow more moves, or set no limit."
    )
    assert (result.status, result.reason, result.settled) == (Status.UNKNOWN, f"no plan within {most} moves", True)


def test_a_bound_that_a_search_shows_to_be_too_small():
    assert str(solve(load("level-80"), limits=Limits(37))).startswith("Every plan has at least 38 moves, so there is")


def test_what_is_proved_of_a_bound_that_may_be_enough():
    assert said(Status.UNKNOWN, None, 31, Ending.TIME, 40, "time limit of 5 s reached") == (
        "Unknown: at least 31 moves; no plan of at most 40 moves yet, the board may have none "
        "(time limit of 5 s reached). Allow more time."
    )


@pytest.mark.parametrize("ending", Ending)
def test_each_ending_says_what_is_open_why_and_what_to_try(ending):
    unknown = "Unknown: at least 1 move; no plan yet, the board may have none (because)."
    assert said(Status.UNKNOWN, None, 1, ending) == f"{unknown} {ADVICE[ending]}"
    feasible = "Feasible: 5 moves; no plan has fewer than 3 (because)."
    assert said(Status.FEASIBLE, LONGER, 3, ending) == f"{feasible} {ADVICE[ending]}"


def test_nothing_is_said_of_a_bound_that_isn_t_proved():
    assert said(Status.UNKNOWN, None, 0).startswith("Unknown: no plan yet, the board may have none (because).")
    assert said(Status.FEASIBLE, PLAN, 0).startswith("Feasible: 3 moves (because).")


def test_who_refuses_a_board_names_who_takes_it():
    with pytest.raises(Unsupported, match=r"^backend kernel takes .* not tiles; the default, auto, takes it$"):
        make_backend("kernel").check(Tiles.from_columns([["a"]]))


def test_the_default_is_not_offered_for_what_it_does_not_take():
    for name in ("kernel", "auto"):
        with pytest.raises(Unsupported, match=r"hidden cells; `bsp-sat play` and, in Python, Explorer [^,]*$"):
            make_backend(name).check(parse_instances("?bca|?cab|a?bc|-|-")[0].puzzle)


def test_a_result_from_a_file_says_the_same():
    result = solve_here("astar", PUZZLE, 2)
    assert str(read_result(PUZZLE, result.to_json(PUZZLE))) == str(result)
    assert "max_steps" not in solve_here("astar", PUZZLE).to_json(PUZZLE)
