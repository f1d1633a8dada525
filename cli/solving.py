"""What `bsp-sat solve` does with one board; `bsp_sat.cli.batch` is for many."""

import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits, solve_here_first
from bsp_sat.cli.boards import compared_with_file
from bsp_sat.cli.extra_tubes import sort_puzzle, with_extra_tubes
from bsp_sat.cli.options import EXIT_CODES, EXIT_UNKNOWN, stop_on_signals
from bsp_sat.cli.output.live import live_status, working
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.writing import json_text

if TYPE_CHECKING:
    from bsp_sat.cli.output.questions import QuestionTable
    from bsp_sat.cli.output.solve_output import SolveOutput


@dataclass(frozen=True)
class Options:
    """The options of `solve` besides the board and the backend, under their names.

    Raises:
        UsageError: two options exclude each other.
        Unsupported: an option needs another one, or can't be used with it.
    """

    limits: Limits
    jobs: int
    resume: Path | None
    cluster: str | None
    cross_check: bool
    certificate: Path | None
    proof: str | None
    extra_tubes: int | None
    fewest_extra_tubes: bool
    boards: bool
    explain: bool
    as_json: bool

    def __post_init__(self) -> None:
        """Checks what can be checked without a board."""
        if self.proof is not None and self.certificate is None:
            raise Unsupported("--proof needs --certificate")
        if self.cluster is not None and self.certificate is not None:
            raise Unsupported("--certificate can't be used with --cluster")

    def check_for_many(self) -> None:
        """Refuses options for a single board."""
        if self.cross_check or self.boards or self.explain or self.fewest_extra_tubes:
            which = "--cross-check, --explain, --boards and --fewest-extra-tubes"
            raise Unsupported(f"{which} take a single board, without --resume and --cluster")

    def check_for_hidden(self, backend: Backend) -> None:
        """Refuses options that need a plan, for a board with hidden cells."""
        others = self.cross_check or self.boards or self.explain or self.fewest_extra_tubes
        if backend != Auto() or others or self.certificate is not None or self.limits.max_steps is not None:
            which = "limits, --extra-tubes and --json; for many boards also --jobs, --resume and --cluster"
            raise Unsupported(f"a board with hidden cells has strategies, not plans: it takes only {which}")


def solve_one(process: Process, instance: Instance, backend: Backend, options: Options) -> int:
    """Solves one board, prints the answer, and returns the exit code."""
    # Imported here, as many boards have another output.
    from bsp_sat.cli.output.solve_output import SolveOutput, print_board

    if options.certificate is not None:
        _prepare_certificate(instance, options.certificate, options.proof)
    backend.check(instance.puzzle)
    with stop_on_signals() as stop:

        def run(by: Backend, table: "QuestionTable | None" = None) -> Result:
            limits = options.limits
            with live_status(table) as hook:
                result = solve_here_first(process, instance.puzzle, by, limits=limits, on_progress=hook, stop=stop)
            if table is not None:
                table.end(result)
            return result

        started = time.monotonic()
        if options.fewest_extra_tubes:
            extra_tubes, result = _with_fewest_extra_tubes(process, instance, backend, options, stop)
            instance = with_extra_tubes(instance, extra_tubes)
            answer = SolveOutput(instance, result, extra_tubes, fewest=True, most_extra_tubes=options.extra_tubes)
        if not options.as_json:
            print_board(instance)
        if not options.fewest_extra_tubes:
            result = run(backend, _table_for(backend, as_json=options.as_json))
            result = compared_with_file(result, instance)
            answer = SolveOutput(instance, result, options.extra_tubes)
        spent = time.monotonic() - started
        if options.cross_check:
            # Imported here and below, as few boards need it.
            from bsp_sat.backends.cross_check import cross_check

            answer.witnesses = cross_check(instance.puzzle, result, run)
        if options.explain:
            from bsp_sat.backends.explanation import explained

            answer.reasons = list(explained(instance.puzzle, result))
        if options.certificate is not None:
            _certify(process, answer, options.certificate, options, spent, stop)
    if options.as_json:
        click.echo(json_text(answer.to_json()))
    else:
        answer.print(boards=options.boards)
    if answer.not_certified:
        click.echo(f"Error: no certificate: {answer.not_certified}", err=True)
    cut_short = stop.is_set() and answer.result.status is Status.FEASIBLE
    return EXIT_UNKNOWN if cut_short or answer.not_certified else EXIT_CODES[answer.result.status]


def _table_for(backend: Backend, *, as_json: bool) -> "QuestionTable | None":
    """The table of what a solver is asked, for backends that have one. With ``as_json`` only a terminal shows it."""
    if backend.solver_name is None or (as_json and not sys.stderr.isatty()):
        return None
    from bsp_sat.cli.output import screen
    from bsp_sat.cli.output.questions import QuestionTable

    return QuestionTable(screen.console(stderr=as_json))


def _with_fewest_extra_tubes(
    process: Process, instance: Instance, backend: Backend, options: Options, stop: Event
) -> tuple[int, Result]:
    """The fewest extra tubes, at most those of the options, and the result with them."""
    from bsp_sat.backends.extra_tubes import least_extra_tubes

    puzzle, most, limits = sort_puzzle(instance), options.extra_tubes, options.limits
    with live_status() as hook:
        return least_extra_tubes(process, puzzle, backend, most=most, limits=limits, on_progress=hook, stop=stop)


def _prepare_certificate(instance: Instance, folder: Path, proof: str | None) -> None:
    """Checks the folder, and that the board has such a proof, before hours of work."""
    # Imported here and below: only certificates need it.
    from bsp_sat.backends.proofs.writing import prepare_folder
    from bsp_sat.encoder.registry import certifying_encoding

    if proof == LRAT:
        certifying_encoding(instance.puzzle)
    prepare_folder(folder)


def _certify(
    process: Process, answer: "SolveOutput", folder: Path, options: Options, spent: float, stop: Event
) -> None:
    """Makes the certificate of an answer that has used ``spent`` seconds of the time limit."""
    from bsp_sat.backends.proofs.writing import certify

    with working("making the certificate"):
        making = partial(certify, process, limits=options.limits, spent=spent, stop=stop)
        answer.certify(making, folder, options.proof)
