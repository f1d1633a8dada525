"""The library of the compiled search: built from the sources, loaded where it fits them; and what is done without."""

import shutil
import subprocess
import sys
from importlib.metadata import version

import pytest

from bsp_sat import BallSort, Unsupported, grade, load
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.kernel import Kernel, Search, missing_library
from bsp_sat.backends.kernel.native import shared_library
from bsp_sat.backends.kernel.native.build import PLATFORMS
from bsp_sat.grading.hint import hint
from tests.support.command import bsp_sat
from tests.support.helpers import board, solve_here
from tests.support.optional import needed
from tests.support.sources import ROOT

EASY = board(BallSort, "ab|ba|-", 2)
MAGIC = {"linux": b"\x7fELF", "darwin": b"\xcf\xfa\xed\xfe", "windows": b"\x64\x86"}
WEB_ASSEMBLY = b"\0asm"


def test_searching_loads_neither_numba_nor_llvmlite():
    program = (
        "import sys; from bsp_sat import load; from bsp_sat.backends.kernel import Kernel;"
        "from bsp_sat.backends.result import Findings; found = Findings(load('level-80'), 'kernel');"
        "Kernel().run(found.puzzle, found); print(found.status, {'numba', 'llvmlite'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["optimal", "set()"]


BUILD = "import sys; from pathlib import Path; from bsp_sat.backends.kernel.native.build import *;"
BUILD += "build_library(Path(sys.argv[1]), host())"


@pytest.mark.slow
def test_a_library_that_is_built_again_is_the_installed_one_and_needs_no_other(tmp_path):
    needed("numba", "peers")
    subprocess.run([sys.executable, "-c", BUILD, tmp_path], cwd=ROOT, check=True)
    (new,) = tmp_path.glob("compiled-*")
    assert new.read_bytes() == (shared_library.KERNEL / new.name).read_bytes()
    if sys.platform == "linux" and shutil.which("nm"):
        listed = subprocess.run(["nm", "-D", new], capture_output=True, text=True, check=True).stdout
        assert {line.split()[-1] for line in listed.splitlines()} == set(shared_library.ENTRY_POINTS)


OBJECTS = """
import sys
from bsp_sat.backends.kernel.native import build, compiling, shared_library

modules = {name: f"bsp_sat.backends.kernel.{shared_library.ENTRY_POINTS[name]}" for name in sys.argv[1:]}
for name, platform in build.PLATFORMS.items():
    code = compiling.object_code(modules, platform.triple, platform.processor, platform.features)
    print(name, code[:4].hex(), all(entry.encode() in code for entry in modules))
for module in map(compiling.llvm.parse_assembly, map(compiling._intermediate_code, modules.values(), modules)):
    print(*(part.name for part in module.functions if part.is_declaration and not part.name.startswith("llvm.")))
"""


@pytest.mark.slow
def test_what_the_build_uses_of_numba_is_there_in_this_version():
    """An object file for each platform, which asks for nothing."""
    needed("numba", "peers")
    command = [sys.executable, "-c", OBJECTS, *shared_library.ENTRY_POINTS]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    known = f"numba {version('numba')}, llvmlite {version('llvmlite')}: see backends/kernel/native/compiling.py"
    assert run.returncode == 0, f"{known}\n{run.stderr}"
    lines = run.stdout.splitlines()
    for name, line in zip(PLATFORMS, lines, strict=False):
        begin, has_all = line.split()[1:]
        assert begin.startswith(MAGIC.get(name.partition("-")[0], WEB_ASSEMBLY).hex()), (known, name)
        assert has_all == "True", (known, name)
    assert not any(lines[len(PLATFORMS) :]), known


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the sources of the library, and no library."""
    for source in shared_library.sources():
        copied = tmp_path / source.relative_to(shared_library.KERNEL)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copied)
    monkeypatch.setattr(shared_library, "KERNEL", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget():
    """Has the library looked for again."""
    shared_library.sources_digest.cache_clear()
    shared_library._library.cache_clear()
    shared_library._function.cache_clear()


def installed():
    return shared_library.KERNEL / shared_library.file_name(shared_library.host(), shared_library.sources_digest())


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

    @pytest.mark.parametrize(
        "command",
        [
            "solve level-80 --backend kernel",
            "grade level-80",
            "generate levels --colours 4",
            "solve - --puzzle water-sort",
        ],
    )
    def test_commands_that_need_it_say_why_they_cannot(self, folder, command):
        run = bsp_sat(*command.split(), stdin="?bca|?cab|a?bc|-|-")
        assert run.returncode == 2
        assert "there is no compiled search: it wasn't built" in run.stderr

    def test_auto_searches_more_slowly_and_says_so(self, tmp_path):
        """In a copy of the sources."""
        copied = shutil.ignore_patterns("compiled-*", "__pycache__")
        shutil.copytree(ROOT / "bsp_sat", tmp_path / "bsp_sat", ignore=copied)
        command = [sys.executable, "-m", "bsp_sat", "solve", "level-80"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.returncode == 0
        assert "38 moves" in run.stdout
        note = "Note: a slower search answered, as there is no compiled one: it wasn't built for"
        assert note in " ".join(run.stdout.split())


def test_a_library_of_other_sources_is_not_loaded(folder):
    installed().touch()
    with (folder / "search" / "compiled" / "bounds.py").open("a") as source:
        source.write("# changed")
    forget()
    assert "its sources have changed since it was built" in missing_library()


def test_a_damaged_library_is_not_loaded(folder):
    installed().write_bytes(b"\x7fELF and nothing more")
    assert missing_library().startswith("it can't be loaded: ")


@pytest.mark.parametrize(
    "source", ["contents/arrays.py", "search/compiled/homes.py", "native/compiling.py", "native/layout.py"]
)
def test_every_source_counts(folder, source):
    before = shared_library.sources_digest()
    (folder / source).write_text("other")
    forget()
    assert shared_library.sources_digest() != before
