"""`bsp-sat solve`."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any

import click

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.certificate import CertificateError, certifying_encoding, prepare_folder, write_certificate
from bsp_sat.backends.cross_check import compare_claims, witness_for
from bsp_sat.backends.proofs import NotRefuted, Refutation
from bsp_sat.backends.registry import AUTO, BACKENDS, make_backend
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.sat import DEFAULT_SOLVER
from bsp_sat.backends.solve import Limits, Progress, ProgressHook
from bsp_sat.backends.solve import solve as solve_board
from bsp_sat.cli.options import board_argument, positive, puzzle_option, stop_on_signals
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.files import Instance, load_one

EXIT_INCOMPLETE = 3
EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.UNSOLVABLE: 1, Status.UNKNOWN: EXIT_INCOMPLETE}


@click.command()
@board_argument
@click.option("--max-steps", type=click.IntRange(min=0), metavar="N", help="Longest plan of interest, in moves.")
@click.option("--time-limit", type=float, callback=positive, metavar="SECONDS", help="Stop after this time.")
@click.option("--memory-limit", type=float, callback=positive, metavar="MB", help="Stop beyond this much memory.")
@click.option("--backend", type=click.Choice([AUTO, *BACKENDS]), default=AUTO, show_default=True, help="How to solve.")
@click.option(
    "--encoding", type=click.Choice(list(ENCODINGS)), help="For sat, cpsat.  [default: first that takes BOARD]"
)
@click.option("--prune", is_flag=True, help="For sequences: give up what can't become shorter than the best so far.")
@click.option("--solver", metavar="NAME", help=f"For sat, by python-sat's name.  [default: {DEFAULT_SOLVER}]")
@puzzle_option
@click.option("--cross-check", is_flag=True, help="Solve again by an independent backend and compare.")
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof that `bsp-sat verify DIR` checks.",
)
@click.option("--boards", is_flag=True, help="Draw the board after every move.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object, tubes counted from 0.")
@click.pass_context
def solve(
    ctx: click.Context,
    board: str,
    max_steps: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    backend: str,
    encoding: str | None,
    prune: bool,
    solver: str | None,
    puzzle: str | None,
    cross_check: bool,
    certificate: Path | None,
    boards: bool,
    as_json: bool,
) -> None:
    """Find a shortest plan for BOARD and prove that none is shorter.

    Ctrl-C ends the search with the best answer so far. Limits and interruptions report the lower bound
    proved by then. Exit code: 0 a plan, 1 proved unsolvable, 2 bad input, 3 unknown or interrupted before the
    plan was proved shortest, 4 the cross-check failed.
    """
    instance = load_one(board, puzzle)
    chosen = make_backend(backend, instance.puzzle, encoding, solver, prune=prune)
    if certificate is not None:
        certifying_encoding(instance.puzzle)
        prepare_folder(certificate)
    limits = Limits(max_steps, time_limit, memory_limit)
    with stop_on_signals() as stop:

        def run(by: Backend) -> Result:
            with live_progress() as hook:
                return solve_board(instance.puzzle, by, limits=limits, on_progress=hook, stop=stop)

        answer = Answer(instance, run(chosen))
        if cross_check:
            answer.witness = run(witness_for(chosen))
            answer.confirmed = compare_claims(instance.puzzle, answer.result, answer.witness)
        if certificate is not None:
            left = None if time_limit is None else max(0.0, time_limit - answer.result.seconds)
            answer.certify(certificate, left, stop)
    if as_json:
        click.echo(json.dumps(answer.to_json(), ensure_ascii=False))
    else:
        answer.print(boards=boards)
    if answer.not_certified:
        click.echo(f"Error: no certificate: {answer.not_certified}", err=True)
    cut_short = stop.is_set() and answer.result.status is Status.FEASIBLE
    ctx.exit(EXIT_INCOMPLETE if cut_short or answer.not_certified else EXIT_CODES[answer.result.status])


@dataclass
class Answer:
    """A result and what goes with it."""

    instance: Instance
    result: Result
    witness: Result | None = None
    confirmed: bool = False
    certificate: Path | None = None
    refutation: Refutation | None = None
    not_certified: str = ""

    def certify(self, folder: Path, seconds: float | None, stop: Event) -> None:
        """Writes the certificate, or remembers why there is none."""
        self.certificate = folder
        try:
            self.refutation = write_certificate(folder, self.instance.puzzle, self.result, seconds=seconds, stop=stop)
        except (CertificateError, NotRefuted) as error:
            self.not_certified = str(error)

    def to_json(self) -> dict[str, Any]:
        """The result format, with ``cross_check`` and ``certificate`` where they were asked for."""
        fields = self.result.to_json(self.instance.puzzle)
        if self.witness is not None:
            fields["cross_check"] = {"confirmed": self.confirmed, **self.witness.to_json(self.instance.puzzle)}
        if self.certificate is not None:
            made = {"error": self.not_certified} if self.refutation is None else asdict(self.refutation)
            fields["certificate"] = {"folder": str(self.certificate), **made}
        return fields

    def print(self, *, boards: bool) -> None:
        """Board, verdict and moves for a person, with ``boards`` the board after each move too."""
        # Imported here, as everywhere that rich is used: `--help` needn't wait for it.
        from rich.text import Text

        from bsp_sat.cli import screen

        puzzle, result = self.instance.puzzle, self.result
        out = screen.console()
        out.print(screen.heading(self.instance), screen.board_picture(puzzle), "", sep="\n")
        out.print(screen.verdict(result), soft_wrap=True)
        if result.plan is not None and len(result.plan):
            out.print(Text(f"\nMoves, {puzzle.move_key}:"), soft_wrap=True)
            listing = screen.plan_boards if boards else screen.plan_listing
            out.print(listing(puzzle, result.plan))
        out.print("", screen.effort(result), sep="\n")
        if self.witness is not None:
            does = "confirms this" if self.confirmed else f"settles nothing ({self.witness.reason})"
            out.print(Text(f"Cross-check: {self.witness.backend} {does}."), soft_wrap=True)
            out.print(screen.effort(self.witness))
        if self.refutation is not None:
            made = self.refutation
            proof = f"{made.proof_megabytes:.1f} MB, {made.solver}, {made.solve_seconds + made.trim_seconds:.1f} s"
            hint = f"check it with: bsp-sat verify {self.certificate}"
            out.print(Text(f"Certificate: {self.certificate} (proof of {proof}); {hint}"), soft_wrap=True)


@contextmanager
def live_progress() -> Iterator[ProgressHook | None]:
    """Shows where a backend stands on the terminal behind standard error, if there is one."""
    if not sys.stderr.isatty():
        yield None
        return
    from bsp_sat.cli import screen

    with screen.console(stderr=True).status("starting") as status:

        def update(progress: Progress) -> None:
            best = "" if progress.length is None else f", best plan {progress.length}"
            status.update(f"{progress.backend}: at least {progress.lower_bound} moves{best} · {progress.seconds:.1f} s")

        yield update
