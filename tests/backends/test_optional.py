"""Without the packages that an installation may lack: what needs them says so, and `auto` answers all the same."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from bsp_sat import BallSort, Tiles, Unsupported, load, make_backend, solve
from bsp_sat.backends.auto import Auto, chain
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.cpsat.partition import find_triples
from bsp_sat.backends.proofs import labels
from bsp_sat.backends.run import Here, Solve
from bsp_sat.instances.optional import OPTIONAL, how_to_install
from tests.support.helpers import board, solve_here

ROOT = Path(__file__).parents[2]

LONG_RUNS = board(BallSort, "bbaaaaaa|aabbbbbb|aaaaaaaa|bbbbbbbb|aaaaaaaa|bbbbbbbb|aaaaaaaa|bbbbbbbb|-", 8)
"""CP-SAT is asked for such boards: long blocks, and many tubes for each colour."""

MANY_TILES = Tiles.from_columns([list("abababa")] * 7)


@pytest.fixture
def lacking(monkeypatch):
    """Has this process, and none of its children, lack a package."""
    return lambda module: monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("module", "package", "backend", "puzzle"),
    [("ortools", "OR-Tools", "cpsat", "level-80"), ("numpy", "numpy", "frontier", "tiles-2022-11-16")],
)
def test_a_backend_without_its_package_says_what_to_install(lacking, module, package, backend, puzzle):
    assert make_backend(backend).takes(load(puzzle))
    lacking(module)
    with pytest.raises(Unsupported) as refused:
        solve(load(puzzle), backend)
    to_do = f"pip install {module}"
    assert str(refused.value) == f"backend {backend} needs {package}, which isn't installed: {to_do}"


def test_what_messages_advise_is_what_the_project_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [project["dependencies"], *project["optional-dependencies"].values()]
    named = [{re.split("[>;]", each)[0] for each in extra} for extra in extras]
    for module in OPTIONAL:
        advised = set(how_to_install(module).removeprefix("pip install ").split())
        assert any(advised <= each for each in named), module


def test_nothing_advises_a_name_on_the_package_index():
    """The name isn't taken there: a package of that name may be anybody's one day."""
    git = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    own = {"CHANGELOG.md", Path(__file__).relative_to(ROOT).as_posix()}
    for path in {path for path in git if path.endswith((".py", ".md", ".js", ".ipynb", ".yml", ".rst"))} - own:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not re.search(r"bsp-sat\[|pip install [^\n&]*bsp-sat(?![./])", text), path


@pytest.mark.parametrize(
    ("system", "has_it"),
    [
        ("linux x86_64 cpython 3.11", True), ("linux aarch64 cpython 3.14", True), ("darwin arm64 cpython 3.13", True),
        ("darwin x86_64 cpython 3.11", True), ("win32 AMD64 cpython 3.12", True), ("win32 ARM64 cpython 3.12", False),
        ("linux armv7l cpython 3.11", False), ("linux x86_64 pypy 3.11", False), ("linux x86_64 cpython 3.15", False),
        ("emscripten wasm32 cpython 3.14", False),
    ],
)  # fmt: skip
def test_or_tools_is_asked_for_where_it_has_wheels(system, has_it):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (needed,) = (Requirement(each) for each in project["dependencies"] if each.startswith("ortools"))
    names = ("sys_platform", "platform_machine", "implementation_name", "python_version")
    assert needed.marker.evaluate(dict(zip(names, system.split(), strict=True))) is has_it


def test_the_solver_of_3_partition_says_what_to_install(lacking):
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
    (note,) = Solve(Auto(), puzzle).follow_up(Here(), without, None).notes
    assert note == f"a faster backend for such boards isn't installed: pip install {module}"


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
