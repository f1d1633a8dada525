"""`bsp-sat solve`."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.extra_tubes import least_extra_tubes
from bsp_sat.backends.process.limits import MOST
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.proofs.kinds import LRAT, PROOFS
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.sat import DEFAULT_SOLVER
from bsp_sat.backends.solve import Limits, solve_with
from bsp_sat.cli.extra_tubes import extra_tubes_option, sort_puzzle, with_extra_tubes
from bsp_sat.cli.options import (
    EXIT_UNKNOWN,
    FileName,
    board_argument,
    cluster_option,
    jobs_option,
    memory_limit_option,
    puzzle_option,
    stop_on_signals,
    time_limit_option,
)
from bsp_sat.cli.output.live import live_status, working
from bsp_sat.cli.pictures import Unread, load_boards
from bsp_sat.cli.specification import backend_from_options
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding
from bsp_sat.instances.errors import Unsupported, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import HiddenSort
from bsp_sat.instances.sorting.rules import REVEALS, Reveal
from bsp_sat.instances.text.writing import json_text

EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.UNSOLVABLE: 1, Status.UNKNOWN: EXIT_UNKNOWN}


@click.command()
@board_argument
@click.option("--max-steps", type=click.IntRange(0, MOST), metavar="N", help="Longest plan of interest, in moves.")
@time_limit_option
@memory_limit_option
@click.option(
    "--backend",
    metavar="NAME[:CHOICE…]",
    default=Auto.name,
    show_default=True,
    help=f"How to solve: {', '.join(BACKENDS)}; with choices such as sat:order:glucose4.",
)
@click.option(
    "--encoding", type=click.Choice(list(ENCODINGS)), help="For sat, cpsat.  [default: first that takes BOARD]"
)
@click.option(
    "--solver", metavar="NAME", help=f"For sat: python-sat's name, or kissat, cadical.  [default: {DEFAULT_SOLVER}]"
)
@puzzle_option
@click.option("--reveal", type=click.Choice(REVEALS), help="What shows of the hidden cells of a picture at a time.")
@jobs_option
@click.option(
    "--resume",
    type=FileName(),
    metavar="OUT",
    help="For many boards: the file for their lines, to go on with where it ends.",
)
@cluster_option
@click.option("--cross-check", is_flag=True, help="Solve again by an independent backend and compare.")
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof that `bsp-sat verify DIR` checks, within the limits; of many boards, one below DIR for each.",
)
@click.option("--proof", type=click.Choice(PROOFS), help="For --certificate: the kind.  [default: the first that fits]")
@extra_tubes_option
@click.option("--fewest-extra-tubes", is_flag=True, help="With the fewest empty tubes more that make it solvable.")
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
    solver: str | None,
    puzzle: str | None,
    reveal: Reveal | None,
    jobs: int,
    resume: Path | None,
    cluster: str | None,
    cross_check: bool,
    certificate: Path | None,
    proof: str | None,
    extra_tubes: int | None,
    fewest_extra_tubes: bool,
    boards: bool,
    as_json: bool,
) -> None:
    """Find a shortest plan for BOARD and prove that none is shorter.

    Ctrl-C ends the search with the best answer so far. Limits and interruptions report the lower bound
    proved by then. Limits are for an answer and its certificate together, and a certificate that can't be made
    leaves the answer as it is. Exit code: 0 a plan, 1 proved unsolvable, 2 bad input, 3 unknown, interrupted before
    the plan was proved shortest, or without the certificate that was asked for, 4 the cross-check failed.

    For a board with hidden cells it says what can be proved whatever is hidden: whether there are plans, and the best
    strategies in the worst case and on average.

    Where BOARD holds many boards, each is solved within the limits and gets one line of JSON, in their order. Exit
    code then: 0 each has a plan or a proof that there is none, 3 some are unknown or it was interrupted, 4 a
    backend crashed.

    BOARD may be a picture, a PNG, JPEG or WebP file: see `bsp-sat read`. Where its board is doubtful, it isn't solved,
    and the exit code is 3. Of water with hidden cells --reveal says what no picture shows.
    """
    chosen = backend_from_options(backend, encoding, solver)
    worker = ctx.with_resource(Worker())
    worker.prepare(chosen)
    # Imported here, while the worker starts, which takes longer; as is the board.
    from bsp_sat.cli.output.answer import Answer

    try:
        instances = load_boards(board, puzzle, reveal, time_limit)
    except Unread as error:
        click.echo(f"Unknown: {printable(error.message)}", err=True)
        ctx.exit(EXIT_UNKNOWN)
    if fewest_extra_tubes and extra_tubes is not None:
        raise click.UsageError("--extra-tubes says how many, and --fewest-extra-tubes asks")
    instances = [with_extra_tubes(instance, extra_tubes) for instance in instances]
    if proof is not None and certificate is None:
        raise Unsupported("--proof is for --certificate")
    limits = Limits(max_steps, time_limit, memory_limit)
    if cluster is not None and certificate is not None:
        raise Unsupported("--certificate writes on this machine, and takes no --cluster")
    if len(instances) > 1 or resume is not None or cluster is not None:
        if cross_check or boards or fewest_extra_tubes:
            which = "--cross-check, --boards and --fewest-extra-tubes"
            raise Unsupported(f"{which} take one board and neither --resume nor --cluster")
        # Imported here: threads and all that belongs to them, which `--help` needn't wait for.
        from bsp_sat.backends.campaign.pool import Task
        from bsp_sat.cli.batch import Certificates, Request, solve_boards

        worker.close()  # many boards have workers of their own
        tasks: list[Task] = [Task(instance.puzzle, by, limits) for instance, by in checked(instances, chosen)]
        certificates = None if certificate is None else Certificates(certificate, proof, len(instances))
        if certificates is not None:
            pairs = zip(instances, tasks, strict=True)
            tasks = [certificates.task(number, *pair) for number, pair in enumerate(pairs)]
        request = Request(chosen.specification, limits, certificates, cluster, extra_tubes=extra_tubes)
        ctx.exit(solve_boards(instances, tasks, request, jobs, resume))
    (instance,) = instances
    if isinstance(instance.puzzle, HiddenSort):
        others = cross_check or boards or certificate is not None or max_steps is not None or fewest_extra_tubes
        if chosen != Auto() or others:
            raise Unsupported(
                "a board with hidden cells has strategies, not plans: only limits, --extra-tubes and --json go with it"
            )
        # Imported here: other boards need none of it.
        from bsp_sat.cli.hidden import solve_hidden

        worker.close()
        ctx.exit(solve_hidden(instance, limits, as_json=as_json))
    if certificate is not None:
        # Imported here: without a certificate nobody needs what makes one.
        from bsp_sat.backends.proofs.making import certify, prepare_folder

        if proof == LRAT:
            certifying_encoding(instance.puzzle)
        prepare_folder(certificate)
    with stop_on_signals() as stop:

        def run(by: Backend) -> Result:
            with live_status() as hook:
                return solve_with(worker, instance.puzzle, by, limits=limits, on_progress=hook, stop=stop)

        started = time.monotonic()
        if fewest_extra_tubes:
            with live_status() as hook:
                extra_tubes, result = least_extra_tubes(
                    worker, sort_puzzle(instance), chosen, limits=limits, on_progress=hook, stop=stop
                )
            instance = with_extra_tubes(instance, extra_tubes)
        else:
            result = run(chosen)
        answer = Answer(instance, result, extra_tubes=extra_tubes, fewest=fewest_extra_tubes)
        spent = time.monotonic() - started
        if cross_check:
            answer.cross_check(run, chosen)
        if certificate is not None:
            with working("making the certificate"):
                making = partial(certify, worker, limits=limits, spent=spent, stop=stop)
                answer.certify(making, certificate, proof)
    if as_json:
        click.echo(json_text(answer.to_json()))
    else:
        answer.print(boards=boards)
    if answer.not_certified:
        click.echo(f"Error: no certificate: {answer.not_certified}", err=True)
    cut_short = stop.is_set() and answer.result.status is Status.FEASIBLE
    ctx.exit(EXIT_UNKNOWN if cut_short or answer.not_certified else EXIT_CODES[answer.result.status])


def checked(instances: Sequence[Instance], backend: Backend) -> Iterator[tuple[Instance, Backend]]:
    """Each board with the backend as it suits the board.

    Raises:
        Unsupported: naming the first board that the backend doesn't take.
    """
    for number, instance in enumerate(instances):
        try:
            yield instance, backend.for_board(instance.puzzle)
        except Unsupported as error:
            raise Unsupported(f"board {number} ({instance.name}): {error}") from None
