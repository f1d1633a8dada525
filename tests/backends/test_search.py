"""The searches against optima found by others, and against themselves with every device off."""

import pytest

from bsp_sat import BallSort, Status, load
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from tests.support import naive
from tests.support.helpers import answer, board, every_rule, reference, solve_here, under_both_rules, wrong_answers

SMALL = list(under_both_rules("small.jsonl"))
MEDIUM = list(under_both_rules("medium.jsonl"))
GRIDS = reference("grids.jsonl")
SEARCHES = ["astar", "bfs", "dfs", "dfs-sorted", "heuristic", "kernel"]  # which say unsolvable once all is seen
EXACT = ["astar", "bfs"]  # kernel and frontier have tests of their own


def test_the_reference_boards_are_all_there():
    assert (len(SMALL), len(MEDIUM), len(GRIDS)) == (192, 64, 40)
    assert {case.known_answer for case in SMALL} > {0, 3, "unsolvable"}
    assert all(case.known_answer not in (None, "unknown") for case in SMALL + MEDIUM)


@pytest.mark.parametrize("backend", EXACT)
def test_exact_searches_find_the_known_optimum(backend, one_in):
    assert not wrong_answers(backend, SMALL[:: one_in(5)])


SORT_PRUNINGS = sorted(BallSort.prunings)
VARIANTS = {
    "no-bound": AStar(bound=False),
    "no-symmetry": AStar(symmetry=False),
    "no-prunings": AStar(prunings=frozenset()),
    **{f"only-{name}": AStar(prunings=frozenset({name})) for name in SORT_PRUNINGS},
    **{f"without-{name}": AStar(prunings=BallSort.prunings - {name}) for name in SORT_PRUNINGS},
    "nothing": AStar(bound=False, prunings=frozenset(), symmetry=False),
    "bfs-no-symmetry": BreadthFirst(symmetry=False),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_device_changes_the_optimum(variant, one_in):
    assert not wrong_answers(VARIANTS[variant], [case for case in SMALL if len(case.puzzle.tubes) <= 5][:: one_in(11)])


def far_too_much(position):
    return 10 * position.lower_bound()


def test_a_heuristic_that_overestimates_proves_no_plan_shortest(one_in):
    for instance in SMALL[:: one_in(5)]:
        for most in (None, instance.known_answer if instance.known_answer != "unsolvable" else 3):
            result = solve_here(AStar(bound=far_too_much, admissible=False), instance.puzzle, most)
            if instance.known_answer == "unsolvable":
                assert result.settled, instance
            else:
                assert result.lower_bound <= instance.known_answer, instance
                assert result.length is None or result.length >= instance.known_answer, instance
                assert result.plan is not None or most is not None, instance


LONG = ("random-c12-h4-e3-s0", "random-c8-h6-e2-s0")  # seconds each


def test_astar_proves_the_medium_boards(one_in):
    step = one_in(5)
    assert not wrong_answers("astar", [case for case in MEDIUM if step == 1 or case.name not in LONG][::step])


@pytest.mark.parametrize("backend", [*EXACT, AStar(bound=False), AStar(prunings=frozenset())], ids=str)
def test_searches_settle_the_reference_grids(backend, one_in):
    assert not wrong_answers(backend, GRIDS[:: one_in(3)])


class TestLevel80:
    """Published: depth first 452, with tubes sorted 65, breadth first 38 (the post that `level-80` cites)."""

    @pytest.mark.parametrize(("backend", "length", "expansions"), [("dfs", 452, 773), ("dfs-sorted", 65, 381)])
    def test_depth_first_gives_the_published_plans(self, backend, length, expansions):
        result = solve_here(backend, load("level-80"))
        assert (result.status, result.length) == (Status.FEASIBLE, length)
        assert result.stats["expansions"] == expansions

    def test_breadth_first_proves_the_published_length(self):
        assert answer(solve_here("bfs", load("level-80"))) == 38


@every_rule
@pytest.mark.parametrize("backend", SEARCHES)
def test_an_unsolvable_board_with_steps_for_every_state_is_still_unsolvable(backend, rule):
    assert solve_here(backend, board(rule, "ab|ba", 2), 1000).status is Status.UNSOLVABLE


@every_rule
@pytest.mark.parametrize("backend", ["dfs", "dfs-sorted", "heuristic"])
def test_an_inexact_search_that_was_cut_proves_nothing(backend, rule):
    puzzle = board(rule, "caac|bbac|bbac|-", 4)
    for max_steps in range(12):
        result = solve_here(backend, puzzle, max_steps)
        assert result.lower_bound == (0 if backend == "heuristic" else puzzle.lower_bound())
        assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
        assert result.length is None or result.length <= max_steps


@pytest.mark.parametrize("backend", EXACT)
def test_every_cut_below_the_optimum_proves_one_move_more(backend, one_in):
    for instance in [case for case in SMALL if case.known_answer != "unsolvable"][:: one_in(46)]:
        for max_steps in range(instance.known_answer):
            result = solve_here(backend, instance.puzzle, max_steps)
            assert result.status is Status.UNKNOWN
            assert max_steps < result.lower_bound <= instance.known_answer
        assert answer(solve_here(backend, instance.puzzle, instance.known_answer)) == instance.known_answer


@pytest.mark.parametrize("backend", SEARCHES)
def test_a_search_that_was_cut_never_says_unsolvable(backend, one_in):
    for instance in [case for case in SMALL if case.known_answer == "unsolvable"][:: one_in(5)]:
        for max_steps in range(max_distance(instance.puzzle)):
            assert solve_here(backend, instance.puzzle, max_steps).status is Status.UNKNOWN, instance


def max_distance(puzzle):
    """Moves to the position that is farthest away, plus one to see that nothing follows it."""
    positions = naive.forwards(
        puzzle.canonical(), lambda state: (state.apply(m).canonical() for m in state.legal_moves())
    )
    return 1 + max(depth for _, depth in positions)
