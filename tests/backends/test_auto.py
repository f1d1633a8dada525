"""The default: which backends a board gets, in which order, and how they hand over to one another."""

from dataclasses import replace

import pytest

from bsp_sat import BallSort, Limits, Status, WaterSort, load, random_boards, solve
from bsp_sat.backends import auto
from bsp_sat.backends.auto import Auto, chain
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.cpsat.partition import Partition
from bsp_sat.backends.kernel import MAX_CAPACITY, Kernel
from bsp_sat.backends.portfolio import Portfolio
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.instances.tiles import Tiles
from tests.support.helpers import board, every_rule, solve_here
from tests.support.misbehaving import Misbehaving

EASY = board(BallSort, "ab|ba|-", 2)


def links(puzzle):
    return [type(link) for link in chain(puzzle)]


def last(puzzle):
    *_, link = chain(puzzle)
    return link


@pytest.mark.parametrize("puzzle", [EASY, board(WaterSort, "ab|ba|-", 2), board(BallSort, "ab|ba|aa|-", 2)])
def test_sort_boards_get_the_border_argument_and_the_compiled_search(puzzle):
    assert links(puzzle) == [Kernel, Borders, Kernel]
    assert next(chain(puzzle)).max_expansions == auto.LIGHT_EFFORT // len(puzzle.tubes) ** 2


def test_without_the_compiled_search_the_readable_one_is_left(monkeypatch):
    monkeypatch.setattr(Kernel, "takes", lambda kernel, puzzle: False)
    assert links(EASY) == [Borders, AStar]
    result = solve_here(Auto(), EASY)
    assert (result.length, result.stats["settled_by"]) == (3, "astar")


def partition_tubes(rule, triples, target):
    return next(partition_boards(rule, triples, target, solvable=True)).puzzle


@every_rule
def test_boards_of_3_partition_get_the_backend_that_solves_the_numbers(rule):
    for target in (20, MAX_CAPACITY + 16):
        assert links(partition_tubes(rule, 3, target)) == [Borders, Partition]
    assert last(partition_tubes(rule, 2, 20)) == Kernel()  # so small that the search is faster
    result = solve(partition_tubes(rule, 6, 30))
    assert (result.status, result.stats["settled_by"]) == (Status.OPTIMAL, "partition")


@pytest.mark.parametrize(("triples", "target", "expected"), [(4, 20, Portfolio), (4, MAX_CAPACITY + 16, CpSat)])
def test_few_colours_in_long_runs_get_cpsat(triples, target, expected):
    """Boards of 3-Partition with one empty tube more."""
    puzzle = partition_tubes(BallSort, triples, target)
    *full, _ = puzzle.tubes
    assert type(last(replace(puzzle, tubes=(*full, b"", b"")))) is expected
    water = last(replace(partition_tubes(WaterSort, triples, target), tubes=(*full, b"", b"")))
    assert type(water) is (Kernel if target <= MAX_CAPACITY else AStar)


def test_what_the_compiled_search_cannot_hold_is_left_to_the_readable_one():
    assert links(BallSort.from_tubes([[colour] for colour in range(65)], 1)) == [Borders, AStar]


def test_auto_takes_the_search_for_grids():
    assert links(next(random_boards(Tiles, 8, 8, 4)).puzzle) == [Frontier]
    assert links(load("tiles-2022-11-16")) == [AStar]
    assert links(load("shot-literate")) == [AStar]


def test_the_next_link_goes_on_where_one_gives_up(monkeypatch):
    monkeypatch.setattr(auto, "chain", lambda puzzle, limited: iter([AStar(max_states=20), Borders(), AStar()]))
    result = solve_here(Auto(), load("level-80"))
    assert (result.status, result.length, result.stats["settled_by"]) == (Status.OPTIMAL, 38, "astar")


def test_no_link_is_begun_once_the_board_is_settled(monkeypatch):
    monkeypatch.setattr(auto, "chain", lambda puzzle, limited: iter([AStar(), Misbehaving("raises")]))
    assert solve_here(Auto(), EASY).status is Status.OPTIMAL


def test_facts_of_all_links_count(monkeypatch):
    """The first has a plan and no bound, the second no plan and a bound."""
    monkeypatch.setattr(auto, "chain", lambda puzzle, limited: iter([Misbehaving("prints"), Misbehaving("nothing")]))
    result = solve_here(Auto(), board(BallSort, "ab|ba|-|-", 2))
    assert (result.status, result.length, result.stats["settled_by"]) == (Status.OPTIMAL, 3, "misbehaving")


def test_no_backend_is_named_where_nothing_is_settled():
    result = solve(next(random_boards(BallSort, 16, 4, 3)).puzzle, limits=Limits(seconds=1e-6))
    assert result.status is not Status.OPTIMAL
    assert "settled_by" not in result.stats


def test_every_link_keeps_to_the_memory(monkeypatch):
    asked = []
    monkeypatch.setattr(Kernel, "within", lambda self, memory_mb: asked.append(memory_mb) or self)
    solve_here(Auto().within(500), load("level-80"))
    assert set(asked) == {500}


def test_a_limit_on_moves_does_not_hide_that_there_is_no_plan_at_all():
    """A search would say that there is none within the limit."""
    result = solve_here(Auto(), BallSort.from_text("abcd|abcd|abcd|abcd|-"), max_steps=10)
    assert (result.status, result.stats["settled_by"]) == (Status.UNSOLVABLE, "borders")
