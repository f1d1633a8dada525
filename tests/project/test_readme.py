"""What README.md and docs/ name is there: links, commands and their options, what the notebook shows."""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click
import pytest

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


def test_the_notebook_shows_what_its_cells_do():
    notebook = json.loads(LESSON.read_text(encoding="utf-8"))
    assert LESSON.read_text(encoding="utf-8") == written(notebook)
    for cell, outputs in run_notebook(notebook):
        assert cell["outputs"] == outputs, "".join(cell["source"])
