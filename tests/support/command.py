"""`bsp-sat` in this process: half a second less than a program that starts. tests/cli has what needs one."""

from subprocess import CompletedProcess

from click.testing import CliRunner

from bsp_sat.cli.group import commands


def bsp_sat(*words: str, stdin: str = "") -> "CompletedProcess[str]":
    """Runs a command line; its exit code, what it printed, and its messages."""
    run = CliRunner().invoke(commands, words, input=stdin)
    return CompletedProcess(words, run.exit_code, run.stdout, run.stderr)


def invoke(*words: object, stdin: str = "") -> tuple[int, str]:
    """The same: its exit code, and all that it writes anywhere."""
    run = CliRunner().invoke(commands, list(map(str, words)), input=stdin)
    return run.exit_code, run.output
