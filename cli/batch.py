"""`bsp-sat solve` on many boards: one JSON line each, in the order of the boards."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import click

from bsp_sat.backends.campaign.pool import FAILED, Failure, Outcome, Submit, Task, local_workers, solve_all
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.proofs.certificate import CertificateError
from bsp_sat.backends.proofs.making import certify, remove_certificate
from bsp_sat.backends.result import Result, Status
from bsp_sat.cli.live import progress_bar
from bsp_sat.cli.options import EXIT_BUG, EXIT_UNKNOWN, stop_on_signals
from bsp_sat.instances.errors import BoardError, BspSatError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.words import short

LINE_START = b'{"board": '
LONGEST_NAME = 60  # of a board, in the name of its folder


@dataclass(frozen=True)
class Certificates:
    """The certificates of many boards.

    Attributes:
        folder: holds a folder for each board.
        proof: the kind, see `write_certificate`.
        boards: how many boards there are.
        lines: what became of those that were made, or couldn't be, by the number of the board.
    """

    folder: Path
    proof: str | None
    boards: int
    lines: dict[int, dict[str, Any]] = field(default_factory=dict)

    def task(self, number: int, instance: Instance, task: Task) -> "CertifiedTask":
        """A board's task with its certificate."""
        digits = max(3, len(str(self.boards - 1)))
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", instance.name)[:LONGEST_NAME]
        folder = self.folder / f"{number:0{digits}}-{name}"
        return CertifiedTask(task.puzzle, task.backend, task.limits, folder, self.proof, number, self.lines)


@dataclass(frozen=True)
class CertifiedTask(Task):
    """A board whose answer gets a certificate from the worker that found it.

    A certificate that is there already, of a run that didn't come to write the board's line, is made again.
    """

    folder: Path
    proof: str | None
    number: int
    lines: dict[int, dict[str, Any]]

    def solve(self, worker: Worker, stop: Event | None = None) -> Result:
        """Solves the board and makes its certificate, where something is proved."""
        started = time.monotonic()
        result = super().solve(worker, stop)
        if result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            spent = time.monotonic() - started
            try:
                remove_certificate(self.folder)
                made = certify(
                    worker, self.folder, self.puzzle, result, self.proof, limits=self.limits, spent=spent, stop=stop
                ).to_json()
            except CertificateError as error:
                made = {"error": str(error)}
            self.lines[self.number] = {"folder": str(self.folder), **made}
        return result


def solve_many(
    instances: Sequence[Instance],
    tasks: Sequence[Task],
    jobs: int,
    out: Path | None,
    certificates: Certificates | None = None,
) -> int:
    """Solves every board and writes its line to standard output, or to ``out`` after the lines that are there.

    Returns:
        The exit code, for all boards.

    Raises:
        BoardError: ``out`` can't be written, or holds something else.
    """
    try:
        statuses = [] if out is None else _finished(out, instances)
        target = nullcontext(None) if out is None else out.open("a", encoding="utf-8")
    except OSError as error:
        raise BoardError(str(out), error.strerror or str(error)) from None
    done = len(statuses)
    uncertified = False
    with target as file, stop_on_signals() as stop:
        with progress_bar(len(tasks), done) as advance, local_workers(jobs, stop) as submit:
            for number, outcome in enumerate(_in_order(tasks[done:], submit, stop), start=done):
                line = _line(number, instances[number], outcome)
                if certificates is not None and number in certificates.lines:
                    line["certificate"] = certificates.lines[number]
                    uncertified |= "error" in line["certificate"]
                click.echo(json.dumps(line, ensure_ascii=False), file=file)  # flushes
                statuses.append(line["status"])
                advance()
        if stop.is_set():
            click.echo(f"Interrupted after {len(statuses)} of {len(tasks)} boards.", err=True)
    if FAILED in statuses:
        return EXIT_BUG
    return EXIT_UNKNOWN if stop.is_set() or Status.UNKNOWN in statuses or uncertified else 0


def _in_order(tasks: Sequence[Task], submit: Submit, stop: Event) -> Iterator[Outcome]:
    """The outcomes in the order of the tasks; those that are early wait."""
    waiting: dict[int, Outcome] = {}
    following = 0
    for number, outcome in solve_all(tasks, submit, stop):
        waiting[number] = outcome
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _line(number: int, instance: Instance, outcome: Outcome) -> dict[str, Any]:
    board = {"board": number, "name": instance.name}
    if isinstance(outcome, Failure):
        return {**board, "status": FAILED, "error": outcome.error}
    return {**board, **outcome.to_json(instance.puzzle)}


def _finished(out: Path, instances: Sequence[Instance]) -> list[str]:
    """The statuses of the boards whose lines are in ``out`` already; a last line that was cut off is removed.

    Raises:
        BoardError: a line that isn't the one of its board.
    """
    if not out.exists():
        return []
    *lines, rest = out.read_bytes().split(b"\n")
    statuses = []
    for number, line in enumerate(lines):
        where = f"{out}: line {number + 1}"
        if number == len(instances):
            raise BoardError(where, f"expected the results of {number} board{'s' * (number > 1)}, found more")
        statuses.append(_status(line, where, number, instances[number]))
    if rest:
        if rest[: len(LINE_START)] != LINE_START[: len(rest)]:
            raise BoardError(f"{out}: line {len(lines) + 1}", "expected the results of these boards")
        with out.open("r+b") as file:
            file.truncate(file.seek(0, 2) - len(rest))
    return statuses


def _status(line: bytes, where: str, number: int, instance: Instance) -> str:
    try:
        fields = json.loads(line)
        found = (fields["board"], fields["name"])
        if fields.get("plan") is not None:
            Plan.from_json(instance.puzzle, fields["plan"]).replay(instance.puzzle)
        status = fields["status"]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise BoardError(where, f"expected a result, found {short(repr(line.decode(errors='replace')))}") from None
    except BspSatError as error:
        raise BoardError(where, f"the plan is none for board {number} ({instance.name}): {error}") from None
    if found != (number, instance.name):
        raise BoardError(where, f"expected board {number} ({instance.name}), found board {found[0]} ({found[1]})")
    return str(status)
