"""The report of `bsp-sat compare`: one page, or Markdown, for a paper's appendix."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from bsp_sat.apps.study import plots
from bsp_sat.apps.study.store import CampaignRun, Session, Summary, limits_in_words, tally
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import FAILED
from bsp_sat.cli.report import Page
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.optional import need
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import write_file

PICTURES = {"cactus": "Boards solved within a time", "lengths": "Moves against the optimum"}
MOST_NAMES = 5  # of boards
COLUMNS = (
    "solver", "solved", "fewest moves", "unsolvable", "wrong or failed", "moves, mean", "excess, mean", "excess, most",
    "seconds, median", "seconds, most",
)  # fmt: skip


def check(path: Path) -> None:
    """Refuses a report that can't be written, before the runs: another name than .html or .md, or no matplotlib."""
    if path.suffix not in (".html", ".md"):
        raise BoardError(str(path), "expected a name that ends in .html or .md")
    need("matplotlib", "--report")


def write(
    path: Path, sessions: Sequence[Session], limits: Limits, runs: Sequence[CampaignRun], faults: Sequence[str]
) -> None:
    """Writes the report; as Markdown with plots in files next to it. BoardError if it can't be written."""
    out = Page("Comparison of solvers")
    boards = {run.board: None for run in runs}
    out.say(
        f"{quantity(len(boards), 'board')}, {quantity(len(tally(runs)), 'solver')}, {quantity(len(runs), 'run')}. "
        f"Limits of each run: {limits_in_words(limits)}. Moves are averaged over the boards that a solver solved; the "
        "excess is over the proved optimum."
    )
    out.table(COLUMNS, [_row(solver, of_solver) for solver, of_solver in tally(runs).items()])
    for name, words in PICTURES.items():
        if runs and (figure := plots.FIGURES[name](runs)) is not None:
            out.heading(words)
            out.picture(plots.saved(figure, "svg"), words)
    out.heading("Wrong, longer or missing answers of other programs")
    if faults:
        out.list_all(faults)
    else:
        out.say("No other program took part.")
    failed = [f"{run.board}: {run.solver}: {run.error}" for run in runs if run.status == FAILED]
    if failed:
        out.heading("Wrong answers and failures, all")
        out.list_all(failed)
    out.heading("How it was done")
    for session in sessions:
        programs = [f"{each.name}: {each.command}{_digests(each.files)}" for each in session.programs]
        files = [f"Boards{_digests(session.files)}"] if session.files else []
        out.list_all([session.began, session.command, session.versions, session.machine, *files, *programs])
    out.heading("Boards")
    more = f", and {len(boards) - MOST_NAMES} more, which --export names" if len(boards) > MOST_NAMES else ""
    out.say(f"Random boards have the seed in their names: {', '.join(islice(boards, MOST_NAMES))}{more}.")
    written = out.markdown(path.name) if path.suffix == ".md" else {path.name: out.html()}
    for name, data in written.items():
        write_file(path.with_name(name), data)


def _digests(files: Mapping[str, str]) -> str:
    return f" ({'; '.join(f'{name}: SHA-256 {digest}' for name, digest in files.items())})" if files else ""


def _row(solver: str, runs: Sequence[CampaignRun]) -> tuple[object, ...]:
    moves, excess = Summary.of(run.length for run in runs), Summary.of(run.excess for run in runs)
    seconds = Summary.of(run.seconds for run in runs)
    return (
        solver,
        sum(run.length is not None for run in runs),
        sum(run.excess == 0 for run in runs),
        sum(run.status == Status.UNSOLVABLE for run in runs),
        sum(run.status == FAILED for run in runs),
        None if moves is None else round(moves.mean, 2),
        None if excess is None else round(excess.mean, 2),
        max((run.excess for run in runs if run.excess is not None), default=None),
        None if seconds is None else round(seconds.median, 4),
        max((run.seconds for run in runs if run.seconds is not None), default=None),
    )
