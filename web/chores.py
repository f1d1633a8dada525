"""What is done in a worker's process beside solving: functions, within limits and ended at any moment like a search."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Any

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import Ending
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.sorting import BallSort
from bsp_sat.web.jobs import Tell, Told, Work

NOTHING = BallSort.from_tubes([[]], capacity=1)
"""A board for those who need none."""


@dataclass(frozen=True)
class Chore(Backend):
    """A call of a function; the figure ``answer`` has what it returns, ``refused`` the error that it raises instead.

    Attributes:
        function: of a module.
        arguments: for it.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    name = "chore"
    finds_plans = False
    claims_bounds = False

    def run(self, puzzle: Any, report: Report, max_steps: int | None = None) -> str:
        """Calls the function."""
        try:
            report.stats(answer=self.function(*self.arguments))
        except BspSatError as error:
            report.stats(refused=error)
        return "done"


def chore(limits: Limits, function: Callable[..., Any], *arguments: Any) -> Work:
    """The work of calling a function, which ends in ``answer`` with what it returns."""

    def work(worker: Worker, stop: Event, _tell: Tell) -> Told:
        return "answer", call(worker, stop, limits, function, *arguments)

    return work


def call(worker: Worker, stop: Event, limits: Limits, function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function in a worker's process.

    Raises:
        BspSatError: what the function raises.
        Unsupported: a limit came first.
        BackendError: the process crashed.
    """
    run = worker.run(Chore(function, arguments), NOTHING, limits, stop=stop)
    if "refused" in run.stats:
        refused = run.stats["refused"]
        assert isinstance(refused, BspSatError)
        raise refused
    if "answer" not in run.stats:
        words = run.reason if run.ending is not Ending.OUT_OF_MEMORY else "out of memory"
        raise Unsupported(f"no answer: {words}")
    return run.stats["answer"]
