"""Bounds, prunings and symmetry against exact distances, on every board of small families.

A family is every way to put given balls into given tubes; distances come from `tests.support.naive` alone.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product

import pytest

from bsp_sat.backends.search.borders import search_tables
from bsp_sat.instances.errors import IllegalMove
from bsp_sat.instances.sorting import BallSort, Goal, Pour, SortPuzzle, WaterSort
from tests.support import naive

RULES = (BallSort, WaterSort)


@dataclass(frozen=True)
class Family:
    """``counts[c]`` balls of colour c in ``tubes`` tubes of ``capacity``."""

    counts: tuple[int, ...]
    capacity: int
    tubes: int
    goal: Goal = "full"

    def __str__(self) -> str:
        return f"{'+'.join(map(str, self.counts))}-balls-in-{self.tubes}x{self.capacity}-{self.goal}"

    def puzzle(self, rule: type[SortPuzzle], board: naive.Board) -> SortPuzzle:
        return rule(board, self.capacity, self.goal, tuple(range(len(self.counts))))


@cache
def boards(family: Family) -> set[naive.Board]:
    return set(naive.all_boards(family.counts, family.capacity, family.tubes))


@cache
def distances(family: Family, rule: type[SortPuzzle]) -> dict[naive.Board, int]:
    water = rule is WaterSort
    return naive.distances(boards(family), family.capacity, family.goal, water=water, tubes_in_order=True)


FULL = (
    ((2,), 2, 3), ((2, 2), 2, 3), ((2, 2), 2, 4), ((4, 2), 2, 4), ((4, 2), 2, 5), ((4, 4), 2, 5), ((2, 2, 2), 2, 4),
    ((2, 2, 2), 2, 5), ((4, 2, 2), 2, 5), ((3, 3), 3, 3), ((3, 3), 3, 4), ((6,), 3, 4), ((6, 3), 3, 4),
    ((6, 3), 3, 5), ((3, 3, 3), 3, 4), ((4, 4), 4, 3), ((4, 4), 4, 4), ((8, 4), 4, 4), ((1, 1, 1), 1, 4),
    ((2, 2, 2, 2), 2, 6), ((3, 3, 3), 3, 5), ((6, 6), 3, 5), ((8, 4), 4, 5), ((5, 5), 5, 4),
)  # fmt: skip
MONOCHROME = (
    ((2, 2), 2, 3), ((3, 1), 2, 4), ((4, 2), 2, 4), ((2, 2, 1), 2, 4), ((3, 3), 3, 3), ((3, 3), 3, 4),
    ((5, 2), 3, 4), ((6, 2), 3, 4), ((3, 2, 2), 3, 4), ((4, 3), 4, 3), ((4, 4), 4, 3), ((5, 3), 4, 4),
    ((3, 3, 3), 3, 5), ((6, 5), 3, 5), ((7, 4), 4, 5),
)  # fmt: skip
LARGE = (Family((6, 3, 3), 3, 5), Family((4, 4, 4), 4, 4), Family((4, 3, 3), 4, 4, "monochrome"))

every_family = pytest.mark.parametrize(
    "family",
    [
        *(Family(*numbers) for numbers in FULL),
        *(Family(*numbers, "monochrome") for numbers in MONOCHROME),
        *(pytest.param(family, marks=pytest.mark.slow) for family in LARGE),
    ],
    ids=str,
)
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)


@every_rule
@every_family
@pytest.mark.sampled(every=3)
def test_moves_are_those_of_the_naive_rules_and_pruned_ones_are_among_them(family, rule):
    for board in boards(family):
        puzzle = family.puzzle(rule, board)
        ours = {move: puzzle.after_legal(move).tubes for move in puzzle.legal_moves()}
        played = {}
        for move in product(range(len(board)), repeat=2):
            with suppress(IllegalMove):
                played[move] = puzzle.play([Pour(*move)]).tubes
        assert ours == played == naive.moves(board, family.capacity, water=rule is WaterSort)
        assert puzzle.is_goal() == naive.is_goal(board, family.capacity, family.goal)
        assert set(puzzle.pruned_moves(frozenset())) == ours.keys()
        assert ours.keys() >= set(puzzle.pruned_moves(rule.prunings))


@every_family
def test_the_border_argument_never_calls_a_solvable_board_unsolvable(family):
    """And it decides boards of full and empty tubes, where balls have to fill whole tubes."""
    solvable = distances(family, BallSort)
    for board in boards(family):
        way_out, _ = search_tables(family.puzzle(BallSort, board), 10**6)
        assert way_out or board not in solvable, board
        if family.goal == "full" and {len(tube) for tube in board} <= {0, family.capacity}:
            assert way_out == (board in solvable), board


@every_rule
@every_family
@pytest.mark.sampled(every=2)
def test_the_lower_bound_is_admissible_consistent_and_zero_exactly_at_goals(family, rule):
    exact = distances(family, rule)
    for board in boards(family):
        puzzle = family.puzzle(rule, board)
        bound = puzzle.lower_bound()
        assert bound <= exact.get(board, bound), board
        assert (bound == 0) == puzzle.is_goal(), board
        assert all(bound <= 1 + puzzle.apply(move).lower_bound() for move in puzzle.legal_moves()), board


def subsets(names):
    return [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(sorted(names), size)]


@every_rule
@every_family
@pytest.mark.sampled(every=3)
def test_prunings_keep_a_shortest_plan(family, rule):
    exact = distances(family, rule)
    lost = []
    for board, distance in exact.items():
        if distance == 0:
            continue
        puzzle = family.puzzle(rule, board)
        moves = naive.moves(board, family.capacity, water=rule is WaterSort)
        optimal = {move for move, after in moves.items() if exact.get(tuple(sorted(after))) == distance - 1}
        lost += [
            (board, sorted(prunings))
            for prunings in subsets(rule.prunings)
            if optimal.isdisjoint(puzzle.pruned_moves(prunings))
        ]
    assert not lost


@every_rule
@pytest.mark.parametrize("family", [Family((2, 2), 2, 4), Family((3, 3), 3, 3), Family((4, 3), 4, 3, "monochrome")])
def test_symmetric_boards_are_equally_far_from_the_goal(family, rule):
    places = {order for board in boards(family) for order in permutations(board)}
    exact = naive.distances(places, family.capacity, family.goal, water=rule is WaterSort)
    for board in places:
        representative = family.puzzle(rule, board).canonical().tubes
        assert sorted(representative) == sorted(board)
        assert exact.get(board) == exact.get(representative)
        assert len({family.puzzle(rule, order).canonical() for order in permutations(board)}) == 1
