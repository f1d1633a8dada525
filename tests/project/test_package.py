"""What gets installed, and the rules that the sources keep."""

import ast
import pkgutil
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import bsp_sat

ROOT = Path(__file__).parents[2]
DOOR = "bsp_sat.backends.kernel"
FOLDERS = ("instances", "encoder", "backends", "comparing", "grading", "exploring", "pictures", "drawing", "web", "cli")
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(bsp_sat.__path__, "bsp_sat.")
    if not module.name.endswith("__main__")
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names in a wheel that is built from a copy of the sources."""
    copy = tmp_path_factory.mktemp("sources") / "bsp-sat"
    shutil.copytree(
        ROOT,
        copy,
        symlinks=True,
        ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "tests"),
    )
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", copy / "dist", copy],
        check=True,
        capture_output=True,
    )
    (path,) = (copy / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


class TestWheel:
    def test_nothing_but_the_package_is_installed(self, wheel):
        tops = {name.partition("/")[0] for name in wheel}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"bsp_sat"}
        assert len(tops) == 2

    @pytest.mark.parametrize("folder", FOLDERS)
    def test_every_module_is_in_it(self, wheel, folder):
        sources = {f"bsp_sat/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / folder).rglob("*.py")}
        assert sources
        assert {name for name in wheel if name.startswith(f"bsp_sat/{folder}/") and name.endswith(".py")} == sources

    def test_so_are_the_tables_of_percentiles(self, wheel):
        tables = {f"bsp_sat/grading/data/{path.name}" for path in (ROOT / "grading" / "data").iterdir()}
        assert len(tables) >= 12
        assert tables <= set(wheel)

    def test_so_are_the_shipped_boards_and_the_type_marker(self, wheel):
        boards = {f"bsp_sat/instances/data/{path.name}" for path in (ROOT / "instances" / "data").iterdir()}
        assert boards | {"bsp_sat/py.typed", "bsp_sat/__init__.py"} <= set(wheel)

    def test_so_is_the_page(self, wheel):
        page = {path for path in (ROOT / "web" / "page").rglob("*") if path.is_file()}
        assert page
        assert {f"bsp_sat/{path.relative_to(ROOT).as_posix()}" for path in page} <= set(wheel)

    def test_it_installs_the_command(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["scripts"] == {"bsp-sat": "bsp_sat.cli:main"}

    def test_versions_agree(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["version"] == bsp_sat.__version__


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_folders_are_reached_through_relative_links(folder):
    link = ROOT / "bsp_sat" / folder
    assert link.resolve() == ROOT / folder
    if link.is_symlink():
        assert not link.readlink().is_absolute()


class TestTools:
    @pytest.mark.parametrize(
        "command",
        [
            ["mypy"],
            ["ruff", "check", "."],
            ["ruff", "format", "--check", "."],
            ["lint-imports"],
        ],
        ids=" ".join,
    )
    def test_is_content(self, command):
        program = Path(sys.executable).with_name(command[0])
        run = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def imports_of(path):
    """The modules that a file imports, each with the name taken from it, and names that it has as a text to patch."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def beneath_the_door(name):
    """Whether a name is of a module of the compiled search, and not of what its door offers."""
    own = name.removeprefix(f"{DOOR}.").partition(".")[0]
    return name.startswith(f"{DOOR}.") and own not in import_module(DOOR).__all__


@pytest.mark.parametrize(
    "path",
    [path for folder in ("tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_tests_and_benchmarks_use_the_compiled_search_through_its_door(path):
    """As import-linter has it for the package; its own tests may look beneath."""
    if path.parent != ROOT / "tests" / "kernel":
        assert not [name for name in imports_of(path) if beneath_the_door(name)]


def test_what_is_beneath_the_door_is_recognised():
    assert beneath_the_door(f"{DOOR}.search.KernelSearch")
    assert beneath_the_door(f"{DOOR}.arrays")
    assert not beneath_the_door(f"{DOOR}.Kernel")
    assert not beneath_the_door(DOOR)


def test_the_public_api_is_what_it_was():
    assert sorted(bsp_sat.__all__) == [
        "BACKENDS",
        "BackendError",
        "BallSort",
        "BoardError",
        "BspSatError",
        "CertificateError",
        "Click",
        "ENCODINGS",
        "Effects",
        "Explorer",
        "Failure",
        "GoalNotReached",
        "Grade",
        "Grades",
        "Hint",
        "IllegalMove",
        "Instance",
        "Knock",
        "Limits",
        "MEASURES",
        "Move",
        "PUZZLES",
        "PictureBoard",
        "PictureError",
        "Plan",
        "PlanError",
        "Pour",
        "Progress",
        "Puzzle",
        "Result",
        "Shot",
        "Status",
        "Tiles",
        "Unsupported",
        "WaterSort",
        "draw",
        "grade",
        "hint",
        "load",
        "load_instance",
        "load_instances",
        "make_backend",
        "random_boards",
        "read_picture",
        "solve",
        "solve_many",
        "verify_certificate",
        "write_certificate",
    ]
    assert all(getattr(bsp_sat, name) is not None for name in bsp_sat.__all__)
    assert set(bsp_sat.__all__) <= set(dir(bsp_sat))
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = bsp_sat.magic


@pytest.mark.parametrize("name", ["bsp_sat", *MODULES])
def test_public_names_have_docstrings(name):
    """From the text, as some modules compile when they are imported."""
    path = ROOT.joinpath(*name.split("."))
    module = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8"))
    assert ast.get_docstring(module)
    for member in module.body:
        if isinstance(member, ast.ClassDef | ast.FunctionDef) and not member.name.startswith("_"):
            assert ast.get_docstring(member), f"{name}.{member.name}"


def test_importing_the_package_loads_no_solver():
    heavy = ("ortools", "pysat", "rich", "numpy", "click", "PIL")
    program = f"import sys, bsp_sat; print([name for name in {heavy!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
