"""`bsp-sat census`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Timer

import click

from bsp_sat.apps.census.answer import WAYS, Census
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.commands.census_output import certified, print_answer, to_json
from bsp_sat.apps.census.sampling import BOARDS
from bsp_sat.apps.census.store import open_store
from bsp_sat.backends.proofs import prepare_folder
from bsp_sat.backends.run import pool_of
from bsp_sat.cli.group import EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.options import (
    FileName,
    OneOf,
    Option,
    WholeNumber,
    Work,
    certificate_option,
    group,
    json_option,
    seed_option,
    stop_on_signals,
    time_limit_option,
    work_options,
)
from bsp_sat.cli.screen import working
from bsp_sat.instances.text.writing import json_text

MOST = 1000  # colours, and so on: more are refused by every way but the theorem
MOST_BOARDS = 1_000_000  # of a sample


@dataclass(frozen=True)
class Draw:
    """Which random boards are looked at, and how many."""

    boards: int
    seed: int


@click.command()
@group(
    "of",
    BoardClass,
    colours=Option(
        "--colours", type=WholeNumber(1, MOST), required=True, metavar="N", help="Colours, each filling one tube."
    ),
    capacity=Option(
        "--capacity", type=WholeNumber(1, MOST), required=True, metavar="H", help="Balls that fit into a tube."
    ),
    empty=Option("--empty", type=WholeNumber(0, MOST), default=2, show_default=True, metavar="K", help="Empty tubes."),
)
@click.option(
    "--by",
    type=OneOf(WAYS),
    help="enumeration: look at every board; cases: distinguish cases by as few balls as possible; sample: estimate "
    "from random boards how many can't be solved.  [default: what is known already, then what suits the size]",
)
@group(
    "draw",
    Draw,
    boards=Option(
        "--boards",
        type=WholeNumber(1, MOST_BOARDS),
        default=BOARDS,
        show_default=True,
        metavar="N",
        help="Boards in a sample.",
    ),
    seed=seed_option("Seed of a sample."),
)
@click.option("--lengths", is_flag=True, help="Find the optimum of every board, under both rules.")
@time_limit_option()
@work_options
@click.option(
    "--resume",
    type=FileName(),
    metavar="RESULTS",
    help="Save what is done in an SQLite file, and continue with what is there.",
)
@certificate_option("Write a certificate: of the unsolvable board, or of the case distinction.")
@json_option
@click.pass_context
def census(
    ctx: click.Context,
    of: BoardClass,
    by: str | None,
    draw: Draw,
    lengths: bool,
    time_limit: float | None,
    work: Work,
    resume: Path | None,
    certificate: Path | None,
    as_json: bool,
) -> None:
    """Can every board of N colours and capacity H with K empty tubes be solved?

    Boards have N full tubes. Ball sort and water sort have the same answer (docs/census.md). Exit code: 0 every board
    can be solved, 1 an unsolvable one was found, 2 bad input, 3 neither was proved, lengths are missing, or a
    certificate was asked for and there is none.
    """
    if lengths and by not in (None, "enumeration"):
        raise click.UsageError(f"--lengths looks at every board: it can't be used with --by {by}")
    if certificate is not None and by == "sample":
        raise click.UsageError("--certificate is for what is proved: it can't be used with --by sample")
    if certificate is not None and work.cluster is not None:
        raise click.UsageError("--certificate is made on this machine: it can't be used with --cluster")
    if certificate is not None:
        prepare_folder(certificate)
    with stop_on_signals() as stop, open_store(resume) as store:
        with (
            _time_limit(time_limit, stop) as expired,
            working() as tell,
            pool_of(work.jobs, work.cluster, stop) as pool,
        ):
            asked = Census(of, pool, stop, store, seed=draw.seed, jobs=work.jobs, folder=certificate, tell=tell)
            answer = asked.answer(by, lengths=lengths, boards=draw.boards)
        if answer.reason and stop.is_set():
            why = f"time limit of {time_limit:g} s reached" if expired.is_set() else "interrupted"
            answer = replace(answer, reason=f"{why}; {answer.reason}")
        place = None if certificate is None else certified(answer, certificate, stop)
    if as_json:
        click.echo(json_text(to_json(of, answer, place)))
    else:
        print_answer(of, answer, place)
    incomplete = (lengths and answer.reason) or (certificate is not None and place is None)
    code = {True: 0, False: EXIT_NO, None: EXIT_UNKNOWN}[answer.always_solvable]
    ctx.exit(EXIT_UNKNOWN if incomplete else code)


@contextmanager
def _time_limit(seconds: float | None, stop: Event) -> Iterator[Event]:
    """Sets ``stop`` after a time; yields an event that says whether it has done so."""
    expired = Event()

    def expire() -> None:
        expired.set()
        stop.set()

    timer = Timer(seconds or 0, expire)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
