"""Who checks an answer: never the backend that gave it, and the one without bounds wherever it can."""

from dataclasses import replace

import pytest

from bsp_sat import BACKENDS, BallSort, Limits, Result, Status, load, solve
from bsp_sat.backends import cross_check as module
from bsp_sat.backends.cross_check import compare_claims, cross_check, witnesses_for
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.instances.errors import BackendError
from tests.support.helpers import board, solve_here

PUZZLE = board(BallSort, "caac|bbac|bbac|-", 4)
STUCK = board(BallSort, "abcd|abcd|abcd|abcd|-", 4)


def witnesses(puzzle, answer, max_steps=None):
    found = cross_check(puzzle, answer, lambda backend: solve_here(backend, puzzle, max_steps))
    return [(witness.backend.name, witness.confirms) for witness in found]


def answered_by(name):
    """An answer of `auto` that one backend gave."""
    return replace(solve_here("kernel", PUZZLE), backend="auto", stats={"settled_by": name})


@pytest.mark.parametrize("name", sorted(BACKENDS))
def test_both_searches_check_but_not_the_one_that_answered(name):
    expected = [each for each in ("astar", "bfs") if each != name]
    for answer in (answered_by(name), replace(answered_by(name), backend=name, stats={})):
        assert [witness.name for witness in witnesses_for(answer)] == expected


@pytest.mark.parametrize("name", ["astar", "bfs"])
def test_one_of_them_has_no_bound_and_no_pruning_unless_it_is_the_one_that_is_checked(name):
    rests_on = [witness.rests_on for witness in witnesses_for(answered_by(name))]
    assert rests_on == ["the rules alone"] if name == "astar" else ["the rules, their lower bound and their prunings"]


@pytest.mark.parametrize("backend", ["auto", "sat", "kernel"])
def test_both_searches_confirm_an_answer(backend):
    assert witnesses(PUZZLE, solve(PUZZLE, backend)) == [("astar", True), ("bfs", True)]
    assert witnesses(STUCK, solve(STUCK, backend)) == [("astar", True), ("bfs", True)]


def test_what_the_default_leaves_to_astar_is_not_checked_by_astar():
    puzzle = load("shot-literate")
    answer = solve(puzzle)
    assert (answer.backend, answer.settled_by) == ("auto", "astar")
    assert witnesses(puzzle, answer) == [("bfs", True)]


def test_sat_checks_what_astar_answered_where_bfs_needs_too_many_states(monkeypatch):
    monkeypatch.setattr(module, "FEW_STATES", 10)
    puzzle = load("level-80")
    answer = replace(solve(puzzle), backend="astar", stats={})

    def run(backend):
        return solve_here(backend, puzzle) if backend.name == "bfs" else replace(answer, backend=backend.name)

    found = cross_check(puzzle, answer, run)
    assert [(witness.backend.name, witness.confirms) for witness in found] == [("bfs", False), ("sat", True)]
    assert found[0].result.reason == "more than 10 states"


def test_too_small_a_bound_is_confirmed_as_such():
    assert witnesses(PUZZLE, solve(PUZZLE, limits=Limits(11)), 11) == [("astar", True), ("bfs", True)]


def test_no_plan_within_a_bound_does_not_confirm_that_there_is_none_at_all():
    assert witnesses(STUCK, solve(STUCK), 6) == [("astar", False), ("bfs", False)]


def test_what_is_open_has_no_witness():
    open_answer = Result(Status.UNKNOWN, None, 3, "time limit", "sat")
    assert witnesses(PUZZLE, open_answer) == [("astar", False), ("bfs", False)]


def test_a_bound_that_only_bfs_exceeds_is_a_disagreement():
    wrong = Result(Status.UNKNOWN, None, 13, "", "sat")
    with pytest.raises(BackendError, match="sat claims that every plan has 13 moves or more but astar"):
        witnesses(PUZZLE, wrong)
    assert not compare_claims(PUZZLE, wrong, wrong)


def test_a_claim_that_there_is_no_plan_is_put_in_words():
    wrong = Result(Status.UNSOLVABLE, None, None, "no state is left", "sat")
    expected = r"sat claims that no plan exists \(no state is left\) but astar claims .* 12 moves or more, with the"
    with pytest.raises(BackendError, match=expected):
        witnesses(PUZZLE, wrong)


def test_bfs_gives_up_where_it_would_fill_the_memory():
    result = solve_here(BreadthFirst(max_states=1_000), load("level-80"))
    assert (result.status, result.reason) == (Status.UNKNOWN, "more than 1,000 states")
    assert witnesses_for(answered_by("astar")) == [BreadthFirst(max_states=module.FEW_STATES)]
