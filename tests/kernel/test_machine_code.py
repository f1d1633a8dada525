"""The machine code on disk: found, refused where it is damaged, made once, and bridged by A* until it is there."""

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, Status, load, random_boards, solve
from bsp_sat.backends.kernel import GRADING_CODE, MACHINE_CODE, SEARCH_CODE, MachineCode, WhileCompiling, machine_code
from bsp_sat.backends.kernel.arrays import GOAL, NO_LIMIT
from bsp_sat.backends.kernel.search import KernelSearch
from bsp_sat.cli.group import commands
from tests.support.helpers import board, solve_here
from tests.support.misbehaving import TellsFigures

EASY = board(BallSort, "ab|ba|-", 2)
NAME = machine_code.file_name(SEARCH_CODE)


@pytest.fixture(scope="module")
def sound():
    """The content of a sound file."""
    SEARCH_CODE.load()
    return SEARCH_CODE.file().read_bytes()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two empty folders in place of the real ones."""
    places = [tmp_path / "first", tmp_path / "second"]
    for place in places:
        place.mkdir()
    monkeypatch.setattr(machine_code, "folders", lambda: places)
    return places


def test_the_first_sound_file_is_loaded(folders, sound):
    (folders[1] / NAME).write_bytes(sound)
    assert SEARCH_CODE.file() == folders[1] / NAME
    assert SEARCH_CODE._load() is not None


def test_without_a_file_nothing_is_ready(folders):
    assert SEARCH_CODE.file() is None
    assert SEARCH_CODE._load() is None


def damages(sound):
    head, _, content = sound.partition(b"\n")
    about = json.loads(head)
    other = {**about, "name": "no_such_function"}
    return {
        "empty": b"",
        "cut": sound[:-1],
        "a bit": sound[:-100] + bytes([sound[-100] ^ 1]) + sound[-99:],
        "head": b"{}\n" + content,
        "not json": b"?" + sound,
        "another function": json.dumps(other).encode() + b"\n" + content,
    }


@pytest.mark.parametrize("damage", ["empty", "cut", "a bit", "head", "not json", "another function"])
def test_a_damaged_file_is_passed_over(folders, sound, damage):
    (folders[0] / NAME).write_bytes(damages(sound)[damage])
    assert SEARCH_CODE._load() is None
    (folders[1] / NAME).write_bytes(sound)
    assert SEARCH_CODE._load() is not None


@pytest.fixture
def compiler(sound, monkeypatch):
    """In place of the real one, which takes a minute; what grades boards is then the search once more."""
    head, _, content = sound.partition(b"\n")
    entry = type(sys)("entry")
    entry.object_code = lambda: (json.loads(head)["name"], content)
    monkeypatch.setattr(machine_code, "_loaded", {})
    for code in MACHINE_CODE:
        monkeypatch.setitem(sys.modules, code.module, entry)


def test_what_is_built_is_kept_in_the_first_folder_that_can_be_written(folders, sound, compiler):
    folders[0].rmdir()
    folders[0].touch()  # a file in its place
    assert SEARCH_CODE.compile() == folders[1] / NAME
    assert (folders[1] / NAME).read_bytes() == sound
    assert [path.name for path in folders[1].iterdir()] == [NAME]


def test_where_nothing_can_be_written_the_code_is_used_all_the_same(folders, compiler):
    for folder in folders:
        folder.rmdir()
        folder.touch()
    assert SEARCH_CODE.compile() is None
    assert SEARCH_CODE.is_ready()
    assert not machine_code.can_be_kept()


def test_the_name_changes_with_the_sources():
    fewer = replace(SEARCH_CODE, sources=SEARCH_CODE.sources[:-1])
    assert machine_code.file_name(fewer) != NAME


def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    assert machine_code._is_private(tmp_path / "nothing yet")
    tmp_path.chmod(0o700)
    assert machine_code._is_private(tmp_path)
    tmp_path.chmod(0o777)
    assert not machine_code._is_private(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path)
    assert not machine_code._is_private(tmp_path / "link")


def in_the_users_cache(tmp_path, monkeypatch, content):
    """A file in the user's cache, with no other folder to be found."""
    monkeypatch.setattr(machine_code, "BESIDE", tmp_path / "nothing")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _name: tmp_path / "cache")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "nothing"))
    (tmp_path / "cache").mkdir(mode=0o700)
    place = tmp_path / "cache" / NAME
    place.write_bytes(content)
    place.chmod(0o600)
    return place


@pytest.mark.parametrize("whose", ["ours", "a folder of others", "a file of others", "others may write the folder"])
def test_nothing_is_loaded_from_the_users_cache_that_others_may_have_put_there(tmp_path, monkeypatch, sound, whose):
    place = in_the_users_cache(tmp_path, monkeypatch, sound)
    match whose:
        case "a folder of others":
            monkeypatch.setattr("os.getuid", lambda: place.stat().st_uid + 1)
        case "a file of others":
            place.chmod(0o622)  # who may write it is as good as its owner
        case "others may write the folder":
            place.parent.chmod(0o722)
    ours = whose == "ours"
    assert (SEARCH_CODE._load() is not None) is ours
    assert SEARCH_CODE.file() == (place if ours else None)


@pytest.mark.parametrize("home", ["no home", "a relative home"])
def test_without_a_home_the_temporary_folder_is_left(tmp_path, monkeypatch, sound, home):
    in_the_users_cache(tmp_path, monkeypatch, sound)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    if home == "no home":

        def no_home(_name):
            raise RuntimeError("could not determine the home directory")

        monkeypatch.setattr("platformdirs.user_cache_path", no_home)
    else:
        monkeypatch.setattr("platformdirs.user_cache_path", lambda _name: Path(".cache", "bsp-sat"))
    assert [folder.name for folder in machine_code.folders()] == ["nothing", f"bsp-sat-{os.getuid()}"]
    assert SEARCH_CODE.file() is None
    assert machine_code.can_be_kept()


def test_searching_loads_no_numba(sound):
    program = (
        "import sys; from bsp_sat import load; from bsp_sat.backends.kernel import Kernel;"
        "from bsp_sat.backends.result import Findings; found = Findings(load('level-80'), 'kernel');"
        "Kernel().run(found.puzzle, found); print(found.status, 'numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["optimal", "False"]


def test_arrays_may_be_replaced_between_calls(monkeypatch):
    """The addresses are those of the arrays that are in use."""
    monkeypatch.setattr("bsp_sat.backends.kernel.search.FIRST_STATES", 16)
    search = KernelSearch(load("level-80"), by_homes=True, memory_mb=100)
    assert search.advance(NO_LIMIT, 1_000_000) == GOAL
    assert search.rank == 38


def test_arrays_of_a_closed_search_serve_the_next(monkeypatch):
    boards = [instance.puzzle for instance in islice(random_boards(BallSort, 6, 4, 2, seed=1), 6)]

    def figures():
        for puzzle in boards:
            with closing(KernelSearch(puzzle, by_homes=True)) as search:
                outcome = search.advance(NO_LIMIT, 1_000_000)
                yield outcome, search.expansions, search.states, search.way()[-1] if outcome == GOAL else None

    monkeypatch.setattr("bsp_sat.backends.kernel.search._spare", spare := [])
    again = list(figures())
    assert len(spare) == 1
    monkeypatch.setattr("bsp_sat.backends.kernel.search.MOST_SPARE", 0)
    spare.clear()
    assert list(figures()) == again
    assert not spare


class TestInBackground:
    """A compiler in a process of its own, which is waited for as long as somebody is at work."""

    def looks(self, monkeypatch, *, until_there, being_made=True):
        """How often it is looked for before the wait ends."""
        looked = []

        def file(code):
            looked.append(code)
            return "file" if len(looked) > until_there else None

        monkeypatch.setattr(MachineCode, "file", file)
        monkeypatch.setattr(MachineCode, "is_being_made", lambda code: being_made)
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: None)
        monkeypatch.setattr(machine_code, "LOOK_SECONDS", 0)
        monkeypatch.setattr(machine_code, "START_SECONDS", 0)
        SEARCH_CODE.compile_in_background().wait()
        return len(looked)

    def test_code_that_comes_is_waited_for(self, monkeypatch):
        assert self.looks(monkeypatch, until_there=5) == 6

    def test_code_that_nobody_makes_is_not(self, monkeypatch):
        assert self.looks(monkeypatch, until_there=1_000, being_made=False) == 2

    def test_nothing_is_started_where_there_is_code(self, sound, monkeypatch):
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: pytest.fail("in vain"))
        assert SEARCH_CODE.compile_in_background() is None

    def test_nothing_is_started_where_nothing_can_be_kept(self, folders, monkeypatch):
        monkeypatch.setattr(machine_code, "can_be_kept", lambda: False)
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: pytest.fail("in vain"))
        assert SEARCH_CODE.compile_in_background() is None


class TestWhileCompiling:
    def test_nothing_is_done_where_there_is_code(self, sound):
        result = solve_here(WhileCompiling(), EASY)
        assert (result.status, result.stats) == (Status.UNKNOWN, {})

    def test_the_readable_search_answers_meanwhile(self, folders, monkeypatch):
        asked = []
        monkeypatch.setattr(machine_code, "start_compiler", asked.append)
        result = solve_here(WhileCompiling(), load("level-80"))
        assert (result.status, result.length, result.stats["compiling"]) == (Status.OPTIMAL, 38, True)
        assert asked == [SEARCH_CODE]

    def test_it_ends_when_the_code_is_there(self, folders, sound, monkeypatch):
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: (folders[0] / NAME).write_bytes(sound))
        result = solve_here(WhileCompiling(), load("level-80"))
        assert (result.status, result.stats["compiling"]) == (Status.UNKNOWN, False)
        assert result.reason == "the compiled search takes over"

    def test_it_ends_where_the_compiler_fails(self, folders, monkeypatch):
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: None)
        monkeypatch.setattr(machine_code, "START_SECONDS", 0.0)
        assert solve_here(WhileCompiling(), load("level-80")).status is Status.UNKNOWN

    def test_it_leaves_compiling_to_the_search_where_nothing_can_be_kept(self, folders, monkeypatch):
        monkeypatch.setattr(machine_code, "can_be_kept", lambda: False)
        monkeypatch.setattr(machine_code, "start_compiler", lambda code: pytest.fail("in vain"))
        result = solve_here(WhileCompiling(), load("level-80"))
        assert (result.status, result.stats) == (Status.UNKNOWN, {})


@pytest.mark.parametrize("kept", [True, False])
def test_the_search_says_what_compiling_cost(folders, compiler, monkeypatch, kept):
    if not kept:
        for folder in folders:
            folder.rmdir()
            folder.touch()
    stats = solve_here("kernel", EASY).stats
    assert (stats["compiling"], stats["compiled_for_good"]) == (False, kept)
    assert stats["compiling_seconds"] < 5
    assert "compiling_seconds" not in solve_here("kernel", EASY).stats


@pytest.mark.parametrize(
    ("figures", "note"),
    [
        ({}, None),
        ({"compiling": False}, None),
        ({"compiling": True}, "the search was being compiled, once per installation"),
        ({"compiling_seconds": 11.0, "compiled_for_good": True}, "11 s went into compiling the search, once per"),
        ({"compiling_seconds": 11.0, "compiled_for_good": False}, "11 s went into compiling the search, in vain"),
    ],
)
def test_a_result_notes_what_the_first_use_cost(figures, note):
    notes = solve(EASY, TellsFigures(tuple(figures.items()))).notes
    assert notes == () if note is None else notes[0].startswith(note)


class TestCommand:
    def test_it_compiles_once(self, folders, compiler):
        for _ in range(2):
            run = CliRunner().invoke(commands, ["compile"])
            assert run.exit_code == 0
            assert str(folders[0] / NAME) in run.output

    def test_it_fails_where_nothing_can_be_kept(self, folders, compiler):
        for folder in folders:
            folder.rmdir()
            folder.touch()
        run = CliRunner().invoke(commands, ["compile"])
        assert run.exit_code == 2
        assert str(folders[1]) in run.output


def test_grading_has_a_file_of_its_own_beside_that_of_the_search():
    GRADING_CODE.load()
    assert GRADING_CODE.file() is not None
    assert machine_code.file_name(GRADING_CODE) != NAME


def test_every_module_of_the_compiled_code_counts_for_a_name():
    """Of what an entry imports beneath the door, each module is among its sources."""
    for code in MACHINE_CODE:
        program = (
            f"import sys, {code.module}; print(*(m for m in sys.modules if m.startswith('bsp_sat.backends.kernel.')))"
        )
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        imported = {name.rpartition(".")[2] for name in run.stdout.split()} - {"compiled"}
        assert imported == {source.stem for source in code.sources}
