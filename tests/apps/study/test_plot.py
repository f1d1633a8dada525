"""`bsp-sat plot`: files that pictures are in, and clear refusals."""

import sqlite3
import sys
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest

from bsp_sat.apps.study.external import program_of
from bsp_sat.apps.study.store import CampaignRun
from tests.support.command import bsp_sat, invoke


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    path, games = folder / "results", str(folder / "games.jsonl")
    assert invoke("generate", "random", "--colours", "4", "--count", "4", "--out", games)[0] == 0
    command = ("compare", games, "--solvers", "auto,dfs,heuristic:unique-length,heuristic:misplaced")
    assert bsp_sat(*command, "--out", str(path), "--sweep", "column-weight=0:1:0.5").returncode == 0
    return path


@pytest.mark.slow
def test_draws_png_and_svg(results, tmp_path):
    run = bsp_sat("plot", str(results), "-o", str(tmp_path / "new" / "folder"))
    assert run.returncode == 0
    names = {f"{name}.{suffix}" for name in ("states", "lengths", "sweep", "cactus") for suffix in ("png", "svg")}
    folder = tmp_path / "new" / "folder"
    assert {path.name for path in folder.iterdir()} == names == {line.rpartition("/")[2] for line in run.stdout.split()}
    for path in folder.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    words = {path.stem: "".join(ET.parse(path).getroot().itertext()) for path in folder.glob("*.svg")}
    assert "heuristic:misplaced" in words["states"]
    assert "heuristic:misplaced" in words["lengths"]
    assert "moves above on average" in words["lengths"]
    assert "astar:unique-length, column-weight" in words["sweep"]
    assert "column-weight" not in words["cactus"]


def test_names_that_are_not_read_cost_no_plot(tmp_path, monkeypatch):
    def closed(*_, **__):
        raise BrokenPipeError

    pack = tmp_path / "pack.jsonl"
    grade = '{"board_class": "none", "grades": {"optimum": {"value": 3, "how": "exact"}}}\n'
    pack.write_text(2 * grade)
    monkeypatch.setattr("bsp_sat.apps.study.commands.plot.click.echo", closed)
    assert invoke("plot", pack, "-o", tmp_path / "pictures") == (0, "")
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"levels.png", "levels.svg"}


@pytest.mark.parametrize(
    ("package", "module", "arguments", "what"),
    [
        ("matplotlib", "matplotlib", ["plot", "{}"], "plot"),
        ("distributed", "dask.distributed", ["compare", "level-80", "--cluster", "127.0.0.1:9"], "--cluster"),
    ],
)
def test_without_a_package_it_says_what_to_install(results, monkeypatch, package, module, arguments, what):
    monkeypatch.setitem(sys.modules, package, None)
    message = f"Error: {what} needs {module}, which isn't installed: pip install {package}\n"
    assert invoke(*(each.format(results) for each in arguments)) == (2, message)


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("no-such-file",), "no-such-file: no such file"),
        ((__file__,), "expected the results of a campaign (`compare --out`) or graded boards"),
        (("-o", __file__), "is a file"),
    ],
)
def test_a_mistake_in_plot_is_bad_usage(results, arguments, fragment):
    code, output = invoke("plot", *((str(results),) if arguments[0] == "-o" else ()), *arguments)
    assert (code, fragment in output) == (2, True)


def test_plot_draws_a_pack_of_levels(tmp_path):
    code, lines = invoke("grade", "level-80", "--json", "--measures", "optimum,random_success", "--jobs", "1")
    assert code == 0
    pack = tmp_path / "pack.jsonl"
    pack.write_text(lines * 3)
    code, output = invoke("plot", pack, "-o", tmp_path / "pictures")
    assert code == 0, output
    drawn = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert drawn == {f"{name}.{suffix}" for name in ("levels", "class") for suffix in ("png", "svg")}
    words = "".join(ET.parse(tmp_path / "pictures" / "levels.svg").getroot().itertext())
    assert "random_success" in words


@pytest.fixture
def plots():
    from bsp_sat.apps.study import plots  # which loads matplotlib

    return plots


def test_programs_of_other_people_are_drawn_by_their_names_or_digests(tmp_path, monkeypatch, plots):
    """A name may hold what matplotlib takes for a formula."""
    command, results = """sh -c 'printf "1 3\\n2 1\\n2 3" # $x$_^' {board}""", tmp_path / "results"
    monkeypatch.setattr("bsp_sat.apps.study.commands.plot.FORMATS", ("svg",))
    monkeypatch.setattr(plots, "FIGURES", {"cactus": plots.cactus, "sweep": plots.sweeps})
    boards = tmp_path / "boards.json"
    boards.write_text('{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}')
    assert invoke("compare", boards, "--solvers", "bfs", "--external", command, "--out", results)[0] == 0
    digest = f"program {program_of(command).digest[:8]}"
    for change, name, other in ("SELECT 1", command, digest), ("DELETE FROM session", digest, command):
        with closing(sqlite3.connect(results)) as database, database:
            database.execute(change)
        code, output = invoke("plot", results, "-o", tmp_path)
        assert code == 0, output
        words = "".join(ET.parse(tmp_path / "cactus.svg").getroot().itertext())
        assert ("bfs" in words, name in words, other in words) == (True, True, False)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"capacity": 2, "tubes": [["a", "a"], []]}', 'expected a graded board, with "grades"'),
        (b'{"puzzle": "tiles", "columns": [[0]], "grades": {}}', "expected a sort board, found tiles"),
        (b'{"board_class": [1], "grades": {}}', "board_class: expected a name or null, found [1]"),
        (b'{"board_class": "x", "grades": {"optimum": 5}}', "grades.optimum: expected a grade, found 5"),
        (b'{"board_class": "x", "grades": {"optimum": {"value": 3}}}', "grades.optimum: expected a grade"),
        (b'{"board_class": "x", "grades": {"optimum": {"value": "a", "how": "exact"}}}', "expected a grade"),
        (b'{"board_class": "x", "grades": {"optimum": {"value": 1e999, "how": "exact"}}}', "expected a grade"),
        (b'{"board_class": "x", "grades": {"optimum": {"value": 1, "how": "sampled", "interval": [0, "a"]}}}', "grade"),
        (b'{"board_class": "x", "grades": {"optimum": {"value": 1, "how": "sampled"}}}', "expected a grade"),
        (b'{"\xff": 1}', "not UTF-8 text"),
        (b'{"board_class": "x", "grades": {}}\n\n{', "pack.jsonl: line 3, column 2: not JSON"),
    ],
)
def test_what_is_no_pack_is_refused(tmp_path, line, problem):
    pack = tmp_path / "pack.jsonl"
    pack.write_bytes(line)
    code, output = invoke("plot", pack)
    assert (code, problem in output) == (2, True), output


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("most", "labels"), [(2.0, False), (1e308, True)])
def test_a_sweep_to_the_largest_weights_is_drawn_without_a_warning(most, labels, plots):
    """They stand side by side, as no axis reaches so far."""
    spec = "heuristic:unique-length:column-weight={!r}".format
    runs = [
        CampaignRun("one", "ball-sort", spec(weight), "optimal", 3, 3, 10, 1.0, 1.0, None, None)
        for weight in (0.5, 1.0, most)
    ]
    figure = plots.sweeps(runs)
    assert b"<svg" in plots.saved(figure, "svg")
    assert ([each.get_text() for each in figure.axes[0].get_xticklabels()] == ["0.5", "1", "1e+308"]) == labels
