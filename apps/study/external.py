"""Solvers of other people: programs that are run on each board, and whose plans are replayed.

What a file of results says of them is shown and never run: a file from a stranger must not run anything.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BufferedRandom
from pathlib import Path
from threading import Event
from typing import Any

import psutil

from bsp_sat.apps.study.sessions import digests
from bsp_sat.apps.study.store import Campaign, CampaignRun, Program, ProgramOutput, Proved
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import FAILED, Call, Failure, Pool
from bsp_sat.instances.errors import BackendError, BoardError, GoalNotReached, IllegalMove, PlanError, Unsupported
from bsp_sat.instances.files import Instance, KnownAnswer
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.text.reading import parse_json
from bsp_sat.instances.text.words import quantity, short

BOARD, TEXT = "{board}", "{text}"
"""Placeholders for the name of a file: with the board as JSON, and in text notation."""

UNSOLVABLE = str(Status.UNSOLVABLE)
MOST_OUTPUT = 1_000_000  # bytes; a plan of 100,000 moves has fewer
PIECE_BYTES = 1 << 16
POLL_SECONDS = 0.002


def checked_command(command: str) -> list[str]:
    """The words of a command line. Unsupported if a quote isn't closed, or no placeholder says where the board goes."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unsupported(f"--external: {error}: {short(command)}") from None
    if not any(BOARD in word or TEXT in word for word in words):
        raise Unsupported(f"--external: expected {BOARD} or {TEXT} in {short(repr(command))}")
    return words


def program_of(text: str) -> Program:
    """The program that an option names: a command line, or ``NAME=COMMAND``; `Unsupported` as in `checked_command`."""
    named = re.fullmatch(r"([\w.-]+)=(.*)", text, re.DOTALL)
    name, command = (named[1], named[2]) if named else (text, text)
    words = checked_command(command)
    if shutil.which(words[0]) is None:
        raise Unsupported(f"--external: {short(words[0])}: expected a program that can be run, found none")
    return Program(name, command, digests({word: shutil.which(word) or word for word in words}))


class AskProgram(Call[ProgramOutput]):
    """A call of `ask_program`. It needs no process but the program's, and removes its files however it ends."""

    @property
    def goes_here(self) -> bool:
        return True

    @classmethod
    def done_here(cls, jobs: Sequence[Any], stop: Event, go_on: Callable[[], bool]) -> list[ProgramOutput]:
        """Asks about the first of some boards."""
        command, instance, seconds = jobs[0].arguments
        return [ask_program(command, instance, seconds, stop)]


def run_external(
    program: Program, campaign: Campaign, proved: Mapping[int, Proved], limits: Limits, pool: Pool, stop: Event
) -> Iterator[tuple[int, CampaignRun]]:
    """Runs a program on the boards of a campaign of which it hasn't said anything yet.

    It gives the outcomes in the order of the boards, each with the key of its board. What the program says is kept.

    Its standard output is a plan as `bsp-sat check` takes it, or the word ``unsolvable``, also as ``status`` of an
    object. A wrong answer has the status ``failed``, and says why; no answer, none in time, or one without end is
    ``unknown``. What is ``proved`` of each board, by its key, counts before what the board's file says.

    Raises `Unsupported` if the program can't be started, `BackendError` if it is better than what is proved.
    """
    kept = campaign.said().get(program.digest, {})
    missing = {key: board for key, board in campaign.boards().items() if key not in kept}
    jobs = (AskProgram(ask_program, (program.command, board, limits.seconds)) for board in missing.values())
    coming = pool.in_order(jobs, stop)
    for key, said in zip(missing, coming, strict=False):  # fewer come if it is stopped
        if isinstance(said, Failure):
            raise Unsupported(said.error)
        campaign.keep(program, key, said)
        yield key, _judged(program.name, missing[key], proved[key].answer, said)


def kept_runs(
    campaign: Campaign, programs: Sequence[Program], proved: Mapping[int, Proved]
) -> dict[str, dict[int, CampaignRun]]:
    """What programs have said in a campaign, by name and key of the board; BoardError if a row can't be true.

    A program is called as in ``programs``, or else as the campaign calls it. Of several by one name the last counts.
    """
    boards, said, names = campaign.boards(), campaign.said(), dict[str, str]()
    for program in (*_earlier(campaign), *programs):
        names.pop(program.digest, None)
        names[program.digest] = program.name
    digests = {f"program {digest[:8]}": digest for digest in said.keys() - names}
    digests |= {name: digest for digest, name in names.items()}
    found: dict[str, dict[int, CampaignRun]] = {program.name: {} for program in programs}
    for name, digest in digests.items():
        for key, each in said.get(digest, {}).items():
            try:
                found.setdefault(name, {})[key] = _judged(name, boards[key], proved[key].answer, each)
            except BackendError as error:
                raise campaign.contradiction(key, str(error)) from None
    return found


def changed_since(campaign: Campaign, programs: Sequence[Program]) -> list[str]:
    """The names of programs that answered before by the same name, but with another command line or other files."""
    said = campaign.said()
    before = {program.name for program in _earlier(campaign) if program.digest in said}
    return [program.name for program in programs if program.name in before and program.digest not in said]


def _earlier(campaign: Campaign) -> list[Program]:
    """The programs that took part in a campaign, in order."""
    return [program for session in campaign.sessions() for program in session.programs]


def ask_program(command: str, instance: Instance, seconds: float | None, stop: Event | None = None) -> ProgramOutput:
    """What a program says of a board."""
    with tempfile.TemporaryDirectory(prefix="bsp-sat-external-") as folder:
        words = _with_files(checked_command(command), instance, Path(folder))
        began = time.monotonic()
        with (Path(folder) / "errors").open("w+b") as errors:
            text, ended = _run(words, seconds, stop or Event(), errors)
        return ProgramOutput(text, ended, time.monotonic() - began)


def _with_files(words: Sequence[str], instance: Instance, folder: Path) -> list[str]:
    """The command line for one board."""
    board, text = folder / "board.json", folder / "board.txt"
    board.write_text(json.dumps(instance.puzzle.to_json()), encoding="utf-8")
    if any(TEXT in word for word in words):
        try:
            text.write_text(instance.puzzle.to_text() + "\n", encoding="utf-8")
        except BoardError as error:
            raise Unsupported(f"--external: {instance.name}: {error}; use {BOARD}") from None
    return [word.replace(BOARD, str(board)).replace(TEXT, str(text)) for word in words]


def _run(words: Sequence[str], seconds: float | None, stop: Event, errors: BufferedRandom) -> tuple[str, str | None]:
    """Runs a program to its end. Its standard error is kept in a file, of which the last line is shown.

    Returns what it printed, nothing if it was ended; and why it has no answer, None if it ended well.
    """
    try:
        process = subprocess.Popen(
            words, bufsize=0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
        )
    except OSError as error:
        raise Unsupported(f"--external: {words[0]}: {error.strerror or error}") from None
    began = time.monotonic()
    assert process.stdout is not None
    with process.stdout as output:
        os.set_blocking(output.fileno(), False)  # its end doesn't come as long as a child of the program has it open
        said = bytearray()
        try:
            while True:
                ended = process.poll() is not None  # asked before reading: what it printed last is there by now
                while len(said) <= MOST_OUTPUT and (piece := output.read(PIECE_BYTES)):
                    said += piece
                if max(len(said), os.fstat(errors.fileno()).st_size) > MOST_OUTPUT:
                    return "", f"printed more than {MOST_OUTPUT:,} bytes"
                if ended:
                    break
                if stop.wait(POLL_SECONDS):
                    return "", "interrupted"
                if seconds is not None and time.monotonic() - began > seconds:
                    return "", f"no answer within {seconds:g} s"
        finally:
            _end(process)
    text, code = said.decode("utf-8", "replace").strip(), process.returncode
    if code == 0:
        return text, None
    errors.seek(0)
    last = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
    return text, f"ended with exit code {code}" + (f": {short(last, 200)}" if last else "")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program and what it has started, but for what has left both its group and the tree below it."""
    below: list[psutil.Process] = []
    if process.returncode is None:
        with suppress(psutil.Error):
            program = psutil.Process(process.pid)
            program.suspend()  # so that it can't start further ones
            below = program.children(recursive=True)
    for each in below:
        with suppress(psutil.Error):
            each.kill()
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _judged(name: str, instance: Instance, proved: KnownAnswer | None, heard: ProgramOutput) -> CampaignRun:
    """What an answer is worth. BackendError if it is better than what is proved."""
    said, ended, seconds = heard
    claim = _claim(said)
    answer = instance.known_answer if proved is None else proved
    plan: Plan | None = None
    status, error = FAILED, ended
    if not said or (claim.get("plan", said) is None and claim.get("status") != UNSOLVABLE):
        status, error = str(Status.UNKNOWN), ended or "no answer"
    elif claim.get("status") == UNSOLVABLE:
        if isinstance(answer, int):
            error = f"says that there is no plan, and there is one of {quantity(answer, 'move')}"
        else:
            status = UNSOLVABLE
    else:
        try:
            plan = Plan.from_text(instance.puzzle, said)
            plan.replay(instance.puzzle)
        except (PlanError, IllegalMove, GoalNotReached) as problem:
            plan, error = None, str(problem)
        else:
            if answer == UNSOLVABLE or (isinstance(answer, int) and len(plan) < answer):
                if proved is not None:
                    raise BackendError(
                        f"{instance.name}: {name} has a plan of {quantity(len(plan), 'move')}, but {proved} was proved"
                    )
                answer = None  # the file is wrong, see `Instance.contradicted`
            if isinstance(answer, int) and len(plan) > answer and claim.get("status") == Status.OPTIMAL:
                error = f"says that {len(plan)} moves are the fewest, and there is a plan of {answer}"
            else:
                status = str(Status.OPTIMAL if len(plan) == answer else Status.FEASIBLE)
    return CampaignRun(
        board=instance.name,
        puzzle=instance.puzzle.kind,
        solver=name,
        status=status,
        length=None if plan is None or status == FAILED else len(plan),
        optimum=answer if isinstance(answer, int) else None,
        explored=None,
        seconds=seconds,
        peak_memory_mb=None,
        error=error,
        plan=None if plan is None else plan.to_json(instance.puzzle),
    )


def _claim(said: str) -> dict[str, Any]:
    """What an answer says besides its plan: the object, if it is one."""
    if said.lower() == UNSOLVABLE:
        return {"status": UNSOLVABLE}
    try:
        fields = parse_json(said)
    except BoardError:
        return {}
    return fields if isinstance(fields, dict) else {}
