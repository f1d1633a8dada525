"""What README.md and docs/ say is there: pages, headings, files, commands, options; and the README's commands work."""

import importlib.util
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

from bsp_sat.cli.group import commands
from tests.support.helpers import subcommands
from tests.support.notebooks import LESSON, written
from tests.support.notebooks import run as run_notebook

ROOT = Path(__file__).parents[2]
DOCS, BENCHMARKS = ROOT / "docs", ROOT / "benchmarks"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *BENCHMARKS.glob("*.md")])
OF_TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""Pages on what there is, and not on what there was."""

SCRIPTS = sorted(path for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
FILE = re.compile(r"(?:instances|encoder|backends|cli|tests|benchmarks|docs)/(?:[\w.-]+/)*[\w.-]*")

BETWEEN_COMMANDS = set("();<>|&")

OF_OTHERS = {"--help", "--nworkers", "--nthreads", "--from", "--no-deps"}
"""Options that click adds, dask's, uv's and pip's."""

NEEDED_FILES = ("before.jsonl", "after.jsonl", "runs.jsonl", "LEVELS.jsonl")
NEEDED_FOLDERS = ("proof", "DIR", "LEVELS")
"""What has to be there for the options of some commands to be accepted."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()) for heading in HEADING.findall(prose(page)))
    return {heading.strip().replace(" ", "-") for heading in plain}


def linked(page: Path) -> Iterator[tuple[Path, str]]:
    """The files and headings that a page links to."""
    for target, heading in LINK.findall(prose(page)):
        yield (page.parent / target).resolve() if target else page, heading


@every_page
def test_links_lead_somewhere(page):
    for target, heading in linked(page):
        assert target.exists(), target
        assert not heading or heading in headings(target), f"{target}#{heading}"


def sample_of_the_readme() -> str:
    """The output of the first command in the README, up to where it is cut off."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"^```\n(Optimal: .*)\n +…\n```$", readme, re.MULTILINE | re.DOTALL)
    return str(sample)


@pytest.mark.parametrize("page", sorted(set(DOCS.rglob("*.md")) - {DOCS / "README.md"}), ids=name_of)
def test_a_page_of_docs_is_missing_in_its_index(page):
    assert page in {target for target, _ in linked(DOCS / "README.md")}


def test_the_readme_is_short_and_has_a_picture_of_a_shortest_plan():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    (picture,) = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert "38 of 38: " in (ROOT / picture).read_text(encoding="utf-8")


def test_the_ci_script_calls_the_test_command_of_the_readme_to_the_letter():
    commands = [line for line in block_lines(ROOT / "README.md") if line.endswith("pytest -n auto")]
    assert len(commands) == 1
    assert commands[0] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@every_page
def test_files_that_are_named_are_there(page):
    named = {code for code in INLINE.findall(prose(page)) if FILE.fullmatch(code)}
    assert {name for name in named if not (ROOT / name).exists()} == set()


def block_lines(page: Path) -> Iterator[str]:
    """The lines of a page's blocks for a shell."""
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "sh":
            yield from block.replace("\\\n", " ").splitlines()


def code_lines(page: Path) -> Iterator[str]:
    """The same, and what stands in sentences and tables."""
    yield from block_lines(page)
    yield from INLINE.findall(prose(page))


def docstring_lines(script: Path) -> Iterator[str]:
    """The same from the text that a script begins with."""
    text = script.read_text(encoding="utf-8").split('"""')[1]
    yield from (line for line in text.splitlines() if line.startswith("    "))


def calls(lines: Iterator[str], program: str) -> list[tuple[str, ...]]:
    """What follows a program's name wherever it is called with something."""
    found = []
    for line in lines:
        if program in line:
            words = shlex.shlex(line, posix=True, punctuation_chars=True)
            words.whitespace_split = True
            for separates, command in groupby(words, lambda word: set(word) <= BETWEEN_COMMANDS):
                first, *rest = command
                if not separates and first == program and rest:
                    found.append(tuple(rest))
    return found


def accept(command: click.Command, words: tuple[str, ...], *, whole: bool = True) -> None:
    """Has a command read its options, and do nothing; unless they are the whole, some may be missing."""
    left = [*words]
    while isinstance(command, click.Group):
        if not left and not whole:
            return
        name = left.pop(0)
        below = subcommands(command)
        assert name in below, f"no command {name}"
        command = below[name]
    try:
        command.make_context(command.name, left).close()
    except (click.MissingParameter, click.BadOptionUsage):
        if whole:
            raise


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in NEEDED_FILES:
        (tmp_path / name).touch()
    for name in NEEDED_FOLDERS:
        (tmp_path / name).mkdir()


def mentions(page: Path) -> Iterator[str]:
    """What stands in sentences and tables, where the program's name may be left out."""
    for code in INLINE.findall(prose(page)):
        yield f"bsp-sat {code}" if code.partition(" ")[0] in subcommands(commands) else code


CALLS = [
    (page, words, whole)
    for page in OF_TODAY
    for lines, whole in ((block_lines(page), True), (mentions(page), False))
    for words in calls(lines, "bsp-sat")
]


@pytest.mark.parametrize(
    ("words", "whole"),
    [call[1:] for call in CALLS],
    ids=[f"{name_of(page)}-{' '.join(words)}" for page, words, _ in CALLS],
)
@pytest.mark.usefixtures("somewhere")
def test_commands_are_accepted(words, whole):
    """In a sentence the board may be left out, and other values."""
    accept(commands, words, whole=whole)


def test_there_are_commands_to_try():
    assert {words[0] for _, words, _ in CALLS} >= set(subcommands(commands))


def load_script(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
@pytest.mark.usefixtures("somewhere")
def test_scripts_accept_the_lines_that_are_written_about_them(script, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    lines = [*docstring_lines(script), *(line for page in PAGES for line in code_lines(page))]
    command = load_script(script)
    found = [words[1:] for words in calls(iter(lines), "python") if words[0] == name_of(script)]
    if not isinstance(command, click.Command):
        assert found == [()] * len(found), "it takes nothing"
        return
    for words in found:
        accept(command, words)


def test_every_script_is_in_the_readme_of_the_benchmarks():
    named = {words[0] for words in calls(code_lines(BENCHMARKS / "README.md"), "python")}
    assert named == {name_of(script) for script in SCRIPTS}


def options_of(command: click.Command) -> set[str]:
    """All options of a command, and of all below it."""
    own = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    return own.union(*map(options_of, subcommands(command).values())) if isinstance(command, click.Group) else own


@pytest.mark.parametrize("page", OF_TODAY, ids=name_of)
def test_options_that_are_named_exist(page):
    of_scripts = " ".join(path.read_text(encoding="utf-8") for path in [*SCRIPTS, ROOT / "tests" / "conftest.py"])
    known = options_of(commands) | set(re.findall(r'"(--[a-z-]+)', of_scripts)) | OF_OTHERS
    named = {option for code in INLINE.findall(prose(page)) for option in OPTION.findall(code)}
    assert named - known == set()


def shell_lines(page: Path) -> Iterator[str]:
    """The lines of a page that a person would type, but for those that install something."""
    for line in block_lines(page):
        if line and "pip install" not in line:
            yield line


def test_the_readme_works_line_by_line(tmp_path):
    """In an empty folder, one line after the other."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = {}
    for line in ["bsp-sat solve level-80", *shell_lines(ROOT / "README.md")]:
        run = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, timeout=600
        )
        assert run.returncode == 0, f"{line}\n{run.stderr.decode()}"
        said[line] = run.stdout.decode()
    printed = "\n".join(line.rstrip() for line in said["bsp-sat solve level-80"].splitlines())
    assert f"\n{sample_of_the_readme()}\n" in printed
    endings = {"Cross-check": "confirm this", "Verified": "is the minimum", "Optimal": "No plan is shorter"}
    for word, ending in endings.items():
        assert any(re.search(f"^{word}: .*{ending}", text, re.MULTILINE) for text in said.values()), word


@pytest.mark.parametrize(
    ("page", "said"),
    [("README.md", "Optimal: 12 moves."), ("docs/start.md", "Optimal: 12 moves.")],
    ids=["readme", "start"],
)
def test_the_python_of_the_first_pages_works(page, said, tmp_path):
    (program,) = (block for language, block in FENCE.findall((ROOT / page).read_text()) if language == "python")
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert (run.returncode, run.stdout[: len(said)]) == (0, said), run.stderr


def test_the_first_five_minutes_work(tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    lines = [line for line in block_lines(DOCS / "start.md") if line and "pip install" not in line]
    assert len(lines) == 6
    for line in lines:
        run = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, timeout=600
        )
        assert run.returncode == 0, f"{line}\n{run.stderr.decode()}"


def test_the_notebook_shows_what_its_cells_do():
    notebook = json.loads(LESSON.read_text(encoding="utf-8"))
    assert LESSON.read_text(encoding="utf-8") == written(notebook)
    for cell, outputs in run_notebook(notebook):
        assert cell["outputs"] == outputs, "".join(cell["source"])
    text = "".join(line for cell in notebook["cells"] for line in cell["source"])
    assert {target for target, _ in LINK.findall(text) if target and not (DOCS / target).exists()} == set()
