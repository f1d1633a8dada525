"""Every command and program of README.md and docs/ runs as it stands, and prints what is shown below it.

A page runs from top to bottom, in a folder of its own. A block without a language is what the block above it prints,
but for what `VARIES`, and for what an ellipsis stands for. The commands within its sentences and tables come last.
``pytest tests/project/test_documented_commands.py -k python`` runs one page.
"""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.support.sources import modules

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```|^#+ ", re.M | re.S)
"""A block of a page, or a heading, after which a block no longer belongs to the commands before it."""

IN_A_SENTENCE = re.compile(r"`(bsp-sat [^`]+)`")

VARIES = re.compile(r"\d+\.\d+ s\b|\d+\.\d+$", re.M)
"""What may differ from what is shown: times, in words and in the last column of a table."""

NOT_RUN = {
    r"python3 -m venv|pip install|apt-get": "installs something",
    r"pytest": "runs this test",
    r"bsp-sat (serve|page)|http\.server|dask": "serves until it is stopped",
    r"bsp-sat play": "asks questions",
    r"-C formal|formal/|bsp-sat-verified|--checker verified|python check_labels\.py": "needs Coq, or a copied checker",
    r"compare atlas-1": "takes minutes",
    r"[A-Z]{3}|my_solver|hidden\.png|read shots|--set|--row": "is about files of the reader",
    r"^bsp-sat (\w+|generate levels)$": "only names a command",
}
"""Commands that don't run, and why."""

GIVEN = {
    "board.txt": "abba|bcca|cabc|-\n",
    "moves.txt": "1 4\n",
    "hidden.txt": "?bca|?cab|a?bc|-|-\n",
    "pack.jsonl": '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n' * 2,
    "mine.py": (ROOT / "tests" / "support" / "unfolding.py").read_text("utf-8"),
}
"""Files that pages speak of without making them."""

ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def runs(command: str) -> bool:
    return not any(re.search(words, command.strip()) for words in NOT_RUN)


def said_by(words: list[str], folder: Path) -> str:
    """What a command or program prints, without spaces at the ends of lines."""
    run = subprocess.run(words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, f"{words[-1]}\n{run.stdout}{run.stderr}"
    assert "\x1b" not in run.stdout + run.stderr
    return re.sub(" +$", "", run.stdout, flags=re.M)


def said_by_shell(block: str, folder: Path) -> str:
    """What the commands of a block print, and what they write into files by ``>``, but for those that don't run."""
    lines = block.replace(".venv/bin/", "").replace("\\\n", " ").splitlines()
    wanted = "\n".join(" && ".join(filter(runs, line.split(" && "))) for line in lines)
    wanted = re.sub("^bsp-sat census .*", r"\g<0> || [ $? = 1 ]", wanted, flags=re.M)  # the exit code for "no"
    files = re.findall(r"> (\S+\.\w+)", wanted)
    return said_by(["sh", "-ec", wanted], folder) + "".join((folder / file).read_text("utf-8") for file in files)


def answer(formula: Path) -> None:
    """Writes the answer of a SAT solver to a formula beside it, as solvers print it."""
    with Solver(bootstrap_with=CNF(from_file=str(formula))) as solver:
        assert solver.solve()
        model = " ".join(map(str, solver.get_model()))
    formula.with_name("answer.txt").write_text(f"s SATISFIABLE\nv {model} 0\n", "utf-8")


def pattern(shown: str) -> str:
    """What matches the output that a page shows: an ellipsis stands for the rest of a line, alone for any lines."""
    lines = VARIES.sub("TIME", shown.rstrip("\n")).split("\n")
    patterns = ["(?:.|\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") for line in lines]
    return "^" + "\n".join(patterns) + "$"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_commands_of_a_page_print_what_it_shows(page, tmp_path, monkeypatch):
    text, said, examples = page.read_text("utf-8"), "", ""
    for name, given in GIVEN.items():
        if not re.search(f"(>|--out) {name}", text):
            (tmp_path / name).write_text(given, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for found in BLOCK.finditer(text):
        language, block = found["language"], found["text"]
        if language is None:
            said = ""
        elif found["file"] is not None:
            (tmp_path / found["file"]).write_text(block, "utf-8")
        elif language == "sh":
            said = said_by_shell(block, tmp_path)
        elif language == "python" and block.startswith(">>>"):
            examples += block
        elif language == "python":
            if "answer.txt" in block:
                answer(tmp_path / "board.cnf")
            said = said_by([sys.executable, "-c", block], tmp_path)
        elif not language and said:
            shown = re.search(pattern(block), VARIES.sub("TIME", said), re.M)
            assert shown, f"shown:\n{block}\nprinted:\n{said}"
    failures: list[str] = []
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, None, 0)
    assert len(test.examples) == len(re.findall("^>>> ", text, re.M))
    assert doctest.DocTestRunner().run(test, out=failures.append).failed == 0, "".join(failures)
    for command in filter(runs, dict.fromkeys(IN_A_SENTENCE.findall(text))):
        said_by(["sh", "-ec", command], tmp_path)


@pytest.mark.parametrize("name", [name for name, path in modules().items() if ">>> " in path.read_text("utf-8")])
def test_examples_in_docstrings_give_what_they_show(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_each_page_begins_with_an_example():
    """A block, a picture or a command within its first lines; lists of pages, and of results, may have a sentence."""
    first = {page: "\n".join(page.read_text("utf-8").splitlines()[:14]) for page in PAGES}
    assert [page.name for page, lines in first.items() if not re.search("```|!\\[|`bsp-sat ", lines)] == []


def test_each_reason_why_a_command_does_not_run_is_that_of_a_command():
    lines = "\n".join(page.read_text("utf-8") for page in PAGES)
    shown = [*IN_A_SENTENCE.findall(lines), *re.findall(r"^```sh\n(.*?)^```", lines, re.M | re.S)]
    assert [words for words in NOT_RUN if not any(re.search(words, command, re.M) for command in shown)] == []
