"""A campaign: every solver on every board, with the outcomes in one SQLite file.

Each outcome is one transaction of a database in write-ahead mode. So a process killed at any moment leaves a file with
all outcomes up to then, and no partial ones. Resuming a campaign does the runs that have no outcome yet. Duplicate
boards in the input count once.
"""

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from statistics import mean, median, stdev
from string import hexdigits
from threading import Event
from typing import Any, NamedTuple, Self, TypeGuard

from bsp_sat.apps.study.database import Rows, can_write, in_memory, in_words, to_read, to_write
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Result, Status, read_result
from bsp_sat.backends.run import FAILED, Failure, Pool, Solve
from bsp_sat.instances.errors import BackendError, BoardError, MalformedResult, Unsupported
from bsp_sat.instances.files import Instance, KnownAnswer, parse_instances
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.words import quantity, short
from bsp_sat.instances.text.writing import finite

APPLICATION_ID = 0x62737073  # "bsps"; marks our files
DIGITS = 64  # of a digest
EXPECTED = "expected the results of a campaign"

TABLES = """
CREATE TABLE board (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
CREATE TABLE solver (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
CREATE TABLE limits (json TEXT NOT NULL);
CREATE TABLE run (
    board INTEGER NOT NULL REFERENCES board,
    solver INTEGER NOT NULL REFERENCES solver,
    json TEXT NOT NULL,
    PRIMARY KEY (board, solver)
);
CREATE TABLE said (
    board INTEGER NOT NULL REFERENCES board,
    program TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (board, program)
);
CREATE TABLE versions (words TEXT NOT NULL PRIMARY KEY);
CREATE TABLE session (json TEXT NOT NULL);
"""
"""Besides the runs, what programs of other people said, the versions of bsp-sat and of solver libraries that did runs,
and how that was done (`Session`). Commands are kept as digests (`Program.digest`), or never run."""

Outcome = Mapping[str, Any]
"""A result in the result format, with ``error``; of a failed run the status is ``failed``, and most keys are null."""


@dataclass(frozen=True)
class CampaignRun:
    """The outcome of one solver on one board; ``optimum`` if any solver of the campaign proved it.

    ``explored`` counts states that the search took from its queue; ``peak_memory_mb`` is in MB (10⁶ bytes).
    """

    board: str
    puzzle: str
    solver: str
    status: str
    length: int | None
    optimum: int | None
    explored: int | None
    seconds: float | None
    peak_memory_mb: float | None
    error: str | None
    plan: list[Any] | None

    @property
    def excess(self) -> int | None:
        """Moves above the optimum."""
        return None if self.length is None or self.optimum is None else self.length - self.optimum

    @property
    def ratio(self) -> float | None:
        """Length divided by optimum; None if the optimum is 0 or unknown."""
        return None if self.length is None or not self.optimum else self.length / self.optimum

    def to_json(self) -> dict[str, Any]:
        """The fields of an export."""
        fields = asdict(self)
        return {**fields, "excess": self.excess, "ratio": self.ratio, "plan": fields.pop("plan")}


class Program(NamedTuple):
    """A program of somebody else, with the files in it that exist and their SHA-256: the version of the program."""

    name: str
    command: str
    files: dict[str, str]

    @property
    def digest(self) -> str:
        """What its answers are kept under: the SHA-256 of its command line and of its files, in hexadecimal digits."""
        return sha256(json.dumps([self.command, self.files], sort_keys=True).encode()).hexdigest()


class ProgramOutput(NamedTuple):
    """What a program said of a board. ``ended``: why it has no answer; None if it ended well."""

    text: str
    ended: str | None
    seconds: float


class Session(NamedTuple):
    """A command that did runs: when it began, in UTC, and the files of its boards with their SHA-256."""

    command: str
    versions: str
    machine: str
    began: str
    programs: list[Program]
    files: dict[str, str]


class Proved(NamedTuple):
    """What the outcomes for a board prove. ``seconds``: the least time of a solver that proved it."""

    answer: KnownAnswer | None
    seconds: float | None


class Campaign(Rows):
    """The file of a campaign; use `open_campaign`."""

    _reading = False

    @classmethod
    def prepare(cls, database: sqlite3.Connection, where: str, *, reading: bool = False) -> Self:
        """Creates the tables; for ``reading`` they must exist. BoardError if the file is something else."""
        campaign = cls(database, where)
        campaign._reading = reading
        with in_words(where, f"{EXPECTED}: "):
            database.execute("PRAGMA busy_timeout = 10000")
            campaign.make_tables(TABLES, APPLICATION_ID, EXPECTED, reading=reading)
            database.execute("PRAGMA synchronous = NORMAL")  # in write-ahead mode safe except against power cuts
        return campaign

    def agree_on(self, limits: Limits | None, default: Limits) -> Limits:
        """The limits of the campaign since its start; Unsupported if they differ: such results can't be compared."""
        row = self._database.execute("SELECT json FROM limits").fetchone()
        if row is None or not self.total():
            agreed = limits or default
            with self._database:
                self._database.execute("DELETE FROM limits")
                self._database.execute("INSERT INTO limits VALUES (?)", (json.dumps(asdict(agreed)),))
            return agreed
        agreed = self._limits(row[0])
        if limits not in (None, agreed):
            raise Unsupported(f"{self.where}: this campaign has other limits: {limits_in_words(agreed)}")
        return agreed

    def note_versions(self, words: str) -> list[str]:
        """Keeps the versions that do the missing runs, in words; returns others that did runs of this campaign."""
        if self._reading:
            return []
        before = [str(each) for (each,) in self._database.execute("SELECT words FROM versions ORDER BY rowid")]
        if words not in before:
            with self._database:
                self._database.execute("INSERT INTO versions VALUES (?)", (words,))
        return [each for each in before if each != words]

    def note(self, session: Session) -> None:
        """Keeps how runs are done."""
        if not self._reading:
            with self._database:
                self._database.execute("INSERT INTO session VALUES (?)", (json.dumps(session),))

    def sessions(self) -> list[Session]:
        """How the runs were done, in order. BoardError if a row is something else: the file was changed by hand."""
        rows = self._database.execute("SELECT json FROM session ORDER BY rowid")
        return [self._session(text) for (text,) in rows]

    def _session(self, text: object) -> Session:
        match self.json_of("session", text):
            # Results of earlier versions say nothing of files of boards.
            case [
                str() as command,
                str() as versions,
                str() as machine,
                str() as began,
                list() as programs,
                *files,
            ] if len(files) < 2 and all(map(_are_texts, files)):
                made_by = [self._program(each) for each in programs]
                return Session(command, versions, machine, began, made_by, dict(*files))
            case other:
                raise self.wrong("session", f"expected how runs were done, found {short(repr(other))}")

    def _program(self, value: object) -> Program:
        match value:
            case [str() as name, str() as command, files] if _are_texts(files):
                return Program(name, command, files)
            case other:
                raise self.wrong("session", f"expected a program, found {short(repr(other))}")

    def add(self, instances: Iterable[Instance], specs: Iterable[str]) -> int:
        """Adds boards and solvers, and says how many of the boards are different. Those already there are unchanged.

        Raises `Unsupported` if a solver doesn't take a board; then nothing is added.
        """
        with self._database:
            boards = {(_text_of(instance),): None for instance in instances}
            self._database.executemany("INSERT OR IGNORE INTO board (json) VALUES (?)", boards)
            solvers = [(spec,) for spec in specs]
            self._database.executemany("INSERT OR IGNORE INTO solver (spec) VALUES (?)", solvers)
            for instance, job in self._jobs(Limits()).values():
                _check(instance, job.backend)
        return len(boards)

    def keys(self, instances: Iterable[Instance]) -> list[int]:
        """The keys of boards of this campaign."""
        keys = {text: key for key, text in self._database.execute("SELECT id, json FROM board")}
        return [keys[_text_of(instance)] for instance in instances]

    def total(self) -> int:
        """The number of runs: boards times solvers."""
        (count,) = self._database.execute("SELECT count(*) FROM board CROSS JOIN solver").fetchone()
        return int(count)

    def missing(self) -> list[tuple[int, int]]:
        """Board and solver of each run without an outcome."""
        return self._database.execute(
            "SELECT board.id, solver.id FROM board CROSS JOIN solver LEFT JOIN run"
            " ON run.board = board.id AND run.solver = solver.id WHERE run.json IS NULL ORDER BY board.id, solver.id"
        ).fetchall()

    def _jobs(self, limits: Limits) -> dict[tuple[int, int], tuple[Instance, Solve]]:
        """The missing runs, with the instance of each board."""
        boards = self.boards()
        solvers = {key: self._solver(key, spec) for key, spec in self._database.execute("SELECT id, spec FROM solver")}
        return {
            (board, solver): (boards[board], Solve(solvers[solver], boards[board].puzzle, limits, measured=True))
            for board, solver in self.missing()
        }

    def run(self, limits: Limits, pool: Pool, stop: Event) -> Iterator[Result | Failure]:
        """Does the missing runs, and records each outcome before yielding it; BoardError if it can't."""
        missing = self._jobs(limits)
        if missing and self._reading:
            raise BoardError(
                self.where, f"it can't be written, and has no outcome yet of {quantity(len(missing), 'run')}"
            )
        keys = list(missing)
        for number, outcome in pool.do_all([job for _, job in missing.values()], stop):
            instance, _ = missing[keys[number]]
            row = (*keys[number], json.dumps(outcome_of(outcome, instance.puzzle)))
            with self._database:
                self._database.execute("INSERT OR IGNORE INTO run VALUES (?, ?, ?)", row)
            yield outcome

    def said(self) -> dict[str, dict[int, ProgramOutput]]:
        """What programs have said, by their digest and the key of the board; BoardError if it was changed by hand."""
        found: dict[str, dict[int, ProgramOutput]] = {}
        rows = self._database.execute(
            "SELECT program, board.id, said.json FROM said JOIN board ON board.id = said.board ORDER BY board.id"
        )
        for digest, board, text in rows:
            if not (isinstance(digest, str) and len(digest) == DIGITS and set(digest) <= set(hexdigits)):
                raise self.wrong("said", f"expected the digest of a program, found {short(repr(digest))}")
            found.setdefault(digest, {})[board] = self._said(text)
        return found

    def keep(self, program: Program, board: int, said: ProgramOutput) -> None:
        """Keeps what a program said of a board, named by its key."""
        if not self._reading:
            with self._database:
                row = board, program.digest, json.dumps(said)
                self._database.execute("INSERT OR IGNORE INTO said VALUES (?, ?, ?)", row)

    def runs(self) -> list[CampaignRun]:
        """All outcomes, board by board; BoardError if rows were changed by hand."""
        found: list[CampaignRun] = []
        for instance, outcomes in self._of_boards().values():
            optimum = optimum_of([outcome for _, outcome in outcomes])
            found += [run_of(instance, spec, outcome, optimum) for spec, outcome in outcomes]
        return found

    def proved(self) -> dict[int, Proved]:
        """What the outcomes prove of each board, by its key. BoardError as in `runs`."""
        return {key: _proved([outcome for _, outcome in outcomes]) for key, (_, outcomes) in self._of_boards().items()}

    def _of_boards(self) -> dict[int, tuple[Instance, list[tuple[str, Outcome]]]]:
        """Each board, and the solvers with their outcomes, which don't contradict each other."""
        boards = self.boards()
        rows = self._database.execute(
            "SELECT board.id, solver.id, solver.spec, run.json FROM run JOIN board ON board.id = run.board"
            " JOIN solver ON solver.id = run.solver ORDER BY board.id, solver.id"
        ).fetchall()
        found: dict[int, tuple[Instance, list[tuple[str, Outcome]]]] = {key: (boards[key], []) for key in boards}
        for board, solver, spec, text in rows:
            self._solver(solver, spec)
            outcome = self._outcome(f"board {board}, solver {solver}", text, boards[board])
            found[board][1].append((spec, outcome))
        for board, (_, outcomes) in found.items():
            try:
                optimum_of([outcome for _, outcome in outcomes])
            except BackendError as error:
                raise self.contradiction(board, str(error)) from None
        return found

    def contradiction(self, board: int, problem: str) -> BoardError:
        """The error for what is kept of a board, if it can't all be true."""
        return self.wrong(f"board {board}", f"{problem}: the file was changed, or bsp-sat has a bug")

    # -- rows, which may have been tampered with --------------------------------------------------------

    def _limits(self, text: object) -> Limits:
        fields = self.json_of("limits", text)
        names = asdict(Limits())
        if not isinstance(fields, dict) or fields.keys() != names.keys():
            raise self.wrong("limits", f"expected {', '.join(names)}, found {short(repr(fields))}")
        for name, value in fields.items():
            if value is not None and (type(value) not in (int, float) or not 0 < value < math.inf):
                raise self.wrong("limits", f"{name}: expected a number above 0 or null, found {short(repr(value))}")
        try:
            return Limits(**fields)
        except Unsupported as error:
            raise self.wrong("limits", str(error)) from None

    def boards(self) -> dict[int, Instance]:
        """The boards by their keys, in the order in which they were added; BoardError if a row was changed by hand."""
        found = {}
        for key, text in self._database.execute("SELECT id, json FROM board ORDER BY id"):
            place = f"board {key}"
            self.json_of(place, text)  # one line of it, not many
            found[key] = parse_instances(text, f"{self.where}: {place}")[0]
        return found

    def _solver(self, key: int, spec: object) -> Backend:
        try:
            return make_backend(str(spec))
        except Unsupported as error:
            raise self.wrong(f"solver {key}", str(error)) from None

    def _outcome(self, place: str, text: object, instance: Instance) -> Outcome:
        """The outcome of one run; its plan is replayed."""
        fields = self.json_of(place, text)
        if not isinstance(fields, dict):
            raise self.wrong(place, f"expected an outcome, found {short(repr(fields))}")
        if fields.get("status") == FAILED:
            if not isinstance(fields.get("error"), str):
                raise self.wrong(place, "error: expected the reason of the failure")
            return outcome_of(Failure(fields["error"]), instance.puzzle)
        try:
            return outcome_of(read_result(instance.puzzle, fields), instance.puzzle)
        except MalformedResult as error:
            raise self.wrong(place, str(error)) from None

    def _said(self, text: object) -> ProgramOutput:
        match self.json_of("said", text):
            case [str() as words, str() | None as ended, int() | float() as seconds] if 0 <= seconds < math.inf:
                return ProgramOutput(words, ended, seconds)
            case other:
                raise self.wrong("said", f"expected what a program said, found {short(repr(other))}")


def _are_texts(files: object) -> TypeGuard[dict[str, str]]:
    return isinstance(files, dict) and all(isinstance(each, str) for each in files.values())


def _text_of(instance: Instance) -> str:
    """A board as the file keeps it."""
    return json.dumps(finite(instance.to_json()))


def _proved(outcomes: Sequence[Outcome]) -> Proved:
    optimum = optimum_of(outcomes)
    impossible = any(outcome["status"] == Status.UNSOLVABLE for outcome in outcomes)
    settled = (outcome["seconds"] for outcome in outcomes if outcome["status"] in (Status.OPTIMAL, Status.UNSOLVABLE))
    return Proved(str(Status.UNSOLVABLE) if impossible else optimum, min(settled, default=None))


def outcome_of(result: Result | Failure, puzzle: AnyPuzzle) -> Outcome:
    """The outcome of a run on ``puzzle``."""
    if isinstance(result, Failure):
        nothing = dict.fromkeys(("length", "lower_bound", "plan", "seconds", "peak_memory_mb"))
        return {"status": FAILED, **nothing, "error": result.error, "stats": {}}
    return {**result.to_json(puzzle), "error": None}


def optimum_of(outcomes: Sequence[Outcome]) -> int | None:
    """The fewest moves of any plan of a board, if its outcomes prove it. BackendError if they contradict each other."""
    lengths = [outcome["length"] for outcome in outcomes if outcome["length"] is not None]
    bounds = [outcome["lower_bound"] for outcome in outcomes if outcome["lower_bound"] is not None]
    impossible = any(outcome["status"] == Status.UNSOLVABLE for outcome in outcomes)
    if lengths and (impossible or min(lengths) < max(bounds)):
        raise BackendError("its outcomes contradict each other")
    return min(lengths) if lengths and min(lengths) == max(bounds) else None


def run_of(instance: Instance, solver: str, outcome: Outcome, optimum: int | None) -> CampaignRun:
    """An outcome in the form that `bsp-sat compare` exports."""
    keys = ("status", "length", "seconds", "peak_memory_mb", "error", "plan")
    known = {key: outcome[key] for key in keys}
    explored = outcome["stats"].get("expansions")
    return CampaignRun(
        board=instance.name,
        puzzle=instance.puzzle.kind,
        solver=solver,
        optimum=optimum,
        explored=explored if type(explored) is int else None,
        **known,
    )


@contextmanager
def open_campaign(path: Path | None, *, new: bool = False, reading: bool = False) -> Iterator[Campaign]:
    """Opens or creates the campaign in a file; without a path, a temporary campaign.

    Only one process may write to a campaign; with ``reading`` any number may read, even while one writes. A file that
    can't be written is opened for reading. If the file is new and the body of the ``with`` statement fails before there
    is an outcome, the file is removed.

    Raises `BoardError` if the file can't be opened, isn't a campaign, already holds one although it must be ``new``, or
    another process is writing to it.
    """
    where = str(path or "results")
    if path is not None and path.exists() and not (path.is_file() or path.is_dir()):
        raise BoardError(where, f"{EXPECTED}, found a pipe or a device")
    reading = reading or (path is not None and path.exists() and not can_write(path))
    opened = in_memory() if path is None else to_read(path, where) if reading else to_write(path, where)
    try:
        with in_words(where), opened as database:
            campaign = Campaign.prepare(database, where, reading=reading)
            if new and campaign.total():
                raise BoardError(where, "exists already; use --resume to continue it")
            yield campaign
    except UnicodeDecodeError:  # of the error message, which quotes the file
        raise BoardError(where, f"{EXPECTED}, found a damaged database") from None


def _check(instance: Instance, solver: Backend) -> None:
    try:
        solver.check(instance.puzzle)
    except Unsupported as error:
        raise Unsupported(f"{instance.name}: {error}") from None


def limits_in_words(limits: Limits) -> str:
    """Limits in words."""
    named = {"max_steps": "moves", "seconds": "s", "memory_mb": "MB"}
    words = [f"{value:g} {named[key]}" for key, value in asdict(limits).items() if value is not None]
    return ", ".join(words) or "none"


def tally(runs: Sequence[CampaignRun]) -> dict[str, list[CampaignRun]]:
    """The runs of each solver, in the order of the solvers' first runs."""
    by_solver: dict[str, list[CampaignRun]] = {}
    for run in runs:
        by_solver.setdefault(run.solver, []).append(run)
    return by_solver


@dataclass(frozen=True)
class Summary:
    """Mean, median and standard deviation of a sample. The deviation of one value is 0.

    >>> Summary.of([1, 2, 6])
    Summary(mean=3, median=2, deviation=2.6457513110645907)
    """

    mean: float
    median: float
    deviation: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Self | None:
        """The summary of the values that aren't None; None if all are."""
        known = [value for value in values if value is not None]
        return cls(mean(known), median(known), stdev(known) if len(known) > 1 else 0.0) if known else None
