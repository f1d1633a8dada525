"""Every pair of rules where balls go anywhere, or into some tubes: each method and checker against exact distances."""

import random
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
from tests.support.naive_variants import Game

GOALS = ("full", "monochrome", "gathered", "wanted", "coloured")
TUBE_RULES = (
    "any_in",
    "locked by colour",
    "locked by tubes",
    "locked by tubes of a colour",
    "no_in",
    "no_out",
    "accepts",
    "capacities",
    "cork",
    "drain",
)
NO_EFFECT = ("whole pours", "covers")  # on moves, in ball sort with all balls known
PAIRS = [
    pair
    for pair in combinations((*GOALS, *TUBE_RULES, *NO_EFFECT), 2)
    if not {*pair} <= {*GOALS} and not {*pair} <= {*NO_EFFECT}
]


def random_anywhere(seed: int, *rules: str) -> dict[str, Any]:
    """A small board whose balls go anywhere and lie anywhere, with these rules and few others; perhaps no board."""
    chance = random.Random(f"{seed} {rules}")
    has = {*rules, *(rule for rule in TUBE_RULES if chance.random() < 0.15)}
    goal = next((goal for goal in GOALS if goal in rules), None) or chance.choice(GOALS)
    capacity, places = chance.choice([2, 2, 3]), range(chance.choice([3, 3, 4]))
    names = "abc"[: chance.choice([2, 3, 3]) if len(places) == 3 or capacity == 2 else 2]
    counts = [capacity if goal == "full" else chance.randint(1, capacity) for _ in names]
    balls = [name for name, number in zip(names, counts, strict=True) for _ in range(number)]
    capacities = [capacity] * len(places)
    if "capacities" in has:
        capacities = [max(1, capacity + chance.choice([-1, 0, 0, 1])) for _ in places]
    tubes: list[list[str]] = [[] for _ in places]
    for ball in chance.sample(balls, len(balls)):
        room = [place for place in places if len(tubes[place]) < capacities[place]]
        tubes[chance.choice(room or places)].append(ball)
    board: dict[str, Any] = {
        "puzzle": "ball-sort", "placement": "any", "goal": goal, "capacity": capacity, "tubes": tubes
    }  # fmt: skip
    if "capacities" in has:
        board["capacities"] = capacities
    if goal == "wanted":
        board["wanted"] = {name: 1 for name in names if names[0] == name or chance.random() < 0.3}
    if goal == "coloured":
        own = [*names, *(chance.choice([None, *names]) for _ in places[len(names) :])]
        board["tube_colours"] = chance.sample(own, len(own))
    untils: list[Any] = [chance.choice(names)] * ("locked by colour" in has)
    untils += [chance.choice([1, 1, 2])] * ("locked by tubes" in has)
    if "locked by tubes of a colour" in has and len(untils) < len(places):
        untils.append({"colour": chance.choice(names), "tubes": 1})
    if untils:
        locked = zip(chance.sample(places, len(untils)), untils, strict=True)
        board["locked"] = [{"tube": place, "until": until} for place, until in locked]
    if "any_in" in has:
        del board["placement"]
        board["any_in"] = chance.sample(places, chance.choice([1, 1, 2]))
    for key in ("no_in", "no_out"):
        if key in has:
            board[key] = [chance.choice(places)]
    if "accepts" in has:
        board["accepts"] = {str(chance.choice(places)): sorted(chance.sample(names, chance.choice([1, 1, 2])))}
    if "whole pours" in has:
        board["partial"] = False
    for key in has & {"cork", "drain"}:
        board[key] = True
    if "covers" in has:
        board["reveal"] = "cell"
        board["hidden"] = [[chance.random() < 0.5 for _ in tube[1:]] + [False] * bool(tube) for tube in tubes]
    return board


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
        if number == 0 and position.goal != "wanted":
            check_formulas(board, position, optimum)
            if "covers" not in pair:  # there are no certificates for these
                check_proofs(board, position, optimum, tmp_path / "proof")


@pytest.mark.parametrize("goal", ["gathered", "monochrome", "coloured"])
def test_nothing_goes_onto_a_complete_tube_with_a_cork(goal, tmp_path):
    own = {"tube_colours": ["b", "a", "c"]} if goal == "coloured" else {}
    tubes = [["b"], ["a"], ["a", "c"]]
    board = {
        "puzzle": "ball-sort",
        "capacity": 2,
        "placement": "any",
        "goal": goal,
        "cork": True,
        "tubes": tubes,
        **own,
    }
    position = from_fields(board)
    assert position.refusal(Pour(2, 0)) == "tube 1 is complete and corked"
    optimum = Game(board).optimum()
    assert optimum is None or goal == "coloured"
    check_searches(board, position, optimum)
    check_formulas(board, position, optimum)
    check_proofs(board, position, optimum, tmp_path / "proof")
