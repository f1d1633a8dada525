"""Balls that go anywhere, and the goal of tubes with colours: against the naive program, and what refuses them."""

import json
import random
import subprocess
import sys
from collections import deque
from dataclasses import replace
from itertools import permutations

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, BoardError, WaterSort, random_boards
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.proofs.certificate import write_certificate
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.cli.group import commands
from bsp_sat.encoder.sequential.formula import Sequential
from bsp_sat.formal import check_labels
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import bottom_run, detours
from tests.support import naive
from tests.support.helpers import answer, backends_for, solve_here
from tests.support.naive_variants import Game, random_board
from tests.support.plain_variants import PLAIN

SEARCHES = (AStar(), AStar(bound=False), AStar(prunings=frozenset()), BreadthFirst())
DEVICES = (
    Sequential(),
    PLAIN[Sequential],
    Sequential(budget=False),
    Sequential(break_symmetry=False),
    Sequential(order_commuting=False),
)
BOARD = {
    "puzzle": "ball-sort",
    "capacity": 3,
    "tubes": [[2, 1, 0], [1, 1, 0], [0, 2, 2], []],
    "goal": "coloured",
    "tube_colours": [0, 1, 2, None],
    "placement": "any",
}


def read(board):
    return PUZZLES[board["puzzle"]].from_json(board)


def piles(number):
    """As many equal tubes as colours, with a ball of each."""
    return BallSort.from_json({"capacity": number, "tubes": [list(range(number))] * number + [[]], "placement": "any"})


def random_free_board(seed):
    """A small board with this rule or goal, and any others; None where a colour's tubes are too small."""
    chance = random.Random(seed)
    others = ("locked", "cork", "one_way", "accepts", "capacities", "gathered")
    board = random_board(seed, **{name: chance.random() < 0.2 for name in others})
    names = sorted({ball for tube in board["tubes"] for ball in tube})
    if chance.random() < 0.8:
        board |= {"puzzle": "ball-sort", "placement": "any"}
    if "placement" not in board or chance.random() < 0.6:
        own = [*names, *(chance.choice([None, *names]) for _ in board["tubes"][len(names) :])]
        chance.shuffle(own)
        board |= {"goal": "coloured", "tube_colours": own}
    balls = [ball for tube in board["tubes"] for ball in tube]
    sizes = board.get("capacities", [board["capacity"]] * len(board["tubes"]))
    room = {
        name: sum(size for size, own in zip(sizes, board.get("tube_colours", ()), strict=False) if own == name)
        for name in names
    }
    return None if board.get("goal") == "coloured" and any(room[name] < balls.count(name) for name in names) else board


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(20, 400, 20))])
def test_every_method_agrees_with_the_naive_program(first, one_in):
    optima = []
    for board in filter(None, map(random_free_board, range(first, first + 20, one_in(3)))):
        optima.append(optimum := Game(board).optimum())
        for search in SEARCHES:
            assert answer(solve_here(search, read(board))) == (optimum or ("unsolvable" if optimum is None else 0)), (
                board
            )
        if optimum is not None and optimum <= 8:
            for devices in DEVICES:
                assert answer(solve_here(Sat(devices, head_start=False), read(board), optimum)) == optimum, board
    assert None in optima
    assert len(set(optima)) > 3


def test_cp_sat_agrees_with_the_naive_program():
    assert answer(solve_here(CpSat(head_start=False), read(BOARD), 12)) == Game(BOARD).optimum() == 12


def distances(positions):
    """Moves are reversible where balls go anywhere, so the distances are those from the goals."""
    depth = {position: 0 for position in positions if position.is_goal()}
    queue = deque(depth)
    while queue:
        position = queue.popleft()
        for move in position.legal_moves():
            after = position.apply(move)
            if after not in depth:
                depth[after] = depth[position] + 1
                queue.append(after)
    return depth


@pytest.mark.parametrize("goal", ["full", "coloured", "gathered"])
@pytest.mark.parametrize(("counts", "capacity", "tubes"), [((2, 2), 2, 3), ((3, 3), 3, 3), ((2, 2, 2), 2, 4)])
def test_the_bound_never_passes_the_distance_and_falls_by_one_at_most(goal, counts, capacity, tubes):
    colours = range(len(counts))
    own = {"tube_colours": [*colours, *[None] * (tubes - len(counts))]} if goal == "coloured" else {}
    fields = {"capacity": capacity, "goal": goal, "placement": "any", **own}
    balls = [[colour] * count for colour, count in enumerate(counts)]
    solved = BallSort.from_json({**fields, "tubes": [*balls, *[[]] * (tubes - len(counts))]})
    boards = {
        replace(solved, tubes=order)
        for board in naive.all_boards(counts, capacity, tubes)
        for order in permutations(board)
    }
    exact = 0
    for position, distance in (known := distances(boards)).items():
        bound = position.lower_bound()
        assert bound <= distance
        assert (bound == 0) == position.is_goal()
        following = map(position.apply, position.legal_moves())
        assert max(bound - after.lower_bound() for after in following) <= 1
        exact += bound == distance
    assert known.keys() == boards
    assert exact > len(known) / 2


def least_by_trying_all(position):
    """The bound by its definition, over all homes and all orders."""
    balls, colours = position.tubes, range(len(position.palette))
    fixed = [rule.colour for rule in position.rules.tubes] if position.goal == "coloured" else None
    least = []
    for places in permutations(range(len(balls)), len(colours)):
        if fixed is not None and any(fixed[place] != colour for colour, place in enumerate(places)):
            continue
        kept = [bottom_run(balls[p]) if balls[p][:1] == bytes([c]) else 0 for c, p in enumerate(places)]
        for order in permutations(colours):
            cleared, moves = [], sum(map(len, balls)) - sum(kept)
            for colour in order:
                cleared.append(places[colour])
                moves += sum(balls[place].count(colour) for place in cleared) - kept[colour]
            least.append(moves)
    return min(least)


@pytest.mark.parametrize("goal", ["", "coloured"])
def test_the_bound_is_the_least_over_all_homes_and_orders(goal, monkeypatch):
    for colours, capacity in ((3, 3), (4, 3)) if not goal else ((5, 4), (6, 2)):
        boards = random_boards(BallSort, colours, capacity, 1, placement="any", goal=goal)
        for seed in range(6):
            position = next(boards).puzzle
            chance = random.Random(seed)
            for _ in range(12):
                position = position.apply(chance.choice(list(position.legal_moves())))
                whole = position.lower_bound()
                assert whole == least_by_trying_all(position)
            monkeypatch.setattr(detours, "MOST_SETS", 8)  # groups of fewer colours claim less
            assert position.lower_bound() <= whole
            monkeypatch.undo()


@pytest.mark.parametrize(("number", "moves"), [(2, 3), (3, 10), (4, 21)])
def test_piles_have_the_published_optima(number, moves, tmp_path):
    result = solve_here("astar", piles(number))
    assert answer(result) == moves
    write_certificate(tmp_path, piles(number), result)
    run = subprocess.run([sys.executable, check_labels.__file__, tmp_path], capture_output=True, text=True, check=False)
    assert f"Verified: {moves} moves is the minimum." in run.stdout


def test_the_checker_shows_every_answer(tmp_path, one_in):
    for seed in range(0, 40, one_in(10)):
        board = random_free_board(seed)
        if board is None or (optimum := Game(board).optimum()) == 0:
            continue
        folder = tmp_path / str(seed)
        folder.mkdir()
        write_certificate(folder, read(board), solve_here("astar", read(board)))
        run = CliRunner().invoke(commands, ["verify", str(folder)])
        assert run.exit_code == 0, (board, run.output)
        assert str("no plan" if optimum is None else optimum) in run.output


@pytest.mark.parametrize("change", [{"placement": "matching"}, {"tube_colours": [1, 0, 2, None]}, {"goal": "full"}])
def test_no_checker_takes_a_certificate_for_another_board(change, tmp_path):
    write_certificate(tmp_path, read(BOARD), solve_here("astar", read(BOARD)))
    path = tmp_path / "board.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert CliRunner().invoke(commands, ["verify", str(tmp_path)]).exit_code == 1


def test_there_are_no_labels_for_more_colours_than_the_checker_tries(tmp_path):
    board = next(random_boards(BallSort, 12, 1, 1, placement="any", goal="coloured")).puzzle
    with pytest.raises(CertificateError, match="over 10 colours"):
        write_certificate(tmp_path, board, solve_here("astar", board))


def test_a_board_is_written_and_read_again():
    board = read(BOARD)
    assert read(board.to_json()) == board
    (again,) = parse_instances(board.to_text(), puzzle="ball-sort")
    assert again.puzzle.tubes == board.tubes
    assert again.puzzle.rules == board.rules
    assert board.to_text().startswith("goal coloured\ntube-colours 012-\nplacement any\n")
    assert board.summary() == "ball-sort, 3 colours, 4 tubes of 3, balls go anywhere, goal coloured"
    assert board.unfinished() == "tubes 1, 2, 3 should be the tube's own colour, or empty"
    assert "".join(cell.text for cell in board.picture().rows[-1]) == "012 "


def test_methods_that_rest_on_matching_colours_refuse_it():
    assert {*backends_for(piles(3))} >= {"auto", "astar", "bfs", "sat", "cpsat"}
    assert not {*backends_for(piles(3))} & {"kernel", "borders", "heuristic", "partition"}
    coloured = read({**BOARD, "placement": "matching", "puzzle": "water-sort"})
    assert not {*backends_for(coloured)} & {"kernel", "borders", "heuristic", "partition"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"placement": "some"}, "placement: expected 'matching' or 'any'"),
        ({"puzzle": "water-sort"}, "placement: expected matching in water sort"),
        ({"goal": "full"}, "tube_colours: expected no such key at the goal full"),
        (
            {"tube_colours": [0, 1, 2]},
            "tube_colours: expected 4 colours, one a tube, or null for a reserve",
        ),
        ({"tube_colours": [0, 1, 7, None]}, r"tube_colours\[2\]: expected a colour of the board, found 7"),
        ({"tube_colours": [0, 1, 1, None]}, "tube_colours: the tubes of colour 2 hold 0 balls, and there are 3"),
        ({"tubes": [[2, 1, 0], [1, None, 0], [0, 2, 2], []]}, "tubes: expected no unknown balls"),
    ],
)
def test_what_a_board_cannot_be_is_said(change, message):
    with pytest.raises(BoardError, match=message):
        read({**BOARD, **change})


def test_a_format_without_a_place_for_the_rule_refuses_it():
    run = CliRunner().invoke(commands, ["export", "-", "--format", "lpcp"], input=json.dumps(BOARD))
    assert "Error: --format lpcp takes no ball-sort boards with balls that go anywhere" in run.output


def test_the_generator_makes_the_boards_of_the_paper():
    board = next(random_boards(BallSort, 7, 4, 1, placement="any", goal="coloured")).puzzle
    assert board.to_json()["tube_colours"] == [*range(7), None]
    assert board.rules.anywhere
    with pytest.raises(BoardError, match="goal: expected monochrome or coloured, found 'wanted'"):
        next(random_boards(BallSort, 3, goal="wanted"))
    with pytest.raises(BoardError, match="placement: expected matching in water sort"):
        next(random_boards(WaterSort, 3, placement="any"))
