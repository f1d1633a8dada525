"""Small mistakes made on purpose: which of them do the tests not notice?

    python benchmarks/mutants.py bsp_sat/comparison/store.py=tests/cli/test_campaign.py --most 10

Each mutant is one change of a named file: another comparison, `and` for `or`, `min` for `max`, + for −, a number one
higher or lower, a condition turned round. The tests named after the file run until one fails. Mutants that pass all
tests are listed. Some of them change no answer; for the others a test is missing. All happens in a copy of the
checkout, and the same seed makes the same mutants.
"""

import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """The line of a change, what stood there, what stands there instead, and the whole file with it."""

    line: int
    before: str
    after: str
    source: str


class Exchange(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """What might stand by mistake where a node stands."""
    match node:
        case ast.Compare(left, [operator], right):
            yield ast.Compare(left, [COMPARISONS[type(operator)]()], right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            yield ast.BinOp(left, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), right)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(test, body, other):
            yield ast.IfExp(test, other, body)
        case ast.If(test, body, other) if not isinstance(test, ast.Compare | ast.UnaryOp):  # they change themselves
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, other)
        case ast.Call(ast.Name(name), arguments, keywords) if name in NAMES:
            yield ast.Call(ast.Name(NAMES[name]), arguments, keywords)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants of a file, in the order of its tree."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    decorators = {inner for node in nodes for outer in getattr(node, "decorator_list", ()) for inner in ast.walk(outer)}
    for old in nodes:
        for new in changed(old) if old not in decorators else ():
            whole = ast.unparse(Exchange(old, new).visit(tree))
            before, after = (ast.unparse(node).partition("\n")[0] for node in (old, new))
            yield Mutant(old.lineno, before, after, whole)  # type: ignore[attr-defined]
            Exchange(new, old).visit(tree)


def passed(copy: Path, tests: str, seconds: float) -> bool | None:
    """Whether the tests pass in a copy of the checkout; None if they aren't done in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests.split(",")]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=copy, env=environment, stdout=nothing, stderr=nothing, start_new_session=True
    ) as run:
        try:
            return run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return None


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="FILE=TESTS,…...")
@click.option("--most", default=10, show_default=True, help="Mutants of each file.")
@click.option("--seed", default=1, show_default=True, help="Chooses the mutants.")
@click.option("--seconds", default=300.0, show_default=True, help="Time limit for the tests of a mutant.")
def main(named: tuple[str, ...], most: int, seed: int, seconds: float) -> None:
    """List the mutants of files that the tests named after each don't notice."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "checkout")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=NOT_COPIED)
        for file, tests in (name.split("=") for name in named):
            path = copy / file
            source = path.read_text(encoding="utf-8")
            found = list(mutants(source))
            tried = random.Random(f"{seed} {file}").sample(found, min(most, len(found)))
            if not passed(copy, tests, seconds):
                raise click.ClickException(f"{file}: the tests fail without a change, or take too long")
            outcomes = []
            for mutant in sorted(tried):
                path.write_text(mutant.source, encoding="utf-8")
                shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)  # may look as new as the file
                outcomes.append(passed(copy, tests, seconds))
                if outcomes[-1]:
                    click.echo(f"{file}:{mutant.line}: {mutant.before}  ->  {mutant.after}")
            path.write_text(source, encoding="utf-8")
            survivors, late = outcomes.count(True), outcomes.count(None)
            click.echo(f"{file}: {len(tried)} of {len(found)} mutants: {survivors} survive, {late} took too long")


if __name__ == "__main__":
    main()
