"""Exact strategies against all plays of all fillings, by the naive program of `tests.support.naive_variants`."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from bsp_sat.apps.covered.board import arrangements
from bsp_sat.apps.covered.strategy import NotSolved, Strategy, check_strategy
from bsp_sat.apps.covered.study import HiddenStudy, study
from bsp_sat.instances.errors import IllegalMove, Unsupported
from bsp_sat.instances.sorting import WaterSort
from tests.apps.covered.games import (
    boards_with_locks_or_corks,
    checked_study,
    compared,
    read,
    wanting_board,
    with_unknown_cells,
)
from tests.support.command import invoke
from tests.support.naive_variants import board_with_rules, strategy_values


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 600), marks=pytest.mark.slow)])
def test_values_are_those_of_all_plays(seeds):
    boards = with_unknown_cells(board_with_rules(seed, most_unknown=3) for seed in seeds)
    assert sum(compared(board, longest=9, extra=2) for board, _ in boards)


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 1_000), marks=pytest.mark.slow)])
def test_values_at_the_goal_wanted_are_those_of_all_plays(seeds):
    """Cells may stay unknown there; once the search ended with an assertion, or with far too many moves."""
    few = [board for board, position in with_unknown_cells(map(wanting_board, seeds)) if arrangements(position) <= 20]
    assert sum(compared(board, longest=9, extra=2) for board in few) > len(few) / 3


def blocks(some: int) -> pytest.MarkDecorator:
    """The first ``some`` boards with locks or corks, and with --slow 2,000, in blocks."""
    rest = (pytest.param(n, 200, marks=pytest.mark.slow) for n in range(0, 2_000, 200))
    return pytest.mark.parametrize(("first", "count"), [(0, some), *rest])


@blocks(25)
def test_values_with_locks_and_corks_are_those_of_all_plays(first, count):
    boards = islice(boards_with_locks_or_corks(), first, first + count)
    few = [board for board, position in boards if arrangements(position) <= 20]
    assert sum(compared(board, longest=9, extra=2) for board in few) > len(few) / 5


RUN_BELOW_A_LOCK = {
    "puzzle": "water-sort",
    "capacity": 3,
    "reveal": "run",
    "tubes": [["r", None, "r"], [None, None, "b"], ["g", "g", None], []],
    "hidden": [[False, True, False], [True, True, False], [False, False, True], []],
    "colours": {"r": 3, "g": 3, "b": 3},
    "locked": [{"tube": 1, "until": 1}],
}


def test_a_lock_that_opens_shows_the_run_below_a_known_top():
    """The top is known and isn't covered: whether its run goes on shows only when the lock opens."""
    found = checked_study(read(RUN_BELOW_A_LOCK))
    assert (found.solvable, found.average.value) == (3, 13)
    worst, mean = strategy_values(RUN_BELOW_A_LOCK)
    assert (worst, mean) == (found.worst.value, pytest.approx(13 / 3))


DEDUCED = {
    "puzzle": "ball-sort",
    "capacity": 3,
    "reveal": "run",
    "tubes": [["r", None, None], ["g", "g", None], [None, "r"], ["b"]],
    "hidden": [[False, True, True], [False, False, True], [True, True], [False]],
    "colours": {"r": 3, "g": 3, "b": 3},
    "locked": [{"tube": 0, "until": 1}],
}


def test_branches_list_all_that_shows_though_some_follows_from_the_rest():
    """Red in the third tube leaves only blue for the first: that branch must not agree where blue shows otherwise."""
    strategy = checked_study(read(DEDUCED)).worst.strategy
    listed = {branch.see: branch.opened for branch in strategy.then}
    assert listed == {
        ((0, 2, "r"), (1, 2, "g")): (0,),
        ((0, 2, "b"), (1, 2, "g")): (0,),
        ((0, 1, "b"), (0, 2, "b"), (1, 2, "g"), (2, 0, "r")): (0,),
    }


BOARD = "?bca|?cab|a?bc|-|-"


def test_a_board_may_be_solved_at_the_start():
    """Then nothing else is done, though further cells may show as well."""
    tubes = [[None, "c"], [None, None], [None, None], []]
    fields = {"locked": [{"tube": 2, "until": "c"}], "colours": dict.fromkeys("cde", 2), "reveal": "cell"}
    board = WaterSort.from_json({"capacity": 2, "tubes": tubes, **fields})
    assert checked_study(board).status == "optimal"


def test_a_damaged_strategy_is_caught():
    board = WaterSort.from_text(BOARD)
    strategy = checked_study(board).worst.strategy
    with pytest.raises(NotSolved, match="not solved"):
        check_strategy(board, Strategy(strategy.moves))
    with pytest.raises(NotSolved, match="nothing to do"):
        check_strategy(board, replace(strategy, then=strategy.then[1:]))
    with pytest.raises(IllegalMove, match="tube 5 is empty"):
        check_strategy(board, replace(strategy, moves=(*strategy.moves, strategy.moves[0]._replace(source=4))))
    with pytest.raises(NotSolved, match="several things"):
        check_strategy(board, replace(strategy, then=strategy.then * 2))


def test_the_worst_case_may_need_more_than_any_filling():
    """Seven colours, six hidden cells, found by trying seeds: 21 moves where no filling needs more than 20."""
    board = WaterSort.from_text("2265|3??0|5552|?4?4|61?6|3106|33?4|-|-")
    found = checked_study(board)
    assert (found.longest, found.worst.value) == (20, 21)


def test_many_fillings_are_drawn_and_bounds_are_proved():
    board = WaterSort.from_text("???a|???b|???c|???d|-|-")
    found = study(board, most_fillings=10, seconds=600)
    assert found.fillings is None
    assert found.status == "unknown"
    assert found.worst.bound == found.longest > 0
    assert found.interval is not None


def test_a_limit_on_time_leaves_what_is_proved():
    board = WaterSort.from_text(BOARD)
    found = study(board, is_stopped=lambda: True)
    assert found.status == "unknown"
    assert found.worst.bound == 0
    assert "stopped" in found.notes[-1]


def test_more_arrangements_than_python_writes_digits():
    tubes = [[None] * 24 + [f"c{tube}"] for tube in range(95)] + [[], []]
    board = WaterSort.from_json({"capacity": 25, "tubes": tubes})
    assert arrangements(board) > 10**4300
    with pytest.raises(Unsupported, match="64 colours"):  # after the note on how many there are
        study(board)
    assert HiddenStudy(10**5000).to_json()["arrangements"] is None
    assert json.loads(json.dumps(HiddenStudy(10**4000).to_json()))["arrangements"] == 10**4000


@pytest.mark.parametrize(
    ("text", "topics", "words"),
    [
        ("?bca|?cab|a?bc|-|-", "plan bound trust", "shortest plan has 10 moves, and every strategy needs them"),
        ("???a|???b|???c|???d|-|-\ncolours a4 b4 c4 d4", "open bound trust", "Only 200 fillings were examined"),
        (
            "?aab|?bba|-\ncolours a4 b4\nno-out 1 2",
            "refuted trust",
            "Each of 2 fillings was searched to the end: none has a plan.",
        ),
    ],
)
def test_explain_tells_how_what_is_known_of_hidden_cells_was_found(text, topics, words):
    for options in ((), ("--json",)):
        _, output = invoke("solve", "-", "--puzzle", "water-sort", "--explain", *options, stdin=text)
        if options:
            told = json.loads(output)["explanation"]
            assert " ".join(reason["topic"] for reason in told) == topics
            assert words in " ".join(reason["words"] for reason in told)
        else:
            assert words in " ".join(output.split())
