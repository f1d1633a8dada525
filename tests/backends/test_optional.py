"""Without the packages that an installation may lack: what needs them says so, and `auto` answers all the same."""

import sys

import pytest

from bsp_sat import BallSort, Tiles, Unsupported, load, make_backend, solve
from bsp_sat.backends.auto import Auto, chain
from bsp_sat.backends.baselines.partition import find_triples, partition_boards
from bsp_sat.backends.proofs import labels
from bsp_sat.backends.solve import with_notes
from tests.support.helpers import board, solve_here

LONG_RUNS = board(BallSort, "bbaaaaaa|aabbbbbb|aaaaaaaa|bbbbbbbb|aaaaaaaa|bbbbbbbb|aaaaaaaa|bbbbbbbb|-", 8)
"""CP-SAT is asked for such boards: long blocks, and many tubes for each colour."""

MANY_TILES = Tiles.from_columns([list("abababa")] * 7)


@pytest.fixture
def lacking(monkeypatch):
    """Has this process, and none of its children, lack a package."""
    return lambda module: monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("module", "package", "extra", "backend", "puzzle"),
    [
        ("ortools", "OR-Tools", "cpsat", "cpsat", "level-80"),
        ("numpy", "numpy", "arrays", "frontier", "tiles-2022-11-16"),
    ],
)
def test_a_backend_without_its_package_says_what_to_install(lacking, module, package, extra, backend, puzzle):
    assert make_backend(backend).takes(load(puzzle))
    lacking(module)
    with pytest.raises(Unsupported) as refused:
        solve(load(puzzle), backend)
    to_do = f"pip install 'bsp-sat[{extra}]'"
    assert str(refused.value) == f"backend {backend} needs {package}, which isn't installed: {to_do}"


def test_so_does_the_solver_of_3_partition(lacking):
    instance = next(partition_boards(BallSort, 2, 12))
    lacking("ortools")
    with pytest.raises(Unsupported, match="backend partition needs OR-Tools"):
        make_backend("partition").check(instance.puzzle)
    with pytest.raises(Unsupported, match="solving 3-Partition needs OR-Tools"):
        find_triples([4, 4, 4], 12)


@pytest.mark.parametrize(("module", "puzzle"), [("ortools", LONG_RUNS), ("numpy", MANY_TILES)])
def test_auto_has_the_same_answer_and_says_that_it_could_be_faster(lacking, module, puzzle):
    with_all = solve_here(Auto(), puzzle)
    names = [link.name for link in chain(puzzle)]
    lacking(module)
    assert names != [link.name for link in chain(puzzle)]
    without = solve_here(Auto(), puzzle)
    assert (without.status, without.length) == (with_all.status, with_all.length)
    assert "without" not in with_all.stats
    assert without.stats["without"] == module
    (note,) = with_notes(None, puzzle, without, None).notes
    assert note.startswith("a faster backend for such boards isn't installed: pip install 'bsp-sat[")


def test_boards_that_need_no_package_say_nothing(lacking):
    for module in ("ortools", "numpy"):
        lacking(module)
    assert "without" not in solve_here(Auto(), load("level-80")).stats


def test_labels_are_found_by_the_readable_search_without_numpy(lacking, monkeypatch):
    puzzle = board(BallSort, "abc|bca|cab|-|-", 3)
    monkeypatch.setattr(labels, "FIRST_POSITIONS", 10)
    expected = labels.find_labels(puzzle, 8)
    lacking("numpy")
    assert labels.find_labels(puzzle, 8) == expected
