"""What is done in a worker's process beside solving: functions, within limits and ended at any moment like a search."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from threading import Event
from typing import Any

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.process.limits import Limits, Progress
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import Result
from bsp_sat.instances import errors
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.sorting import BallSort
from bsp_sat.web.work.jobs import Tell, Told, Work

NOTHING = BallSort.from_tubes([[]], capacity=1)
"""A board for those who need none."""

START_SECONDS = 5.0  # until the compiler has said that it is at work; when it has failed, the worker compiles by itself
LOOK_SECONDS = 0.1
PROGRESS_SECONDS = 0.1  # between two words of a search that proves something all the time


@dataclass(frozen=True)
class Chore(Backend):
    """A call of a function; the figure ``answer`` has what it returns, ``refused`` the error that it raises instead.

    Attributes:
        function: of a module; what a generator yields are figures of how far it is.
        arguments: for it.
        compiled: whether it needs compiled code, which is then waited for.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    compiled: bool = True

    name = "chore"
    finds_plans = False
    claims_bounds = False

    def run(self, puzzle: Any, report: Report, max_steps: int | None = None) -> str:
        """Calls the function."""
        if self.compiled:
            wait_until_compiled(report)
        try:
            report.stats(answer=self._returned(report))
        except BspSatError as error:
            report.stats(refused=sendable(error))
        return "done"

    def _returned(self, report: Report) -> Any:
        returned = self.function(*self.arguments)
        while isinstance(returned, Generator):
            try:
                report.stats(**next(returned))
            except StopIteration as end:
                returned = end.value
        return returned


def sendable(error: BspSatError) -> BspSatError:
    """An error for another process, which is to load nothing for it.

    The server loads no numpy and no Pillow: where there is no memory for them, they end the whole process. So an error
    of a module of its own becomes `Unsupported`, with the same words.
    """
    return error if type(error).__module__ == errors.__name__ else Unsupported(str(error))


def raise_refusal(run: Result) -> None:
    """Raises the error that a run ended with, if it did with one that is meant for the user."""
    refused = run.stats.get("refused")
    if isinstance(refused, BspSatError):
        raise refused


def wait_until_compiled(report: Report) -> None:
    """Waits while another process makes the compiled code, once per installation."""
    # Imported here, in the worker's process: numpy and llvmlite.
    from bsp_sat.backends.kernel import code
    from bsp_sat.grading.compiled_code import GRADING

    for entry in (code.SEARCHING, GRADING):
        if code.file(entry) is None and code.can_be_kept():
            report.stats(compiling=True)
            code.compile_in_background(entry)
            began = time.monotonic()
            while code.file(entry) is None and (time.monotonic() - began < START_SECONDS or code.is_being_made(entry)):
                time.sleep(LOOK_SECONDS)
            report.stats(compiling=False)


def chore(
    limits: Limits, function: Callable[..., Any], *arguments: Any, compiled: bool = True, told: tuple[str, ...] = ()
) -> Work:
    """The work of calling a function, which ends in ``answer`` with what it returns; see `call`."""

    def work(worker: Worker, stop: Event, tell: Tell) -> Told:
        return "answer", call(worker, stop, tell, limits, Chore(function, arguments, compiled), *told)

    return work


def call(worker: Worker, stop: Event, tell: Tell, limits: Limits, what: Chore, *told: str) -> Any:
    """Calls a function in a worker's process; progress has the figures ``told`` as well.

    Raises:
        BspSatError: what the function raises.
        Unsupported: a limit came first.
        BackendError: the process crashed.
    """
    run = worker.run(what, NOTHING, limits, Pace(tell, *told), stop)
    raise_refusal(run)
    if "answer" not in run.stats:
        raise Unsupported(f"no answer: {why_not(run)}")
    return run.stats["answer"]


def why_not(run: Result) -> str:
    """Why a run has come to nothing."""
    if run.stats.get("compiling"):
        return "the search is still being compiled, once per installation; try again in a moment"
    return run.reason


class Pace:
    """A hook for progress that tells it, but not all the time.

    Args:
        tell: who is told.
        further: figures of the backend that are told as well.
    """

    def __init__(self, tell: Tell, *further: str) -> None:
        self._tell = tell
        self._further = further
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        """What `ProgressHook` is."""
        if progress.seconds < self._next:
            return
        self._next = progress.seconds + PROGRESS_SECONDS
        figures = progress.figures
        self._tell(
            "progress",
            {
                "lower": None if progress.backend == Chore.name else progress.lower_bound,
                "upper": progress.length,
                "seconds": round(progress.seconds, 2),
                "phase": "compiling" if figures.get("compiling") else "searching",
                **{name: figures[name] for name in self._further if name in figures},
            },
        )
