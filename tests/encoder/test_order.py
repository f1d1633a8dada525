"""The order encoding against A*, with and without its dominance rules."""

import random
from collections.abc import Iterator

import pytest
from pysat.solvers import Solver

from bsp_sat import BallSort, Limits, Status, WaterSort, random_boards, solve
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.encoder.counters import Totalizer
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.formula import Formula
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.registry import encodings_for
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.sorting import SortPuzzle
from tests.support.helpers import answer, case_id, every_rule, solve_here, under_both_rules


def optimum_by_search(puzzle: SortPuzzle) -> int | str:
    return answer(solve_here("astar", puzzle))


def optimum_by_order(puzzle: SortPuzzle, encoding: Encoding) -> int | str:
    """What is proved; "feasible" would mean that the refutations needed the water rules' exact amounts."""
    return answer(solve_here(Sat(encoding, guide=False), puzzle))


def boards(rule: type[SortPuzzle], seed: int, count: int) -> Iterator[SortPuzzle]:
    """Small random boards, one in two after a few random moves."""
    rng = random.Random(seed)
    for _ in range(count):
        colours, capacity = rng.choice([(2, 6), (3, 5), (3, 4), (4, 4), (5, 3), (5, 2), (3, 2)])
        puzzle = next(random_boards(rule, colours, capacity, rng.randint(1, 3), seed=rng.randrange(10**6))).puzzle
        assert isinstance(puzzle, SortPuzzle)
        for _ in range(rng.choice([0, rng.randint(1, 8)])):
            moves = list(puzzle.legal_moves())
            if moves:
                puzzle = puzzle.apply(rng.choice(moves))
        yield puzzle


@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.slow)])
@every_rule
def test_order_agrees_with_search(rule, count):
    for puzzle in boards(rule, seed=1, count=count):
        expected = optimum_by_search(puzzle)
        for encoding in (Order(), Order(dominance=False)):
            assert optimum_by_order(puzzle, encoding) == expected, (puzzle.tubes, encoding)


@pytest.mark.slow
@pytest.mark.parametrize("instance", [load_instance("level-80"), *under_both_rules("medium.jsonl")], ids=case_id)
def test_order_never_contradicts_the_known_optimum_of_larger_boards(instance):
    """Each encoding has a minute; what it has proved by then is right."""
    for encoding in encodings_for(instance.puzzle):
        result = solve(instance.puzzle, Sat(encoding, guide=False), limits=Limits(seconds=600))
        if result.status is Status.OPTIMAL:
            assert result.length == instance.known_answer
        else:
            assert result.lower_bound is not None
            assert result.lower_bound <= instance.known_answer <= (result.length or instance.known_answer)


def test_a_board_that_needs_partial_pours_is_solved():
    """Without them it has no plan, and with them it takes 9 moves."""
    puzzle = WaterSort.from_tubes([list("caac"), list("bbac"), list("bbac"), []], 4)
    assert optimum_by_order(puzzle, Order()) == 9


def test_visits_that_never_happen_fill_nothing():
    """Once, a model could call a block full of water that was poured elsewhere."""
    tubes = [[0, 0, 1, 2, 1, 2], [2, 0, 1, 2, 0], [1, 2, 0, 0, 2, 1], [1], []]
    assert optimum_by_order(WaterSort.from_tubes(tubes, 6), Order()) == 14


def test_no_colour_with_a_home_in_an_emptied_tube_has_to_come_first():
    """All three colours may have such a home, and none of their digs can come before those of both others."""
    puzzle = BallSort.from_tubes([list("bcb"), list("cba"), list("aca"), [], []], 3)
    assert optimum_by_order(puzzle, Order()) == 8


@pytest.mark.parametrize("bound", range(6))
def test_the_totalizer_counts(bound):
    formula = Formula()
    inputs = formula.variables(5, "input")
    inner = Totalizer(formula, inputs[:2], ("inner",))
    total = Totalizer(formula, [inner, Totalizer(formula, [], ("none",)), *inputs[2:]], ("total",))
    total.at_most(1)  # raised below
    limit = total.at_most(bound)
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        for number in range(2**5):
            chosen = [literal if number >> at & 1 else -literal for at, literal in enumerate(inputs)]
            assert solver.solve(assumptions=chosen + limit) == (number.bit_count() <= bound)


@pytest.mark.parametrize("bound", range(6))
def test_the_sequential_counter_counts_and_is_as_small_as_it_says(bound):
    formula = Formula()
    inputs = formula.variables(5, "input")
    formula.at_most(bound, inputs, "count")
    assert formula.names[5:] == [("count", at, level) for at in range(5) for level in range(min(bound, at + 1))] * (
        bound < 5
    )
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        for number in range(2**5):
            chosen = [literal if number >> at & 1 else -literal for at, literal in enumerate(inputs)]
            assert solver.solve(assumptions=chosen) == (number.bit_count() <= bound)
