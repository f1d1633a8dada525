"""Exact strategies against all plays of all fillings, by the naive program of `tests.support.naive_variants`."""

import json
from dataclasses import replace

import pytest

from bsp_sat.backends.kernel import Distances
from bsp_sat.exploring.strategy import NotSolved, Strategy, check_strategy, play
from bsp_sat.exploring.study import HiddenStudy, study
from bsp_sat.instances.errors import IllegalMove, Unsupported
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import HiddenSort, WaterSort
from bsp_sat.instances.sorting.cells import Cells
from tests.support.naive_variants import Game, fillings, random_hidden_board, strategy_values

LONGEST = 9


def read(board):
    return PUZZLES[board["puzzle"]].from_json(board)


@pytest.mark.parametrize("first", [0, 12, *(pytest.param(n, marks=pytest.mark.slow) for n in range(24, 600, 12))])
def test_values_are_those_of_all_plays(first):
    compared = 0
    for seed in range(first, first + 12):
        board = random_hidden_board(seed, most_unknown=3)
        position = read(board)
        if not isinstance(position, HiddenSort):
            continue
        filled = fillings(board)
        assert len(list(position.fillings())) == len(filled), (seed, board)
        optima = [Game(each).optimum() for each in filled]
        if max(optimum or 0 for optimum in optima) > LONGEST:
            continue
        found = study(position)
        assert found.solvable == sum(optimum is not None for optimum in optima), (seed, board)
        if not found.solvable:
            assert found.status == "unsolvable"
            continue
        longest = max(optimum for optimum in optima if optimum is not None)
        worst, mean = strategy_values(board, longest + 2)
        if worst is None:
            assert found.worst.value is None or found.worst.value > longest + 2
            continue
        assert found.worst.value == worst, (seed, board)
        assert found.average.value / found.solvable == pytest.approx(mean), (seed, board)
        compared += 1
    assert compared


BOARD = "?bca|?cab|a?bc|-|-"


def test_a_strategy_is_played_for_every_filling():
    board = WaterSort.from_text(BOARD)
    found = study(board)
    worst = check_strategy(board, found.worst.strategy)
    assert (worst.fillings, worst.worst) == (found.fillings, found.worst.value)
    average = check_strategy(board, found.average.strategy)
    assert average.total == found.average.value <= worst.total
    again = Strategy.from_json(found.worst.strategy.to_json())
    assert again == found.worst.strategy


def test_a_board_may_be_solved_at_the_start():
    """Then nothing else is done, though further cells may show as well."""
    tubes = [[None, "c"], [None, None], [None, None], []]
    fields = {"locked": [{"tube": 2, "until": "c"}], "colours": dict.fromkeys("cde", 2), "reveal": "cell"}
    board = WaterSort.from_json({"capacity": 2, "tubes": tubes, **fields})
    found = study(board)
    cells = Cells.of(board)
    lost = [filling for filling in board.fillings() if not _has_plan(cells.filled(board, filling))]
    assert check_strategy(board, found.worst.strategy, lost).worst == found.worst.value
    assert check_strategy(board, found.average.strategy, lost).total == found.average.value


def _has_plan(board):
    return Distances([board]).length(board) is not None


def test_a_damaged_strategy_is_caught():
    board = WaterSort.from_text(BOARD)
    strategy = study(board).worst.strategy
    with pytest.raises(NotSolved, match="not solved"):
        check_strategy(board, Strategy(strategy.moves))
    with pytest.raises(NotSolved, match="nothing to do"):
        check_strategy(board, replace(strategy, then=strategy.then[1:]))
    with pytest.raises(IllegalMove):
        check_strategy(board, replace(strategy, moves=(*strategy.moves, strategy.moves[0]._replace(source=4))))
    with pytest.raises(NotSolved, match="several things"):
        check_strategy(board, replace(strategy, then=strategy.then * 2))


def test_the_worst_case_may_need_more_than_any_filling():
    """Seven colours, six hidden cells, found by trying seeds: 21 moves where no filling needs more than 20."""
    board = WaterSort.from_text("2265|3??0|5552|?4?4|61?6|3106|33?4|-|-")
    found = study(board)
    assert (found.longest, found.worst.value) == (20, 21)
    assert check_strategy(board, found.worst.strategy).worst == 21


def test_what_follows_from_counts_alone_is_filled_in():
    board = WaterSort.from_text("a?|ba|-")
    assert not isinstance(board, HiddenSort)
    assert board.coloured_tubes()[0] == ["a", "b"]


def test_many_fillings_are_drawn_and_bounds_are_proved():
    board = WaterSort.from_text("???a|???b|???c|???d|-|-")
    found = study(board, most_fillings=10, seconds=60)
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


def test_play_stops_at_an_illegal_move():
    board = WaterSort.from_text("?bca|?cab|a?bc|-|-")
    truth = board.filled(next(board.fillings()))
    with pytest.raises(IllegalMove):
        play(Strategy.from_json({"moves": [[3, 4]]}), truth)


def test_more_arrangements_than_python_writes_digits():
    tubes = [[None] * 24 + [f"c{tube}"] for tube in range(95)] + [[], []]
    board = WaterSort.from_json({"capacity": 25, "tubes": tubes})
    assert board.arrangements() > 10**4300
    with pytest.raises(Unsupported, match="64 colours"):  # after the note on how many there are
        study(board)
    assert HiddenStudy(10**5000).to_json()["arrangements"] is None
    assert json.loads(json.dumps(HiddenStudy(10**4000).to_json()))["arrangements"] == 10**4000
