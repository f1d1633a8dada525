"""Each encoding, with each of its devices on and off, on all boards of small classes.

A device that loses the last shortest plan of a board makes a proof false. Distances come from programs without
formulas, bounds and prunings: `tests.support.naive`, and playing all moves.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from bsp_sat import BallSort, WaterSort
from bsp_sat.encoder.clicks import Clicks
from bsp_sat.encoder.homes.encoding import Homes
from bsp_sat.encoder.homes.rules import ALL_RULES, NO_RULES, Rule
from bsp_sat.encoder.knocks import Knocks
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.sequential.formula import Sequential
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import Goal, SortPuzzle
from bsp_sat.instances.tiles import Tiles
from tests.support import naive
from tests.support.formulas import Distance, check_formula
from tests.support.helpers import RULES

SEQUENTIAL = [Sequential(*switches) for switches in product((True, False), repeat=3)]
ORDER = [Order(), Order(dominance=False)]
HOMES = [Homes(rules) for rules in (ALL_RULES, NO_RULES, *Rule, *(~rule for rule in Rule))]
KNOCKS = [Knocks(), Knocks(order_commuting=False)]
CLICKS = [Clicks(*switches) for switches in product((True, False), repeat=2)]


@cache
def distance(puzzle: AnyPuzzle) -> Distance:
    """By playing all moves of all positions, where each move takes something away."""
    if puzzle.is_goal():
        return 0
    ways = (distance(puzzle.after_legal(move)) for move in puzzle.legal_moves())
    return min((1 + way for way in ways if way is not None), default=None)


def sort_boards(
    rule: type[SortPuzzle], counts: tuple[int, ...], capacity: int, tubes: int, goal: Goal, step: int
) -> Iterator[tuple[AnyPuzzle, Distance]]:
    """Every ``step``-th board of a class, its tubes in any order: what chooses among tubes goes by their places."""
    boards = sorted(naive.all_boards(counts, capacity, tubes))
    water = rule is WaterSort
    exact = naive.distances(set(boards), capacity, goal, water=water, tubes_in_order=True)
    chance = Random(1)
    for tubes_then in boards[::step]:
        yield rule(tuple(chance.sample(tubes_then, tubes)), capacity, goal, tuple("abcd")), exact.get(tubes_then)


def shot_boards(side: int, balls: int, step: int) -> Iterator[tuple[AnyPuzzle, Distance]]:
    """All boards in squares, those with plans first; where they lie makes no difference."""
    corners = set()
    for places in combinations(product(range(side), repeat=2), balls):
        left, top = (min(place[axis] for place in places) for axis in (0, 1))
        corners.add(tuple((x - left, y - top) for x, y in places))
    boards = [Shot.from_balls(side, side, places) for places in sorted(corners)]
    boards.sort(key=lambda board: distance(board) is None)
    with_plan = sum(distance(board) is not None for board in boards)
    for puzzle in (*boards[:with_plan:step], *boards[with_plan :: 20 * step]):
        yield puzzle, distance(puzzle)


def tiles_boards(columns: int, rows: int, colours: str, step: int) -> Iterator[tuple[AnyPuzzle, Distance]]:
    """All columns of so many tiles at most, but for colours that change names."""
    column = ["".join(tiles) for height in range(rows + 1) for tiles in product(colours, repeat=height)]
    boards = [chosen for chosen in product(column, repeat=columns) if in_order("".join(chosen), colours)]
    for chosen in boards[::step]:
        puzzle = Tiles.from_columns([list(tiles) for tiles in chosen])
        yield puzzle, distance(puzzle)


def in_order(tiles: str, colours: str) -> bool:
    return colours.startswith("".join(dict.fromkeys(tiles)))


FULL = [
    ((2, 2), 2, 3, 1), ((2, 2), 2, 4, 1), ((2, 2, 2), 2, 4, 1), ((2, 2, 2), 2, 5, 1), ((3, 3), 3, 3, 1),
    ((3, 3), 3, 4, 1), ((4, 4), 4, 3, 3), ((4, 4), 4, 4, 7), ((5, 5), 5, 3, 5), ((3, 3, 3), 3, 4, 31),
    ((3, 3, 3), 3, 5, 61),
]  # fmt: skip
OTHERS: list[tuple[tuple[int, ...], int, int, Goal, int]] = [
    ((4, 2), 2, 4, "full", 1), ((6, 3), 3, 4, "full", 7), ((3, 2), 2, 3, "monochrome", 1),
    ((4, 3), 4, 3, "monochrome", 5), ((3, 2, 2), 3, 4, "monochrome", 29),
]  # fmt: skip
CASES = [
    *(
        (sort_boards, (rule, counts, capacity, tubes, "full", step), encodings)
        for rule in RULES
        for counts, capacity, tubes, step in FULL
        for encodings in ([SEQUENTIAL, ORDER, HOMES] if rule is BallSort else [SEQUENTIAL, ORDER])
    ),
    *((sort_boards, (rule, *numbers), SEQUENTIAL) for rule in RULES for numbers in OTHERS),
    *((shot_boards, numbers, KNOCKS) for numbers in [(4, 4, 1), (4, 5, 1), (4, 6, 1), (5, 4, 1), (5, 5, 1), (5, 6, 9)]),
    *(
        (tiles_boards, numbers, CLICKS)
        for numbers in [
            (2, 4, "ab", 1), (2, 4, "abc", 7), (3, 3, "ab", 1), (3, 2, "abc", 1), (4, 2, "ab", 1), (4, 2, "abc", 5),
        ]
    ),
]  # fmt: skip


@pytest.mark.parametrize(("boards", "numbers", "encodings"), CASES)
@pytest.mark.sampled(every=4)
def test_every_board_of_a_class_has_a_model_at_its_distance_and_none_below(boards, numbers, encodings, one_in):
    chosen = list(boards(*numbers))
    for puzzle, optimum in chosen[:: one_in(1 + len(chosen) // 12)]:
        for encoding in encodings:
            check_formula(encoding, puzzle, optimum)


@pytest.mark.parametrize(
    ("puzzle", "encodings"),
    [
        # Of two knocks the one along a row may have to come first.
        (Shot.from_balls(4, 4, [(0, 1), (1, 1), (3, 0), (3, 2)]), KNOCKS),
        # Of two clicks in neighbouring columns, the one on the right may have to come first.
        (Tiles.from_columns([list("baa"), list("acacc")]), CLICKS),
        (Tiles.from_columns([list("ccbb"), list("bbaba")]), CLICKS),
    ],
    ids=["shot", "tiles", "more tiles"],
)
def test_boards_that_need_the_exceptions_of_the_order_of_moves_keep_their_distance(puzzle, encodings):
    for encoding in encodings:
        check_formula(encoding, puzzle, distance(puzzle))


@pytest.mark.parametrize(
    ("rule", "tubes", "capacity", "optimum", "encodings"),
    [
        # A ball visits a block, then another, and then its emptied tube: only the last of these moves is no extra one.
        (BallSort, ["bcbb", "", "bcac", "acaa"], 4, 14, ORDER),
        # Of two clears the one with the lower number may have to come second, if a home opens with the other.
        (BallSort, ["abcac", "bbc", "ac", "cabba"], 5, 17, HOMES),
        # What the formula says of water that comes to a block by way of the emptied tube matters on no smaller board.
        (WaterSort, ["cacaba", "cbabba", "cabbcc", ""], 6, 15, ORDER),
    ],
    ids=["order", "homes", "order of water"],
)
def test_boards_larger_than_the_classes_have_a_model_at_their_distance(rule, tubes, capacity, optimum, encodings):
    for encoding in encodings:
        check_formula(encoding, rule.from_tubes([list(tube) for tube in tubes], capacity), optimum)
