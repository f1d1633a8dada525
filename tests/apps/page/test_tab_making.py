"""Making the page without a server: what may be missing, and folders that it doesn't touch. Nothing is fetched here."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import count, product
from math import dist
from pathlib import Path
from zipfile import ZipFile

import psutil
import pytest

from bsp_sat.apps.page.tab import making
from bsp_sat.apps.page.tab.making import make_page
from bsp_sat.apps.page.tab.precompiling import compile_archive, compile_package
from bsp_sat.instances.errors import Unsupported
from tests.support.helpers import wait_until


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Unsupported, match="expected an empty folder, or one that this command made"):
        make_page(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_page_made_again_keeps_what_else_is_in_its_folder(tmp_path, monkeypatch):
    def put_engine(engine, scratch):
        (engine / "bsp_sat.packed").write_bytes(b"new")

    monkeypatch.setattr(making, "_put_engine", put_engine)
    folder = tmp_path / "site"
    make_page(folder)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("mine")
    (folder / "CNAME").write_text("example.org")
    (folder / "page" / "old.js").write_text("from an earlier version")
    make_page(folder)
    assert (folder / ".git" / "config").read_text() == "mine"
    assert (folder / "CNAME").read_text() == "example.org"
    assert not (folder / "page" / "old.js").exists()
    assert (folder / "index.html").is_file()
    assert "Permission is hereby granted" in (folder / "licences.txt").read_text()


class Interrupting:
    """Counts the calls that change files, and ends the program before one of them."""

    CHANGES = ("open", "mkdir", "unlink", "rmdir", "rename", "replace")

    def __init__(self, at: int) -> None:
        self.at, self.calls = at, 0

    def __call__(self, frame, event, called):
        if event == "c_call" and called.__name__ in self.CHANGES:
            self.calls += 1
            if self.calls == self.at:
                raise KeyboardInterrupt


def small_sources(top: Path) -> None:
    """The least that a page is made of."""
    for name, text in {
        "page/index.html": '<link rel="icon"',
        "page/core/dom.js": "",
        "page/core/searcher.js": "",
        "page/main.js": 'import { h } from "./core/dom.js";\n',
        "page/engine/worker.js": "",
        "data/levels.json": "[]",
        "tab/files/service-worker.js": "",
        "tab/files/engine/bsp_sat.packed": "new",
    }.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_making_that_was_interrupted_can_be_repeated(tmp_path, monkeypatch, is_new, one_in):
    """Interrupted before each change of the folder, without --slow each seventh, and again when it is repeated."""
    small_sources(tmp_path / "web")
    monkeypatch.setattr(making, "files", lambda package: tmp_path / "web")
    monkeypatch.setattr(making, "_put_engine", lambda engine, scratch: None)
    replace = making._replace
    expected = tmp_path / "expected"
    make_page(expected)

    def make(folder: Path, at: int) -> bool:
        """Whether it came to its end."""

        def interrupted(*folders: Path) -> None:
            sys.setprofile(Interrupting(at))
            try:
                replace(*folders)
            finally:
                sys.setprofile(None)

        monkeypatch.setattr(making, "_replace", interrupted)
        try:
            make_page(folder)
        except KeyboardInterrupt:
            return False
        return True

    for at in count(1, one_in(7)):
        folder = tmp_path / str(at)
        if not is_new:
            make(folder, 0)
            (folder / "CNAME").write_text("example.org")
        if make(folder, at):
            break
        make(folder, at)
        assert make(folder, 0)
        if not is_new:
            assert (folder / "CNAME").read_text() == "example.org"
            (folder / "CNAME").unlink()
        assert content(folder) == content(expected)
    assert at > 10


def content(folder: Path) -> dict[Path, bytes | None]:
    """All that is in a folder: the bytes of its files."""
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("open('thing', 'w').write('forged')", "isn't the file that was expected: its checksum differs"),
        ("raise SystemExit('no network')", "can't be fetched: no network"),
    ],
)
def test_a_file_that_is_not_the_one_expected_is_refused(tmp_path, code, problem):
    with pytest.raises(Unsupported, match=f"thing==1 {problem}"):
        making._fetched([sys.executable, "-c", code, "thing==1"], tmp_path / "fetched", "0")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_npm_ends_with_a_command_that_was_killed(tmp_path):
    npm = tmp_path / "npm"
    npm.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\nexec sleep 3600\n')
    npm.chmod(0o755)
    command = [sys.executable, "-m", "bsp_sat", "page", tmp_path / "site"]
    with subprocess.Popen(command, env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}) as process:
        wait_until(lambda: (tmp_path / "pid").is_file() and (tmp_path / "pid").read_text())
        process.kill()
    number = int((tmp_path / "pid").read_text())
    try:
        wait_until(lambda: not psutil.pid_exists(number))
    finally:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def test_a_missing_program_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unsupported, match="pyodide is needed, and npm, which fetches it, isn't installed"):
        making._fetched(["npm", "pack", "pyodide"], tmp_path / "fetched", "0")
    with pytest.raises(Unsupported, match=r"Node\.js is needed"):
        making._run_node(tmp_path / "program.mjs")


def test_what_a_visit_begins_with_is_compiled_the_same_way_each_time(tmp_path, monkeypatch):
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        source = 'def answer():\n    """Says."""\n    return 42\n'
        package = folder / "package"
        package.mkdir(parents=True)
        for name in ("early.py", "late.py"):
            (package / name).write_text(source)
        with ZipFile(folder / "library.zip", "w") as archive:
            for name in ("begin.py", "rest.py"):
                archive.writestr(name, source)
        compile_package(package, {"early.py"})
        compile_archive(folder / "library.zip", {"begin.py"})
        made.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert made[0] == made[1]
    assert {path.name for path in made[0]} == {"early.pyc", "late.py", "library.zip"}
    with ZipFile(tmp_path / "one" / "library.zip") as archive:
        assert archive.namelist() == ["begin.pyc", "rest.py"]
    monkeypatch.syspath_prepend(str(tmp_path / "one" / "package"))
    monkeypatch.syspath_prepend(str(tmp_path / "one" / "library.zip"))
    import begin
    import early

    assert (begin.answer(), begin.answer.__doc__, early.answer()) == (42, None, 42)


WEB = Path(making.__file__).parents[1]
FILES = WEB / "tab" / "files"


@pytest.mark.parametrize(("name", "side"), [("icon-192", 34), ("icon-512", 34), ("icon-maskable", 44)])
def test_icons_show_what_the_svg_does(name, side):
    """By the colours of some places, in units of the SVG from the middle."""
    image = pytest.importorskip("PIL.Image")
    svg = (WEB / "page" / "icon.svg").read_text()
    places = {(0, 4): "#5798fc", (0, -7.5): "#d98221", (-9, -6): "#7a7a80", (0, 12): "#7a7a80", (-14, -14): "#ffffff"}
    with image.open(FILES / "page" / f"{name}.png") as icon:
        middle, unit = icon.width / 2, icon.width / side
        for (x, y), colour in places.items():
            assert colour in svg or colour == "#ffffff"
            seen = icon.convert("RGB").getpixel((int(middle + x * unit), int(middle + y * unit)))
            assert f"#{bytes(seen).hex()}" == colour


def test_what_systems_leave_of_the_maskable_icon_has_all_of_it():
    image = pytest.importorskip("PIL.Image")
    with image.open(FILES / "page" / "icon-maskable.png") as icon:
        side = icon.width
        places = product(range(side), repeat=2)
        outside = {icon.getpixel(place) for place in places if dist(place, (side / 2, side / 2)) > 0.4 * side}
    assert outside == {(255, 255, 255)}


def test_the_manifest_names_the_icons_with_their_sizes():
    image = pytest.importorskip("PIL.Image")
    manifest = json.loads((FILES / "manifest.webmanifest").read_text())
    named = {each["src"]: each["sizes"] for each in manifest["icons"] if each["type"] == "image/png"}
    found = {}
    for path in (FILES / "page").glob("*.png"):
        with image.open(path) as icon:
            found[f"page/{path.name}"] = f"{icon.width}x{icon.height}"
    assert named == found
