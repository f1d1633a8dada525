"""The library of the engine: built from the sources, loaded where it fits them; and what is done without."""

import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.metadata import version
from importlib.util import find_spec

import pytest

from bsp_sat import BallSort, Unsupported, grade, load
from bsp_sat.apps.levels.hint import hint
from bsp_sat.backends import engine
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.engine import build, built_files, libraries
from bsp_sat.backends.kernel import Kernel, Search
from tests.support.command import bsp_sat
from tests.support.helpers import board, solve_here
from tests.support.sources import ROOT

EASY = board(BallSort, "ab|ba|-", 2)
MAGIC = {"linux": b"\x7fELF", "darwin": b"\xcf\xfa\xed\xfe", "windows": b"MZ"}
WEB_ASSEMBLY = b"\0asm"
DOOR = re.compile(r"^DOOR [^(]*\b(bspsat_\w+) \(", re.M)
STANDARD = {"malloc", "calloc", "realloc", "free", "memset", "memcpy", "memmove", "memcmp"}
STANDARD |= {"mmap", "mremap", "munmap", "madvise", "sched_yield"}


def functions():
    """What the headers say the library has."""
    headers = [*(ROOT / "engine").rglob("*.h"), *ROOT.glob("apps/*/engine/*.h")]
    return {name for header in headers for name in DOOR.findall(header.read_text("utf-8"))}


def copy_sources(to):
    """Copies the sources in C, and returns the folder of the engine."""
    for part in [ROOT / "engine", *ROOT.glob("apps/*/engine")]:
        shutil.copytree(part, to / part.relative_to(ROOT), ignore=shutil.ignore_patterns("build", "tests"))
    return to / "engine"


@pytest.fixture
def built():
    """The library of this checkout."""
    if not build.compiler(built_files.host()):
        pytest.skip("no C compiler: apt-get install gcc")
    return libraries.library_file(built_files.host())


def symbols(library, kind):
    if sys.platform != "linux" or not shutil.which("nm"):
        pytest.skip("no nm: apt-get install binutils")
    listed = subprocess.run(["nm", "-D", kind, library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].partition("@")[0] for line in listed.splitlines()}


def test_a_checkout_below_a_folder_called_tests_has_all_sources(tmp_path, monkeypatch):
    here = [path.name for path in built_files.sources()]
    monkeypatch.setattr(built_files, "ENGINE", copy_sources(tmp_path / "tests"))
    assert [path.name for path in built_files.sources()] == here
    assert {"memory.c", "regions.c"} <= set(here)


def test_a_library_has_the_functions_of_its_headers_and_no_others(built):
    assert symbols(built, "--defined-only") == functions()


def test_without_any_app_the_library_is_built_and_finds_a_plan(built, folder):
    shutil.rmtree(folder.parent / "apps")
    assert solve_here(Kernel(), EASY).length == 3


def test_a_library_asks_only_for_old_functions_of_the_system(built):
    weak = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
    assert symbols(built, "--undefined-only") - weak <= STANDARD


def test_no_warning_and_no_extension_is_in_the_sources(built):
    units = [path for path in built_files.sources() if path.suffix == ".c" and path.name != "page.c"]
    strict = ["-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-fsyntax-only", f"-I{ROOT / 'engine'}"]
    subprocess.run([*build.compiler(built_files.host()), "-std=c11", *strict, *units], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("platform", build.PLATFORMS)
def test_one_machine_builds_the_libraries_of_all(platform, tmp_path):
    if find_spec("ziglang") is None and not build.compiler(platform):
        pytest.skip(f"no compiler for other systems: pip install {build.ZIGLANG}")
    code = build.build_library(tmp_path, platform).read_bytes()
    assert code.startswith(MAGIC.get(platform.partition("-")[0], WEB_ASSEMBLY))
    asked = build.PAGE_CALLS if platform == built_files.FOR_PAGE else functions()
    assert all(name.encode() in code for name in asked)
    assert platform != built_files.FOR_PAGE or len(code) <= 42_000


@pytest.mark.slow
def test_the_libraries_kept_for_browsers_are_what_the_sources_give(tmp_path):
    if find_spec("ziglang") is None:
        pytest.skip(f"no compiler for browsers: pip install {build.ZIGLANG}")
    assert f"ziglang=={version('ziglang')}" == build.ZIGLANG  # as the extra `lint` has it
    made = [build.build_library(tmp_path, platform) for platform in build.FOR_BROWSERS]
    is_kept = {path.name: path.read_bytes() for path in built_files.FOLDER.glob("engine-*-wasm32-*")}
    assert is_kept == {path.name: path.read_bytes() for path in made}, build.MISSING
    assert {path.name for path in tmp_path.iterdir()} == set(is_kept)  # no cache is left


def test_no_part_of_the_sources_includes_itself_by_way_of_others():
    """A part is a header with the source of the same name."""
    parts = {}
    for path in built_files.sources()[1:]:
        found = re.findall(r'^#include "(.+)\.h"', path.read_text("utf-8"), re.M)
        places = [
            path.parent / name if (path.parent / f"{name}.h").exists() else ROOT / "engine" / name for name in found
        ]
        parts.setdefault(path.with_suffix(""), set()).update(set(places) - {path.with_suffix("")})
    TopologicalSorter(parts).prepare()


def test_the_example_in_c_says_a_shortest_plan(built, tmp_path):
    (example,) = re.findall(r"```c\n(.+?)```", (ROOT / "engine" / "README.md").read_text("utf-8"), re.S)
    (tmp_path / "example.c").write_text(example)
    command = [*build.compiler(built_files.host()), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'engine'}"]
    subprocess.run([*command, tmp_path / "example.c", built, "-o", tmp_path / "example"], check=True)
    run = subprocess.run([tmp_path / "example"], capture_output=True, text=True, check=True)
    position = EASY
    for line in run.stdout.splitlines():
        source, target = line.split(" to ")
        position = position.apply(position.move_from_json([int(source) - 1, int(target) - 1]))
    assert position.is_goal()
    assert len(run.stdout.splitlines()) == 3


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place for libraries beside a copy of the sources."""
    copy_sources(tmp_path)
    (tmp_path / "libraries").mkdir()
    monkeypatch.setenv("CFLAGS", "-O0")  # which compiles five times as fast
    for module in (built_files, build):
        monkeypatch.setattr(module, "ENGINE", tmp_path / "engine")
        monkeypatch.setattr(module, "FOLDER", tmp_path / "libraries")
    forget()
    yield tmp_path / "libraries"
    monkeypatch.undo()
    forget()


def forget():
    """Has the library looked for again."""
    built_files.sources_digest.cache_clear()
    engine._library.cache_clear()
    engine.function.cache_clear()


@pytest.fixture
def one_source(folder):
    """The only source that is left, which compiles in no time."""
    for path in folder.parent.rglob("*.c"):
        if path.name != "memory.c":
            path.unlink()
    return folder.parent / "engine" / "memory.c"


@pytest.fixture
def without(folder):
    """An installation without libraries, and without sources."""
    shutil.rmtree(folder.parent / "engine")


class TestWithout:
    def test_no_note_where_it_makes_no_difference(self, without):
        assert "without_library" not in solve_here(Auto(), load("tiles-2022-11-16")).stats

    @pytest.mark.parametrize(
        "use",
        [lambda: solve_here(Kernel(), EASY), lambda: grade(EASY), lambda: hint(EASY), lambda: Search(EASY)],
        ids=["kernel", "grade", "hint", "search"],
    )
    def test_what_needs_it_says_what_to_do(self, without, use):
        with pytest.raises(Unsupported, match=r"installed without its compiled part .* install a C compiler"):
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
    def test_commands_that_need_it_say_what_to_do(self, without, command):
        run = bsp_sat(*command.split(), stdin="?bca|?cab|a?bc|-|-")
        assert run.returncode == 2
        assert "install a C compiler" in run.stderr

    def test_auto_searches_more_slowly_and_says_so(self, tmp_path):
        """In a copy of the package."""
        copied = shutil.ignore_patterns("engine-*", "__pycache__")
        shutil.copytree(ROOT / "bsp_sat", tmp_path / "bsp_sat", ignore=copied)
        command = [sys.executable, "-m", "bsp_sat", "solve", "level-80"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.returncode == 0
        assert "38 moves" in run.stdout
        assert "Note: a slower search answered" in run.stdout
        assert "install a C compiler" in " ".join(run.stdout.split())


def test_a_library_is_built_again_when_a_source_has_changed(built, folder, one_source):
    first = libraries.library_file(built_files.host())
    with one_source.open("a") as source:
        source.write("/* changed */\n")
    forget()
    second = libraries.library_file(built_files.host())
    assert first != second
    assert list(folder.iterdir()) == [second]


def test_a_source_that_cannot_be_compiled_is_named(built, one_source):
    one_source.write_text("no C")
    assert "can't be built" in engine.missing_library()
    assert "memory.c:1" in engine.missing_library()


def test_without_a_compiler_that_is_said(folder, monkeypatch):
    monkeypatch.setattr(build, "compiler", lambda platform: [])
    assert "there is no C compiler" in engine.missing_library()


@pytest.mark.parametrize("platform", build.FOR_BROWSERS)
def test_a_library_for_browsers_of_other_sources_is_not_used_and_the_command_is_named(folder, monkeypatch, platform):
    (folder / built_files.file_name(platform, "00000000")).write_bytes(b"old")
    monkeypatch.setattr(build, "find_spec", lambda name: None)  # no ziglang
    with pytest.raises(Unsupported, match=r"engine\.build emscripten-wasm32 page-wasm32$"):
        libraries.library_file(platform)


def test_a_damaged_library_is_not_loaded(folder):
    name = built_files.file_name(built_files.host(), built_files.sources_digest())
    (folder / name).write_bytes(b"\x7fELF and nothing more")
    assert "can't be loaded: " in engine.missing_library()


@pytest.mark.parametrize("source", ["bspsat.h", "search/states.c", "memory.c", "../apps/census/engine/cases.c"])
def test_every_source_counts(folder, source):
    before = built_files.sources_digest()
    (folder.parent / "engine" / source).write_text("other")
    forget()
    assert built_files.sources_digest() != before
