"""`bsp-sat solve`."""

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import MOST
from bsp_sat.backends.proofs import PROOFS
from bsp_sat.backends.registry import BACKENDS, make_backend
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits
from bsp_sat.cli import parts
from bsp_sat.cli.boards import load_boards, say_what_it_was_taken_for, with_extra_tubes
from bsp_sat.cli.commands import solve_many
from bsp_sat.cli.commands.solve_one import solve_one
from bsp_sat.cli.completion import complete_backend
from bsp_sat.cli.options import (
    OneOf,
    Option,
    ReadingOptions,
    WholeNumber,
    Work,
    board_argument,
    certificate_option,
    extra_tubes_option,
    group,
    memory_limit_option,
    reading_options,
    resumable_work_options,
    time_limit_option,
)
from bsp_sat.cli.wanted import Wanted
from bsp_sat.instances.errors import Unread, Unsupported
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.text.writing import json_text

wanted_options = group(
    "wanted",
    Wanted,
    cross_check=Option(
        "--cross-check", is_flag=True, help="Solve again by A*, on small boards also by bfs, and compare."
    ),
    explain=Option("--explain", is_flag=True, help="Say how the answer was proved, and what has to be trusted."),
    certificate=certificate_option(
        "Write a proof for `bsp-sat verify` to DIR; for many boards, to a folder in DIR for each."
    ),
    proof=Option("--proof", type=OneOf(PROOFS), help="Kind of proof for --certificate.  [default: the first suitable]"),
    extra_tubes=extra_tubes_option,
    fewest_extra_tubes=Option(
        "--fewest-extra-tubes",
        is_flag=True,
        help="Add the fewest empty tubes that make the board solvable, at most those of --extra-tubes.",
    ),
    boards=Option("--boards", is_flag=True, help="Draw the board after every move."),
    as_json=Option("--json", is_flag=True, help="Print the result as one JSON object, tubes counted from 0."),
)


@click.command()
@board_argument
@group(
    "limits",
    Limits,
    max_steps=Option(
        "--max-steps", type=WholeNumber(0, MOST), metavar="N", help="Look only for plans of at most N moves."
    ),
    seconds=time_limit_option(),
    memory_mb=memory_limit_option(),
)
@group(
    "backend",
    make_backend,
    specification=Option(
        "--backend",
        metavar="NAME[:CHOICE…]",
        default=Auto.name,
        show_default=True,
        shell_complete=complete_backend,
        help=f"How to solve: {', '.join(BACKENDS)}; with choices such as sat:order:glucose4, or "
        "cpsat:layered for long runs of few colours.",
    ),
)
@reading_options
@resumable_work_options(
    "For many boards: write to OUT, continuing after the lines already there.",
    jobs="How many boards to solve at the same time, or threads for one hard board.  [default: one for each CPU]",
)
@wanted_options
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    board: str,
    limits: Limits,
    backend: Backend,
    reading: ReadingOptions,
    work: Work,
    wanted: Wanted,
) -> None:
    """Find a shortest plan for BOARD and prove that none is shorter.

    BOARD is a file, - for standard input, a shipped board, or a board itself: bsp-sat solve 'abba|bcca|cabc|-'. It may
    be in any spelling; if it isn't clear which board is meant, a terminal asks, and otherwise the exit code is 2, with
    the options that decide.

    Ctrl-C and limits end the search with the best plan so far and the proved lower bound. Limits include the time and
    memory for the certificate; if it can't be written, the answer is printed anyway. Exit code: 0 a plan, 1 proved
    unsolvable, 2 bad input, 3 unknown, interrupted before the plan was proved shortest, or no certificate written, 4
    the cross-check failed.

    For a board with hidden cells, prints whether all, some or none of the fillings can be solved, and the best
    strategies for the worst case and on average.

    If BOARD holds many boards, each is solved within the limits and printed as one line of JSON, in order. Exit code: 0
    each has a plan, best strategies, or is proved unsolvable, 2 some can't be read, 3 some are unknown, or interrupted,
    4 a backend crashed.
    """
    if wanted.proof is not None and wanted.certificate is None:
        raise Unsupported("--proof needs --certificate")
    if work.cluster is not None and wanted.certificate is not None:
        raise Unsupported("--certificate can't be used with --cluster")
    process = ctx.with_resource(Process())
    if backend != Auto():
        process.prepare(backend.prepare)  # it starts while the board is read
    if (wanted.fewest_extra_tubes or wanted.extra_tubes is not None) and reading.choices.empty is None:
        reading = reading._replace(choices=reading.choices._replace(empty=0))  # tubes are added here
    try:
        instances = load_boards(board, reading, limits.seconds, says_it=False)
    except Unread as unread:
        if wanted.as_json:
            click.echo(json_text({"status": Status.UNKNOWN, "length": None, "plan": None, "reason": str(unread)}))
        raise
    many = len(instances) > 1 or work.out is not None or work.cluster is not None
    if many or wanted.as_json:
        say_what_it_was_taken_for(instances)
    if not wanted.fewest_extra_tubes:
        instances = [with_extra_tubes(instance, wanted.extra_tubes) for instance in instances]
    if not many and not is_hidden(instances[0].puzzle):
        ctx.exit(solve_one(process, instances[0], backend.on_cores(work.jobs), limits, wanted))
    process.close()  # what follows has processes of its own, or needs none
    if many:
        ctx.exit(solve_many.solve_many(instances, backend, limits, work, wanted))
    ctx.exit(parts.covered().study_one(instances[0], backend, limits, wanted))
