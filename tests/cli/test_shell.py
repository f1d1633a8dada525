"""The shell: what a newcomer reads, which name was meant, and completion."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from bsp_sat import BACKENDS, make_backend
from bsp_sat.cli.group import START, commands
from bsp_sat.instances.files import shipped_names
from bsp_sat.instances.text.words import SYNONYMS
from tests.support.command import bsp_sat
from tests.support.helpers import subcommands


def run(**environment):
    command, environment = [sys.executable, "-m", "bsp_sat"], {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)


def test_without_arguments_it_says_what_to_try():
    said = run()
    assert (said.returncode, said.stdout, said.stderr) == (2, "", START)
    tried = [line.split()[1:] for line in START.splitlines() if line.startswith("  bsp-sat ")]
    assert {words[0] for words in tried} == {"solve", "instances", "serve"}
    assert ["solve", "level-80"] in [words[:2] for words in tried]
    assert max(map(len, START.splitlines())) <= 100


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["slove", "level-80"], "Error: there is no command 'slove'; did you mean solve?"),
        (["qqq"], "Error: there is no command 'qqq'"),
        (["solve", "levl-80"], "(`bsp-sat instances` lists them); did you mean level-80?"),
        (["solve", "qqq"], "or comes on standard input (-)"),
        (["solve", "level-80", "--backend", "kernl"], "; did you mean kernel?"),
        (["solve", "level-80", "--backend", "sat:ordr"], "; did you mean order?"),
        (["solve", "level-80", "--bakend", "sat"], "No such option '--bakend'; did you mean --backend?"),
        (["solve", "level-80", "--qqq"], "No such option '--qqq'."),
        (["solve", "level-80", "--astar"], "No such option '--astar'; did you mean --backend astar?"),
        (["solve", "level-80", "--cpsat"], "; did you mean --backend cpsat?"),
        (["solve", "level-80", "--horizon", "11"], "; did you mean --max-steps?"),
        (["grade", "level-80", "--horizon", "11"], "No such option '--horizon'."),
        (["-v"], "No such option '-v'; did you mean --version?"),
        (["solve", "level-80", "-v"], "; did you mean --explain?"),
        (["help"], "there is no command 'help'; did you mean --help?"),
        (["solve", "level-80", "--backend", "SAT"], "; did you mean sat?"),
        (["solve", "level-80", "--backend", "cadical"], "; did you mean sat:cadical195?"),
        (["solve", "level-80", "--backend", "sat:glucose"], "; did you mean glucose4?"),
        (["board.json"], "there is no command 'board.json'; did you mean solve board.json?"),
        (["level-80"], "; did you mean solve level-80?"),
        (["abba|bcca|cabc|-"], "; did you mean solve abba|bcca|cabc|-?"),
        (["next"], "; did you mean hint?"),
        (["pack"], "; did you mean audit?"),
        (["show", "level-80", "--format", "js"], "found 'js'; did you mean typescript?"),
        (["show", "level-80", "--format", "c#"], "found 'c#'; did you mean csharp?"),
        (["show", "level-80", "--format", "png"], "found 'png'; bsp-sat draw has it"),
        (["show", "level-80", "--format", "dimacs"], "found 'dimacs'; bsp-sat export has it"),
        (["export", "level-80", "--format", "unity"], "found 'unity'; bsp-sat show has it"),
        (["solve", str(Path(__file__).parents[1] / "data" / "smal.jsonl")], "lists them); did you mean small.jsonl?"),
        (["run"], "; did you mean solve?"),
        (["optimize"], "; did you mean solve?"),
        (["solve", "level-80", "--puzzle", "water"], ", found 'water'; did you mean water-sort?"),
        (["export", "level-80", "--format", "cnf"], ", found 'cnf'; did you mean dimacs?"),
        (["solve", "level-80", "--jobs", "x"], "expected a whole number from 1 to 1024, found x"),
        (["generate", "randm"], "there is no command 'randm'; did you mean random?"),
        (["generate", "level"], "; did you mean levels?"),
        (["generate", "levels", "--moves", "20"], "; did you mean --optimum?"),
        (["solve", "level-80", "--formula"], "; did you mean --backend sat?"),
        (["stuck"], "; did you mean hint?"),
        (["export", "level-80"], "expected one of dimacs, wcnf, opb, pddl, strips, lpcp"),
    ],
)
def test_an_error_suggests_the_nearest_name(words, end):
    said = bsp_sat(*words)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.rstrip().endswith(end)


def test_each_synonym_means_something_that_there_is():
    groups = [commands, *(command for command in subcommands(commands).values() if isinstance(command, click.Group))]
    found = {name: each for group in groups for name, each in subcommands(group).items()}
    choices = {
        word for each in found.values() for option in each.params for word in getattr(option.type, "choices", ())
    }
    options = {word for each in (commands, *found.values()) for option in each.params for word in option.opts}
    for meant, words in SYNONYMS.items():
        name, _, value = meant.partition(" ")
        assert not {*words.split()} & {*subcommands(commands), *BACKENDS, name}, words
        if name.startswith("-"):
            assert name in options | {"--help"}
            assert not value or make_backend(value)
        else:
            assert name in (*found, *choices) or make_backend(name)


def completed(words, begun):
    return {item.value for item in ShellComplete(commands, {}, "bsp-sat", "_X").get_completions(words, begun)}


def test_commands_options_boards_and_backends_are_completed():
    assert completed([], "") == set(subcommands(commands))
    assert completed([], "co") == {"count", "compare"}
    assert completed(["generate"], "r") == {"random"}
    assert "--time-limit" in completed(["solve"], "--t")
    assert {"lev", "level-80"} == completed(["solve"], "lev")  # the first one stands for files
    assert completed(["solve", "level-80", "--backend"], "k") == {"kernel"}


def test_wherever_there_is_a_board_its_name_is_completed():
    for name, command in subcommands(commands).items():
        if any("BOARD" in (param.metavar or "") for param in command.params):
            before = [name, "DIR"] if name == "verify" else [name]
            assert set(shipped_names()) < completed(before, ""), name


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_by_the_script_that_the_documentation_names(tmp_path):
    program = tmp_path / "bsp-sat"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bsp_sat "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(_BSP_SAT_COMPLETE=bash_source bsp-sat)"
        COMP_WORDS=(bsp-sat solve lev)
        COMP_CWORD=2
        _bsp_sat_completion bsp-sat 2>/dev/null  # "compopt" takes part in real completions only
        echo "${COMPREPLY[@]}"
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    said = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=600, env={**os.environ, "PATH": path}
    )
    assert said.stdout == "level-80\n", said.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell):
    said = run(_BSP_SAT_COMPLETE=f"{shell}_source")
    assert (said.returncode, said.stderr) == (0, "")
    assert f"_BSP_SAT_COMPLETE={shell}_complete" in said.stdout
