"""Every measure against its definition, on every board of small families."""

from collections import defaultdict
from itertools import islice, permutations
from random import Random
from unittest.mock import Mock

import pytest

from bsp_sat import BallSort, random_boards
from bsp_sat.apps.levels import measures
from bsp_sat.apps.levels import study as study_module
from bsp_sat.apps.levels.canonical_form import canonical_form
from bsp_sat.apps.levels.empties import least_empties, with_empties
from bsp_sat.apps.levels.figure import Figure, How, wilson
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.study import Study
from bsp_sat.backends.kernel import TooFar
from bsp_sat.instances.sorting import SortPuzzle
from tests.apps.levels.plain import Plain, positions_along, success, wandering
from tests.support import naive
from tests.support.helpers import every_rule

FAMILIES = {
    "2 colours in 3 tubes of 2": ((2, 2), 2, 3),
    "3 colours in 4 tubes of 2": ((2, 2, 2), 2, 4),
    "a colour that fills two tubes": ((4, 2), 2, 4),
    "2 colours in 3 tubes of 3": ((3, 3), 3, 3),
}
MANY = 400  # more plans than that take too long to list


def family(rule: type[SortPuzzle], counts: tuple[int, ...], capacity: int, tubes: int) -> list[SortPuzzle]:
    palette = tuple(range(len(counts)))
    return [rule(board, capacity, "full", palette) for board in naive.all_boards(counts, capacity, tubes)]


@every_rule
@pytest.mark.parametrize("name", FAMILIES)
def test_exact_measures_are_what_their_definitions_say(rule, name):
    boards = family(rule, *FAMILIES[name])
    solvable = 0
    for puzzle in boards[:: 1 + len(boards) // 150]:
        plain, study = Plain(puzzle), Study(puzzle)
        assert study.is_settled
        assert (study.optimum is None) == (plain.optimum == float("inf"))
        if not study.is_solvable:
            taken = {name for name, measure in MEASURES.items() if measure.take(study) is not None}
            assert taken == {name for name, measure in MEASURES.items() if measure.of_unsolvable} >= {"effort"}
            continue
        solvable += 1
        if MEASURES["shortest_plans"].take(study).value > MANY:
            continue
        expected = plain.figures() | plain.along(positions_along(puzzle, study.plan.moves))
        for measure, value in expected.items():
            figure = MEASURES[measure].take(study)
            assert figure.how is How.EXACT
            assert figure.value == pytest.approx(value, abs=1e-5), (measure, puzzle.tubes)
    assert solvable >= 8


@every_rule
def test_boards_too_large_to_walk_through_have_the_same_exact_measures(rule, monkeypatch):
    """Without the list of all positions, distances come from searches."""
    names = ("costliest_slip", "safe_from")
    boards = [board.puzzle for board in islice(random_boards(rule, 4, 3, 2, seed=3), 12)]
    walked = [{name: MEASURES[name].take(Study(puzzle)) for name in names} for puzzle in boards]
    monkeypatch.setattr(study_module, "EXACT_POSITIONS", 1)
    for puzzle, figures in zip(boards, walked, strict=True):
        study = Study(puzzle)
        assert study.space is None
        assert {name: MEASURES[name].take(study) for name in names} == figures


@every_rule
def test_what_is_not_seen_is_bounded(rule, monkeypatch):
    monkeypatch.setattr(measures, "EXACT_POSITIONS", 10)
    for board in islice(random_boards(rule, 4, 3, 1, seed=3), 12):
        study = Study(board.puzzle)
        if study.is_solvable:
            plain = Plain(board.puzzle)
            true = plain.along(positions_along(board.puzzle, study.plan.moves))["safe_from"]
            figure = MEASURES["safe_from"].take(study)
            assert figure.low <= true <= figure.high


@pytest.mark.parametrize("name", ["dead_share", "trap_share"])
def test_shares_of_a_board_that_is_not_settled_are_between_0_and_1(name, monkeypatch):
    (board,) = islice(random_boards(BallSort, 4, 3, 1, seed=3), 1)
    study = Study(board.puzzle)
    monkeypatch.setattr(study.graph, "distance", Mock(side_effect=TooFar))
    assert MEASURES[name].take(study) == Figure(None, How.BOUNDED, 0, 1)


@every_rule
def test_intervals_hold_the_exact_share_as_often_as_they_promise(rule, monkeypatch):
    """Of 40 boards and four shares: 95 of 100 are promised, and the seeds are fixed."""
    inside = {"random_success": 0, "greedy_success": 0, "dead_share": 0, "trap_share": 0}
    boards = (board.puzzle for board in random_boards(rule, 3, 3, 1, seed=40))
    solvable = list(islice((puzzle for puzzle in boards if Study(puzzle).is_solvable), 40))
    plain = [Plain(puzzle) for puzzle in solvable]
    monkeypatch.setattr(study_module, "EXACT_POSITIONS", 1)
    for puzzle, known in zip(solvable, plain, strict=True):
        dead = {board for board, distance in known.distance.items() if distance == float("inf")}
        moves = int(known.optimum)
        exact = {
            "random_success": success(puzzle, 10 * moves, greedy=False),
            "greedy_success": success(puzzle, 10 * moves, greedy=True),
            "dead_share": wandering(puzzle, moves, dead),
            "trap_share": known.figures()["trap_share"],
        }
        study = Study(puzzle)
        for name, value in exact.items():
            figure = MEASURES[name].take(study)
            assert figure.how is How.SAMPLED
            inside[name] += figure.low - 1e-6 <= value <= figure.high + 1e-6
    assert all(number >= 33 for number in inside.values()), inside
    assert sum(inside.values()) >= 0.93 * 160, inside


@every_rule
def test_the_fewest_empty_tubes_are_those_of_all_tries(rule):
    for board in islice(random_boards(rule, 3, 3, 1, seed=8), 8):
        low, high = least_empties(board.puzzle)
        assert low == high
        for empties in range(3):
            tubes = with_empties(board.puzzle, empties).tubes
            assert (naive.optimum(tubes, 3, "full", water=rule is not BallSort) is not None) == (empties >= low)


@pytest.mark.parametrize("hits", [0, 1, 50, 99, 100])
def test_intervals_are_those_of_wilson(hits):
    low, high = wilson(hits, 100)
    assert 0 <= low <= hits / 100 <= high <= 1
    assert wilson(100 - hits, 100) == pytest.approx((1 - high, 1 - low), abs=1e-6)


@pytest.mark.parametrize(
    ("figure", "fields"),
    [
        (Figure.exact(3), {"value": 3, "how": "exact"}),
        (Figure.bounded(2, None), {"value": None, "how": "bounded", "interval": [2, None]}),
    ],
)
def test_a_figure_has_an_interval_in_json_unless_it_is_exact(figure, fields):
    assert figure.to_json() == fields
    assert Figure.from_json(fields) == figure


def test_a_sample_with_unknown_ones_allows_for_either():
    assert Figure.share(10, 100, 20).low == Figure.share(10, 100).low
    assert Figure.share(10, 100, 20).high == Figure.share(30, 100).high
    assert Figure.share(0, 5, 5).value is None


@every_rule
def test_figures_depend_neither_on_the_order_of_tubes_nor_on_the_names_of_colours(rule):
    for number, board in enumerate(islice(random_boards(rule, 6, seed=5), 4)):
        tubes = [[f"colour {ball}" for ball in tube] for tube in board.puzzle.coloured_tubes()]
        Random(number).shuffle(tubes)
        other = rule.from_tubes(tubes, 4)
        for name, measure in MEASURES.items():
            assert measure.take(Study(other)) == measure.take(Study(board.puzzle)), name


def test_many_colours_that_can_take_each_others_places_take_no_time():
    solved = BallSort(tuple(bytes([colour]) * 4 for colour in range(20)), 4, "full", tuple(range(20)))
    assert canonical_form(solved) == tuple((rank,) * 4 for rank in range(20))


@pytest.mark.parametrize("counts", [(2, 2, 2), (4, 2)])
def test_boards_that_are_alike_have_one_canonical_form(counts):
    """Against all ways to name the colours."""
    boards = family(BallSort, counts, 2, 4)
    ways = [list(way) for way in permutations(range(len(counts)))]
    by_names = defaultdict(list)
    for puzzle in boards:
        named = (sorted(tuple(way[ball] for ball in tube) for tube in puzzle.tubes) for way in ways)
        by_names[str(min(named))].append(puzzle)
    forms = [{canonical_form(puzzle) for puzzle in alike} for alike in by_names.values()]
    assert all(len(each) == 1 for each in forms)
    assert len(set().union(*forms)) == len(forms)
