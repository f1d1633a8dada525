"""`bsp-sat generate levels`, a subcommand of `bsp_sat.cli.commands.generate`."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

import click

from bsp_sat.backends.kernel import check_library
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.lock import open_alone
from bsp_sat.backends.proofs.writing import certify, prepare_folder
from bsp_sat.backends.run import Process, pool_of
from bsp_sat.backends.solve import solve_with
from bsp_sat.cli.options import (
    EXIT_UNKNOWN,
    Whole,
    cluster_option,
    jobs_option,
    number_option,
    rules_option,
    stop_on_signals,
)
from bsp_sat.cli.output.live import status_text
from bsp_sat.grading.board_spec import BoardSpec, Range, specs_of
from bsp_sat.grading.level_numbers import NUMBERS
from bsp_sat.grading.levels import Level, make_levels
from bsp_sat.grading.registry import MEASURES
from bsp_sat.instances.errors import BoardError, CertificateError, Unsupported
from bsp_sat.instances.registry import SORT_PUZZLES
from bsp_sat.instances.text.writing import json_text

MOST_LEVELS = 100_000


def _range(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Range | None:
    try:
        return None if value is None else Range.parse(value)
    except Unsupported as error:
        raise click.BadParameter(str(error)) from None


def _with_ranges(command: Callable[..., None]) -> Callable[..., None]:
    """Adds an option for each measure."""
    for name, measure in reversed(MEASURES.items()):
        about = measure.summary.rstrip(":")
        option = click.option(f"--{name.replace('_', '-')}", name, metavar="RANGE", callback=_range, help=about)
        command = option(command)
    return command


@click.command()
@number_option("colours", NUMBERS["colours"])
@number_option("capacity", NUMBERS["capacity"])
@number_option("empty", NUMBERS["empty"])
@rules_option(list(SORT_PUZZLES))
@_with_ranges
@click.option(
    "--unsolvable", is_flag=True, help="Make boards without a plan. Use --effort for how hard that is to see."
)
@click.option(
    "--curve",
    type=click.Choice(list(MEASURES)),
    help="Make a pack from easy to hard, in equal steps of its percentiles.",
)
@click.option("--count", type=Whole(1, MOST_LEVELS), default=1, show_default=True, help="Number of boards.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same boards.")
@number_option("tries", NUMBERS["tries"])
@click.option(
    "--certificate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a proof of each answer into a folder below DIR.",
)
@jobs_option
@cluster_option
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE instead of standard output."
)
@click.pass_context
def levels(
    ctx: click.Context,
    /,
    colours: int,
    capacity: int,
    empty: int,
    puzzle: str,
    unsolvable: bool,
    curve: str | None,
    count: int,
    seed: int,
    tries: int,
    certificate: Path | None,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    **measures: Range | None,
) -> None:
    """Make boards whose measures are in given ranges, by a search over swaps of balls.

    A RANGE is a figure (36), a range (34..38, ..0.05, 34..) or, with a percent sign, a range of percentiles among
    boards of the same size (..1%, 90..%). docs/grading.md defines the measures. Each board is solved and graded. No two
    boards are equal up to tube order and colour names. Exit code: 0 all boards were found, 2 bad input, 3 some weren't,
    or weren't certified, or it was interrupted.
    """
    check_library()
    ranges = {name: wanted for name, wanted in measures.items() if wanted is not None}
    order = BoardSpec(SORT_PUZZLES[puzzle], colours, capacity, empty, ranges, solvable=not unsolvable)
    orders = specs_of(order, count, curve)
    if certificate is not None:
        prepare_folder(certificate)
    missing = 0
    tried = 0
    with (
        nullcontext(None) if out is None else open_alone(out) as file,
        Process() as prover,
        stop_on_signals() as stop,
        status_text() as show,
        pool_of(jobs, cluster, stop) as pool,
    ):
        if file is not None and file.read(1):
            raise BoardError(str(out), "exists already; name a new file")

        def on_climb(number: int, looked_at: int, distance: float) -> None:
            show(f"board {number + 1} of {count} · {looked_at} tried · nearest {distance:.3g} away")

        for level in make_levels(orders, seed, pool, stop, workers=jobs, most_tries=tries, on_climb=on_climb):
            tried += level.tried
            if level.distance:
                missing += 1
                _report_missing(level)
            else:
                line = level.to_json(seed)
                if certificate is not None:
                    line["certificate"] = _certified(level, certificate / f"{level.number:04}", prover)
                    missing += "error" in line["certificate"]
                _write(line, file)
    if stop.is_set():
        click.echo("Interrupted.", err=True)
    click.echo(f"{tried} board{'s were' if tried != 1 else ' was'} tried.", err=True)
    ctx.exit(EXIT_UNKNOWN if missing or stop.is_set() else 0)


def _report_missing(level: Level) -> None:
    nearest = json_text(level.puzzle.to_json()["tubes"])
    words = f"none found among {level.tried}; the nearest is {level.distance:.3g} away: {nearest}"
    click.echo(f"Board {level.number + 1}: {words}", err=True)


def _certified(level: Level, folder: Path, process: Process) -> dict[str, Any]:
    """Solves a board again and writes a certificate of the answer, or reports why there is none."""
    result = solve_with(process, level.puzzle)
    try:
        prepare_folder(folder)
        made = certify(process, folder, level.puzzle, result, None, limits=Limits(), spent=0.0)
    except CertificateError as error:
        return {"folder": str(folder), "error": str(error)}
    return {"folder": str(folder), **made.to_json()}


def _write(line: dict[str, Any], file: IO[bytes] | None) -> None:
    if file is None:
        click.echo(json_text(line))
    else:
        file.write(f"{json_text(line)}\n".encode())
        file.flush()
