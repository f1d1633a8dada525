"""Small mistakes made on purpose: which of them do the tests not notice?

    python benchmarks/mutants.py --most 200
    python benchmarks/mutants.py apps/study/store.py=tests/apps/study/test_campaign.py --most 10

Each mutant is one change of a named file: another comparison, `and` for `or`, `min` for `max`, + for −, a number one
higher or lower, a condition turned round. The tests named after the file run until one fails. Mutants that pass all
tests are listed. Some of them change no answer (a size at first, when to look, a constraint that follows from the
others); for the others a test is missing. All happens in a copy of the checkout, and the same seed makes the same
mutants.

Without a name files are taken from all rooms, long ones more often, with the tests of `TESTS`. The compiled search is
left out, as a mutant of it would have to be built.
"""

import ast
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
TESTS = {  # of a file or a folder, the longest name counts
    "instances": "instances/test_puzzles.py,instances/test_plan.py,instances/test_files.py",
    "instances/sorting": "instances/test_sorting.py,backends/test_rules_of_tubes.py",
    "instances/text": "instances/test_files.py,instances/test_notation.py,instances/test_spellings.py",
    "instances/tiles.py": "instances/test_tiles.py",
    "instances/shot.py": "instances/test_shot.py",
    "encoder": "encoder/test_encodings.py,encoder/test_dimacs.py",
    "encoder/homes": "encoder/test_homes.py",
    "encoder/order": "encoder/test_order.py,encoder/test_encodings.py",
    "encoder/sequential": "encoder/test_sequential.py",
    "encoder/export": "encoder/test_export.py,encoder/test_dimacs.py",
    "backends": "backends/test_solve.py,backends/test_auto.py,backends/test_backends.py,backends/test_cross_check.py",
    "backends/count.py": "instances/test_grids.py",
    "backends/explanation.py": "backends/test_explanation.py",
    "backends/solve.py": "backends/test_extra_tubes.py,backends/test_solve.py",
    "backends/result.py": (
        "backends/test_result.py,backends/test_solve.py,backends/test_endings.py,backends/test_questions.py"
    ),
    "backends/baselines": "backends/test_heuristic.py,backends/test_search.py,instances/test_grids.py",
    "backends/cpsat": "backends/test_cpsat.py,backends/test_cpsat_layered.py,backends/test_backends.py",
    "backends/cpsat/partition.py": "instances/test_three_partition.py",
    "backends/kernel": "kernel",
    "backends/kernel/batches/distances.py": "kernel,apps/covered/test_exact.py",
    "backends/run": "backends/test_solve.py,backends/test_pool.py,backends/test_many.py,backends/test_batches.py",
    "backends/run/cluster.py": "backends/test_cluster.py",
    "backends/limits.py": "backends/test_memory.py,backends/test_solve.py",
    "backends/portfolio.py": "backends/test_portfolio.py",
    "backends/proofs": "proofs/test_certificate.py,proofs/test_labels.py,proofs/test_forgeries.py",
    "backends/proofs/folder.py": "proofs/test_writing.py",
    "backends/proofs/writing.py": "proofs/test_writing.py",
    "backends/proofs/verified.py": "proofs/test_verified.py",
    "backends/proofs/lrat.py": "proofs/test_lrat.py",
    "backends/proofs/refutation.py": "proofs/test_lrat.py,proofs/test_certificate.py",
    "backends/sat": "backends/test_sat.py,backends/test_horizon_loop.py,backends/test_external_solvers.py",
    "backends/search": "backends/test_search.py,backends/test_best_first.py,backends/test_weighted_astar.py",
    "backends/search/borders.py": "backends/test_borders.py",
    "backends/search/frontier.py": "instances/test_grids.py",
    "backends/search/frontier_search.py": "instances/test_grids.py",
    "backends/search/tile_arrays.py": "instances/test_grids.py",
    "formal": "proofs/test_labels.py,proofs/test_forgeries.py",
    "formal/check_cases.py": "apps/census/test_cases.py,proofs/test_forgeries.py",
    "cli": "cli",
    "apps/census/commands/census_output.py": "apps/census/test_census.py",
    "apps/levels/commands/grade_tables.py": "apps/levels/test_grade.py",
    "apps/levels/commands/hint.py": "apps/levels/test_hint.py",
    "apps/census": "apps/census",
    "apps/study": (
        "apps/study/test_campaign.py,"
        "apps/study/test_campaign_file.py,"
        "apps/study/test_external.py,"
        "apps/study/test_plot.py"
    ),
    "apps/drawing": "apps/drawing",
    "apps/levels": "apps/levels",
    "apps/covered": "apps/covered",
    "apps/pictures": "apps/pictures",
    "apps/page": (
        "apps/page/test_answers.py,apps/page/test_server.py,apps/page/test_refusals.py,apps/page/test_teaching.py"
    ),
    "apps/page/http": (
        "apps/page/test_system_limits.py,"
        "apps/page/test_work_queue.py,"
        "apps/page/test_refusals.py,"
        "apps/page/test_server.py"
    ),
    "apps/page/tab": "apps/page/test_tab_making.py",
}

MOST_MEMORY = 4 << 30  # bytes of data of each process: a mutant may ask for more without end
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
        case ast.If(ast.Name("TYPE_CHECKING")):
            return  # such an import changes nothing that runs
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
            yield Mutant(old.lineno, before, after, whole)  # type: ignore[attr-defined]  # all nodes it changes have one
            Exchange(new, old).visit(tree)


def passed(copy: Path, tests: str, seconds: float) -> bool | None:
    """Whether the tests pass in a copy of the checkout; None if they aren't done in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests.split(",")]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=copy, env=environment, stdout=nothing, stderr=nothing, start_new_session=True, preexec_fn=bounded
    ) as run:
        try:
            return run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return None


def bounded() -> None:
    """Limits the memory of this process and of those that it starts."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def tests_of(file: str) -> str | None:
    """The tests of a file in `TESTS`; None if it has none."""
    found = max((name for name in TESTS if Path(file).is_relative_to(name)), key=len, default=None)
    return None if found is None else ",".join(f"tests/{name}" for name in TESTS[found].split(","))


def from_all_rooms(number: int, seed: int) -> Iterator[tuple[str, str, int]]:
    """Files with their tests and how many mutants they get, one for a number of lines."""
    rooms = sorted({name.split("/")[0] for name in TESTS})
    paths = sorted(path for room in rooms for path in (ROOT / room).rglob("*.py") if "compiled" not in path.parts)
    lines = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n") for path in paths}
    lines = {file: count for file, count in lines.items() if tests_of(file)}
    chosen = Counter(random.Random(seed).choices(list(lines), list(lines.values()), k=number))
    yield from ((file, str(tests_of(file)), count) for file, count in sorted(chosen.items()))


@click.command()
@click.argument("named", nargs=-1, metavar="[FILE=TESTS,…]...")
@click.option("--most", default=10, show_default=True, help="Mutants of each file, or of all rooms together.")
@click.option("--seed", default=1, show_default=True, help="Chooses the mutants.")
@click.option("--seconds", default=300.0, show_default=True, help="Time limit for the tests of a mutant.")
def main(named: tuple[str, ...], most: int, seed: int, seconds: float) -> None:
    """List the mutants of files that the tests don't notice."""
    plan = [(*name.split("="), most) for name in named] or list(from_all_rooms(most, seed))
    total: Counter[bool | None] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "checkout")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=NOT_COPIED)
        unchanged = cache(partial(passed, copy, seconds=seconds))
        for file, tests, count in plan:
            if not unchanged(tests):
                raise click.ClickException(f"{file}: the tests fail without a change, or take too long")
            path = copy / file
            source = path.read_text(encoding="utf-8")
            found = list(mutants(source))
            tried = random.Random(f"{seed} {file}").sample(found, min(count, len(found)))
            outcomes: Counter[bool | None] = Counter()
            for mutant in sorted(tried):
                path.write_text(mutant.source, encoding="utf-8")
                shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)  # may look as new as the file
                outcome = passed(copy, tests, seconds)
                outcomes[outcome] += 1
                if outcome:
                    click.echo(f"{file}:{mutant.line}: {mutant.before}  ->  {mutant.after}")
            path.write_text(source, encoding="utf-8")
            click.echo(f"{file}: {said(outcomes)}, of {len(found)} possible")
            total += outcomes
    click.echo(f"In all: {said(total)}")


def said(outcomes: Counter[bool | None]) -> str:
    """How many mutants there were, and what became of them."""
    return f"{outcomes.total()} mutants: {outcomes[True]} survive, {outcomes[None]} took too long"


if __name__ == "__main__":
    main()
