"""Both grid puzzles through every encoding, backend and counter that takes them, against each other and search."""

import json
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bsp_sat import BoardError, Status, load
from bsp_sat.backends.baselines.sequences import Sequences
from bsp_sat.backends.count import count_plans
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.proofs.certificate import verify_certificate, write_certificate
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.encoder.clicks import Clicks
from bsp_sat.encoder.knocks import Knocks
from bsp_sat.encoder.registry import encoding_for
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort
from bsp_sat.instances.tiles import Tiles
from tests.support.command import bsp_sat
from tests.support.helpers import answer, board, case_id, json_lines, reference, small_tiles, solve_here, wrong_answers
from tests.support.plain_variants import count_by_models

GRIDS = reference("grids.jsonl")
TILES = [case for case in GRIDS if case.puzzle.kind == "tiles"]
SHOT = [case for case in GRIDS if case.puzzle.kind == "shot"]
PUBLISHED = "tiles-2022-11-16"
LONG = 11  # clicks; the longest plans of the reference boards take CP-SAT and SAT a minute

small_shot = st.builds(
    Shot.from_balls,
    st.just(5),
    st.just(4),
    st.sets(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=7),
)
FRONTIERS = [Frontier(bound, one_part, head_start) for bound, one_part, head_start in product((False, True), repeat=3)]
DEVICES = [Clicks(budget, order) for budget, order in product((False, True), repeat=2)]


def test_sat_settles_the_reference_boards(one_in):
    cases = [case for case in GRIDS if case.known_answer == "unsolvable" or case.known_answer <= LONG]
    assert not wrong_answers(Sat(guide=False), cases[:: one_in(5)])


@pytest.mark.slow
@pytest.mark.parametrize("instance", [case for case in TILES if case.known_answer > LONG], ids=case_id)
def test_sat_settles_the_longest_reference_boards(instance):
    within = min(instance.known_answer, 14)
    result = solve_here(Sat(encoding_for(instance.puzzle)), instance.puzzle, within)
    assert result.lower_bound == min(instance.known_answer, within + 1)


def test_cpsat_settles_the_reference_boards(one_in):
    cases = [*[case for case in TILES if case.known_answer <= 6], *SHOT]
    assert not wrong_answers(CpSat(guide=False), cases[:: one_in(10)])


@pytest.mark.parametrize("backend", FRONTIERS, ids=str)
def test_frontier_settles_the_reference_boards_with_any_device_off(backend, one_in):
    cases = [case for case in TILES if backend.bound or case.known_answer <= LONG]
    assert not wrong_answers(backend, cases[:: one_in(6)])


@given(small_tiles)
@settings(max_examples=12, deadline=None)
def test_tiles_have_one_optimum_and_one_number_of_plans(puzzle):
    plain = solve_here(AStar(bound=False, prunings=frozenset()), puzzle)
    assert plain.status is Status.OPTIMAL
    for backend in (*FRONTIERS, *(Sat(devices, guide=False) for devices in DEVICES), Sequences(prune=True)):
        assert answer(solve_here(backend, puzzle)) == plain.length, backend
    assert count_plans(puzzle, plain.length) == count_by_models(puzzle, plain.length)


@given(small_shot)
@settings(max_examples=15, deadline=None)
def test_shot_has_one_answer_and_one_number_of_solutions(puzzle):
    plain = solve_here(AStar(bound=False, prunings=frozenset()), puzzle)
    encodings = (Knocks(), Knocks(order_commuting=False))
    for backend in (AStar(), *(Sat(encoding, guide=False) for encoding in encodings)):
        assert answer(solve_here(backend, puzzle)) == answer(plain), backend
    length = puzzle.lower_bound()
    counted = count_plans(puzzle, length)
    assert (counted > 0) == (plain.status is Status.OPTIMAL)
    assert counted == count_by_models(puzzle, length)


@given(small_shot)
@example(Shot.from_balls(4, 4, [(0, 0), (2, 0), (3, 3)]))
def test_balls_that_are_apart_never_become_one(puzzle):
    """The pruning gives a position up only where no plan begins."""
    if not list(puzzle.pruned_moves(Shot.prunings)) and not puzzle.is_goal():
        assert solve_here(AStar(bound=False, prunings=frozenset()), puzzle).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    ("balls", "moves"),
    [
        ([(0, 0), (4, 3)], 0),
        ([(0, 0), (0, 2), (4, 3)], 0),
        # Apart at first sight, but a ball of the row comes to stand in the column.
        ([(2, 0), (0, 3), (4, 3)], 2),
    ],
)
def test_balls_are_apart_exactly_if_no_ball_passes_between(balls, moves):
    puzzle = Shot.from_balls(5, 4, balls)
    assert len(list(puzzle.pruned_moves(Shot.prunings))) == moves


@given(small_tiles)
def test_the_run_bound_falls_by_one_at_most(puzzle):
    """Frontier search and the reported bounds of A* rest on it."""
    assert all(puzzle.apply(move).lower_bound() >= puzzle.lower_bound() - 1 for move in puzzle.legal_moves())


def test_parts_that_never_meet_are_cleared_one_after_the_other():
    puzzle = Tiles.from_columns([list("ab"), [], list("ba"), list("cd"), list("c")])
    assert {move.column for move in puzzle.pruned_moves(frozenset({"one-part"}))} == {0}
    assert {move.column for move in puzzle.apply(next(iter(puzzle.legal_moves()))).legal_moves()} == {0, 2, 3, 4}


class TestTheSequencesOfThePost:
    """Rajeev R. Sharma, 17 November 2022: 1,389,898 sequences, 16,724 with pruning, and the clicks 10010012."""

    def test_the_number_of_pruned_sequences_is_the_published_one(self):
        result = solve_here(Sequences(prune=True), load(PUBLISHED))
        assert result.stats["sequences"] == 16_724
        assert "".join(str(click.column) for click in result.plan.moves) == "10010012"
        assert result.status is Status.OPTIMAL

    @pytest.mark.slow
    def test_the_number_of_all_sequences_is_the_published_one(self):
        result = solve_here(Sequences(), load(PUBLISHED))
        assert (result.stats["sequences"], result.length) == (1_389_898, 8)
        assert "".join(str(click.column) for click in result.plan.moves) == "10010012"

    def test_paths_through_positions_give_the_number_of_all_sequences(self):
        memory = {}

        def sequences(puzzle):
            if puzzle not in memory:
                after = [puzzle.apply(move) for move in puzzle.pruned_moves(Tiles.renamings)]
                memory[puzzle] = sum(map(sequences, after)) if after else 1
            return memory[puzzle]

        assert sequences(load(PUBLISHED)) == 1_389_898

    def test_a_limit_below_the_optimum_leaves_no_sequence(self):
        result = solve_here(Sequences(prune=True), load(PUBLISHED), 7)
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 8)

    def test_an_empty_board_has_the_empty_sequence(self):
        assert answer(solve_here(Sequences(), Tiles.from_columns([[], []]))) == 0


SOLVABLE = [case for case in GRIDS if case.known_answer != "unsolvable"]


def test_both_counters_agree(one_in):
    for instance in SOLVABLE[:: one_in(6)]:
        counted = count_plans(instance.puzzle, instance.known_answer)
        assert counted > 0
        assert counted == instance.about.get("solutions", counted)
        if counted <= 50 and instance.known_answer < 9 and sum(map(len, instance.to_json().get("columns", ""))) < 36:
            assert count_by_models(instance.puzzle, instance.known_answer) == counted


@pytest.mark.parametrize("count", [count_plans, count_by_models])
def test_plans_of_sort_puzzles_are_counted_too(count):
    """By hand: either tube's top ball goes to the empty tube, the others follow in one way."""
    assert count(board(BallSort, "ab|ba|-", 2), 3) == 4
    assert count(board(BallSort, "aa|-", 2), 0) == 1


CERTIFIED = [load(PUBLISHED), load("shot-literate"), TILES[2].puzzle, SHOT[0].puzzle, Tiles.from_columns([[]])]


@pytest.mark.parametrize("puzzle", CERTIFIED, ids=lambda puzzle: puzzle.summary())
def test_certificates_of_grids_are_verified(tmp_path, puzzle):
    result = solve_here("astar", puzzle)
    write_certificate(tmp_path, puzzle, result, LRAT)
    verified = verify_certificate(tmp_path)
    assert (verified.puzzle, verified.length) == (puzzle, result.length)


def test_no_certificate_says_that_tiles_are_unsolvable(tmp_path):
    from bsp_sat.backends.proofs.manifest import write_manifest

    write_certificate(tmp_path, CERTIFIED[0], solve_here("astar", CERTIFIED[0]), LRAT)
    claim = {"status": "unsolvable", "length": None, "encoding": "clicks"}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    (tmp_path / "plan.json").unlink()
    write_manifest(tmp_path)
    with pytest.raises(CertificateError, match="no tiles board is unsolvable"):
        verify_certificate(tmp_path)


@pytest.mark.parametrize(("rows", "colours"), [(17, 3), (40, 8), (64, 2)])
def test_frontier_takes_high_columns(rows, colours):
    puzzle = next(random_boards(Tiles, 2, rows, colours)).puzzle
    assert answer(solve_here(Frontier(), puzzle)) == answer(solve_here("astar", puzzle))


def test_frontier_refuses_what_no_word_holds():
    with pytest.raises(Exception, match="at most 64 tiles"):
        solve_here("frontier", Tiles.from_columns([[1] * 65]))


def test_the_number_of_balls_has_to_be_given():
    run = bsp_sat("generate", "shot")
    assert (run.returncode, "Missing option '--balls'" in run.stderr) == (2, True)


def test_more_balls_than_places_are_refused():
    with pytest.raises(BoardError, match="balls: expected at most 6"):
        next(random_boards(Shot, 7, 3, 2))


def test_count_prints_the_number_of_plans():
    run = bsp_sat("count", "shot-literate", "--json")
    assert json.loads(run.stdout) == {"plans": 24, "length": 4, "status": "optimal"}
    assert bsp_sat("count", PUBLISHED).stdout == "6 shortest plans, of 8 moves.\n"
    unsolvable = json.dumps(json_lines("grids.jsonl")[20])
    run = bsp_sat("count", "-", stdin=unsolvable)
    assert (run.returncode, run.stdout[:8]) == (1, "0 plans:")


def test_boards_are_drawn_after_every_move():
    shown = bsp_sat("solve", "shot-literate", "--boards").stdout
    assert [f"  {step}.  " in shown for step in range(1, 6)] == [True] * 4 + [False]
    assert shown.count(" 1   2   3   4   5   6   7 ") == 5
