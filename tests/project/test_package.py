"""What gets installed, and the rules that the sources keep."""

import functools
import inspect
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import types
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import bsp_sat
from bsp_sat import BallSort, draw, grade, hint, load_instance, random_boards, solve, solve_many
from tests.support.optional import run_tool
from tests.support.sources import FOLDERS, ROOT, modules, one_tree

MODULES = modules()
BUILD = [sys.executable, "-m", "build", "--no-isolation", "--skip-dependency-check", "--outdir"]
DOCUMENTED = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A copy of the checkout, without what tools leave in it."""
    copy = tmp_path_factory.mktemp("sources") / "bsp-sat"
    left_out = ".git .venv .*_cache build dist *.egg-info __pycache__ unfinished-*"  # the last by another test
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*left_out.split()))  # with the library
    return copy


@pytest.fixture
def computed(monkeypatch):
    """What setup.py computes, by the address of the repository."""

    def compute(home):
        given = {}
        monkeypatch.setattr("setuptools.setup", lambda **named: given.update(named))
        server, _, repository = home.rpartition("/bsp/")
        monkeypatch.setenv("GITHUB_SERVER_URL", server)
        if repository:
            monkeypatch.setenv("GITHUB_REPOSITORY", f"bsp/{repository}")
        else:
            monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
        runpy.run_path(str(ROOT / "setup.py"))
        return given

    return compute


def test_every_folder_of_modules_is_installed(computed):
    assert set(computed("")["packages"]) == {name for name, path in MODULES.items() if path.stem == "__init__"}


@pytest.mark.parametrize("home", ["", "https://git.example/bsp/bsp-sat"])
def test_no_link_of_the_description_leads_nowhere(computed, home):
    """On an index of packages there are no files beside it."""
    given = computed(home)
    links = re.findall(r"\]\(([^)\s]+)\)", given["long_description"])
    assert len(links) >= 2
    assert all(link.startswith("https://") for link in links)
    assert (f"]({home}/blob/v0.1.0/docs/start.md#installing)" in given["long_description"]) == bool(home)
    assert ("![" in given["long_description"]) == bool(home)
    assert given["project_urls"].get("Source", "") == home


@pytest.fixture(scope="module")
def archives(sources):
    """The names in a source archive of the checkout, and those in the wheel that is built from the source archive."""
    subprocess.run([*BUILD, sources / "dist", "--sdist", sources], check=True, capture_output=True)
    (sdist,) = (sources / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # which came with Python 3.11.4
        archive.extractall(sources / "dist")
        unpacked = sources / "dist" / archive.getnames()[0]
        names = [name.partition("/")[2] for name in archive.getnames()]
    subprocess.run([*BUILD, sources / "dist", "--wheel", unpacked], check=True, capture_output=True)
    (wheel,) = (sources / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as installed:
        return names, [wheel.name, *installed.namelist()]


@pytest.fixture(scope="module")
def wheel(archives):
    return archives[1][1:]


@pytest.mark.slow
def test_the_source_archive_holds_the_tests_and_what_they_read(archives, sources):
    folders = (*FOLDERS, "engine", "tests", "docs", "benchmarks", ".ci")
    files = [path for folder in folders for path in (sources / folder).rglob("*") if path.is_file()]
    # Without what is made of the rest, for this machine.
    files = [path for path in files if not path.name.startswith(f"engine-{sys.platform}") and path.suffix != ".pyc"]
    files += [*sources.glob("*.md"), sources / "pyproject.toml", sources / "build_backend.py"]
    assert {path.relative_to(sources).as_posix() for path in files} <= set(archives[0])


INSTALL = "import sys, setuptools.build_meta; setuptools.build_meta.build_editable(sys.argv[1])"
START = """
import site, sys
site.addsitedir(sys.argv[1])
sys.path.append(sys.argv[2])
import bsp_sat, bsp_sat.backends.search.astar
print(bsp_sat.backends.search.astar.__file__, bsp_sat.load("level-80").kind)
"""


@pytest.mark.parametrize("has_links", [True, False])
def test_an_editable_installation_needs_no_links_and_is_on_the_path_where_they_are(sources, tmp_path, has_links):
    """Type checkers and editors find what is on the path, and know nothing of hooks for imports."""
    copy, installed = tmp_path / "copy", tmp_path / "installed"
    shutil.copytree(sources, copy, symlinks=True, ignore=shutil.ignore_patterns("tests", "docs", "dist", "build"))
    for folder in FOLDERS:
        link = copy / "bsp_sat" / folder
        if has_links and not link.is_dir():
            pytest.skip("this checkout has no links")
        if not has_links:
            link.unlink(missing_ok=True)
            link.write_text(f"../{folder}")  # as git writes it where there are no links
    installed.mkdir()
    made = subprocess.run([sys.executable, "-c", INSTALL, installed], cwd=copy, check=True, capture_output=True)
    assert b"Warning" not in made.stderr  # newer versions of pip show them
    with zipfile.ZipFile(next(installed.glob("*.whl"))) as wheel:
        wheel.extractall(installed)
    # Without the module `site`, which would find the tests' own installation first.
    program = [sys.executable, "-I", "-S", "-c", START, installed, sysconfig.get_path("purelib")]
    run = subprocess.run(program, capture_output=True, text=True, check=False)
    places = [Path(line, "bsp_sat") for file in installed.glob("*.pth") for line in file.read_text().splitlines()]
    package = copy / "build" / "editable" / "bsp_sat" if has_links else copy
    assert run.stdout == f"{package / 'backends' / 'search' / 'astar.py'} ball-sort\n", run.stderr
    assert any(place.is_dir() for place in places) == has_links


@pytest.mark.slow
def test_no_wheel_for_a_platform_is_made_without_its_library(sources, tmp_path):
    copy = tmp_path / "broken"
    shutil.copytree(sources, copy, symlinks=True)
    (copy / "engine" / "memory.c").write_text("#error broken")
    for_windows = [*BUILD, tmp_path, "--wheel", "-C--build-option=--plat-name=win_amd64", copy]
    made = subprocess.run(for_windows, capture_output=True, check=False)
    assert made.returncode
    assert not list(tmp_path.glob("*.whl"))


@pytest.mark.slow
class TestWheel:
    def test_nothing_but_the_package_is_installed(self, wheel):
        tops = {name.partition("/")[0] for name in wheel}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"bsp_sat"}
        assert len(tops) == 2

    def test_no_source_in_c_is_installed(self, wheel):
        assert not [name for name in wheel if name.endswith((".c", ".h"))]

    def test_the_compiled_search_is_in_the_wheel(self, archives):
        name, *files = archives[1]
        libraries = [file for file in files if file.startswith("bsp_sat/backends/engine/engine-")]
        assert [sum(kind in file for file in libraries) for kind in ("", "-emscripten-", "-page-")] == [3, 1, 1]
        assert name.startswith("bsp_sat-0.1.0-py3-none-")
        assert not name.endswith("-any.whl")

    def test_every_module_and_all_data_are_in_the_wheel(self, wheel):
        """The page, the shipped boards, the tables of percentiles, and the marker of types."""
        modules = {
            f"{name.replace('.', '/')}{'/__init__' * (path.stem == '__init__')}.py" for name, path in MODULES.items()
        }
        assert {name for name in wheel if name.endswith(".py")} == modules
        assert len(modules) > 300
        folders = {"bsp_sat/instances/data": ROOT / "instances" / "data"}
        folders |= {
            f"bsp_sat/{name}": ROOT / name for name in ("apps/levels/data", "apps/census/data", "apps/page/page")
        }
        for name, folder in folders.items():
            files = {f"{name}/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*") if path.is_file()}
            assert files, name
            assert files <= set(wheel)
        assert "bsp_sat/py.typed" in wheel

    def test_the_wheel_installs_the_command(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["scripts"] == {"bsp-sat": "bsp_sat.cli:main"}


@pytest.mark.skipif(not (ROOT / "bsp_sat" / "cli").is_symlink(), reason="a checkout without symbolic links")
def test_the_folders_are_reached_through_relative_links():
    for folder in FOLDERS:
        link = ROOT / "bsp_sat" / folder
        assert link.resolve() == ROOT / folder
        assert not link.readlink().is_absolute()


def test_imports_go_where_the_contracts_let_them(tmp_path):
    run_tool("lint-imports", cwd=one_tree(tmp_path / "copy"))


@pytest.mark.slow
def test_types_are_as_promised(tmp_path):
    run_tool("mypy", cwd=one_tree(tmp_path / "copy"))


@pytest.mark.parametrize("arguments", [["check", "."], ["format", "--check", "."]], ids=" ".join)
def test_ruff_is_content(arguments):
    run_tool("ruff", *arguments)


PUBLIC = """
    Advice AmbiguousBoard AnyPuzzle BACKENDS Backend BackendError BallSort BoardError BoardFields BspSatError Cell
    CertificateError Choice Click Contradiction ENCODINGS Effects Encoding Explorer Failure Figure
    GoalNotReached Grade Grades Hint IllegalMove Instance Knock Limits MEASURES Move NEW_COLOUR PUZZLES
    Picture PictureBoard PictureError Plan PlanError PlanFormula Pour Progress Puzzle Reading ReadingChoices
    Report Result
    Scope Shot Status Tiles Unsat Unsupported WaterSort board draw grade hint load load_instance
    load_instances make_backend measure random_boards read_picture solve solve_many verify_certificate
    write_certificate
"""


def test_the_public_api_is_what_it_was():
    assert sorted(bsp_sat.__all__) == PUBLIC.split()
    assert all(getattr(bsp_sat, name) is not None for name in bsp_sat.__all__)
    assert [name for name in dir(bsp_sat) if not name.startswith("__")] == PUBLIC.split()  # each once, and no module
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = bsp_sat.magic


def test_the_package_works_from_a_zip_archive(tmp_path):
    files = [*MODULES.values(), *(ROOT / "instances" / "data").glob("*.json")]
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        for path in files:
            archive.write(path, f"bsp_sat/{path.relative_to(ROOT).as_posix().removeprefix('bsp_sat/')}")
    program = """
import sys
sys.path[:0] = [sys.argv[1]]
import bsp_sat
print(bsp_sat.__file__.startswith(sys.argv[1]), bsp_sat.solve(bsp_sat.load("level-80")).length, dir(bsp_sat)[-1])
"""
    run = subprocess.run([sys.executable, "-I", "-c", program, tmp_path / "packed.zip"], capture_output=True, text=True)
    assert run.stdout == "True 38 write_certificate\n", run.stderr


def test_boards_are_taken_as_they_are_loaded_and_made():
    for instance in (load_instance("level-80"), next(random_boards(BallSort, 4, 3, 2))):
        board = instance.puzzle
        alone, (among_others,) = solve(instance), solve_many([instance], jobs=1)
        assert alone.board == among_others.board == board
        assert alone.length == among_others.length == solve(board).length
        assert grade(instance, ["optimum"]) == grade(board, ["optimum"])
        assert hint(instance, seconds=600).position == board
        assert draw(instance) == draw(board)


def test_public_methods_have_docstrings_or_inherit_them():
    for name in [name for name, path in MODULES.items() if "\nclass " in path.read_text(encoding="utf-8")]:
        module = import_module(name)
        for owner in vars(module).values():
            if isinstance(owner, type) and owner.__module__ == name and not owner.__name__.startswith("_"):
                for member in vars(owner):
                    method = inspect.getattr_static(owner, member)
                    if not member.startswith("_") and isinstance(method, DOCUMENTED):
                        assert inspect.getdoc(getattr(owner, member)), f"{name}.{owner.__name__}.{member}"
