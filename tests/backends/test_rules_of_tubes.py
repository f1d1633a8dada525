"""Boards with rules: of tubes, balls that go anywhere, tubes with colours, full tubes that are wanted.

Every method against the naive program of `tests.support.naive_variants`, and what refuses such boards.
"""

import json
import random
from contextlib import suppress
from itertools import islice, permutations

import pytest

from bsp_sat import BACKENDS, BallSort, BoardError, grade, make_backend, random_boards, solve
from bsp_sat.backends.count import count_plans
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.proofs import labels
from bsp_sat.backends.proofs.certificate import write_certificate
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.encoder.sequential.formula import Sequential
from bsp_sat.instances.errors import CertificateError, Refuted, Unsupported
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.sorting import COVERED, TUBE_RULES, Pour, bottom_run, detours
from tests.proofs.checkers import python_verdict
from tests.support.command import bsp_sat
from tests.support.helpers import answer, backends_for, solve_here
from tests.support.helpers import from_fields as read
from tests.support.naive_variants import (
    Game,
    random_anywhere,
    random_board,
    random_counted,
    random_drained,
    random_wanted,
)
from tests.support.plain_variants import PLAIN, count_by_models

BARE = AStar(bound=False, prunings=frozenset(), symmetry=False)
SEARCHES = (AStar(), AStar(bound=False), AStar(prunings=frozenset()), BARE, BreadthFirst(), Kernel())
DEVICES = (
    Sequential(),
    PLAIN[Sequential],
    Sequential(budget=False),
    Sequential(break_symmetry=False),
    Sequential(order_commuting=False),
)
ANYWHERE = {
    "puzzle": "ball-sort", "capacity": 3, "tubes": [[2, 1, 0], [1, 1, 0], [0, 2, 2], []], "goal": "coloured",
    "tube_colours": [0, 1, 2, None], "placement": "any",
}  # fmt: skip
WANTED = {
    "puzzle": "ball-sort",
    "capacity": 2,
    "tubes": [["r", "b"], ["b", "r"], ["g", "r"], ["r", "g"], []],
    "goal": "wanted",
    "wanted": {"r": 2},
}


def expected(optimum):
    return "unsolvable" if optimum is None else optimum


def random_free_board(seed):
    """A board whose balls go anywhere, without wanted tubes; or None."""
    board = random_anywhere(seed)
    with suppress(BoardError):
        return board if read(board).goal != "wanted" else None


FAMILIES = {
    "tubes": (random_board, 20),
    "anywhere": (random_free_board, 12),
    "wanted": (random_wanted, 60),
    "tubes of a colour": (random_counted, 30),
    "drained": (random_drained, 20),
}
"""Random boards, some of them None, and how many are tried together."""

every_family = pytest.mark.parametrize("family", FAMILIES)
some = pytest.mark.parametrize(
    "blocks", [range(1), *(pytest.param(range(n, n + 10), marks=pytest.mark.slow) for n in range(1, 50, 10))]
)


def boards_of(family, blocks, without=()):
    """Blocks of boards, without some keys, each with its optimum by the naive program."""
    make, number = FAMILIES[family]
    for found in filter(None, map(make, range(blocks.start * number, blocks.stop * number))):
        board = {key: value for key, value in found.items() if key not in without}
        yield board, Game(board).optimum()


@every_family
@some
def test_every_search_finds_the_optimum(family, blocks):
    found = set()
    for board, optimum in boards_of(family, blocks):
        found.add(optimum)
        for search in SEARCHES:
            if search.takes(read(board)) and (search != BARE or family != "anywhere"):  # where it takes many seconds
                assert answer(solve_here(search, read(board))) == expected(optimum), (search, board)
    assert len(found) > 3
    assert family == "anywhere" or None in found


@pytest.mark.parametrize("family", ["tubes", "anywhere", "tubes of a colour", "drained"])
@some
def test_sequential_finds_the_optimum_and_refutes_less(family, blocks):
    for board, optimum in boards_of(family, blocks, without=("hidden", "reveal")):
        most = 4 if optimum is None else optimum
        if most > (8 if family == "anywhere" else 9):
            continue
        for encoding in DEVICES:
            found = answer(solve_here(Sat(encoding, guide=False), read(board), most))
            assert found == ("unknown" if optimum is None else optimum), (encoding, board)
        if optimum is not None and optimum < 7 and family != "anywhere":
            assert count_by_models(read(board), optimum) == count_plans(read(board), optimum), board


def test_a_tube_with_one_colour_is_complete_only_with_all_its_balls():
    """Once no small board told a tube with some of them from a complete one, which a cork closes."""
    board = {
        "puzzle": "water-sort", "capacity": 3, "tubes": ["bab", "acc", "acb", "", ""], "goal": "gathered",
        "capacities": [4, 4, 3, 4, 2], "locked": [{"tube": 4, "until": 1}], "partial": False, "cork": True,
    }  # fmt: skip
    board["tubes"] = [list(tube) for tube in board["tubes"]]
    assert answer(solve_here(Sat(Sequential(), guide=False), read(board), 7)) == Game(board).optimum() == 7


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


def test_the_bound_of_wanted_tubes_is_0_at_goals_only_where_a_colour_may_enter_too_few():
    fields = {**WANTED, "tubes": [["r", "r"], ["r", "b"], ["b", "r"], []], "accepts": {"1": ["b"], "2": ["b"], "3": []}}
    assert (read(fields).lower_bound(), answer(solve(read(fields)))) == (1, "unsolvable")


def test_where_full_tubes_are_wanted_no_lock_opens_for_a_tube_with_all_balls_of_a_colour_that_is_not_full():
    tubes = [["r", "b"], [], ["r", "c"], []]  # b moves to tube 2, and then lacks no ball
    board = {"capacity": 2, "tubes": tubes, "goal": "wanted", "wanted": {"r": 1}, "locked": [{"tube": 3, "until": 1}]}
    board["puzzle"] = "ball-sort"
    assert Game(board).optimum() is None
    assert answer(solve_here(Kernel(), read(board))) == "unsolvable"


@pytest.mark.parametrize(("number", "moves"), [(2, 3), (3, 10), (4, 21)])
def test_piles_have_the_published_optima(number, moves, tmp_path):
    """As many equal tubes as colours, with a ball of each."""
    result = solve_here("astar", board := piles(number))
    assert answer(result) == moves
    write_certificate(tmp_path, board, result)
    assert python_verdict(tmp_path)[0] == 0


def piles(number):
    return BallSort.from_json({"capacity": number, "tubes": [list(range(number))] * number + [[]], "placement": "any"})


@pytest.mark.parametrize("goal", ["", "coloured"])
def test_compiled_labels_are_those_of_the_readable_search_where_balls_go_anywhere(goal):
    for colours, capacity in ((2, 3), (3, 2)):
        for each in islice(random_boards(BallSort, colours, capacity, 1, placement="any", goal=goal), 4):
            length = len(solve_here("astar", each.puzzle).plan)
            readable, compiled = (
                find(each.puzzle, length, 100_000) for find in (labels.readable_labels, labels.compiled_labels)
            )
            rows = [
                dict(zip(zip(*found.columns, strict=True), found.labels, strict=True)) for found in (readable, compiled)
            ]
            assert (readable.table, rows[0]) == (compiled.table, rows[1]), each.puzzle
            with pytest.raises(Refuted):
                labels.compiled_labels(each.puzzle, length + 1, 100_000)


LOCKED = {"puzzle": "ball-sort", "capacity": 4, "tubes": [["b", "b", "a", "a"], ["b", "a", "a", "b"], [], []]}


@pytest.mark.parametrize("rules", [{"placement": "any"}, {"any_in": [3]}, {}], ids=str)
def test_labels_of_the_compiled_search_tell_locked_tubes_from_open_ones(rules, tmp_path, monkeypatch):
    monkeypatch.setattr(labels, "FIRST_POSITIONS", 0)
    board = read({**LOCKED, **rules, "locked": [{"tube": 1, "until": "b"}]})
    write_certificate(tmp_path, board, solve_here("astar", board))
    assert "no plan exists" in python_verdict(tmp_path)[1]


@pytest.mark.parametrize("family", ["tubes of a colour", "drained", "anywhere", "wanted"])
def test_a_checker_takes_labels_of_the_compiled_search(family, tmp_path, monkeypatch):
    monkeypatch.setattr(labels, "FIRST_POSITIONS", 0)
    make = FAMILIES[family][0]
    for seed, board in enumerate(map(make, range(40))):
        if board is None or "hidden" in board or read(board).is_goal():
            continue
        write_certificate(tmp_path / str(seed), read(board), solve_here("astar", read(board)))
        assert python_verdict(tmp_path / str(seed))[0] == 0, board


def test_a_plan_of_some_kind_comes_at_once_where_a_tube_can_be_emptied():
    board = next(random_boards(BallSort, 6, 6, 1, placement="any")).puzzle
    search = AnywhereSearch(board)
    sure = search.sure_plan()
    sure.replay(board)
    better = search.beam_plan(10, len(sure) - 1, 10**8)
    better.replay(board)
    assert len(better) < len(sure) / 2


def test_a_narrow_beam_finds_a_plan_where_there_is_one_empty_tube_for_many_colours():
    board = next(random_boards(BallSort, 12, 8, 1, seed=64, placement="any")).puzzle
    plan = AnywhereSearch(board).beam_plan(3, 10**5, 10**8)
    plan.replay(board)
    assert len(plan) <= 250


@pytest.mark.parametrize("goal", ["full", "monochrome", "gathered", "coloured"])
def test_plans_at_once_solve_small_boards_with_every_number_of_free_cells(goal):
    sure = 0
    for seed in range(60):
        chance = random.Random(seed)
        colours, capacity, tubes = chance.randint(1, 3), chance.randint(2, 4), 4
        count = capacity if goal == "full" else chance.randint(1, capacity)
        balls = [colour for colour in range(colours) for _ in range(count)]
        dealt = [[] for _ in range(tubes)]
        for ball in chance.sample(balls, len(balls)):
            chance.choice([tube for tube in dealt if len(tube) < capacity]).append(ball)
        own = {"tube_colours": [*range(colours), *[None] * (tubes - colours)]} if goal == "coloured" else {}
        board = BallSort.from_json({"capacity": capacity, "tubes": dealt, "placement": "any", "goal": goal, **own})
        search = AnywhereSearch(board)
        plan = search.sure_plan()
        if not board.is_goal():
            assert plan is not None, board
            plan.replay(board)
            sure += 1
        limit = 10**5 if plan is None else len(plan)
        if (found := search.beam_plan(3, limit, 10**6)) is not None:
            found.replay(board)
            assert len(found) <= limit
    assert sure > 25


PLAIN = {key: value for key, value in WANTED.items() if key not in ("goal", "wanted")}


@pytest.mark.parametrize(
    ("board", "change"),
    [
        (ANYWHERE, {"placement": "matching"}),
        (ANYWHERE, {"tube_colours": [1, 0, 2, None]}),
        (ANYWHERE, {"goal": "full"}),
        (PLAIN, {"goal": "wanted", "wanted": {"r": 2}}),
    ],
)
def test_no_checker_takes_a_certificate_for_another_board(board, change, tmp_path):
    write_certificate(tmp_path, read(board), solve_here("astar", read(board)))
    path = tmp_path / "board.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert bsp_sat("verify", str(tmp_path)).returncode == 1
    assert python_verdict(tmp_path)[0] != 0


def test_there_are_no_labels_for_more_colours_than_the_checker_tries(tmp_path):
    board = next(random_boards(BallSort, 12, 1, 1, placement="any", goal="coloured")).puzzle
    with pytest.raises(CertificateError, match="over 10 colours"):
        write_certificate(tmp_path, board, solve_here("astar", board))


def test_boards_with_wanted_tubes_are_not_graded():
    with pytest.raises(Unsupported, match="grading takes no ball-sort boards with the goal wanted"):
        grade(read(WANTED))


def test_a_board_is_written_and_read_again():
    board = read(ANYWHERE)
    assert read(board.to_json()) == board
    (again,) = parse_instances(board.to_text(), puzzle="ball-sort")
    assert (again.puzzle.tubes, again.puzzle.rules) == (board.tubes, board.rules)
    assert board.to_text().startswith("goal coloured\ntube-colours 012-\nplacement any\n")
    assert board.summary() == "ball-sort, 3 colours, 4 tubes of 3, balls go anywhere, goal coloured"
    assert board.unfinished() == "tubes 1, 2, 3 should be the tube's own colour, or empty"
    assert "".join(cell.text for cell in board.picture().rows[-1]) == "012 "
    board = read(WANTED)
    assert read(board.to_json()) == board
    (again,) = parse_instances(board.to_text(), puzzle="ball-sort")
    assert again.puzzle == board
    assert board.summary() == "ball-sort, 3 colours, 5 tubes of 2, full tubes wanted: 2 of r"
    assert board.unfinished() == "full tubes are missing: 2 of r"


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


def test_the_compiled_search_takes_balls_that_go_anywhere_but_for_cells_uncovered_one_by_one():
    tubes = [[2, 1, 0], [1, 1, 0], [0, 2, 2], []]
    board = {**ANYWHERE, "puzzle": "water-sort", "hidden": [[False] * len(tube) for tube in tubes]}
    assert Kernel().takes(read(board))
    board["hidden"][0][1] = True
    covered = read({**board, "reveal": "cell"})
    with pytest.raises(Unsupported, match=r"kernel takes no water-sort boards with balls that go anywhere and cells"):
        Kernel().check(covered)
    assert {"auto", "astar", "bfs"} <= set(backends_for(covered))


def test_methods_that_rest_on_matching_colours_refuse_it():
    assert {*backends_for(piles(3))} >= {"auto", "kernel", "astar", "bfs", "sat", "cpsat"}
    assert not {*backends_for(piles(3))} & {"borders", "heuristic", "partition"}
    coloured = read({**ANYWHERE, "placement": "matching", "puzzle": "water-sort"})
    assert not {*backends_for(coloured)} & {"borders", "heuristic", "partition"}


@pytest.mark.parametrize("name", sorted(set(BACKENDS) - {"auto", "astar", "bfs"}))
def test_other_methods_refuse_wanted_tubes_or_claim_nothing_false(name):
    backend, board = make_backend(name), read(WANTED)
    if backend.takes(board):
        result = solve(board, backend)
        assert result.status in ("optimal", "feasible", "unknown")
        assert result.status != "optimal" or result.length == Game(WANTED).optimum()
    else:
        with pytest.raises(Unsupported, match=r"takes (no )?ball-sort boards with the goal wanted|takes tiles boards"):
            backend.check(board)


def test_the_default_solves_boards_with_wanted_tubes():
    result = solve(read(WANTED))
    assert (result.status, result.length) == ("optimal", Game(WANTED).optimum())
    assert result.stats["settled_by"] == "kernel"


@pytest.mark.parametrize(
    ("board", "change", "message"),
    [
        (ANYWHERE, {"placement": "some"}, "placement: expected 'matching' or 'any'"),
        (ANYWHERE, {"goal": "full"}, "tube_colours: expected no such key at the goal full"),
        (ANYWHERE, {"tube_colours": [0, 1, 2]}, "tube_colours: expected 4 colours, one a tube, or null for a reserve"),
        (ANYWHERE, {"tube_colours": [0, 1, 7, None]}, r"tube_colours\[2\]: expected a colour of the board, found 7"),
        (ANYWHERE, {"tube_colours": [0, 1, 1, None]},
         "tube_colours: the tubes of colour 2 hold 0 balls, and there are 3"),
        (ANYWHERE, {"tubes": [[2, 1, 0], [1, None, 0], [0, 2, 2], []]}, "tubes: expected no unknown balls"),
        (WANTED, {"wanted": {}}, "wanted: expected how many tubes"),
        (WANTED, {"wanted": {"y": 1}}, "wanted.y: expected the name of one colour"),
        (WANTED, {"wanted": {"r": 3}}, "wanted.r: 4 balls can't fill 3 tubes"),
        (WANTED, {"wanted": {"r": 0}}, "wanted.r: "),
        (WANTED, {"goal": "full"}, "wanted: expected no such key at the goal full"),
    ],
)  # fmt: skip
def test_what_a_board_cannot_be_is_said(board, change, message):
    with pytest.raises(BoardError, match=message):
        read({**board, **change})


def test_a_format_without_a_place_for_the_rule_refuses_it():
    run = bsp_sat("export", "-", "--format", "lpcp", stdin=json.dumps(ANYWHERE))
    assert "Error: --format lpcp takes no ball-sort boards with balls that go anywhere" in run.stderr


def test_the_generator_makes_the_boards_of_the_paper():
    board = next(random_boards(BallSort, 7, 4, 1, placement="any", goal="coloured")).puzzle
    assert board.to_json()["tube_colours"] == [*range(7), None]
    assert board.rules.anywhere
    with pytest.raises(BoardError, match="goal: expected monochrome or coloured, found 'wanted'"):
        next(random_boards(BallSort, 3, goal="wanted"))


@pytest.mark.parametrize(("target", "left", "there"), [(2, ["a"], ["b"] * 4), (3, ["a", "b"], ["b", "b"])])
def test_a_pour_between_tubes_of_different_capacities_takes_the_run_as_far_as_it_fits(target, left, there):
    tubes = [["a", "b", "b", "b"], ["a", "a", "a"], ["b"], []]
    board = read({"puzzle": "water-sort", "capacity": 4, "capacities": [4, 4, 4, 2], "tubes": tubes})
    after = board.apply(Pour(0, target)).to_json()["tubes"]
    assert (after[0], after[target]) == (left, there)


@pytest.mark.parametrize(
    ("capacities", "tubes"),
    [
        ([2, 1, 1, 2], ["r", "r", "", "rr"]),
        ([1, 4, 5, 2], ["", "q", "qqq", "q"]),
        ([2, 3, 2, 5], ["qq", "", "qq", "qqqq"]),
    ],
)
def test_a_goal_next_to_a_position_whose_balls_may_all_stay_is_seen_where_balls_go_anywhere(capacities, tubes):
    fields = {"puzzle": "ball-sort", "capacity": max(capacities), "placement": "any", "capacities": capacities}
    fields["tubes"] = list(map(list, tubes))
    optimum = Game(fields).optimum()
    assert optimum is not None
    assert answer(solve_here(Kernel(), read(fields))) == optimum


def test_a_move_that_shifts_all_homes_may_make_the_bound_rise_far():
    # Without its top ball, tube 1 can't be the home of a any more: then a needs that of b, b that of c, and so on.
    tubes = ["a" * 8, *(colour * 63 for colour in "bcdef"), "", "bcdef"]
    accepts = {place: [tubes[place - 1][0], tubes[place][0]] for place in range(1, 6)}
    fields = {"puzzle": "ball-sort", "capacity": 64, "goal": "gathered", "placement": "any"}
    fields |= {"tubes": list(map(list, tubes)), "capacities": [8, *[64] * 6, 7]}
    fields["accepts"] = {"0": ["b"], **{str(place): colours for place, colours in accepts.items()}, "6": ["f"]}
    assert answer(solve_here(Kernel(), read(fields))) == 5


@pytest.mark.parametrize("name", sorted(BACKENDS))
def test_at_gathered_a_colour_that_fills_no_tube_has_one_all_the_same(name):
    board, backend = BallSort.from_text("capacity 4\ngoal gathered\naab.|b...|-"), make_backend(name)
    if backend.takes(board):
        result = solve(board, backend)
        assert result.status in ("optimal", "feasible", "unknown")
        assert result.status != "optimal" or result.length == 1
