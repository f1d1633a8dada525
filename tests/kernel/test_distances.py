"""Lengths of filled boards, by tables that are kept, against breadth-first search of each board."""

from functools import cache
from itertools import count, islice
from random import Random

import pytest

from bsp_sat.apps.covered.board import Cells, fillings_of
from bsp_sat.apps.covered.looking import seen_cases
from bsp_sat.backends.kernel import Distances
from bsp_sat.backends.kernel.batches import distances as batches
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import WaterSort, is_hidden
from tests.apps.covered.games import with_unknown_cells
from tests.support.helpers import solve_here
from tests.support.naive_variants import board_with_rules


def boards():
    either = ({**fields, "reveal": reveal} for fields in map(board_with_rules, count()) for reveal in ("run", "cell"))
    for _, position in islice(with_unknown_cells(either), 24):
        yield position
    yield next(random_boards(WaterSort, 4, seed=2, hide="tops")).puzzle


@cache
def shortest(board):
    """By breadth-first search in Python; None without a plan."""
    return solve_here("bfs", board).length


@pytest.mark.parametrize("board", list(boards()), ids=lambda board: board.summary())
def test_filled_boards_have_the_lengths_of_their_shortest_plans(board):
    """After each move of a game, before and after the look, for a few fillings."""
    chance = Random(1)
    fillings = tuple(fillings_of(board))
    fillings = tuple(chance.sample(fillings, min(5, len(fillings))))
    cells = Cells(board.unknown)
    distances = Distances([cells.filled(board, filling) for filling in fillings])
    part = chance.choice(seen_cases(board, cells, fillings))
    for _ in range(8):
        moves = list(part.board.legal_moves())
        if part.effects.solved or not is_hidden(part.board) or not moves:
            break
        after = part.board.apply(chance.choice(moves))
        parts = seen_cases(after, cells, part.fillings)
        for part in parts:
            for filling in part.fillings:
                truth = after
                if is_hidden(after):
                    truth = cells.filled(after, filling)
                exact = shortest(truth)
                assert distances.length_filled(after, cells.places, filling) == exact
                assert part.effects.solved or distances.length_filled(part.board, cells.places, filling) == exact
        part = chance.choice(parts)


def test_each_search_counts_as_effort_and_what_is_known_does_not(monkeypatch):
    monkeypatch.setattr(batches, "EACH_SEARCH", 1_000_000)
    board = next(random_boards(WaterSort, 4, seed=2, hide="tops")).puzzle
    cells, fillings = Cells(board.unknown), list(islice(fillings_of(board), 5))
    distances = Distances([cells.filled(board, filling) for filling in fillings])
    efforts = []
    for _ in range(2):
        for filling in fillings:
            distances.length_filled(board, cells.places, filling)
        efforts.append(distances.effort)
    assert efforts[1] == efforts[0] >= 5_000_000


def test_a_time_limit_ends_them_while_contents_are_numbered():
    """Which takes a minute for two hundred fillings of sixty tubes of 25 balls."""
    board = next(random_boards(WaterSort, 4, seed=2, hide="tops")).puzzle
    cells, filled = Cells(board.unknown), iter(range(3))

    def interrupt():
        if next(filled, None) is None:
            raise TimeoutError

    boards = [cells.filled(board, filling) for filling in islice(fillings_of(board), 10)]
    with pytest.raises(TimeoutError):
        Distances(boards, interrupt)
