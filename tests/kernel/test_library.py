"""The library of the compiled search: built from the sources, loaded where it fits them; and what is done without."""

import json
import shutil
import subprocess
import sys
from itertools import islice, product

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, Unsupported, WaterSort, grade, load, random_boards
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.kernel import Kernel, Search, missing_library, shared_library
from bsp_sat.backends.kernel.compiled.build import PLATFORMS, object_code
from bsp_sat.cli.group import commands
from bsp_sat.grading.hint import hint
from tests.support.helpers import board, solve_here
from tests.support.optional import needed
from tests.support.sources import ROOT

EASY = board(BallSort, "ab|ba|-", 2)
MAGIC = {"linux": b"\x7fELF", "darwin": b"\xcf\xfa\xed\xfe", "windows": b"\x64\x86", "emscripten": b"\0asm"}


def test_searching_loads_neither_numba_nor_llvmlite():
    program = (
        "import sys; from bsp_sat import load; from bsp_sat.backends.kernel import Kernel;"
        "from bsp_sat.backends.result import Findings; found = Findings(load('level-80'), 'kernel');"
        "Kernel().run(found.puzzle, found); print(found.status, {'numba', 'llvmlite'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["optimal", "set()"]


BUILD = """
import ctypes, json, sys
from pathlib import Path
from bsp_sat.backends.kernel import shared_library
from bsp_sat.backends.kernel.compiled import build
from tests.kernel.test_library import found_on_sampled_boards

folder = Path(sys.argv[1])
build.build_library(folder, shared_library.host())
from bsp_sat.backends.kernel.compiled import search_entry
vars(shared_library.SEARCH)["function"] = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(search_entry.run.address)
(folder / "found.json").write_text(json.dumps(found_on_sampled_boards()))
"""


def found_on_sampled_boards():
    """Expansions, bound and plan of searches in both spaces; solvable boards and others."""
    found = []
    for rule, (colours, capacity, empty) in product((BallSort, WaterSort), ((5, 4, 2), (7, 3, 1), (9, 4, 2))):
        for instance in islice(random_boards(rule, colours, capacity, empty, seed=8), 4):
            for homes in (False, True):
                search = Search(instance.puzzle, homes=homes, any_plan_first=False)
                while not search.ended:
                    search.advance(1_000_000)
                found.append([search.expansions, search.bound, search.plan and len(search.plan)])
    return found


@pytest.mark.slow
def test_a_library_that_is_built_again(tmp_path):
    """It is the installed one, needs no other, and says what numba's own function says."""
    needed("numba", "peers")
    subprocess.run([sys.executable, "-c", BUILD, tmp_path], cwd=ROOT, check=True)
    (new,) = tmp_path.glob("compiled-*")
    assert new.read_bytes() == (shared_library.HERE / new.name).read_bytes()
    if sys.platform == "linux" and shutil.which("nm"):
        listed = subprocess.run(["nm", "-D", new], capture_output=True, text=True, check=True).stdout
        assert {line.split()[-1] for line in listed.splitlines()} == {
            entry.symbol for entry in shared_library.ENTRY_POINTS
        }
    numbas, ours = json.loads((tmp_path / "found.json").read_text()), found_on_sampled_boards()
    assert numbas == json.loads(json.dumps(ours))
    assert {plan is None for _, _, plan in ours} == {True, False}


@pytest.mark.slow
def test_objects_for_all_platforms():
    needed("numba", "peers")
    for name, platform in PLATFORMS.items():
        code = object_code(platform)
        assert code.startswith(MAGIC[name.partition("-")[0]])
        assert all(entry.symbol.encode() in code for entry in shared_library.ENTRY_POINTS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the sources of the library, and no library."""
    shutil.copy(shared_library.HERE / "arrays.py", tmp_path)
    shutil.copytree(shared_library.HERE / "compiled", tmp_path / "compiled")
    monkeypatch.setattr(shared_library, "HERE", tmp_path)
    for entry in shared_library.ENTRY_POINTS:
        monkeypatch.delitem(vars(entry), "function", raising=False)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget():
    """Has the library looked for again."""
    shared_library.sources_digest.cache_clear()
    shared_library._library.cache_clear()


def installed():
    return shared_library.HERE / shared_library.file_name(shared_library.host(), shared_library.sources_digest())


class TestWithout:
    def test_no_note_where_it_makes_no_difference(self, folder):
        assert "without_library" not in solve_here(Auto(), load("tiles-2022-11-16")).stats

    @pytest.mark.parametrize(
        "use",
        [lambda: solve_here(Kernel(), EASY), lambda: grade(EASY), lambda: hint(EASY), lambda: Search(EASY)],
        ids=["kernel", "grade", "hint", "search"],
    )
    def test_what_needs_it_says_why_it_is_missing(self, folder, use):
        with pytest.raises(Unsupported, match="there is no compiled search: it wasn't built"):
            use()


class TestCommandsWithout:
    @pytest.fixture
    def bare(self, tmp_path):
        """Runs a command of a copy of the sources, without a library."""
        copied = shutil.ignore_patterns("compiled-*", "__pycache__")
        shutil.copytree(ROOT / "bsp_sat", tmp_path / "bsp_sat", ignore=copied)

        def run(*command):
            program = [sys.executable, "-m", "bsp_sat", *command]
            return subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)

        return run

    def test_auto_searches_more_slowly_and_says_so(self, bare):
        run = bare("solve", "level-80")
        assert run.returncode == 0
        assert "38 moves" in run.stdout
        note = "Note: a slower search answered, as there is no compiled one: it wasn't built for"
        assert note in " ".join(run.stdout.split())

    def test_others_say_why_they_cannot(self, bare):
        for command in ("compile", "solve level-80 --backend kernel", "grade level-80", "generate levels --colours 4"):
            run = bare(*command.split())
            assert run.returncode == 2, command
            assert "there is no compiled search: it wasn't built" in run.stderr


def test_a_library_of_other_sources_is_not_loaded(folder):
    installed().touch()
    with (folder / "compiled" / "bounds.py").open("a") as source:
        source.write("# changed")
    forget()
    assert "its sources have changed since it was built" in missing_library()


def test_a_damaged_library_is_not_loaded(folder):
    installed().write_bytes(b"\x7fELF and nothing more")
    assert missing_library().startswith("it can't be loaded: ")


@pytest.mark.parametrize("source", ["arrays.py", "compiled/homes.py", "compiled/build.py"])
def test_every_source_counts(folder, source):
    before = shared_library.sources_digest()
    (folder / source).write_text("other")
    forget()
    assert shared_library.sources_digest() != before


def test_the_command_compile_says_that_it_is_not_needed():
    run = CliRunner().invoke(commands, ["compile"])
    assert run.exit_code == 0
    assert "there is nothing to do" in run.output
    assert "deprecated" in run.output
