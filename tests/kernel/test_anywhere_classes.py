"""Boards whose balls go anywhere in water sort, or leave at the bottom: whole classes, against breadth-first search."""

from contextlib import closing
from itertools import permutations, product

import pytest

from bsp_sat.backends.engine import FOUND
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.kernel.search.search import NO_LIMIT
from tests.support.helpers import from_fields
from tests.support.naive import backwards
from tests.support.naive_variants import Game, State

MOVES = {
    "pours": {"puzzle": "water-sort"},
    "whole pours": {"puzzle": "water-sort", "partial": False},
    "drained": {"puzzle": "ball-sort", "drain": True},
    "drained pours": {"puzzle": "water-sort", "drain": True},
}
GOALS = {
    "full": {},
    "monochrome": {"goal": "monochrome"},
    "gathered": {"goal": "gathered"},
    "coloured": {"goal": "coloured", "tube_colours": ["a", "b", None]},
    "wanted": {"goal": "wanted", "wanted": {"a": 1}},
}
RULES = {
    "": {"placement": "any"},
    "a tube alone takes any": {"any_in": [2]},
    "a tube takes one colour": {"placement": "any", "accepts": {"0": ["a"]}},
    "a tube is larger": {"placement": "any", "capacities": [3, 3, 4]},
    "corks and one way": {"placement": "any", "cork": True, "no_out": [2]},
    "a lock": {"placement": "any", "locked": [{"tube": 2, "until": 1}]},
}


def arrangements(balls, sizes):
    for order in sorted(set(permutations(balls))):
        for loads in product(*(range(size + 1) for size in sizes)):
            if sum(loads) == len(balls):
                rest = iter(order)
                yield tuple(tuple(next(rest) for _ in range(load)) for load in loads)


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("rules", RULES)
def test_every_board_of_a_class_has_its_distance(moves, goal, rules):
    """Bounds, prunings and moves: one bound that is too high, or falls by more than one, is seen in some class."""
    fields = {"capacity": 3, **MOVES[moves], **GOALS[goal], **RULES[rules]}
    boards = list(arrangements("aaabbb", fields.get("capacities", [3] * 3)))
    game = Game({**fields, "tubes": boards[0]})
    starts = [game.settle(list(map(list, board)), [[False] * len(tube) for tube in board], set()) for board in boards]
    before: dict[State, list[State]] = {state: [] for state in starts}
    states = list(before)
    for state in states:  # those with other locks open come behind
        for after in game.moves(state).values():
            if after not in before:
                before[after] = []
                states.append(after)
            before[after].append(state)
    lengths = backwards(filter(game.is_goal, states), before.__getitem__)
    assert lengths
    for board, start in zip(boards, starts, strict=True):
        puzzle = from_fields({**fields, "tubes": list(map(list, board))})
        with closing(AnywhereSearch(puzzle)) as search:
            outcome = search.advance(NO_LIMIT, 10**9)
            assert (search.goal_cost if outcome == FOUND else None) == lengths.get(start), board
            if outcome == FOUND:
                plan = search.plan()
                plan.replay(puzzle)
                assert len(plan) == search.goal_cost, board
