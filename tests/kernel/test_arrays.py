"""The arrays that compiled code is handed: what their types say, by which it reads them, is what they are."""

import psutil
import pytest

from bsp_sat import BallSort, WaterSort, load
from bsp_sat.backends.kernel import PositionGraph
from bsp_sat.backends.kernel.native.layout import fields
from bsp_sat.backends.kernel.native.memory import MAPPED, array_of, copy, empty, fill, flat, longer, zeros
from bsp_sat.backends.kernel.search.search import KernelSearch
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from tests.support.helpers import board
from tests.support.naive_variants import random_board


def tuples():
    """All named tuples of arrays that there are, of boards of several kinds."""
    fields = random_board(3, locked=True)
    plain, ruled = load("level-80"), PUZZLES[fields["puzzle"]].from_json(fields)
    several_homes = board(WaterSort, "abab|baba|ab|-", 4, "monochrome")
    for puzzle, by_homes in ((plain, True), (plain, False), (several_homes, False), (ruled, False)):
        search = KernelSearch(puzzle, by_homes=by_homes)
        yield from (search.alphabet.tables, search._scratch, search._store)
    full = KernelSearch(plain, by_homes=True, memory_mb=0.001)
    full._end_growth()
    yield full._store
    yield PositionGraph(board(BallSort, "ab|ba|-", 2), effort=1_000)._arrays


def test_types_say_what_arrays_hold():
    for arrays in tuples():
        for (name, layout), array in zip(fields(type(arrays)), arrays, strict=True):
            assert (array.format, array.ndim) == (layout.item, layout.dimensions), (arrays, name)
            assert array.c_contiguous, (arrays, name)
            assert not array.readonly, (arrays, name)


@pytest.mark.parametrize("places", [0, 1, 1000, MAPPED // 4, MAPPED // 4 + 1, MAPPED // 2])
def test_arrays_are_zeros_until_they_are_filled(places):
    view = zeros("i", places)
    assert (view.format, view.shape, view.nbytes) == ("i", (places,), 4 * places)
    assert not any(view)
    fill(view, -1)
    assert view.tolist() == [-1] * places
    fill(view[places // 2 :], 0)
    assert view.tolist() == [-1] * (places // 2) + [0] * (places - places // 2)


@pytest.mark.parametrize("rows", [1, 7, 1000, MAPPED // 24 + 1])
def test_longer_arrays_have_the_same_rows_first(rows):
    view = zeros("Q", rows, 3)
    view[rows - 1, 2] = (1 << 64) - 1
    grown = longer(view, rows)
    assert grown.shape == (2 * rows, 3)
    assert flat(grown)[: 3 * rows].tolist() == [0] * (3 * rows - 1) + [(1 << 64) - 1]
    copied = copy(view)
    view[0, 0] = 1
    assert (copied[0, 0], grown[0, 0]) == (0, 0)


def test_arrays_hold_the_values_that_were_put_in():
    view = array_of("q", [1, -(1 << 63)])
    assert array_of("q", bytes(view)).tolist() == view.tolist() == [1, -(1 << 63)]
    with pytest.raises(OverflowError):
        array_of("i", [1 << 31])


@pytest.mark.parametrize("new", [zeros, empty])
def test_too_much_memory_is_refused(new):
    with pytest.raises(MemoryError):
        new("q", 1 << 58)


@pytest.mark.parametrize("places", [0, 1, MAPPED // 4 - 1, MAPPED // 4])
def test_empty_arrays_can_be_written(places):
    view = empty("i", places)
    fill(view, -1)
    assert (view.shape, view.tolist()) == ((places,), [-1] * places)


def test_memory_is_given_back():
    for new in (zeros, empty):
        for size in (MAPPED // 8, MAPPED):
            before = psutil.Process().memory_info().rss
            for _ in range(100):
                fill(new("i", size), -1)
            assert psutil.Process().memory_info().rss - before < 20 * 4 * size


def test_entries_that_were_never_written_are_not_read(monkeypatch):
    """The same figures whatever stands in new arrays."""

    def figures():
        puzzle = next(random_boards(BallSort, 12, 4, 2)).puzzle
        found = []
        for memory_mb in (100.0, 0.001):
            search = KernelSearch(puzzle, by_homes=False, memory_mb=memory_mb, buckets=1 << 12)
            found += [search.advance(50, 20_000), search.expansions, search.states, search.rank]
        graph = PositionGraph(puzzle, effort=10_000_000)
        plans = graph.shortest_plans(graph.distance(graph.start))
        after = graph.reachable(plans.path[-8], 8_192)
        return [
            *found,
            plans.number,
            plans.chance,
            plans.path,
            list(after.target),
            after.dead,
            graph.wandered(0, 9, 40),
        ]

    expected = figures()

    def littered(item, *shape):
        view = empty(item, *shape)
        view.cast("B")[:] = bytes(range(1, 252)) * (view.nbytes // 251) + bytes(view.nbytes % 251)
        return view

    for module in ("search.search", "graph.position_graph", "native.memory"):
        monkeypatch.setattr(f"bsp_sat.backends.kernel.{module}.empty", littered)
    assert figures() == expected
