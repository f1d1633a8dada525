"""`bsp-sat solve`."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.cross_check import compare_claims, witness_for
from bsp_sat.backends.registry import AUTO, BACKENDS, make_backend
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.sat import DEFAULT_SOLVER
from bsp_sat.backends.solve import Limits, Progress, ProgressHook
from bsp_sat.backends.solve import solve as solve_board
from bsp_sat.cli.options import board_argument, positive, puzzle_option, stop_on_signals
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.files import Instance, load_one

EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.UNSOLVABLE: 1, Status.UNKNOWN: 3}


@click.command()
@board_argument
@click.option("--max-steps", type=click.IntRange(min=0), metavar="N", help="Longest plan of interest, in moves.")
@click.option("--time-limit", type=float, callback=positive, metavar="SECONDS", help="Stop after this time.")
@click.option("--memory-limit", type=float, callback=positive, metavar="MB", help="Stop beyond this much memory.")
@click.option("--backend", type=click.Choice([AUTO, *BACKENDS]), default=AUTO, show_default=True, help="How to solve.")
@click.option("--encoding", type=click.Choice(list(ENCODINGS)), help="For sat.  [default: first that takes BOARD]")
@click.option("--solver", metavar="NAME", help=f"For sat, by python-sat's name.  [default: {DEFAULT_SOLVER}]")
@puzzle_option
@click.option("--cross-check", is_flag=True, help="Solve again by an independent backend and compare.")
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
    cross_check: bool,
    as_json: bool,
) -> None:
    """Find a shortest plan for BOARD and prove that none is shorter.

    Ctrl-C ends the search with the best answer so far. Limits and interruptions report the lower bound
    proved by then. Exit code: 0 a plan, 1 proved unsolvable, 2 bad input, 3 unknown, 4 the cross-check
    failed.
    """
    instance = load_one(board, puzzle)
    chosen = make_backend(backend, instance.puzzle, encoding, solver)
    limits = Limits(max_steps, time_limit, memory_limit)
    with stop_on_signals() as stop:

        def run(by: Backend) -> Result:
            with live_progress() as hook:
                return solve_board(instance.puzzle, by, limits=limits, on_progress=hook, stop=stop)

        result = run(chosen)
        witness = run(witness_for(chosen)) if cross_check else None
    confirmed = witness is not None and compare_claims(instance.puzzle, result, witness)
    if as_json:
        click.echo(json.dumps(_json_result(instance, result, witness, confirmed), ensure_ascii=False))
    else:
        _print_result(instance, result, witness, confirmed)
    ctx.exit(EXIT_CODES[result.status])


def _json_result(instance: Instance, result: Result, witness: Result | None, confirmed: bool) -> dict[str, Any]:
    answer = result.to_json(instance.puzzle)
    if witness is not None:
        answer["cross_check"] = {"confirmed": confirmed, **witness.to_json(instance.puzzle)}
    return answer


def _print_result(instance: Instance, result: Result, witness: Result | None, confirmed: bool) -> None:
    # Imported here, as everywhere that rich is used: `--help` needn't wait for it.
    from rich.text import Text

    from bsp_sat.cli import screen

    puzzle = instance.puzzle
    out = screen.console()
    out.print(Text(f"{instance.name}: {puzzle.summary()}\n"), screen.board_picture(puzzle), "", sep="\n")
    out.print(screen.verdict(result), soft_wrap=True)
    if result.plan is not None and len(result.plan):
        out.print(Text(f"\nMoves, {puzzle.move_key}:"), soft_wrap=True)
        out.print(screen.plan_listing(puzzle, result.plan))
    if witness is not None:
        agreement = (
            "confirms this" if confirmed else f"contradicts nothing of this, but settles it not: {witness.reason}"
        )
        out.print(Text(f"\nCross-check: {witness.backend} {agreement}."))
    out.print("", *[screen.effort(by) for by in (result, witness) if by is not None], sep="\n")


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
