"""What README.md and docs/ show works: links, commands, the README line by line, the notebook."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click
import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from bsp_sat.cli.group import commands
from tests.support.helpers import subcommands
from tests.support.notebooks import LESSON, written
from tests.support.notebooks import run as run_notebook

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROOMS = (ROOT, *(ROOT / room for room in ("benchmarks", "encoder", "engine", "instances")), *(ROOT / "apps").iterdir())
PAGES = sorted(
    {
        *(page for room in ROOMS for page in room.glob("*.md")),
        *(page for room in (DOCS, ROOT / "formal") for page in room.rglob("*.md")),
    }
)

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.*)", re.MULTILINE)
BETWEEN_COMMANDS = set("();<>|&")

NEEDED_FILES = ("before.jsonl", "after.jsonl", "runs.jsonl", "LEVELS.jsonl")
NEEDED_FOLDERS = ("proof", "DIR", "LEVELS")
"""What has to be there for the options of some commands to be accepted."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()) for heading in HEADING.findall(prose(page)))
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for name, heading in LINK.findall(prose(page)):
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), target
        assert not heading or heading in headings(target), f"{target}#{heading}"


def blocks(page: Path, language: str) -> list[str]:
    return [block for found, block in FENCE.findall(page.read_text(encoding="utf-8")) if found == language]


def shell_lines(page: Path) -> list[str]:
    """The lines of a page that a person would type, also in tables."""
    in_tables = re.findall(r"^\|.*`(bsp-sat [^`]+)` ", prose(page), re.MULTILINE)
    return in_tables + [
        line for block in blocks(page, "sh") for line in block.replace("\\\n", " ").splitlines() if line
    ]


def calls(line: str) -> Iterator[list[str]]:
    """What follows ``bsp-sat`` wherever a line calls it with something."""
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    for separates, command in groupby(words, lambda word: set(word) <= BETWEEN_COMMANDS):
        first, *rest = command
        if not separates and first == "bsp-sat" and rest:
            yield rest


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name_of)
def test_commands_on_a_page_are_accepted(page, tmp_path, monkeypatch):
    """Each reads its options, and does nothing."""
    monkeypatch.chdir(tmp_path)
    for name in NEEDED_FILES:
        (tmp_path / name).touch()
    for name in NEEDED_FOLDERS:
        (tmp_path / name).mkdir()
    for line in shell_lines(page):
        for words in calls(line):
            command: click.Command = commands
            while isinstance(command, click.Group):
                command = subcommands(command)[words.pop(0)]
            command.make_context(command.name, words).close()


def test_the_ci_script_calls_the_test_command_of_the_readme_to_the_letter():
    (command,) = (line for line in shell_lines(ROOT / "README.md") if line.endswith("pytest -n auto"))
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_plan_that_a_page_uses_is_made_by_a_line_before(page):
    made = False
    for line in shell_lines(page):
        assert made or "plan.json" not in line.partition(">")[0], line
        made = made or "> plan.json" in line


@pytest.mark.parametrize(("page", "first"), [("README.md", ["bsp-sat solve level-80"]), ("docs/start.md", [])])
def test_a_first_page_works_line_by_line(page, first, tmp_path):
    """In an empty folder, one line after the other, but for those that install something; twice what writes a proof."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    said = {}
    lines = [*first, *(line for line in shell_lines(ROOT / page) if "pip install" not in line)]
    for line in [*lines, *(line for line in lines if "--certificate" in line)]:
        run = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, timeout=600)
        assert run.returncode == 0, f"{line}\n{run.stderr.decode()}"
        said[line] = run.stdout.decode()
    if page == "README.md":  # which has a program, and shows what its first command prints, up to where it is cut off
        program = [sys.executable, "-c", *blocks(ROOT / page, "python")]
        for _ in range(2):
            run = subprocess.run(program, cwd=tmp_path, capture_output=True, timeout=600, check=True)
            assert run.stdout.startswith(b"Optimal: 12 moves.")
        text = (ROOT / page).read_text(encoding="utf-8")
        (sample,) = re.findall(r"^```\n(Optimal: .*)\n +…\n```$", text, re.MULTILINE | re.DOTALL)
        assert f"\n{sample}\n" in "\n".join(line.rstrip() for line in said[first[0]].splitlines())


SAMPLE = re.compile(r"^```sh\n([^`]*)^```\n```\n([^`]*)^```$", re.MULTILINE)
TIME = re.compile(r"\d+\.\d+ s\b")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent == DOCS and SAMPLE.search(page.read_text("utf-8"))], ids=name_of
)
def test_output_that_a_page_shows_below_commands_is_theirs(page, tmp_path):
    """In the order of its lines, but for times, and for what stands for more: an ellipsis."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for commands_, sample in SAMPLE.findall(page.read_text(encoding="utf-8")):
        run = subprocess.run(
            ["sh", "-c", commands_], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        said = run.stdout
        for file in re.findall("> (.*)", commands_):
            said += (tmp_path / file).read_text(encoding="utf-8")
        found = 0
        for part in re.split("[…\n]", sample):
            found = TIME.sub("", said).find(TIME.sub("", part), found)
            assert found >= 0, f"{part}\n{said}\n{run.stderr}"


def test_the_page_on_encodings_goes_from_a_model_to_a_plan(tmp_path):
    export, program = shell_lines(DOCS / "encodings.md")[0], blocks(DOCS / "encodings.md", "python")[0]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", export], cwd=tmp_path, env=environment, timeout=600, check=True)
    with Solver(bootstrap_with=CNF(from_file=str(tmp_path / "board.cnf"))) as solver:
        assert solver.solve()
        (tmp_path / "answer.txt").write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, timeout=600, check=True)
    assert len(json.loads(run.stdout)) == 3


def test_the_notebook_shows_what_its_cells_do():
    notebook = json.loads(LESSON.read_text(encoding="utf-8"))
    assert LESSON.read_text(encoding="utf-8") == written(notebook)
    for cell, outputs in run_notebook(notebook):
        assert cell["outputs"] == outputs, "".join(cell["source"])
