"""Whole classes of boards: at every position each bound, each pruning and each search, against exact distances.

A bound that is too high for few boards of many makes false claims that random boards don't show. So the bound of each
program is asked for itself, at every position, solvable or not: the compiled one, the readable one, and that of the
checker of certificates. The distances come from `tests.support.naive_variants`, which shares nothing with them.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from itertools import chain, permutations, product
from math import inf
from typing import Any

import pytest

from bsp_sat.backends.engine import FOUND
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.kernel.contents.alphabet import Alphabet, has_homes
from bsp_sat.backends.kernel.contents.ruled import RuledAlphabet, has_rules
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.formal.check_labels import INFINITE, rules_of
from bsp_sat.formal.check_other_puzzles import RuledSort
from bsp_sat.instances.sorting import SortPuzzle
from tests.support.helpers import from_fields
from tests.support.naive import backwards
from tests.support.naive_variants import Game, State

CLASSES: dict[str, tuple[str, int, int, dict[str, Any]]] = {
    "full": ("aaabbb", 3, 3, {}),
    "monochrome": ("aaabb", 3, 3, {"goal": "monochrome"}),
    "gathered": ("aaabb", 3, 3, {"goal": "gathered"}),
    "coloured": ("aaabb", 3, 3, {"goal": "coloured", "tube_colours": ["a", "b", None]}),
    "wanted": ("aaaab", 4, 3, {"goal": "wanted", "wanted": {"a": 1}}),
}
"""The balls, the capacity of the tubes, their number, and the fields of the goal."""

LARGER_CLASSES: dict[str, tuple[str, int, int, dict[str, Any]]] = {
    "full, three colours": ("aabbcc", 2, 4, {}),
    "full, two tubes of a colour": ("aaaabb", 2, 4, {}),
    "full, larger tubes": ("aaaabbbb", 4, 3, {}),
    "monochrome, three colours": ("aabbcc", 2, 4, {"goal": "monochrome"}),
    "gathered, three colours": ("aabbc", 3, 4, {"goal": "gathered"}),
    "coloured, three colours": ("aabbcc", 2, 4, {"goal": "coloured", "tube_colours": ["a", "b", None, "c"]}),
    "wanted, two colours": ("aabbcc", 2, 4, {"goal": "wanted", "wanted": {"a": 1, "b": 1}}),
    "wanted, two tubes of a colour": ("aaaab", 2, 4, {"goal": "wanted", "wanted": {"a": 2}}),
    "wanted, larger tubes": ("aaaabbb", 4, 3, {"goal": "wanted", "wanted": {"a": 1}}),
}

PLACEMENTS = {"matching": {}, "any": {"placement": "any"}, "any in one": {"any_in": [2]}}

MOVES = {
    "balls": {"puzzle": "ball-sort"},
    "pours": {"puzzle": "water-sort"},
    "drained": {"puzzle": "ball-sort", "drain": True},
    "drained pours": {"puzzle": "water-sort", "drain": True},
}

RULES: dict[str, dict[str, Any]] = {
    "": {},
    "corks": {"cork": True},
    "a lock until a tube": {"locked": [{"tube": 2, "until": 1}]},
    "a lock until a colour": {"locked": [{"tube": 0, "until": "a"}]},
    "a lock until a tube of a colour": {"locked": [{"tube": 1, "until": {"colour": "a", "tubes": 1}}]},
    "a larger tube": {"capacities": [0, 0, 1, 0]},
    "a smaller tube": {"capacities": [0, 0, -1, 0]},
    "one colour": {"accepts": {"0": ["a"]}},
    "one way": {"no_in": [1], "no_out": [2]},
    "covers": {"reveal": "cell"},
    "whole pours": {"partial": False},
}
"""Capacities are given as what comes to that of the class."""

KINDS = [
    (moves, rules)
    for moves, rules in product(MOVES, RULES)
    if not (rules == "covers" and "drain" in MOVES[moves]) and not (rules == "whole pours" and "pours" not in moves)
]
"""There are no covers where balls leave at the bottom; whole pours make no difference to balls."""


def arrangements(balls: str, sizes: list[int]) -> Iterator[tuple[tuple[str, ...], ...]]:
    for order in sorted(set(permutations(balls))):
        for loads in product(*(range(size + 1) for size in sizes)):
            if sum(loads) == len(balls):
                rest = iter(order)
                yield tuple(tuple(next(rest) for _ in range(load)) for load in loads)


class Class:
    """All boards with the same balls and rules, and what can become of them."""

    def __init__(self, balls: str, capacity: int, tubes: int, fields: dict[str, Any]) -> None:
        self.fields = {"capacity": capacity, **fields}
        sizes = [capacity + more for more in fields.get("capacities", [0] * tubes)[:tubes]]
        if "capacities" in fields:
            self.fields["capacities"] = sizes
        boards = list(arrangements(balls, sizes))
        self.game = Game({**self.fields, "tubes": boards[0]})
        covered = "reveal" in fields
        starts = [
            self.game.settle(list(map(list, board)), [[covered] * len(tube) for tube in board], set())
            for board in boards
        ]
        self.after: dict[State, dict[Any, State]] = {start: {} for start in starts}
        waiting = list(self.after)
        for state in waiting:
            self.after[state] = self.game.moves(state)
            for following in self.after[state].values():
                if following not in self.after:
                    self.after[following] = {}
                    waiting.append(following)
        self.distances = self.distances_by({state: list(moves) for state, moves in self.after.items()})

    def distances_by(self, moves: dict[State, list[Any]]) -> dict[State, int]:
        """The length of a shortest plan by these moves from each state that has one."""
        before: dict[State, list[State]] = {state: [] for state in moves}
        for state, some in moves.items():
            for move in some:
                before[self.after[state][move]].append(state)
        return backwards(filter(self.game.is_goal, moves), before.__getitem__)

    @cached_property
    def root(self) -> SortPuzzle:
        """The first board on which no lock is open."""
        state = next(state for state in self.after if not state.opened)
        tubes, hidden = list(map(list, state.tubes)), list(map(list, state.covered))
        return from_fields({**self.fields, "tubes": tubes, "hidden": hidden})

    @cached_property
    def positions(self) -> dict[State, SortPuzzle]:
        """Each state as the package has it."""
        root, codes = self.root, {colour: code for code, colour in enumerate(self.root.palette)}
        positions = {}
        for state in self.after:
            tubes = tuple(bytes(map(codes.__getitem__, tube)) for tube in state.tubes)
            if root.is_plain:
                positions[state] = replace(root, tubes=tubes)
                continue
            opened = [rule.base if i in state.opened else rule for i, rule in enumerate(root.rules.tubes)]
            covers = tuple(sum(1 << level for level, hidden in enumerate(tube) if hidden) for tube in state.covered)
            rules = replace(root.rules, tubes=tuple(opened))
            positions[state] = replace(root, tubes=tubes, rules=rules, covers=covers)
        return positions

    def check_bounds(self, bounds: dict[State, float]) -> None:
        """No bound is higher than the distance, or falls by more than one in a move."""
        for state, bound in bounds.items():
            assert bound <= self.distances.get(state, inf), self.positions[state]
            for move, following in self.after[state].items():
                assert bounds[following] >= bound - 1 or bound == inf, (self.positions[state], move)

    def by_checker(self) -> Iterator[float]:
        """The bounds of the checker of certificates."""
        rules = rules_of(json.loads(json.dumps(self.root.to_json())))
        numbers = [tube[:1] for tube in rules.placed] if isinstance(rules, RuledSort) else [b""] * len(rules.placed)
        for state, position in self.positions.items():
            opened = [
                bytes([rules.opens[number[0]]]) if place in state.opened else number
                for place, number in enumerate(numbers)
            ]
            tubes = tuple(sorted(number + tube for number, tube in zip(opened, position.tubes, strict=True)))
            assert rules.is_goal(tubes) == (state in self.distances and not self.distances[state])
            bound = rules.bound(tubes)
            yield inf if bound >= INFINITE else bound


def compiled(of: Class) -> Iterator[list[tuple[float, float]]]:
    """By each compiled search, with prunings and without, the bound and the length found from each position."""
    positions = list(of.positions.values())

    def results(search: KernelSearch, position: SortPuzzle, first: int) -> tuple[float, float]:
        outcome = search.advance(NO_LIMIT, first)
        bound = search.rank if search.states else inf
        if outcome != FOUND and search.advance(NO_LIMIT, 10**9) != FOUND:
            return bound, inf
        plan = search.plan()
        plan.replay(position)
        assert len(plan) == search.goal_cost
        return bound, len(plan)

    for pruned in (True, False):
        if of.root.rules.anywhere:
            found = []
            for position in positions:
                with closing(AnywhereSearch(position, plain=not pruned)) as search:
                    found.append(results(search, position, 1))
            yield found
            continue
        for by_homes in {False, has_homes(of.root)}:
            if has_rules(of.root):
                alphabet = RuledAlphabet(of.root, positions)
            else:
                tubes = chain.from_iterable(position.tubes for position in positions)
                alphabet = Alphabet(of.root, by_homes=by_homes, further=dict.fromkeys(tubes))
            search = KernelSearch(of.root, by_homes=by_homes, pruned=pruned, alphabet=alphabet)
            found = []
            for position in positions:
                search.restart(alphabet.start(position))
                found.append(results(search, position, 0))
            yield found


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", [*CLASSES, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER_CLASSES)])
def test_at_every_position_of_a_class_bounds_and_prunings_agree_with_the_distances(name, placement, one_in):
    *given, fields = {**CLASSES, **LARGER_CLASSES}[name]
    for moves, rules in KINDS[(len(name) + len(placement)) % 3 % (step := one_in(3)) :: step]:
        check_class(Class(*given, {**fields, **PLACEMENTS[placement], **MOVES[moves], **RULES[rules]}))


def check_class(of: Class) -> None:
    readable = {state: position.lower_bound() for state, position in of.positions.items()}
    of.check_bounds(readable)
    for state, position in of.positions.items():
        assert (readable[state] == 0) == position.is_goal() == of.game.is_goal(state)
        assert set(position.legal_moves()) == set(of.after[state])
    if not any(map(any, chain.from_iterable(state.covered for state in of.after))):
        checked = dict(zip(of.after, of.by_checker(), strict=True))
        of.check_bounds(checked)
        assert all(checked[state] >= bound for state, bound in readable.items())  # so labels are enough
    for pruning in (*({pruning} for pruning in SortPuzzle.prunings), SortPuzzle.prunings):
        left = {state: list(position.pruned_moves(frozenset(pruning))) for state, position in of.positions.items()}
        assert of.distances_by(left) == of.distances, pruning
    for found in compiled(of) if Kernel().takes(of.root) else ():
        of.check_bounds(dict(zip(of.after, (bound for bound, _ in found), strict=True)))
        for (_, length), (state, position) in zip(found, of.positions.items(), strict=True):
            assert length == of.distances.get(state, inf), position
