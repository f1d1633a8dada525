"""`bsp-sat solve`."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.limits import MOST
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.proofs.kinds import LRAT, PROOFS
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.solve import Limits, solve_here_first
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.completion import complete_backend
from bsp_sat.cli.extra_tubes import extra_tubes_option, sort_puzzle, with_extra_tubes
from bsp_sat.cli.options import (
    EXIT_CODES,
    EXIT_UNKNOWN,
    FileName,
    Whole,
    board_argument,
    board_options,
    cluster_option,
    jobs_option,
    memory_limit_option,
    stop_on_signals,
    time_limit_option,
)
from bsp_sat.cli.output.live import live_status, working
from bsp_sat.cli.specification import backend_from_options
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import HiddenSort
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.text.writing import json_text

if TYPE_CHECKING:
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
    as_json: bool

    def __post_init__(self) -> None:
        """Checks what can be checked without a board."""
        if self.proof is not None and self.certificate is None:
            raise Unsupported("--proof needs --certificate")
        if self.cluster is not None and self.certificate is not None:
            raise Unsupported("--certificate can't be used with --cluster")

    def check_for_many(self) -> None:
        """Refuses options for a single board."""
        if self.cross_check or self.boards or self.fewest_extra_tubes:
            which = "--cross-check, --boards and --fewest-extra-tubes"
            raise Unsupported(f"{which} take a single board, without --resume and --cluster")

    def check_for_hidden(self, backend: Backend) -> None:
        """Refuses options that need a plan."""
        others = self.cross_check or self.boards or self.certificate is not None or self.fewest_extra_tubes
        if backend != Auto() or others or self.limits.max_steps is not None:
            raise Unsupported(
                "a board with hidden cells has strategies, not plans: only limits, --extra-tubes and --json can be used"
            )


@click.command()
@board_argument
@click.option("--max-steps", type=Whole(0, MOST), metavar="N", help="Look only for plans of at most N moves.")
@time_limit_option
@memory_limit_option
@click.option(
    "--backend",
    metavar="NAME[:CHOICE…]",
    default=Auto.name,
    show_default=True,
    shell_complete=complete_backend,
    help=f"How to solve: {', '.join(BACKENDS)}; with choices such as sat:order:glucose4.",
)
@click.option("--encoding", metavar="NAME", hidden=True, help="The same as a choice of --backend.")
@click.option("--solver", metavar="NAME", hidden=True, help="The same as a choice of --backend.")
@board_options
@jobs_option
@click.option(
    "--resume",
    type=FileName(),
    metavar="OUT",
    help="For many boards: write to OUT, continuing after the lines already there.",
)
@cluster_option
@click.option("--cross-check", is_flag=True, help="Solve again with an independent backend and compare.")
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof for `bsp-sat verify` to DIR; for many boards, to a folder in DIR for each.",
)
@click.option(
    "--proof", type=click.Choice(PROOFS), help="Kind of proof for --certificate.  [default: the first suitable]"
)
@extra_tubes_option
@click.option(
    "--fewest-extra-tubes",
    is_flag=True,
    help="Add the fewest empty tubes that make the board solvable, at most those of --extra-tubes.",
)
@click.option("--boards", is_flag=True, help="Draw the board after every move.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object, tubes counted from 0.")
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    board: str,
    puzzle: str | None,
    reveal: Reveal | None,
    backend: str,
    encoding: str | None,
    solver: str | None,
    max_steps: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    **others: Any,
) -> None:
    """Find a shortest plan for BOARD and prove that none is shorter.

    Ctrl-C and limits end the search with the best plan so far and the proved lower bound. Limits include the time and
    memory for the certificate; if it can't be written, the answer is printed anyway. Exit code: 0 a plan, 1 proved
    unsolvable, 2 bad input, 3 unknown, interrupted before the plan was proved shortest, or no certificate written, 4
    the cross-check failed.

    For a board with hidden cells, prints whether all, some or none of the fillings can be solved, and the best
    strategies for the worst case and on average.

    If BOARD holds many boards, each is solved within the limits and printed as one line of JSON, in order. Exit code: 0
    each has a plan or is proved unsolvable, 3 some are unknown, or interrupted, 4 a backend crashed.
    """
    options = Options(Limits(max_steps, time_limit, memory_limit), **others)
    chosen = backend_from_options(backend, encoding, solver)
    worker = ctx.with_resource(Worker())
    if chosen != Auto():
        worker.prepare(chosen.prepare)  # its process starts while the board is read
    instances = load_boards(board, puzzle, reveal, time_limit)
    if not options.fewest_extra_tubes:
        instances = [with_extra_tubes(instance, options.extra_tubes) for instance in instances]
    if len(instances) > 1 or options.resume is not None or options.cluster is not None:
        options.check_for_many()
        worker.close()  # many boards have workers of their own
        ctx.exit(_solve_many(instances, chosen, options))
    (instance,) = instances
    if isinstance(instance.puzzle, HiddenSort):
        options.check_for_hidden(chosen)
        worker.close()
        ctx.exit(_solve_hidden(instance, options))
    ctx.exit(_solve_one(worker, instance, chosen, options))


def _solve_one(worker: Worker, instance: Instance, backend: Backend, options: Options) -> int:
    """Solves one board, prints the answer, and returns the exit code."""
    # Imported here, as many boards have another output.
    from bsp_sat.cli.output.solve_output import SolveOutput

    if options.certificate is not None:
        _prepare_certificate(instance, options.certificate, options.proof)
    with stop_on_signals() as stop:

        def run(by: Backend) -> Result:
            with live_status() as hook:
                return solve_here_first(worker, instance.puzzle, by, limits=options.limits, on_progress=hook, stop=stop)

        started = time.monotonic()
        if options.fewest_extra_tubes:
            # Imported here, as hardly any board needs it.
            from bsp_sat.backends.extra_tubes import least_extra_tubes

            with live_status() as hook:
                extra_tubes, result = least_extra_tubes(
                    worker,
                    sort_puzzle(instance),
                    backend,
                    most=options.extra_tubes,
                    limits=options.limits,
                    on_progress=hook,
                    stop=stop,
                )
            instance = with_extra_tubes(instance, extra_tubes)
            answer = SolveOutput(
                instance, result, extra_tubes=extra_tubes, fewest=True, most_extra_tubes=options.extra_tubes
            )
        else:
            answer = SolveOutput(instance, run(backend), extra_tubes=options.extra_tubes)
        spent = time.monotonic() - started
        if options.cross_check:
            answer.cross_check(run, backend)
        if options.certificate is not None:
            _certify(worker, answer, options.certificate, options, spent, stop)
    if options.as_json:
        click.echo(json_text(answer.to_json()))
    else:
        answer.print(boards=options.boards)
    if answer.not_certified:
        click.echo(f"Error: no certificate: {answer.not_certified}", err=True)
    cut_short = stop.is_set() and answer.result.status is Status.FEASIBLE
    return EXIT_UNKNOWN if cut_short or answer.not_certified else EXIT_CODES[answer.result.status]


def _prepare_certificate(instance: Instance, folder: Path, proof: str | None) -> None:
    """Checks the folder, and that the board has such a proof, before hours of work."""
    # Imported here and below: only certificates need it.
    from bsp_sat.backends.proofs.writing import prepare_folder
    from bsp_sat.encoder.registry import certifying_encoding

    if proof == LRAT:
        certifying_encoding(instance.puzzle)
    prepare_folder(folder)


def _certify(worker: Worker, answer: "SolveOutput", folder: Path, options: Options, spent: float, stop: Event) -> None:
    """Makes the certificate of an answer that has used ``spent`` seconds of the time limit."""
    from bsp_sat.backends.proofs.writing import certify

    with working("making the certificate"):
        making = partial(certify, worker, limits=options.limits, spent=spent, stop=stop)
        answer.certify(making, folder, options.proof)


def _solve_many(instances: Sequence[Instance], backend: Backend, options: Options) -> int:
    """Solves boards, several at a time, writes a line for each, and returns the exit code."""
    # Imported here: only many boards need threads.
    from bsp_sat.backends.many.pool import SolveTask
    from bsp_sat.cli.batch import Request, solve_boards

    tasks: list[SolveTask] = [
        SolveTask(instance.puzzle, by, options.limits) for instance, by in with_backends(instances, backend)
    ]
    certificates = None
    if options.certificate is not None:
        from bsp_sat.cli.certified import Certificates

        certificates = Certificates(options.certificate, options.proof, len(instances))
        pairs = zip(instances, tasks, strict=True)
        tasks = [certificates.task(number, *pair) for number, pair in enumerate(pairs)]
    request = Request(
        backend.specification, options.limits, certificates, options.cluster, extra_tubes=options.extra_tubes
    )
    return solve_boards(instances, tasks, request, options.jobs, options.resume)


def _solve_hidden(instance: Instance, options: Options) -> int:
    """Finds strategies for a board with hidden cells, prints them, and returns the exit code."""
    # Imported here: only such boards need it.
    from bsp_sat.cli.hidden import solve_hidden

    return solve_hidden(instance, options.limits, as_json=options.as_json)


def with_backends(instances: Sequence[Instance], backend: Backend) -> Iterator[tuple[Instance, Backend]]:
    """Each board with the backend adapted to it.

    Raises:
        Unsupported: the backend doesn't take a board, naming the first.
    """
    for number, instance in enumerate(instances):
        try:
            yield instance, backend.for_board(instance.puzzle)
        except Unsupported as error:
            raise Unsupported(f"board {number} ({instance.name}): {error}") from None
