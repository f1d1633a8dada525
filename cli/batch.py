"""`bsp-sat solve` on many boards: one JSON line each, in the order of the boards."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import click

from bsp_sat.backends.limits import Limits
from bsp_sat.backends.lock import open_alone
from bsp_sat.backends.result import Status, read_result
from bsp_sat.backends.run import FAILED, Failure, Job, pool_of
from bsp_sat.cli import parts
from bsp_sat.cli.boards import compared_with_file
from bsp_sat.cli.group import EXIT_BUG, EXIT_UNKNOWN
from bsp_sat.cli.options import stop_on_signals
from bsp_sat.cli.screen import print_line, progress_bar
from bsp_sat.instances.errors import BoardError, MalformedResult
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.text.reading import as_json, parse_json
from bsp_sat.instances.text.words import quantity, short
from bsp_sat.instances.text.writing import json_text

LINE_START = b'{"board": '
LONGEST_LINE = 10_000_000  # bytes; plans of a million moves
REMEDY = "give --resume a new file"


@dataclass(frozen=True)
class Request:
    """The options that the answers depend on, but for ``cluster``. Lines of an earlier run are compared with them.

    ``proof`` is the kind of proof in certificates, ``any`` for the first suitable one; their folders are in ``folder``,
    and the jobs fill in ``certificates``, by board number.
    """

    backend: str
    limits: Limits
    proof: str | None = None
    cluster: str | None = None
    extra_tubes: int | None = field(default=None, kw_only=True)
    folder: Path | None = field(default=None, kw_only=True)
    certificates: dict[int, dict[str, Any]] = field(default_factory=dict, kw_only=True)

    def of(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """The object under ``asked`` in the line of a board: everything its answer depends on.

        The board is included as the SHA-256 of its JSON object, with sorted keys, no spaces and no metadata.
        """
        text = json.dumps(puzzle.to_json(), sort_keys=True, separators=(",", ":"))
        return {
            "board": hashlib.sha256(text.encode()).hexdigest(),
            "backend": self.backend,
            "max_steps": self.limits.max_steps,
            "time_limit": self.limits.seconds,
            "memory_limit": self.limits.memory_mb,
            "certificate": self.proof,
        }

    def answer(self, outcome: Any, instance: Instance) -> dict[str, Any]:
        """The keys of a board's line that come from its outcome."""
        extra = {} if self.extra_tubes is None else {"extra_tubes": self.extra_tubes}
        if is_hidden(instance.puzzle):
            return {**outcome.to_json(), **extra}
        return {**compared_with_file(outcome, instance).to_json(instance.puzzle), **extra}


def solve_boards(
    instances: Sequence[Instance], jobs: Sequence[Job[Any, Any]], request: Request, number: int, out: Path | None
) -> int:
    """Solves every board and writes a line for each to standard output or ``out``; BoardError if that can't be."""
    with nullcontext(None) if out is None else open_alone(out) as file:
        before = [] if file is None else finished_lines(file, str(out), instances, request)
        codes = [*map(_exit_code, before)]
        with stop_on_signals() as stop:
            with progress_bar(len(jobs), len(codes)) as advance, pool_of(number, request.cluster, stop) as pool:
                for outcome in pool.in_order(jobs[len(codes) :], stop):
                    board = len(codes)
                    line = _line(board, instances[board], outcome, request)
                    if board in request.certificates:
                        line["certificate"] = request.certificates[board]
                    write_line(line, file)
                    codes.append(_exit_code(line))
                    advance()
            if stop.is_set():
                click.echo(f"Interrupted after {len(codes)} of {quantity(len(jobs), 'board')}.", err=True)
    return max([*codes, EXIT_UNKNOWN if len(codes) < len(jobs) else 0])


def _exit_code(line: dict[str, Any]) -> int:
    """That of a board: 0 if its line has an answer, and a certificate if one was asked for; the highest counts."""
    if line["status"] == FAILED:
        return EXIT_BUG
    return EXIT_UNKNOWN if line["status"] == Status.UNKNOWN or "error" in line.get("certificate", ()) else 0


def outcomes(jobs: Sequence[Job[Any, Any]], request: Request, number: int) -> Iterator[Any]:
    """The outcome of each board, in order, for output other than JSON Lines. A signal ends it."""
    with (
        stop_on_signals() as stop,
        progress_bar(len(jobs), 0) as advance,
        pool_of(number, request.cluster, stop) as pool,
    ):
        for outcome in pool.in_order(jobs, stop):
            advance()  # first: what follows the last outcome may never be asked for
            yield outcome


def write_line(line: dict[str, Any], file: IO[bytes] | None) -> None:
    """Writes a line of JSON at once; None stands for standard output."""
    if file is None:
        print_line(json_text(line))
    else:
        file.write(f"{json_text(line)}\n".encode())
        file.flush()


def _line(number: int, instance: Instance, outcome: Any, request: Request) -> dict[str, Any]:
    board = {"board": number, "name": instance.name}
    asked = {"asked": request.of(instance.puzzle)}
    if isinstance(outcome, Failure):
        return {**board, "status": FAILED, "error": outcome.error, **asked}
    return {**board, **request.answer(outcome, instance), **asked}


def finished_lines(
    file: IO[bytes], out: str, instances: Sequence[Instance], request: Request
) -> Iterator[dict[str, Any]]:
    """The lines already in the file ``out``, without an incomplete last one; BoardError names a wrong one."""
    number = complete = 0  # lines, bytes
    while text := file.readline(LONGEST_LINE):
        where = f"{out}: line {number + 1}"
        if number == len(instances):
            raise BoardError(where, f"expected the results of {quantity(number, 'board')}, found more")
        if not text.endswith(b"\n"):
            if len(text) == LONGEST_LINE or text[: len(LINE_START)] != LINE_START[: len(text)]:
                raise BoardError(where, "expected the results of these boards")
            file.truncate(complete)
            break
        yield _believed(text, where, number, instances[number], request)
        number += 1
        complete += len(text)


def _believed(text: bytes, where: str, number: int, instance: Instance, request: Request) -> dict[str, Any]:
    """The line of a board, checked as far as possible without solving it again; BoardError says what is wrong."""
    found = short(repr(text.rstrip(b"\n").decode(errors="replace")))
    try:
        line = parse_json(text.decode())
    except (BoardError, UnicodeDecodeError):
        raise BoardError(where, f"expected a result, found {found}") from None
    if not (isinstance(line, dict) and {"board", "name", "status"} <= line.keys()):
        raise BoardError(where, f"expected a result, found {found}")
    if type(line["board"]) is not int or (line["board"], line["name"]) != (number, instance.name):
        of = f"board {short(str(line['board']))} ({short(str(line['name']))})"
        raise BoardError(where, f"expected board {number} ({instance.name}), found {of}")
    _check_request(line, where, request.of(instance.puzzle), f"board {number} ({instance.name})")
    if line["status"] == FAILED:
        if type(line.get("error")) is not str:
            raise BoardError(where, "error: expected the reason of the failure")
        return line
    try:
        if is_hidden(instance.puzzle):
            parts.covered().check_line(instance.puzzle, line)
        else:
            read_result(instance.puzzle, line)
    except MalformedResult as error:
        raise BoardError(where, f"no result of board {number} ({instance.name}): {error}") from None
    proved = line["status"] in (Status.OPTIMAL, Status.UNSOLVABLE)
    if proved and request.folder is not None:
        _check_certificate(line.get("certificate"), where, request.folder)
    return line


def _check_certificate(entry: Any, where: str, folder: Path) -> None:
    """Refuses a line whose certificate isn't in the folder that was asked for."""
    if not isinstance(entry, dict) or not isinstance(entry.get("folder"), str):
        raise BoardError(where, "certificate: expected an object with its folder, as one was asked for")
    place = Path(entry["folder"])
    if "error" not in entry and (place.parent != folder or not place.is_dir()):
        raise BoardError(where, f"certificate: expected a folder in {folder}, found {short(str(place))}; {REMEDY}")


def _check_request(line: dict[str, Any], where: str, expected: dict[str, Any], board: str) -> None:
    """Refuses a line made for another board or with other options."""
    if not isinstance(line.get("asked"), dict):
        problem = f'expected "asked", which says what board and options it is for: {REMEDY}'
        raise BoardError(where, problem)
    asked = line["asked"]
    if asked.get("board") != expected["board"]:
        problem = f"it is of another board than {board} is now, though their names are the same: {REMEDY}"
        raise BoardError(where, problem)
    for key, value in expected.items():
        if key not in asked or json.dumps(asked[key]) != json.dumps(value):
            there = as_json(asked.get(key))
            problem = f"it was made with {key} {there}, not {as_json(value)}: give the same options, or {REMEDY}"
            raise BoardError(where, problem)
