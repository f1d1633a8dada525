"""`bsp-sat solve`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import MOST
from bsp_sat.backends.proofs.kinds import PROOFS
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.completion import complete_backend
from bsp_sat.cli.extra_tubes import extra_tubes_option, with_extra_tubes
from bsp_sat.cli.options import (
    FileName,
    Whole,
    board_argument,
    board_options,
    cluster_option,
    jobs_option,
    memory_limit_option,
    time_limit_option,
)
from bsp_sat.cli.solving import Options, solve_one
from bsp_sat.cli.specification import backend_from_options
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.sorting.rules import Reveal

if TYPE_CHECKING:
    from bsp_sat.backends.run import Job
    from bsp_sat.cli.certified import Certificates


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
@click.option("--cross-check", is_flag=True, help="Solve again by A* (also by bfs, where few states do) and compare.")
@click.option("--explain", is_flag=True, help="Tell how the answer was proved, and what has to be trusted.")
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
    each has a plan, best strategies, or is proved unsolvable, 3 some are unknown, or interrupted, 4 a backend crashed.
    """
    options = Options(Limits(max_steps, time_limit, memory_limit), **others)
    chosen = backend_from_options(backend, encoding, solver)
    process = ctx.with_resource(Process())
    if chosen != Auto():
        process.prepare(chosen.prepare)  # it starts while the board is read
    instances = load_boards(board, puzzle, reveal, time_limit)
    if not options.fewest_extra_tubes:
        instances = [with_extra_tubes(instance, options.extra_tubes) for instance in instances]
    if len(instances) > 1 or options.resume is not None or options.cluster is not None:
        options.check_for_many()
        process.close()  # many boards have processes of their own
        ctx.exit(_solve_many(instances, chosen, options))
    (instance,) = instances
    if is_hidden(instance.puzzle):
        options.check_for_hidden(chosen)
        process.close()
        ctx.exit(_solve_hidden(instance, options))
    ctx.exit(solve_one(process, instance, chosen, options))


def _solve_many(instances: Sequence[Instance], backend: Backend, options: Options) -> int:
    """Solves boards, several at a time, writes a line for each, and returns the exit code."""
    # Imported here: only many boards need threads.
    from bsp_sat.cli.batch import Request, solve_boards

    certificates = None
    if options.certificate is not None:
        from bsp_sat.cli.certified import Certificates

        certificates = Certificates(options.certificate, options.proof, len(instances))
    jobs = list(_jobs(instances, backend, options, certificates))
    request = Request(
        backend.specification, options.limits, certificates, options.cluster, extra_tubes=options.extra_tubes
    )
    return solve_boards(instances, jobs, request, options.jobs, options.resume)


def _solve_hidden(instance: Instance, options: Options) -> int:
    """Finds strategies for a board with hidden cells, prints them, and returns the exit code."""
    # Imported here: only such boards need it.
    from bsp_sat.cli.hidden import solve_hidden

    return solve_hidden(instance, options.limits, as_json=options.as_json)


def _jobs(
    instances: Sequence[Instance], backend: Backend, options: Options, certificates: "Certificates | None"
) -> "Iterator[Job[Any, Any]]":
    """A job for each board.

    Raises:
        Unsupported: the backend or an option isn't for a board, naming the first.
    """
    from bsp_sat.backends.run import Solve

    for number, instance in enumerate(instances):
        board = instance.puzzle
        try:
            if is_hidden(board):
                # Imported here: only such boards need it.
                from bsp_sat.cli.hidden import StudyBoard

                options.check_for_hidden(backend)
                yield StudyBoard.of(board, options.limits)
            else:
                job = Solve(backend.for_board(board), board, options.limits)
                yield job if certificates is None else certificates.job(number, instance, job)
        except Unsupported as error:
            raise Unsupported(f"board {number} ({instance.name}): {error}") from None
