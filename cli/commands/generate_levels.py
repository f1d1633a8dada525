"""`bsp-sat generate levels`, a subcommand of `bsp_sat.cli.commands.generate`."""

from contextlib import nullcontext
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import click

from bsp_sat.backends import proofs
from bsp_sat.backends.engine import check_library
from bsp_sat.backends.lock import open_alone
from bsp_sat.backends.run import Process, pool_of
from bsp_sat.backends.solve import solve_with
from bsp_sat.cli.batch import write_line
from bsp_sat.cli.group import EXIT_UNKNOWN
from bsp_sat.cli.options import (
    Option,
    Parsed,
    Whole,
    Work,
    certificate_option,
    group,
    number_option,
    rules_option,
    seed_option,
    stop_on_signals,
    work_options,
)
from bsp_sat.cli.screen import status_text
from bsp_sat.grading.board_spec import BoardSpec, Range, specs_of
from bsp_sat.grading.grade import checked_names
from bsp_sat.grading.level_numbers import NUMBERS
from bsp_sat.grading.levels import Level, make_levels
from bsp_sat.grading.measures import MEASURES
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.registry import SORT_PUZZLES
from bsp_sat.instances.text.writing import json_text

MOST_LEVELS = 100_000


class _Measure(click.Choice[str]):
    """The name of a measure."""

    def __init__(self) -> None:
        super().__init__(list(MEASURES))

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `checked_names`."""
        try:
            return checked_names([value])[0]
        except Unsupported as error:
            self.fail(str(error), param, ctx)


def _spec(
    colours: int, capacity: int, empty: int, puzzle: str, unsolvable: bool, **measures: Range | None
) -> BoardSpec:
    ranges = {name: wanted for name, wanted in measures.items() if wanted is not None}
    return BoardSpec(SORT_PUZZLES[puzzle], colours, capacity, empty, ranges, solvable=not unsolvable)


def _range_options() -> dict[str, Option]:
    """An option for each measure."""
    flags = {name: f"--{name.replace('_', '-')}" for name in MEASURES}
    return {
        name: Option(flags[name], metavar="RANGE", type=Parsed("range", Range.parse), help=measure.summary.rstrip(":"))
        for name, measure in MEASURES.items()
    }


@click.command()
@group(
    "spec",
    _spec,
    colours=number_option("colours", NUMBERS["colours"]),
    capacity=number_option("capacity", NUMBERS["capacity"]),
    empty=number_option("empty", NUMBERS["empty"]),
    puzzle=rules_option(list(SORT_PUZZLES)),
    **_range_options(),
    unsolvable=Option(
        "--unsolvable", is_flag=True, help="Make boards without a plan. Use --effort for how hard that is to see."
    ),
)
@click.option(
    "--curve",
    type=_Measure(),
    help="Make a pack from easy to hard, in equal steps of its percentiles.",
)
@click.option("--count", type=Whole(1, MOST_LEVELS), default=1, show_default=True, help="Number of boards.")
@seed_option("The same seed gives the same boards.")
@number_option("tries", NUMBERS["tries"])
@certificate_option("Write a proof of each answer into a folder below DIR.")
@work_options
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE instead of standard output."
)
@click.pass_context
def levels(
    ctx: click.Context,
    /,
    spec: BoardSpec,
    curve: str | None,
    count: int,
    seed: int,
    tries: int,
    certificate: Path | None,
    work: Work,
    out: Path | None,
) -> None:
    """Make boards whose measures are in given ranges.

    A RANGE is a figure (36), a range (34..38, ..0.05, 34..) or, with a percent sign, a range of percentiles among
    boards of the same size (..1%, 90..%). docs/grading.md defines the measures. Each board is solved and graded. No two
    boards are equal up to tube order and colour names. Exit code: 0 all boards were found, 2 bad input, 3 some weren't,
    or weren't certified, or it was interrupted.
    """
    check_library()
    specs = specs_of(spec, count, curve)
    if certificate is not None:
        proofs.prepare_folder(certificate)
    made = tried = 0
    all_certified = True
    with (
        nullcontext(None) if out is None else open_alone(out) as file,
        Process() as prover,
        stop_on_signals() as stop,
        status_text() as show,
        pool_of(work.jobs, work.cluster, stop) as pool,
    ):
        if file is not None and file.read(1):
            raise BoardError(str(out), "exists already; name a new file")

        def on_climb(number: int, looked_at: int, distance: float) -> None:
            nearest = f"nearest {distance:.3g} away" if distance < inf else "all made before"
            show(f"board {number + 1} of {count} · {looked_at} tried · {nearest}")

        for level in make_levels(specs, seed, pool, stop, workers=work.jobs, most_tries=tries, on_climb=on_climb):
            tried += level.tried
            if level.distance:
                _report_missing(level)
            else:
                made += 1
                line = level.to_json(seed)
                if certificate is not None:
                    line["certificate"] = _certified(level, certificate / f"{level.number:04}", prover)
                    all_certified &= "error" not in line["certificate"]
                write_line(line, file)
    if stop.is_set():
        click.echo("Interrupted.", err=True)
    if made < count:
        click.echo(f"{made} of {count} made.", err=True)
    click.echo(f"{tried} board{'s were' if tried != 1 else ' was'} tried.", err=True)
    ctx.exit(0 if made == count and all_certified and not stop.is_set() else EXIT_UNKNOWN)


def _report_missing(level: Level) -> None:
    words = f"none found among {level.tried}"
    if level.repeats:
        words += ", but boards made before"
    if level.distance < inf:
        words += f"; the nearest is {level.distance:.3g} away: {json_text(level.puzzle.to_json()['tubes'])}"
    click.echo(f"Board {level.number + 1}: {words}", err=True)


def _certified(level: Level, folder: Path, process: Process) -> dict[str, Any]:
    """Solves a board again and writes a certificate of the answer, or reports why there is none."""
    result = solve_with(process, level.puzzle)
    return proofs.certificate_entry(folder, partial(proofs.certify, process, puzzle=level.puzzle, result=result))
