"""The heuristic searches: they find plans, and claim nothing about their length."""

from itertools import islice
from statistics import mean

import pytest

from bsp_sat import BallSort, Status, Unsupported, load, make_backend, random_boards
from bsp_sat.backends.baselines.heuristic import DRIVERS, HEURISTICS, Heuristic
from tests.support.helpers import RULES, board, case_id, solve_here, under_both_rules

SMALL = list(under_both_rules("small.jsonl"))
EVERY = [f"heuristic:{driver}:{heuristic}" for driver in DRIVERS for heuristic in HEURISTICS]


@pytest.mark.parametrize("spec", EVERY)
@pytest.mark.parametrize("instance", SMALL[::9], ids=case_id)
@pytest.mark.sampled(every=4)
def test_finds_a_plan_iff_there_is_one(instance, spec):
    result = solve_here(spec, instance.puzzle)
    if instance.known_answer == "unsolvable":
        assert result.status is Status.UNSOLVABLE
    elif instance.known_answer:
        assert (result.status, result.lower_bound) == (Status.FEASIBLE, 0)
        assert result.length >= instance.known_answer
        assert 0 < result.stats["expansions"] <= result.stats["states"]


@pytest.mark.parametrize("spec", EVERY)
@pytest.mark.parametrize("rule", RULES)
def test_a_plan_that_meets_the_bound_is_still_not_called_optimal(rule, spec):
    puzzle = board(rule, "a|a", 2)
    result = solve_here(spec, puzzle)
    assert (result.length, puzzle.lower_bound(), result.status) == (1, 1, Status.FEASIBLE)


@pytest.mark.parametrize("max_steps", range(12))
def test_a_search_that_was_cut_proves_nothing(max_steps):
    result = solve_here("heuristic", board(BallSort, "caac|bbac|bbac|-", 4), max_steps)
    assert result.lower_bound == 0
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert result.length is None or result.length <= max_steps


def test_half_full_tubes_of_one_colour_are_not_mistaken_for_solved():
    puzzle = board(BallSort, "aa|aa|bbb|b", 4)
    for spec in EVERY:
        assert solve_here(spec, puzzle).length == 3


def test_the_two_heuristics_that_were_fast_are_and_the_two_that_were_slow_are_not():
    """As published for ten tubes of four; lengths of 34.65 and 33.75 on its own twenty boards."""
    boards = [instance.puzzle for instance in islice(random_boards(BallSort, 8, 4, 2), 4)]

    def explored(name):
        results = [solve_here(Heuristic(name), puzzle) for puzzle in boards]
        return mean(result.stats["expansions"] for result in results), mean(result.length for result in results)

    (length_states, length_moves), (misplaced_states, misplaced_moves) = map(explored, ("unique-length", "misplaced"))
    assert max(length_states, misplaced_states) * 2 < min(explored("unique-colours")[0], explored("transitions")[0])
    assert 32 < length_moves < 38
    assert 32 < misplaced_moves < 38


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("heuristic:magic", r"heuristic has no choice 'magic', expected driver \(astar, wastar, .*unique-length"),
        ("heuristic:astar:greedy", "backend heuristic: expected one driver, found 'greedy' as well"),
        (
            "heuristic:misplaced:column-weight=1",
            "unknown weight of misplaced 'column-weight', expected one of",
        ),
        ("heuristic:room-weight=nan", "room-weight: expected a number from 0, found nan"),
        ("heuristic:room-weight=-1", "room-weight: expected a number from 0, found -1"),
        ("heuristic:room-weight=much", "room-weight: expected a number, found 'much'"),
        ("heuristic:room-weight=1:room-weight=2", "a setting is given twice"),
    ],
)
def test_a_heuristic_that_does_not_exist_is_refused_by_name(spec, message):
    with pytest.raises(Unsupported, match=message):
        make_backend(spec)


def test_weights_change_the_search():
    assert make_backend("heuristic:room-weight=2:colour-weight=0.5").weights == {"room-weight": 2, "colour-weight": 0.5}
    puzzle = load("level-80")
    found = {solve_here(Heuristic(weights={"column-weight": w}), puzzle).stats["states"] for w in (0, 0.5, 1)}
    assert len(found) == 3


def test_grids_are_refused_as_they_have_no_tubes():
    with pytest.raises(Unsupported, match="takes ball-sort and water-sort boards, not"):
        Heuristic().check(load("shot-literate"))
