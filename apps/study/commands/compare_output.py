"""The output of `bsp-sat compare`: progress, the table, errors, what external programs answered, and the exit code."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bsp_sat.apps.study.exports import export
from bsp_sat.apps.study.external import run_external
from bsp_sat.apps.study.store import Campaign, CampaignRun, Program, Proved, Summary, tally
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import FAILED, pool_of
from bsp_sat.backends.solve import Limits
from bsp_sat.cli.group import EXIT_BAD_INPUT, EXIT_BUG, EXIT_UNKNOWN
from bsp_sat.cli.options import Work, stop_on_signals
from bsp_sat.cli.screen import Screen, progress_bar
from bsp_sat.instances.errors import BoardError, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.words import quantity

MOST_LINES = 10  # of one kind for each program; exports have all

MEASURES: dict[str, Callable[[CampaignRun], float | None]] = {
    "moves": lambda run: run.length,
    "excess": lambda run: run.excess,
    "ratio": lambda run: run.ratio,
    "explored": lambda run: run.explored,
    "seconds": lambda run: run.seconds,
    "MB": lambda run: run.peak_memory_mb,
}
"""The columns of the table. Runs without a plan have only the last three."""

Beside = Mapping[str, Mapping[int, CampaignRun]]
"""The outcomes of external programs, by name of the program and key of the board."""

MEANS = "From moves on: means over the boards that have the figure."


def carry_out(campaign: Campaign, limits: Limits, work: Work) -> bool:
    """Does the missing runs, and returns whether all are done."""
    total, left = campaign.total(), len(campaign.missing())
    with stop_on_signals() as stop:
        with pool_of(work.jobs, work.cluster, stop) as pool, progress_bar(total, total - left) as advance:
            for _ in campaign.run(limits, pool, stop):
                advance()
        if stop.is_set():
            click.echo(f"Interrupted after {total - len(campaign.missing())} of {quantity(total, 'run')}.", err=True)
        return not stop.is_set()


def export_all(paths: Sequence[Path], runs: Sequence[CampaignRun]) -> bool:
    """Writes the outcomes to each file. Reports failures, goes on, and returns False if there were any."""
    complete = True
    for path in paths:
        try:
            export(path, runs)
        except BoardError as error:
            click.echo(f"Error: {error}", err=True)
            complete = False
    return complete


def print_contradicted(
    placed: Iterable[tuple[int, str, Instance]], proved: Mapping[int, Proved], beside: Beside
) -> bool:
    """Prints where files say what is proved to be false, and returns whether they do."""
    found = False
    for key, place, instance in placed:
        of = proved[key]
        lengths = [of.answer, *(runs[key].length for runs in beside.values() if key in runs)]
        shortest = min((length for length in lengths if isinstance(length, int)), default=None)
        bound = None if of.answer == Status.UNSOLVABLE else of.answer if isinstance(of.answer, int) else 0
        contradiction = instance.contradicted(shortest, bound)
        if contradiction is not None:
            click.echo(f"Error: {printable(place)}: {contradiction}", err=True)
            found = True
    return found


def exit_code(runs: Sequence[CampaignRun], *, complete: bool, exported: bool, contradicted: bool) -> int:
    """0 if every run has an outcome, no backend crashed, no file of boards is wrong, and every file was written."""
    if any(run.status == FAILED for run in runs):
        return EXIT_BUG
    if contradicted or not exported:
        return EXIT_BAD_INPUT
    return 0 if complete else EXIT_UNKNOWN


def print_table(runs: Sequence[CampaignRun]) -> None:
    """Prints a line for each solver and kind of puzzle, and failed runs on standard error.

    Columns that don't fit the width of a terminal continue in another table.
    """
    if len({run.puzzle for run in runs}) > 1:
        runs = [replace(run, solver=f"{run.solver} on {run.puzzle}") for run in runs]
    out = Screen()
    labels, cells = ["solver"], {name: [name] for name in ("answered", "solved", "unsolvable", *MEASURES)}
    for solver, of_solver in tally(runs).items():
        labels.append(printable(solver))
        solved = sum(run.length is not None for run in of_solver)
        unsolvable = sum(run.status == Status.UNSOLVABLE for run in of_solver)
        cells["answered"].append(f"{solved + unsolvable} of {len(of_solver)}")
        cells["solved"].append(str(solved))
        cells["unsolvable"].append(str(unsolvable))
        for name, measure in MEASURES.items():
            of = Summary.of(map(measure, of_solver))
            cells[name].append(_figure(of.mean) if of else "–")
    wide = max(map(len, labels))
    widths = {name: 2 + max(map(len, column)) for name, column in cells.items()}
    for names in _fitting(widths, out.width - wide if out.is_terminal else sum(widths.values())):
        out.print()
        for row, label in enumerate(labels):
            line = "".join(f"{cells[name][row]:>{widths[name]}}" for name in names)
            out.print(f"{label:<{wide}}{line}", style="" if row else "bold", wrap=False)
    out.print(MEANS, style="dim")
    out.print()
    for line in _by_reason([(run.board, f"{run.solver} failed: {run.error}") for run in runs if run.status == FAILED]):
        click.echo(printable(line), err=True)


def _by_reason(found: Sequence[tuple[str, str]]) -> list[str]:
    """A line for each reason, with the first of its boards.

    >>> _by_reason([("one", "no plan"), ("two", "too long"), ("three", "no plan")])
    ['one and 1 more: no plan', 'two: too long']
    """
    boards: dict[str, list[str]] = {}
    for board, reason in found:
        boards.setdefault(reason, []).append(board)
    return [f"{one}{f' and {len(more)} more' if more else ''}: {reason}" for reason, (one, *more) in boards.items()]


def _fitting(widths: Mapping[str, int], room: int) -> list[list[str]]:
    """The names in groups whose widths add up to ``room`` at most, one name at least in each.

    >>> _fitting({"moves": 7, "seconds": 9, "MB": 7}, 17)
    [['moves', 'seconds'], ['MB']]
    """
    groups: list[list[str]] = [[]]
    for name, width in widths.items():
        if groups[-1] and sum(widths[other] for other in groups[-1]) + width > room:
            groups.append([])
        groups[-1].append(name)
    return groups


def _figure(value: float) -> str:
    return f"{value:.2f}" if value < 1000 else f"{value:,.0f}"


def carry_out_externals(
    campaign: Campaign,
    found: dict[str, dict[int, CampaignRun]],
    programs: Sequence[Program],
    proved: Mapping[int, Proved],
    limits: Limits,
    work: Work,
) -> bool:
    """Runs the programs on boards they haven't answered, adds to ``found``, and says whether all have an outcome."""
    total, done = len(programs) * len(proved), sum(len(found[program.name]) for program in programs)
    if done == total:
        return True
    with stop_on_signals() as stop:
        with pool_of(work.jobs, work.cluster, stop) as pool, progress_bar(total, done) as advance:
            for program in programs:
                for key, run in run_external(program, campaign, proved, limits, pool, stop):
                    found[program.name][key] = run
                    advance()
        return not stop.is_set()


def print_faults(found: Beside, proved: Mapping[int, Proved]) -> None:
    """Prints `faults`."""
    for line in faults(found, proved):
        click.echo(printable(line))


def faults(found: Beside, proved: Mapping[int, Proved]) -> Iterator[str]:
    """Where each program is wrong, longer, without an answer, or slower than the fastest proof."""
    for command, by_key in found.items():
        of_program = [by_key[key] for key in sorted(by_key)]
        unanswered = [(run.board, str(run.error)) for run in of_program if run.status == Status.UNKNOWN]
        kinds = {
            "wrong": [f"{run.board}: {run.error}" for run in of_program if run.status == FAILED],
            "longer": [f"{run.board}: {run.length} moves, {run.excess} too many" for run in of_program if run.excess],
            "without an answer": _by_reason(unanswered),
            "slower": [
                f"{run.board}: {run.seconds:.3f} s, the fastest proof took {seconds:.3f} s"
                for run, seconds in _slower([(by_key[key], proved[key].seconds) for key in sorted(by_key)])
            ],
        }
        numbers = {kind: len(lines) for kind, lines in kinds.items()} | {"without an answer": len(unanswered)}
        counts = ", ".join(f"{number} {kind}" for kind, number in numbers.items())
        yield f"{command}: {quantity(len(of_program), 'board')}, {counts}"
        for kind, lines in kinds.items():
            yield from (f"  {kind}: {line}" for line in lines[:MOST_LINES])
            if len(lines) > MOST_LINES:
                yield f"  {kind}: {len(lines) - MOST_LINES} more"


def _slower(found: Sequence[tuple[CampaignRun, float | None]]) -> list[tuple[CampaignRun, float]]:
    """The runs with a right answer that took longer than the fastest proof, and its seconds, the worst first."""
    right = [(run, seconds) for run, seconds in found if run.status not in (FAILED, Status.UNKNOWN)]
    slower = [
        (run, seconds)
        for run, seconds in right
        if run.seconds is not None and seconds is not None and run.seconds > seconds
    ]
    return sorted(slower, key=lambda pair: -(pair[0].seconds or 0) / max(pair[1], 0.001))
