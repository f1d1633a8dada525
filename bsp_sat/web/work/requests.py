"""Parses requests in a worker's process, which can be ended: a malicious request may take long to parse."""

from collections.abc import Callable, Mapping
from typing import Any

from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Call, Process
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.web.errors import Refused
from bsp_sat.web.request_fields import Reader, fields_of
from bsp_sat.web.work.calls import calling
from bsp_sat.web.work.events import File
from bsp_sat.web.work.work_queue import WorkQueue

READING = Limits(seconds=3.0, memory_mb=300.0)  # the largest requests take 0.1 s
LOADING_SECONDS = 60.0  # for a process to load the readers

Puzzles = Mapping[str, type[AnyPuzzle]]


async def asked_of(jobs: WorkQueue, body: bytes, reader: Reader) -> Any:
    """A body, parsed by a reader.

    Raises:
        Refused: the reader raised an error, a limit was reached, or no process could be started.
        QueueFull: the queue has no place for the job.
    """
    return await _done(jobs, read, body, reader)


async def answer_of(jobs: WorkQueue, body: bytes, reader: Reader) -> File:
    """The result of a reader as the answer to send.

    Raises:
        Refused, QueueFull: see `asked_of`.
    """
    file: File = await _done(jobs, read_and_write, body, reader)
    return file


async def _done(jobs: WorkQueue, function: Callable[[bytes, Reader, Puzzles], Any], body: bytes, reader: Reader) -> Any:
    job = jobs.enter(calling(READING, function, body, reader, PUZZLES))
    name, value = await job.last_word()
    if name == "error":
        raise Refused(job.status, value["error"])
    return value


def read(body: bytes, reader: Reader, puzzles: Puzzles) -> Any:
    """Parses a body in a worker's process. ``puzzles`` includes those the program has added."""
    PUZZLES.clear()
    PUZZLES.update(puzzles)
    return reader(fields_of(body))


def read_and_write(body: bytes, reader: Reader, puzzles: Puzzles) -> File:
    """Like `read`, and serializes the result in that process as well."""
    return File.of(read(body, reader, puzzles))


def warm_for(*readers: Reader) -> Callable[[Process], None]:
    """Has a worker load the readers, and waits, so that loading doesn't count as a request's time."""

    def warm(worker: Process) -> None:
        worker.run(Call(handed, readers, Limits(seconds=LOADING_SECONDS)))

    return warm


def handed(*_readers: Reader) -> None:
    """Does nothing: unpickling the arguments loads the readers."""
