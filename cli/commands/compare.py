"""`bsp-sat compare`."""

from itertools import islice
from pathlib import Path

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.run import FAILED
from bsp_sat.backends.solve import Limits
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.options import (
    EXIT_NO,
    FileName,
    Whole,
    board_options,
    cluster_option,
    jobs_option,
    memory_limit_option,
    positive,
)
from bsp_sat.comparison.solvers import DEFAULT_SOLVERS, default_solvers, swept
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import MAX_CAPACITY, BallSort, SortPuzzle
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.text.fields import MAX_SIZE

DEFAULT_LIMITS = Limits(seconds=60.0)
MAX_GAMES = 100_000  # they are kept in memory


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...", shell_complete=complete_board)
@click.option(
    "--solvers",
    metavar="NAME,…",
    help=f"Solvers to compare.  [default: of these, the ones that take all boards: {','.join(DEFAULT_SOLVERS)}]",
)
@click.option(
    "--external",
    "externals",
    multiple=True,
    metavar="COMMAND",
    help='Also run a program of yours on each board, such as "./solver {board}"; see docs/campaigns.md.',
)
@click.option(
    "--sweep",
    multiple=True,
    metavar="WEIGHT=FROM:TO:STEP",
    help="Run each heuristic with several values of one weight.",
)
@click.option("--games", type=Whole(1, MAX_GAMES), metavar="N", help="Add N random boards.")
@click.option(
    "--tubes",
    type=Whole(1, MAX_SIZE),
    default=10,
    show_default=True,
    help="Tubes of a random board, with its empty ones.",
)
@click.option("--empty", type=Whole(0, MAX_SIZE), default=2, show_default=True, help="Empty tubes of a random board.")
@click.option(
    "--capacity", type=Whole(1, MAX_CAPACITY), default=4, show_default=True, help="Capacity of a random board's tubes."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the first random board; the next ones count up."
)
@board_options
@click.option(
    "--time-limit",
    type=float,
    callback=positive,
    metavar="SECONDS",
    help="Stop each run after this time.  [default: 60]",
)
@memory_limit_option
@jobs_option
@cluster_option
@click.option("--out", type=FileName(), metavar="RESULTS", help="Write the outcomes to a new SQLite file.")
@click.option(
    "--resume",
    type=FileName(),
    metavar="RESULTS",
    help="Continue with such a file, or start a new one. Boards and solvers can be added.",
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
    externals: tuple[str, ...],
    sweep: tuple[str, ...],
    games: int | None,
    tubes: int,
    empty: int,
    capacity: int,
    seed: int,
    puzzle: str | None,
    reveal: Reveal | None,
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

    Each outcome is saved in RESULTS at once. After an interruption, --resume RESULTS runs only what is missing. Exit
    code: 0 every run has an outcome, 1 an external program was wrong, 2 bad input, such as an `optimal` in a file of
    boards that is proved to be false, or an export couldn't be written, 3 interrupted, 4 a backend crashed.
    """
    if resume is not None and out is not None:
        raise click.UsageError("--out is for a new file, --resume for an existing one: give only one of them")
    # Imported here: a database and statistics that `--help` needn't wait for.
    from bsp_sat.cli.output.campaign import carry_out, exit_code, export_all, print_contradicted, print_table
    from bsp_sat.cli.output.external import carry_out_externals, print_faults
    from bsp_sat.comparison.exports import check_exports
    from bsp_sat.comparison.external import checked_command
    from bsp_sat.comparison.store import open_campaign

    check_exports(exports, boards, resume or out)
    for command in externals:
        checked_command(command)
    placed = [
        (f"{source}: board {number} ({instance.name})", instance)
        for source in boards
        for number, instance in enumerate(load_boards(source, puzzle, reveal))
    ]
    instances = [instance for _, instance in placed]
    if games is not None:
        instances += _games(puzzle, games, tubes, empty, capacity, seed)
    default = [Auto.name] if externals else None
    specs = list(swept(solvers.split(",") if solvers else default or default_solvers(instances), sweep))
    given = Limits(None, time_limit or DEFAULT_LIMITS.seconds, memory_limit) if time_limit or memory_limit else None
    with open_campaign(resume or out, new=resume is None) as campaign:
        limits = campaign.agree_on(given, DEFAULT_LIMITS)
        going_on = resume is not None and campaign.total() > 0
        if not instances and not going_on:
            raise click.UsageError("Missing boards: name files, or --games N.")
        campaign.add(instances, [] if going_on and solvers is None and not sweep else specs)
        complete = carry_out(campaign, limits, jobs, cluster)
        runs, proved = campaign.runs(), campaign.proved(instances)
    beside, complete = carry_out_externals(externals, instances, proved, limits, complete=complete)
    try:
        print_table([*runs, *beside])
        print_faults(beside, proved)
        contradicted = print_contradicted([place for place, _ in placed], instances, proved, beside)
    finally:  # write the files even if the reader of the table has gone
        exported = export_all(exports, [*runs, *beside])
    code = exit_code(runs, complete=complete, exported=exported, contradicted=contradicted)
    ctx.exit(code or (EXIT_NO if any(run.status == FAILED for run in beside) else 0))


def _games(puzzle: str | None, games: int, tubes: int, empty: int, capacity: int, seed: int) -> list[Instance]:
    if tubes <= empty:
        raise BoardError("tubes", f"expected more than the {empty} empty ones, found {tubes}")
    rule = PUZZLES[puzzle or BallSort.kind]
    if not issubclass(rule, SortPuzzle):
        raise Unsupported(f"--games makes sort boards, not {rule.kind}")
    click.echo(f"{games} boards of {tubes} tubes: {tubes - empty} colours and {empty} empty tubes", err=True)
    return list(islice(random_boards(rule, tubes - empty, capacity, empty, seed=seed), games))
