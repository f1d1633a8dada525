"""The goal of some full tubes of some colours: against the naive program, and what refuses it."""

import json
import random
import subprocess
import sys
from itertools import chain

import pytest
from click.testing import CliRunner

from bsp_sat import BACKENDS, BoardError, Unsupported, grade, make_backend, solve
from bsp_sat.backends.proofs.certificate import write_certificate
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.cli.group import commands
from bsp_sat.formal import check_labels
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.registry import PUZZLES
from tests.support.helpers import answer, solve_here
from tests.support.naive_variants import Game, random_board

METHODS = (
    AStar(),
    AStar(bound=False),
    AStar(prunings=frozenset()),
    AStar(bound=False, prunings=frozenset(), symmetry=False),
    BreadthFirst(),
)
CHECKER = check_labels.__file__
BOARD = {
    "puzzle": "ball-sort",
    "capacity": 2,
    "tubes": [["r", "b"], ["b", "r"], ["g", "r"], ["r", "g"], []],
    "goal": "wanted",
    "wanted": {"r": 2},
}


def random_wanted(seed):
    """A small board of any colours' numbers and any rules of tubes; or None where too many tubes would be wanted."""
    chance = random.Random(seed)
    board = random_board(seed, **{name: chance.random() < 0.2 for name in ("locked", "one_way", "accepts", "cork")})
    balls = [ball for tube in board["tubes"] for ball in tube]
    names = sorted(set(balls))
    board["tubes"] = [
        [chance.choice(names) if chance.random() < 0.3 else ball for ball in tube] for tube in board["tubes"]
    ]
    left = {name: sum(tube.count(name) for tube in board["tubes"]) // board["capacity"] for name in names}
    wanted = {name: chance.randint(1, most) for name, most in left.items() if most and chance.random() < 0.7}
    named = {colour for tube in board["tubes"] for colour in tube}
    ruled = [*(entry["until"] for entry in board.get("locked", [])), *chain(*board.get("accepts", {}).values())]
    if not wanted or any(isinstance(colour, str) and colour not in named for colour in ruled):
        return None
    return {**board, "goal": "wanted", "wanted": wanted}


def read(board):
    return PUZZLES[board["puzzle"]].from_json(board)


@pytest.mark.parametrize("block", range(4))
def test_every_method_agrees_with_the_naive_program(block):
    answers = []
    for board in filter(None, map(random_wanted, range(40 * block, 40 * block + 40))):
        expected = Game(board).optimum()
        answers.append(expected)
        for method in METHODS:
            assert answer(solve_here(method, read(board))) == ("unsolvable" if expected is None else expected), board
    assert None in answers
    assert len(set(answers)) > 3


def test_the_bound_never_passes_the_optimum_and_falls_by_one_at_most():
    for board in filter(None, map(random_wanted, range(60))):
        position, game = read(board), Game(board)
        for _ in range(5):
            moves = list(position.legal_moves())
            if not moves or position.is_goal():
                break
            after = position.apply(random.Random(1).choice(moves))
            assert position.lower_bound() - after.lower_bound() <= 1
            position = after
        optimum = game.optimum()
        assert optimum is None or read(board).lower_bound() <= optimum
        assert (read(board).lower_bound() == 0) == read(board).is_goal()


def test_the_default_solves_it():
    result = solve(read(BOARD))
    assert (result.status, result.length) == ("optimal", Game(BOARD).optimum())
    assert result.stats["settled_by"] == "astar"


def test_a_board_is_written_and_read_again():
    board = read(BOARD)
    assert read(board.to_json()) == board
    (again,) = parse_instances(board.to_text(), puzzle="ball-sort")
    assert again.puzzle == board
    assert board.summary() == "ball-sort, 3 colours, 5 tubes of 2, full tubes wanted: 2 of r"
    assert board.unfinished() == "full tubes are missing: 2 of r"


@pytest.mark.parametrize("name", sorted(set(BACKENDS) - {"auto", "astar", "bfs"}))
def test_other_methods_refuse_it_or_claim_nothing_false(name):
    backend, board = make_backend(name), read(BOARD)
    if backend.takes(board):
        result = solve(board, backend)
        assert result.status in ("optimal", "feasible", "unknown")
        assert result.status != "optimal" or result.length == Game(BOARD).optimum()
    else:
        with pytest.raises(Unsupported):
            backend.check(board)


def test_neither_grades_nor_certificates(tmp_path):
    with pytest.raises(Unsupported):
        grade(read(BOARD))
    (tmp_path / "c").mkdir()
    with pytest.raises(CertificateError):
        write_certificate(tmp_path / "c", read(BOARD), solve(read(BOARD)))


def test_no_checker_takes_it_for_another_goal(tmp_path):
    """A certificate of a plain board, whose board is then said to have this goal."""
    plain = {key: value for key, value in BOARD.items() if key not in ("goal", "wanted")}
    (tmp_path / "c").mkdir()
    write_certificate(tmp_path / "c", read(plain), solve(read(plain)))
    path = tmp_path / "c" / "board.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "goal": "wanted", "wanted": {"r": 2}}))
    run = CliRunner().invoke(commands, ["verify", str(tmp_path / "c")])
    assert run.exit_code == 1
    run = subprocess.run([sys.executable, CHECKER, tmp_path / "c"], capture_output=True, text=True, check=False)
    assert run.returncode != 0


def test_at_most_so_many_more_tubes(tmp_path):
    board = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["r", "b"], ["b", "r"], ["g", "g"]]}
    (tmp_path / "board.json").write_text(json.dumps(board))

    def found(*options):
        run = CliRunner().invoke(commands, ["solve", str(tmp_path / "board.json"), "--fewest-extra-tubes", *options])
        return run.exit_code, run.output

    assert found()[0] == found("--extra-tubes", "3")[0] == 0
    assert "With 1 more empty tube, and with fewer there is no plan:" in found("--extra-tubes", "1")[1]
    code, output = found("--extra-tubes", "0")
    assert code == 1
    assert "With 0 more empty tubes" in output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wanted": {}}, "wanted: expected how many tubes"),
        ({"wanted": {"y": 1}}, "wanted.y: expected the name of one colour"),
        ({"wanted": {"r": 3}}, "wanted.r: 4 balls can't fill 3 tubes"),
        ({"wanted": {"r": 0}}, "wanted.r: "),
        ({"goal": "full"}, "wanted: expected no such key at the goal full"),
    ],
)
def test_backends_that_do_not_take_wanted_boards_refuse_them(change, message):
    with pytest.raises(BoardError, match=message):
        read({**BOARD, **change})
