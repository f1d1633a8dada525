"""Boards whose tubes have rules: every method against the naive program of `tests.support.naive_variants`."""

import pytest

from bsp_sat.backends.count import count_plans
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.backends.solve import solve
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.encoder.sequential.encoding import Sequential
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import COVERED, TUBE_RULES
from tests.support.helpers import answer, backends_for, solve_here
from tests.support.naive_variants import Game, random_board
from tests.support.plain_variants import PLAIN, count_by_models

SEARCHES = (
    AStar(),
    AStar(bound=False),
    AStar(prunings=frozenset()),
    AStar(bound=False, prunings=frozenset(), symmetry=False),
    BreadthFirst(),
    Kernel(),
)
DEVICES = (
    Sequential(),
    PLAIN[Sequential],
    Sequential(budget=False),
    Sequential(break_symmetry=False),
    Sequential(order_commuting=False),
)
FEATURES = ("capacities", "locked", "one_way", "accepts", "whole_pours", "cork", "cells", "gathered")
BLOCK = 20


def read(board):
    return PUZZLES[board["puzzle"]].from_json(board)


def agree_on(seeds, backends, **features):
    solvable = unsolvable = 0
    for seed in seeds:
        board = random_board(seed, **features)
        optimum = Game(board).optimum()
        for backend in backends:
            expected = "unsolvable" if optimum is None else optimum
            assert answer(solve_here(backend, read(board))) == expected, (seed, backend, board)
        solvable += optimum is not None
        unsolvable += optimum is None
    return solvable, unsolvable


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(BLOCK, 2000, BLOCK))])
def test_every_search_finds_the_optimum(first):
    solvable, unsolvable = agree_on(range(first, first + BLOCK), SEARCHES)
    assert solvable
    assert unsolvable


@pytest.mark.parametrize("feature", FEATURES)
def test_each_rule_alone_changes_the_moves_as_the_naive_program_says(feature):
    agree_on(range(8), (AStar(), Kernel(), BreadthFirst()), **{feature: True})


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(BLOCK, 400, BLOCK))])
def test_sequential_finds_the_optimum_and_refutes_less(first):
    for seed in range(first, first + BLOCK):
        board = {**random_board(seed), "hidden": [], "reveal": "run"}
        optimum = Game({key: value for key, value in board.items() if key != "hidden"}).optimum()
        most = 4 if optimum is None else optimum
        if most > 9:
            continue
        for encoding in DEVICES:
            found = answer(solve_here(Sat(encoding, head_start=False), read(board), most))
            assert found == ("unknown" if optimum is None else optimum), (seed, encoding, board)
        if optimum is not None and optimum < 7:
            assert count_by_models(read(board), optimum) == count_plans(read(board), optimum), (seed, board)


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(8, 100, 8))])
def test_cp_sats_own_model_finds_the_optimum(first):
    for seed in range(first, first + 8):
        board = {**random_board(seed), "hidden": [], "reveal": "run"}
        optimum = Game({key: value for key, value in board.items() if key != "hidden"}).optimum()
        most = 4 if optimum is None else optimum
        if most <= 9:
            found = answer(solve_here(CpSat(Sequential(), head_start=False), read(board), most))
            assert found == ("unknown" if optimum is None else optimum), (seed, board)


def test_bounds_never_exceed_the_distance_and_are_0_at_goals_only():
    seen = 0
    for seed in range(40):
        board = random_board(seed)
        game, position = Game(board), read(board)
        if (optimum := game.optimum()) is None:
            continue
        result = solve_here(AStar(bound=False), position)
        for left, move in zip(range(optimum, 0, -1), result.plan, strict=True):
            assert 1 <= position.lower_bound() <= left
            position = position.apply(move)
            seen += 1
        assert position.lower_bound() == 0
    assert seen > 100


def test_moves_and_what_they_lead_to_are_those_of_the_naive_program():
    for seed in range(60):
        board = random_board(seed)
        game, position = Game(board), read(board)
        state = game.start()
        for step in range(12):
            after = game.moves(state)
            assert {tuple(move) for move in position.legal_moves()} == set(after), (seed, step, board)
            assert position.is_goal() == game.is_goal(state)
            for source in range(len(board["tubes"])):
                for target in range(len(board["tubes"])):
                    move = position.move_from_json([source, target])
                    assert (position.refusal(move) is None) == ((source, target) in after)
            if not after:
                break
            chosen = sorted(after)[seed % len(after)]
            state, position = after[chosen], position.apply(position.move_from_json(list(chosen)))
            assert position.coloured_tubes() == [list(tube) for tube in state.tubes]


def test_what_takes_which_boards_is_said():
    locked = read({**random_board(0, locked=True), "puzzle": "ball-sort", "goal": "full"})
    assert not locked.is_plain
    for name in ("order", "homes"):
        with pytest.raises(Unsupported, match=r"takes no .* boards with locked tubes"):
            ENCODINGS[name].check(locked)
    assert {"auto", "astar", "bfs", "kernel", "sat", "cpsat"} <= set(backends_for(locked))
    assert not {"borders", "heuristic", "partition"} & set(backends_for(locked))


def test_sequential_takes_no_cells_that_are_uncovered_one_by_one():
    assert COVERED in TUBE_RULES
    assert COVERED not in Sequential.scope.features


def test_solve_answers_with_auto_and_replays():
    board = {
        "puzzle": "water-sort",
        "capacity": 4,
        "tubes": [["r", "g", "b", "b"], ["b", "r", "g", "r"], ["g", "b", "r", "g"], [], []],
        "capacities": [4, 4, 4, 4, 6],
        "locked": [{"tube": 3, "until": "b"}],
    }
    result = solve(read(board))
    assert answer(result) == Game(board).optimum()
