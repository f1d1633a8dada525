"""Every pair of rules where balls go anywhere, or into some tubes: each method and checker against exact distances."""

from collections.abc import Iterator
from itertools import combinations, count, islice
from typing import Any

import pytest

from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.cross_check import cross_check
from bsp_sat.backends.proofs.certificate import write_certificate
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.encoder.sequential.formula import Sequential
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting import Pour, SortPuzzle
from tests.proofs.checkers import python_verdict
from tests.support.helpers import answer, from_fields, solve_here
from tests.support.naive_variants import GOALS, OF_WATER, RULES_ANYWHERE, Game, random_anywhere

PAIRS = [
    pair
    for pair in combinations((*GOALS, *RULES_ANYWHERE, *OF_WATER), 2)
    if not {*pair} <= {*GOALS} and not {*pair} <= {*OF_WATER}
]


def boards_of(pair: tuple[str, str]) -> Iterator[tuple[dict[str, Any], SortPuzzle]]:
    """Boards with a pair of rules that can be read, and that aren't solved."""
    for seed in count():
        board = random_anywhere(seed, *pair)
        try:
            position = from_fields(board)
        except BoardError:
            continue
        if not position.is_goal():
            yield board, position


def check_searches(board: dict[str, Any], position: SortPuzzle, optimum: int | None) -> None:
    """Every search finds the optimum, with each of its devices switched off, and the moves are the naive ones."""
    game = Game(board)
    assert {tuple(move) for move in position.legal_moves()} == set(game.moves(game.start())), board
    for source, target in ((i, j) for i in range(len(board["tubes"])) for j in range(len(board["tubes"]))):
        refused = position.refusal(position.move_from_json([source, target]))
        assert (refused is None) == ((source, target) in game.moves(game.start())), (board, refused)
    wanted = "unsolvable" if optimum is None else optimum
    prunings = [AStar(prunings=frozenset({pruning})) for pruning in position.prunings]
    for search in (AStar(), AStar(bound=False), AStar(prunings=frozenset()), *prunings, BreadthFirst()):
        assert answer(solve_here(search, position)) == wanted, (search, board)
    assert position.lower_bound() <= (optimum or 99), board


def check_formulas(board: dict[str, Any], position: SortPuzzle, optimum: int | None) -> None:
    """Every encoding finds a plan of the length of the optimum and none below, by SAT and CP-SAT."""
    most = 5 if optimum is None else optimum
    expected = "unknown" if optimum is None else optimum
    bare = Sequential(budget=False, break_symmetry=False, order_commuting=False)
    for encoding in (*encodings_for(position), bare) if position.goal != "wanted" else ():
        for backend in (Sat(encoding, guide=False), CpSat(encoding, guide=False)):
            if backend.takes(position):
                assert answer(solve_here(backend, position, most)) == expected, (backend, encoding, board)


def check_proofs(board: dict[str, Any], position: SortPuzzle, optimum: int | None, folder: Any) -> None:
    """A certificate of the answer is verified, and the witnesses of a cross-check confirm it."""
    result = solve_here("astar", position)
    witnesses = cross_check(position, result, lambda backend: solve_here(backend, position))
    assert all(witness.confirms for witness in witnesses), board
    write_certificate(folder, position, result)
    assert python_verdict(folder)[0] == 0, board


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
@pytest.mark.sampled(every=6)
def test_a_pair_of_rules_where_balls_go_anywhere_has_the_naive_optimum_and_a_proof_of_it(pair, tmp_path):
    for number, (board, position) in enumerate(islice(boards_of(pair), 3)):
        optimum = Game(board).optimum()
        check_searches(board, position, optimum)
        if number == 0:
            check_formulas(board, position, optimum)
            if "covers" not in pair:  # there are no certificates for these
                check_proofs(board, position, optimum, tmp_path / "proof")


@pytest.mark.parametrize("goal", ["gathered", "monochrome", "coloured"])
def test_nothing_goes_onto_a_complete_tube_with_a_cork(goal, tmp_path):
    own = {"tube_colours": ["b", "a", "c"]} if goal == "coloured" else {}
    tubes = [["b"], ["a"], ["a", "c"]]
    board = {
        "puzzle": "ball-sort", "capacity": 2, "placement": "any", "goal": goal, "cork": True, "tubes": tubes, **own,
    }  # fmt: skip
    position = from_fields(board)
    assert position.refusal(Pour(2, 0)) == "tube 1 is complete and corked"
    optimum = Game(board).optimum()
    assert optimum is None or goal == "coloured"
    check_searches(board, position, optimum)
    check_formulas(board, position, optimum)
    check_proofs(board, position, optimum, tmp_path / "proof")
