"""The formula about all boards of a class, against all boards, each with all positions that its moves lead to."""

from collections.abc import Sequence
from itertools import product

import pytest
from pysat.solvers import Solver

from bsp_sat.encoder.unsolvable_board import Symmetry, UnsolvableBoard, first_places
from bsp_sat.grading.canonical_form import Tubes, canonical_form
from bsp_sat.instances.sorting import BallSort
from tests.support import naive

CLASSES = [(1, 3, 0), (2, 1, 0), (2, 2, 0), (2, 3, 1), (2, 4, 1), (2, 5, 1), (3, 2, 1), (3, 3, 1), (3, 2, 2), (4, 2, 1)]
SOLVABLE = {(1, 3, 0), (2, 1, 0), (2, 3, 1), (3, 2, 1), (3, 2, 2)}
SYMMETRIES = [Symmetry(*switches) for switches in product((False, True), repeat=3)]


def unsolvable_boards(colours: int, capacity: int, empty: int) -> set[Tubes]:
    """All of them, up to names and order."""
    found = set()
    for tubes in naive.all_boards((capacity,) * colours, capacity, colours):
        board = (*tubes, *[b""] * empty)
        if naive.optimum(board, capacity, "full", water=False) is None:
            found.add(canonical_form(BallSort(board, capacity, "full", tuple(range(colours)))))
    return found


def boards_of_models(formula: UnsolvableBoard, cube: Sequence[int] = ()) -> set[Tubes]:
    """The boards of all models with some literals, up to names and order."""
    balls = {number for number, name in enumerate(formula.names, start=1) if name[0] == "ball"}
    found = set()
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        while solver.solve(cube):
            model = solver.get_model()
            found.add(canonical_form(formula.decode(model)))
            solver.add_clause([-literal for literal in model if literal in balls])
    return found


@pytest.mark.parametrize("numbers", CLASSES)
@pytest.mark.sampled(every=3)
def test_models_are_exactly_the_unsolvable_boards(numbers):
    expected = unsolvable_boards(*numbers)
    assert (not expected) == (numbers in SOLVABLE)
    for symmetry in SYMMETRIES:
        assert boards_of_models(UnsolvableBoard(*numbers, symmetry)) == expected


def test_each_rule_of_symmetry_leaves_fewer_boards():
    def models(symmetry: Symmetry) -> int:
        formula = UnsolvableBoard(3, 3, 1, symmetry)
        balls = [number for number, name in enumerate(formula.names, start=1) if name[0] == "ball"]
        count = 0
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            while solver.solve():
                count += 1
                chosen = set(solver.get_model())
                solver.add_clause([-literal for literal in balls if literal in chosen])
        return count

    switched_on = (False, False, False), (True, False, False), (True, True, False), (True, True, True)
    counts = [models(Symmetry(*switches)) for switches in switched_on]
    assert counts == sorted(set(counts), reverse=True)


@pytest.mark.parametrize("fewest", [1, 2, 5, 40])
def test_the_cubes_together_have_all_boards(fewest):
    for numbers in (2, 5, 1), (3, 3, 1), (3, 2, 0):
        formula = UnsolvableBoard(*numbers)
        words = first_places(*numbers[:2], fewest)
        assert min(fewest, len(first_places(*numbers[:2], 10**6))) <= len(words) == len(set(words))
        found = [boards_of_models(formula, formula.cube(word)) for word in words]
        assert set().union(*found) == boards_of_models(formula)
