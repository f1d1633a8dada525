"""`bsp-sat compare --external`: what other people's programs answered."""

from collections.abc import Sequence

import click

from bsp_sat.backends.limits import Limits
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import FAILED, pool_of
from bsp_sat.cli.live import progress_bar
from bsp_sat.cli.options import Work, stop_on_signals
from bsp_sat.comparison.external import run_external
from bsp_sat.comparison.store import Campaign, CampaignRun, Proved, tally
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance

MOST_LINES = 10  # of one kind for each program; exports have all


def carry_out_externals(
    campaign: Campaign,
    commands: Sequence[str],
    instances: Sequence[Instance],
    proved: Sequence[Proved],
    limits: Limits,
    work: Work,
) -> tuple[list[CampaignRun], bool]:
    """Runs the programs on the boards.

    Returns:
        The outcomes, and whether all are there.
    """
    found: list[CampaignRun] = []
    if not commands:
        return found, True
    answers = [of.answer for of in proved]
    with stop_on_signals() as stop:
        with pool_of(work.jobs, work.cluster, stop) as pool, progress_bar(len(commands) * len(instances), 0) as advance:
            for command in commands:
                for run in run_external(command, instances, answers, limits, campaign, pool, stop):
                    found.append(run)
                    advance()
        return found, not stop.is_set()


def print_faults(found: Sequence[CampaignRun], proved: Sequence[Proved]) -> None:
    """Prints where each program is wrong, longer, without an answer, or slower than the fastest proof."""
    for command, of_program in tally(found).items():
        kinds = {
            "wrong": [f"{run.board}: {run.error}" for run in of_program if run.status == FAILED],
            "longer": [f"{run.board}: {run.length} moves, {run.excess} too many" for run in of_program if run.excess],
            "without an answer": [f"{run.board}: {run.error}" for run in of_program if run.status == Status.UNKNOWN],
            "slower": [
                f"{run.board}: {run.seconds:.3f} s, and {seconds:.3f} s" for run, seconds in _slower(of_program, proved)
            ],
        }
        counts = ", ".join(f"{len(lines)} {kind}" for kind, lines in kinds.items())
        click.echo(printable(f"{command}: {len(of_program)} boards, {counts}"))
        for kind, lines in kinds.items():
            for line in lines[:MOST_LINES]:
                click.echo(printable(f"  {kind}: {line}"))
            if len(lines) > MOST_LINES:
                click.echo(f"  {kind}: {len(lines) - MOST_LINES} more")


def _slower(found: Sequence[CampaignRun], proved: Sequence[Proved]) -> list[tuple[CampaignRun, float]]:
    """The runs that took longer than the fastest proof, and its seconds, the worst first."""
    pairs = zip(found, proved, strict=False)  # fewer were found if it was interrupted
    both = [(run, of.seconds) for run, of in pairs if run.seconds is not None and of.seconds is not None]
    slower = [(run, seconds) for run, seconds in both if run.seconds is not None and run.seconds > seconds]
    return sorted(slower, key=lambda pair: -(pair[0].seconds or 0) / max(pair[1], 0.001))
