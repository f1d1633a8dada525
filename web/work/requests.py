"""Reading what is asked, in a process that can be ended: it comes from anybody, and may have been made to take long."""

from collections.abc import Callable, Mapping
from typing import Any

from bsp_sat.backends.process.call import Call
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.process.worker import Worker
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.web.errors import Refused
from bsp_sat.web.request_fields import fields_of
from bsp_sat.web.work.calls import calling
from bsp_sat.web.work.work_queue import File, WorkQueue

READING = Limits(seconds=3.0, memory_mb=300.0)  # the largest requests take 0.1 s
LOADING_SECONDS = 60.0  # a process that can't load what it needs

Puzzles = Mapping[str, type[AnyPuzzle]]
Reader = Callable[[Mapping[str, Any]], Any]
"""Makes something of the JSON object in a body: of a module, as another process has to find it."""


async def asked_of(jobs: WorkQueue, body: bytes, reader: Reader) -> Any:
    """What a reader makes of a body.

    Raises:
        Refused: in the words of what the reader raises; or a limit came first, or there is no process for it.
        QueueFull: there is no place for it.
    """
    return await _done(jobs, read, body, reader)


async def answer_of(jobs: WorkQueue, body: bytes, reader: Reader) -> File:
    """What a reader makes of a body, as it is sent.

    Raises:
        Refused, QueueFull: as `asked_of`.
    """
    file = await _done(jobs, read_and_write, body, reader)
    assert isinstance(file, File)
    return file


async def _done(jobs: WorkQueue, function: Callable[[bytes, Reader, Puzzles], Any], body: bytes, reader: Reader) -> Any:
    job = jobs.enter(calling(READING, function, body, reader, PUZZLES))
    name, value = await job.last_word()
    if name == "error":
        raise Refused(job.status, value["error"])
    return value


def read(body: bytes, reader: Reader, puzzles: Puzzles) -> Any:
    """What a reader makes of a body, in a worker's process, which has to be given puzzles that the program added."""
    PUZZLES.clear()
    PUZZLES.update(puzzles)
    return reader(fields_of(body))


def read_and_write(body: bytes, reader: Reader, puzzles: Puzzles) -> File:
    """The same as it is sent, written there as well."""
    return File.of(read(body, reader, puzzles))


def warm_for(*readers: Reader) -> Callable[[Worker], None]:
    """Makes a worker ready for readers; waits for that, as what it takes is not to count as a request's."""

    def warm(worker: Worker) -> None:
        worker.run(Call(handed, readers), Limits(seconds=LOADING_SECONDS))

    return warm


def handed(*_readers: Reader) -> None:
    """Does nothing: a process that is handed the readers has loaded them."""
