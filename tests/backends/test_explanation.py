"""How an answer was proved, in words that rest on facts of the result."""

from dataclasses import replace

import pytest

from bsp_sat import BACKENDS, BallSort, Limits, Result, Status, load, make_backend, solve
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.explanation import Topic, explained
from bsp_sat.instances.tiles import Tiles
from tests.support.command import bsp_sat
from tests.support.helpers import backends_for, board, read_one, solve_here

LEVEL = load("level-80")
EASY = board(BallSort, "caac|bbac|bbac|-", 4)
STUCK = board(BallSort, "abcd|abcd|abcd|abcd|-", 4)


def said(puzzle, result):
    return {str(reason.topic): reason.words for reason in explained(puzzle, result)}


def test_a_search_tells_its_bound_and_what_it_looked_at():
    result = solve(LEVEL)
    words = said(LEVEL, result)
    assert list(words) == [Topic.PLAN, Topic.BOUND, Topic.REFUTED, Topic.TRUST]
    assert words["bound"].startswith("Every plan has 31 moves or more.")
    assert f"plans of 31 to 37 moves: it looked at {result.stats['expansions']:,} states" in words["refuted"]
    assert "docs/search.md" in words["trust"]


@pytest.mark.parametrize(("choice", "times", "found"), [("", 4, " and found a plan"), (":head-start", 3, "")])
def test_sat_tells_its_horizons(choice, times, found):
    words = said(EASY, solve_here(f"sat:sequential{choice}", EASY))
    assert words["horizons"].startswith(f"cadical195 was asked {times} times (encoding sequential). It refuted")
    assert f"plans of exactly 9 to 11 moves{found}: " in words["horizons"]
    assert "docs/encodings.md" in words["trust"]


def test_horizons_that_were_skipped_are_not_claimed():
    words = said(EASY, solve_here("sat:homes", EASY))
    assert "plans of at most 9 and 11 moves" in words["horizons"]


@pytest.mark.parametrize(
    ("backend", "part"), [("sat:head-start", "nothing was left to ask."), ("sat", ". It found a plan: ")]
)
def test_a_solver_is_not_trusted_where_a_plan_is_as_short_as_the_bound(backend, part):
    shot = load("shot-literate")
    words = said(shot, solve_here(backend, shot))
    assert part in words["horizons"]
    assert words["trust"] == "The rules, and their lower bound (docs/search.md)."


@pytest.mark.parametrize("backend", ["borders", "cpsat:layered"])
def test_the_border_argument_is_named_for_every_backend_that_runs_it(backend):
    words = said(STUCK, solve_here(backend, STUCK))
    assert "tables of what is left" in words["refuted"]
    assert words["trust"] == "The border argument (backends/search/borders.py)."


@pytest.mark.parametrize(
    ("rules", "words"), [("", "No move is possible, as no tube has room"), ("\nno-out 1 2\n-", "No move is possible")]
)
def test_a_board_without_a_move_says_so(rules, words):
    stuck = read_one(f"capacity 2\nab\nba{rules}").puzzle
    result = solve(stuck)
    assert said(stuck, result)["refuted"] == f"{words}."
    assert result.notes == (f"n{words[1:]}",)
    shown = bsp_sat("show", "-", stdin=stuck.to_text()).stdout
    assert f"{words}." in shown
    assert "Every plan" not in shown


def test_one_state_is_no_several_states():
    stuck = board(BallSort, "ab|ba|-|-", 2)
    result = replace(solve_here("astar", STUCK), stats={"expansions": 1})
    assert (
        said(stuck, result)["refuted"] == "The search looked at 1 state, for all that can follow, and none is solved."
    )
    result = replace(solve_here("borders", STUCK), stats={"tables": 1})
    assert "All orders were tried, 1 table of what is left" in said(stuck, result)["refuted"]


def test_without_plan_within_a_bound_the_rest_is_open():
    words = said(LEVEL, solve(LEVEL, limits=Limits(37)))
    assert words["open"] == "Whether there is a plan of more than 37 moves isn't known."
    assert words["refuted"].startswith("A search excluded plans of 31 to 37 moves")


def test_the_explanation_says_what_stays_open():
    cut = Result(Status.UNKNOWN, None, 33, "time limit of 1 s reached", "auto")
    assert said(LEVEL, cut)["open"] == "Whether there is a plan isn't known. If so, it has 33 moves or more."
    plan = solve(LEVEL).plan
    feasible = Result(Status.FEASIBLE, plan, 33, "interrupted", "auto")
    assert said(LEVEL, feasible)["open"] == "Whether 38 moves are the fewest isn't known: 33 or more are needed."


def test_a_backend_without_bounds_is_trusted_with_none():
    words = said(LEVEL, solve_here("heuristic", LEVEL))
    assert "bound" not in words
    assert words["trust"] == "The rules alone."


@pytest.mark.parametrize("backend", sorted(BACKENDS))
def test_every_backend_that_proves_something_says_what_that_rests_on(backend):
    boards = (
        EASY,
        Tiles.from_columns([[1, 2, 1], [2, 1, 2], [1, 1, 2]]),
        next(partition_boards(BallSort, 2, 12, solvable=True)).puzzle,
    )
    puzzle = next(puzzle for puzzle in boards if backend in backends_for(puzzle))
    assert make_backend(backend).rests_on
    assert said(puzzle, solve_here(backend, puzzle))["trust"].endswith(".")


def test_a_backend_from_elsewhere_is_named():
    words = said(LEVEL, replace(solve(LEVEL), backend="patient", stats={}))
    assert words["refuted"] == "Plans of 31 to 37 moves were excluded by the backend patient."
    assert words["trust"] == "The rules, and the argument of the backend."
