"""Each app can be deleted as a folder, with the apps that stand on it: all the rest is imported and runs."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from bsp_sat.apps import APPS, declared
from bsp_sat.cli.group import SECTIONS
from tests.support.sources import FOLDERS, ROOT

PROGRAM = """
import importlib, pkgutil, sys

sys.path.insert(0, sys.argv[1])
import bsp_sat
from bsp_sat.cli.group import commands

for module in pkgutil.walk_packages(bsp_sat.__path__, "bsp_sat."):
    if not module.name.endswith(PROGRAMS) and "-" not in module.name:  # as in the names of libraries in C
        importlib.import_module(module.name)
sys.stderr.write(" ".join(sorted(name for name in sys.modules if name.startswith("bsp_sat.apps."))))
assert all(hasattr(bsp_sat, name) for name in bsp_sat.__all__)
assert OF_APPS.isdisjoint(dir(bsp_sat)), dir(bsp_sat)
board = bsp_sat.load("level-80")
result = bsp_sat.solve(board)
print(result)
for words in COMMANDS:
    print(words[0], commands.run(words))
"""
PROGRAMS = ("__main__", "child_main", "pyodide_host", "apps.page.tab.reading")
"""Modules that are run, or that only a browser can import."""


def standing_on() -> dict[str, set[str]]:
    """For each app those that import from it, as the contract in pyproject.toml lets them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (apart,) = (each for each in contracts if each["type"] == "independence")
    found: dict[str, set[str]] = {app: set() for app in APPS}
    for arrow in apart["ignore_imports"]:
        upper, lower = re.findall(r"bsp_sat\.apps\.(\w+)", arrow)
        found[lower].add(upper)
    return found


def without(app: str) -> set[str]:
    """An app and all that stand on it, also by way of others."""
    above = standing_on()
    gone = {app}
    while more := {upper for each in gone for upper in above[each]} - gone:
        gone |= more
    return gone


def test_every_folder_in_apps_is_an_app():
    assert {path.parent.name for path in (ROOT / "apps").glob("*/__init__.py")} == set(APPS)


def test_no_two_apps_nor_the_solver_have_a_command_of_one_name():
    own = [name for section in SECTIONS.values() for name in section]
    modules = [path.stem for app in APPS for path in (ROOT / "apps" / app / "commands").glob("*.py")]
    assert len({*own, *declared("COMMANDS")}) == len(own) + sum(name in modules for name in declared("COMMANDS"))


@pytest.mark.parametrize("app", APPS)
def test_without_an_app_and_those_above_it_the_rest_is_imported_and_runs(app, tmp_path):
    gone = without(app)
    copy = tmp_path / "bsp_sat"
    shutil.copytree(ROOT / "bsp_sat", copy, ignore=shutil.ignore_patterns(*FOLDERS))
    for folder in FOLDERS:  # with what Python has compiled of it, but for what another test has it write now
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("*.pyc.*"))
    for each in gone:
        shutil.rmtree(copy / "apps" / each)
    proof = str(tmp_path / "proof")
    commands = [
        ["--help"],
        ["solve", "ab|ba|-", "--certificate", proof],
        ["verify", proof],
        ["solve", "ab|ba|-", "--backend", "sat"],
        ["export", "ab|ba|-", "--format", "dimacs"],
    ]
    if "study" not in gone:
        commands.append(["compare", "ab|ba|-"])
    names = {name for name, (package, _) in declared("NAMES").items() if package.rpartition(".")[2] in gone}
    program = f"COMMANDS, PROGRAMS, OF_APPS = {commands!r}, {PROGRAMS!r}, {names!r}\n{PROGRAM}"
    run = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", program, tmp_path], capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert not re.search(rf"bsp_sat\.apps\.({'|'.join(gone)})\b", run.stderr)
    assert run.stdout.startswith("Optimal: 38 moves")
    ended = re.findall(r"^(--help|solve|verify|export|compare) (\d)$", run.stdout, re.MULTILINE)
    assert ended == [(words[0], "0") for words in commands]
