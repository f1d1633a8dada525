"""Colours that don't show: against all fillings with all names, by the naive program of `tests.support.naive_variants`."""

from math import factorial

import pytest

from bsp_sat.exploring.strategy import check_strategy
from bsp_sat.exploring.study import study
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import HiddenSort
from tests.support.naive_variants import Game, fillings, random_unseen_board, strategy_values, with_names

LONGEST = 8


def read(board):
    return PUZZLES[board["puzzle"]].from_json(board)


@pytest.mark.parametrize("first", [0, 25, *(pytest.param(n, marks=pytest.mark.slow) for n in range(50, 1_000, 25))])
def test_values_are_those_of_all_plays_of_all_named_fillings(first):
    compared = 0
    for seed in range(first, first + 25):
        board = random_unseen_board(seed)
        named, names = with_names(board)
        filled = fillings(named)
        try:
            position = read(board)
        except BoardError:
            assert not filled or named["colours"]
            continue
        if not isinstance(position, HiddenSort):
            continue
        assert len(position.unseen) == len(names)
        ways = factorial(len(names))
        optima = [Game(each).optimum() for each in filled]
        found = study(position)
        assert found.fillings * ways == len(filled), (seed, board)
        assert found.solvable * ways == sum(optimum is not None for optimum in optima), (seed, board)
        if not found.solvable:
            assert found.status == "unsolvable"
            continue
        longest = max(optimum for optimum in optima if optimum is not None)
        if longest > LONGEST:
            continue
        worst, mean = strategy_values(named, longest + 2)
        if worst is None:
            assert found.worst.value is None or found.worst.value > longest + 2
            continue
        assert found.worst.value == worst, (seed, board)
        assert found.average.value / found.solvable == pytest.approx(mean), (seed, board)
        compared += len(names) > 1
    assert compared
