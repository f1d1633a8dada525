"""`bsp-sat grade`."""

from dataclasses import dataclass
from typing import Any

import click

from bsp_sat.apps.levels.commands import grade_tables
from bsp_sat.apps.levels.grade import measures_of
from bsp_sat.apps.levels.job import NAME, GradeBoard
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.scope import GRADES, check_board
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Failure
from bsp_sat.cli.batch import Request, outcomes, solve_boards
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.group import EXIT_BUG, EXIT_UNKNOWN
from bsp_sat.cli.options import ReadingOptions, Work, limit_options, reading_options, resumable_work_options
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class GradeRequest(Request):
    """The options that grades depend on."""

    measures: tuple[str, ...] = ()
    what_if: bool = False

    def of(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        return {**super().of(puzzle), "measures": list(self.measures), "what_if": self.what_if}

    def answer(self, outcome: Any, instance: Instance) -> dict[str, Any]:
        """The result and the grades."""
        line: dict[str, Any] = outcome.to_json(instance.puzzle, what_if=self.what_if)
        return line


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARDS...", shell_complete=complete_board)
@click.option("--measures", metavar="NAME,...", help="Measures, see docs/grading.md.  [default: all]")
@click.option(
    "--what-if", is_flag=True, help="Show what more or fewer empty tubes, or swapping two balls, would change."
)
@reading_options
@limit_options
@resumable_work_options("Write JSON Lines to OUT, continuing after those already there.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each board.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a table with a row for each board as CSV.")
@click.option(
    "--against",
    metavar="BOARDS",
    shell_complete=complete_board,
    help="Another pack, or an earlier version: which levels are in both, and which have become harder.",
)
@click.pass_context
def grade(
    ctx: click.Context,
    boards: tuple[str, ...],
    measures: str | None,
    what_if: bool,
    reading: ReadingOptions,
    limits: Limits,
    work: Work,
    as_json: bool,
    as_csv: bool,
    against: str | None,
) -> None:
    """Measure how hard BOARDS are, by exact definitions (docs/grading.md), and rank them among boards of their size.

    Each figure is exact, sampled with a 95 % interval, or a proved bound. A percentile is the percentage of boards of
    the same rule, colours, capacity and empty tubes with a lower figure. Limits apply to each board. Exit code: 0 each
    board is solved or proved unsolvable, 2 bad input, 3 some are unknown or it was interrupted, 4 a crash.
    """
    if (as_csv or against is not None) and (as_json or work.out is not None or what_if):
        raise click.UsageError("--csv and --against go with neither --json, --resume nor --what-if")
    taken = measures_of(MEASURES if measures is None else measures.split(","))
    names = tuple(measure.name for measure in taken)
    instances = [instance for source in boards for instance in load_boards(source, reading)]
    others = [] if against is None else load_boards(against, reading)
    of_pack = len(instances)
    instances += [instance for instance in others if instance.name in {each.name for each in instances}]
    for instance in instances:
        check_board(instance.puzzle, "grading", GRADES)
    gradings = [GradeBoard(instance.puzzle, taken, what_if, limits) for instance in instances]
    request = GradeRequest(NAME, limits, None, work.cluster, names, what_if)
    if as_json or work.out is not None:
        ctx.exit(solve_boards(instances, gradings, request, work.jobs, work.out))
    lines = []
    code = 0
    for instance, outcome in zip(instances, outcomes(gradings, request, work.jobs), strict=False):
        if isinstance(outcome, Failure):
            click.echo(f"Error: {instance.name}: {outcome.error}", err=True)
            code = EXIT_BUG
        else:
            lines.append((instance, request.answer(outcome, instance)))
    of_this, before = lines[:of_pack], {instance.name: line for instance, line in lines[of_pack:]}
    if as_csv:
        grade_tables.print_csv(of_this, names, before)
    elif of_pack == 1 and against is None:
        for instance, line in of_this:
            grade_tables.print_board(instance, line)
    else:
        grade_tables.print_boards(of_this, names)
    if against is not None:
        grade_tables.print_twins([instance for instance, _ in of_this], others, against, err=as_csv)
        grade_tables.print_changes(of_this, names, before, against, err=as_csv)
    unknown = len(lines) < len(instances) or any(line["status"] not in ("optimal", "unsolvable") for _, line in lines)
    ctx.exit(code or (EXIT_UNKNOWN if unknown else 0))
