"""`bsp-sat compare`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from bsp_sat.apps.study.commands import compare_report
from bsp_sat.apps.study.commands.compare_output import (
    carry_out,
    carry_out_externals,
    exit_code,
    export_all,
    faults,
    print_contradicted,
    print_faults,
    print_table,
)
from bsp_sat.apps.study.exports import check_exports
from bsp_sat.apps.study.external import changed_since, kept_runs, program_of
from bsp_sat.apps.study.sessions import changed_files, session_of
from bsp_sat.apps.study.solvers import DEFAULT_SOLVERS, default_solvers, swept
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.run import FAILED
from bsp_sat.backends.solve import Limits
from bsp_sat.backends.versions import in_words, versions
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.group import COMMAND_LINE, EXIT_NO
from bsp_sat.cli.options import (
    FileName,
    Option,
    ReadingOptions,
    Work,
    group,
    memory_limit_option,
    reading_options,
    time_limit_option,
    work_options,
)
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.words import quantity, short

DEFAULT_LIMITS = Limits(seconds=60.0)


@dataclass(frozen=True)
class Solvers:
    """What is compared. ``names``: specifications, separated by commas; None for the default."""

    names: str | None
    commands: tuple[str, ...]
    sweeps: tuple[str, ...]

    def specifications(self, instances: Sequence[Instance]) -> list[str]:
        """The solvers for these boards."""
        if self.names:
            return list(swept(self.names.split(","), self.sweeps))
        return list(swept([DEFAULT_SOLVERS[0]] if self.commands else default_solvers(instances), self.sweeps))


@dataclass(frozen=True)
class Results:
    """Files with the outcomes. ``resume``: a file of results that is continued; None for none."""

    out: Path | None
    resume: Path | None
    exports: tuple[Path, ...]
    report: Path | None


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...", shell_complete=complete_board)
@group(
    "solvers",
    Solvers,
    names=Option(
        "--solvers",
        metavar="NAME,…",
        help=f"Solvers to compare.  [default: of these, the ones that take all boards: {','.join(DEFAULT_SOLVERS)}]",
    ),
    commands=Option(
        "--external",
        multiple=True,
        metavar="[NAME=]COMMAND",
        help='Also run a program on each board, such as "me=./solver {board}"; see docs/campaigns.md.',
    ),
    sweeps=Option(
        "--sweep",
        multiple=True,
        metavar="WEIGHT=FROM:TO:STEP",
        help="Run each heuristic with several values of one weight.",
    ),
)
@reading_options
@group(
    "limits",
    Limits,
    seconds=time_limit_option("Stop each run after this time.  [default: 60]"),
    memory_mb=memory_limit_option(),
)
@work_options
@group(
    "results",
    Results,
    out=Option("-o", "--out", type=FileName(), metavar="RESULTS", help="Write the outcomes to a new SQLite file."),
    resume=Option(
        "--resume",
        type=FileName(),
        metavar="RESULTS",
        help="Continue with an earlier file of outcomes, or start a new one. Boards and solvers can be added.",
    ),
    exports=Option(
        "--export", multiple=True, type=FileName(), metavar="FILE", help="Write the outcomes as .jsonl or .csv."
    ),
    report=Option(
        "--report",
        type=FileName(),
        metavar="FILE",
        help="Write tables, plots, wrong answers, versions, machine and command lines, as .html or .md.",
    ),
)
@click.pass_context
def compare(
    ctx: click.Context,
    boards: tuple[str, ...],
    solvers: Solvers,
    reading: ReadingOptions,
    limits: Limits,
    work: Work,
    results: Results,
) -> None:
    """Run several solvers on the same boards and compare plans with the optimum.

    A solver is a backend with its choices, as for `solve --backend`, such as
    heuristic:astar:unique-length:column-weight=0.5.

    Each outcome is saved in RESULTS at once. After an interruption, --resume RESULTS runs only what is missing. Exit
    code: 0 every run has an outcome, 1 an external program was wrong, 2 bad input, such as an `optimal` in a file of
    boards that is proved to be false, or an export couldn't be written, 3 interrupted, 4 a backend crashed.
    """
    if results.resume is not None and results.out is not None:
        raise click.UsageError("--out is for a new file, --resume for an existing one: give only one of them")
    if not boards and reading != ReadingOptions():
        raise click.UsageError("--puzzle and --reveal say how boards are read: expected BOARD too")
    file = results.resume or results.out
    check_exports(results.exports, boards, file)
    if results.report is not None:
        compare_report.check(results.report)
    programs = [program_of(text) for text in solvers.commands]
    if len({program.name for program in programs}) < len(programs):
        raise click.UsageError("--external: expected a different name for each program")
    placed = [
        (f"{source}: board {number} ({instance.name})", instance)
        for source in boards
        for number, instance in enumerate(load_boards(source, reading))
    ]
    instances = [instance for _, instance in placed]
    specifications = solvers.specifications(instances)
    given = None if limits == Limits() else replace(limits, seconds=limits.seconds or DEFAULT_LIMITS.seconds)
    with open_campaign(file, new=results.resume is None) as campaign:
        limits = campaign.agree_on(given, DEFAULT_LIMITS)
        going_on = results.resume is not None and campaign.total() > 0
        if not instances and not going_on:
            raise click.UsageError("Missing boards: name files; `bsp-sat generate random` makes boards.")
        as_before = going_on and solvers.names is None and not solvers.sweeps
        different = campaign.add(instances, [] if as_before else specifications)
        if different < len(instances):
            click.echo(f"{quantity(len(instances), 'board')}, {different} different.", err=True)
        if campaign.missing() and (others := campaign.note_versions(in_words(versions()))):
            earlier = short("; ".join(map(printable, others)), 200)
            click.echo(f"Note: earlier runs are of other versions: {earlier}. Now: {in_words(versions())}.", err=True)
        for name in changed_files(campaign.sessions()):
            click.echo(f"Note: {printable(name)} has changed since runs of its boards were kept.", err=True)
        for name in changed_since(campaign, programs):
            click.echo(f"Note: {printable(name)} has changed since it answered, and is run again.", err=True)
        if campaign.missing() or programs:
            campaign.note(session_of(ctx.meta[COMMAND_LINE], programs, boards))
        complete = carry_out(campaign, limits, work)
        runs, proved = campaign.runs(), campaign.proved()
        beside = kept_runs(campaign, programs, proved)
        if complete:
            complete = carry_out_externals(campaign, beside, programs, proved, limits, work)
        keys, kept = campaign.keys(instances), campaign.boards()
        sessions = campaign.sessions()
    named = [(key, *each) for key, each in zip(keys, placed, strict=True)]
    named += [
        (key, f"{file}: board {key} ({board.name})", board) for key, board in kept.items() if key not in set(keys)
    ]
    of_programs = [run for of in beside.values() for run in of.values()]
    try:
        print_table([*runs, *of_programs])
        print_faults(beside, proved)
        contradicted = print_contradicted(named, proved, beside)
    finally:  # write the files even if the reader of the table has gone
        exported = export_all(results.exports, [*runs, *of_programs])
        if results.report is not None:
            found = list(faults(beside, proved))
            compare_report.write(results.report, sessions, limits, [*runs, *of_programs], found)
    code = exit_code(runs, complete=complete, exported=exported, contradicted=contradicted)
    ctx.exit(code or (EXIT_NO if any(run.status == FAILED for run in of_programs) else 0))
