"""`bsp-sat compare`."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from bsp_sat.backends.baselines.heuristic import HEURISTICS, Heuristic
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.solve import Limits
from bsp_sat.cli.options import FileName, cluster_option, jobs_option, memory_limit_option, positive, puzzle_option
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance, load_instances
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import MAX_CAPACITY, BallSort, SortPuzzle
from bsp_sat.instances.text.fields import MAX_SIZE

DEFAULT_SOLVERS = ("auto", "heuristic:astar:unique-length", "heuristic:astar:misplaced", "dfs-sorted")
DEFAULT_LIMITS = Limits(seconds=60.0)
MAX_GAMES = 100_000  # all of them are in memory
EXPORTS = (".jsonl", ".csv")


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option(
    "--solvers",
    metavar="NAME,…",
    help=f"What to compare.  [default: those that take the boards of {','.join(DEFAULT_SOLVERS)}]",
)
@click.option("--sweep", multiple=True, metavar="WEIGHT=FROM:TO:STEP", help="Vary a weight of the heuristics.")
@click.option("--games", type=click.IntRange(1, MAX_GAMES), metavar="N", help="Random boards to add.")
@click.option(
    "--tubes", type=click.IntRange(1, MAX_SIZE), default=10, show_default=True, help="Their tubes, empty ones too."
)
@click.option("--empty", type=click.IntRange(0, MAX_SIZE), default=2, show_default=True, help="Their empty tubes.")
@click.option("--capacity", type=click.IntRange(1, MAX_CAPACITY), default=4, show_default=True, help="Balls a tube.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first; the next has the next.")
@puzzle_option
@click.option("--time-limit", type=float, callback=positive, metavar="SECONDS", help="For each run.  [default: 60]")
@memory_limit_option
@jobs_option
@cluster_option
@click.option("--out", type=FileName(), metavar="RESULTS", help="New file for the outcomes.")
@click.option(
    "--resume",
    type=FileName(),
    metavar="RESULTS",
    help="Such a file, to go on with where it ends, or to begin; boards and solvers may be added.",
)
@click.option(
    "--export",
    "exports",
    multiple=True,
    type=FileName(),
    metavar="FILE",
    help="Write the outcomes as .jsonl or .csv.",
)
@click.pass_context
def compare(
    ctx: click.Context,
    boards: tuple[str, ...],
    solvers: str | None,
    sweep: tuple[str, ...],
    games: int | None,
    tubes: int,
    empty: int,
    capacity: int,
    seed: int,
    puzzle: str | None,
    time_limit: float | None,
    memory_limit: float | None,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    resume: Path | None,
    exports: tuple[Path, ...],
) -> None:
    """Run several solvers on the same boards and compare plans with the optimum.

    A solver is a backend with its choices, as for `solve --backend`, such as
    heuristic:astar:unique-length:column-weight=0.5.

    RESULTS is an SQLite file that grows with each outcome. A campaign that was killed goes on with --resume RESULTS:
    what has an outcome is not done again. Exit code: 0 everything has an outcome, 2 bad input or an export that
    couldn't be written, 3 interrupted, 4 a backend crashed.
    """
    if resume is not None and out is not None:
        raise click.UsageError("--out is for a new file, --resume for one that may be there: give one of them")
    _check_exports(exports, boards, resume or out)
    instances = [instance for source in boards for instance in load_instances(source, puzzle)]
    if games is not None:
        instances += _games(puzzle, games, tubes, empty, capacity, seed)
    specs = list(_swept(solvers.split(",") if solvers else _defaults(instances), sweep))
    given = Limits(None, time_limit or DEFAULT_LIMITS.seconds, memory_limit) if time_limit or memory_limit else None
    # Imported here: a database and statistics that `--help` needn't wait for.
    from bsp_sat.backends.campaign.store import open_campaign
    from bsp_sat.cli.comparison import carry_out, exit_code, export, print_table

    with open_campaign(resume or out, new=resume is None) as campaign:
        limits = campaign.agree_on(given, DEFAULT_LIMITS)
        going_on = resume is not None and campaign.total() > 0
        if not instances and not going_on:
            raise click.UsageError("Missing boards: name files, or --games N.")
        campaign.add(instances, [] if going_on and solvers is None and not sweep else specs)
        complete = carry_out(campaign, limits, jobs, cluster)
        runs = campaign.runs()
    try:
        print_table(runs)
    finally:  # a table that nobody reads to its end is no reason to lose the files
        exported = [export(path, runs) for path in exports]
    ctx.exit(exit_code(runs, complete=complete, exported=all(exported)))


def _check_exports(exports: Sequence[Path], boards: Sequence[str], campaign: Path | None) -> None:
    """Refuses files that can't be written, or that something else is kept in, before hours of work.

    Raises:
        BoardError: naming the file.
    """
    kept = {Path(source): "the boards are read from it" for source in boards}
    if campaign is not None:
        beside = (campaign.with_name(f"{campaign.name}{ending}") for ending in ("-wal", "-shm", "-journal", "-lock"))
        kept |= dict.fromkeys([campaign, *beside], "the campaign is kept in it")
    for path in exports:
        if path.suffix not in EXPORTS:
            raise BoardError(str(path), f"expected a name that ends in {' or '.join(EXPORTS)}")
        for other, why in kept.items():
            if _is_one_file(path, other):
                raise BoardError(str(path), f"can't be exported to: {why}")
        if path.exists() and not path.is_file():
            raise BoardError(str(path), "can't be exported to: expected a file, found something else")
        if not path.exists() and not path.resolve().parent.is_dir():
            raise BoardError(str(path), "can't be exported to: its folder doesn't exist")
        if not os.access(path if path.exists() else path.resolve().parent, os.W_OK):
            raise BoardError(str(path), "can't be exported to: it can't be written")
        kept[path] = "it is named twice"


def _is_one_file(path: Path, other: Path) -> bool:
    """Whether two names stand for one file, which may not exist yet."""
    return path.resolve() == other.resolve() or (path.exists() and other.exists() and path.samefile(other))


def _games(puzzle: str | None, games: int, tubes: int, empty: int, capacity: int, seed: int) -> list[Instance]:
    if tubes <= empty:
        raise BoardError("tubes", f"expected more than the {empty} empty ones, found {tubes}")
    rule = PUZZLES[puzzle or BallSort.kind]
    if not issubclass(rule, SortPuzzle):
        raise Unsupported(f"--games makes sort boards, not {rule.kind}")
    click.echo(f"{games} boards of {tubes} tubes: {tubes - empty} colours and {empty} empty tubes", err=True)
    return list(islice(random_boards(rule, tubes - empty, capacity, empty, seed=seed), games))


def _defaults(instances: Sequence[Instance]) -> list[str]:
    """Those of the default solvers that take every board.

    Raises:
        Unsupported: there is none.
    """
    default = {spec: make_backend(spec) for spec in DEFAULT_SOLVERS}
    found = [spec for spec, solver in default.items() if all(solver.takes(each.puzzle) for each in instances)]
    if not found:
        raise Unsupported(f"none of {', '.join(default)} takes all of these boards; name others by --solvers")
    return found


def _swept(specs: Sequence[str], sweeps: Sequence[str]) -> Iterator[str]:
    """The solvers, each heuristic that has a swept weight once for each of its values.

    Raises:
        Unsupported: a solver or a sweep that names nothing.
    """
    for spec in specs:
        solver = make_backend(spec)
        varied = [
            f"{spec}:{weight}={value:g}"
            for weight, values in map(_parse_sweep, sweeps)
            if isinstance(solver, Heuristic) and weight in HEURISTICS[solver.heuristic]
            for value in values
        ]
        for variant in varied:
            make_backend(variant)
        yield from varied or [spec]


def _parse_sweep(sweep: str) -> tuple[str, list[float]]:
    weight, _, numbers = sweep.partition("=")
    known = sorted({name for weights in HEURISTICS.values() for name in weights})
    try:
        start, end, step = map(float, numbers.split(":"))
    except ValueError:
        raise Unsupported(f"expected WEIGHT=FROM:TO:STEP, found {sweep!r}") from None
    if weight not in known:
        raise Unsupported(f"unknown weight {weight!r}, expected one of {', '.join(known)}")
    if not (0 <= start <= end and step > 0 and (end - start) / step < 1000):
        raise Unsupported(f"{weight}: expected numbers from 0 upwards and fewer than 1000 steps, found {numbers}")
    return weight, [round(start + number * step, 9) for number in range(int((end - start) / step + 1e-9) + 1)]
