"""Functions in a worker's process, within limits and ended at any moment like a search; and progress of both."""

from collections.abc import Callable, Generator, Mapping
from threading import Event
from typing import Any

from bsp_sat.backends.process.call import Call, Returned, value_of
from bsp_sat.backends.process.limits import Limits, Progress
from bsp_sat.backends.process.run import Run
from bsp_sat.backends.process.worker import Worker
from bsp_sat.instances.errors import Unsupported
from bsp_sat.web.work.work_queue import Tell, Told, Work

PROGRESS_SECONDS = 0.1  # between two events of a search that proves something all the time


def calling(
    limits: Limits, function: Callable[..., Any], *arguments: Any, compiled: bool = True, shown: tuple[str, ...] = ()
) -> Work:
    """The work of calling a function, which ends in ``answer`` with what it returns.

    Args:
        limits: of time and memory.
        function: of a module; what a generator yields are figures of how far it is.
        *arguments: for it.
        compiled: whether it needs compiled code, which is then waited for.
        shown: the figures that progress has as well.
    """
    what = Call(with_compiled_code, (function, *arguments)) if compiled else Call(function, arguments)

    def work(worker: Worker, stop: Event, tell: Tell) -> Told:
        return "answer", call(worker, stop, tell, limits, what, *shown)

    return work


def call(worker: Worker, stop: Event, tell: Tell, limits: Limits, what: Call[Any], *shown: str) -> Any:
    """Calls a function in a worker's process; progress has the figures ``shown`` as well.

    Raises:
        BspSatError: what the function raises.
        Unsupported: a limit came first.
        BackendError: the process crashed.
    """
    pace = Pace(tell, *shown)

    def show(run: Run[Returned[Any]]) -> None:
        pace.show(run.seconds(), None, None, run.findings.figures)

    run = worker.run(what, limits, show, stop)
    if not run.findings.settled and run.findings.figures.get("compiling"):
        raise Unsupported("no answer: the search is still being compiled, once per installation; try again in a moment")
    return value_of(run)


def with_compiled_code(function: Callable[..., Any], *arguments: Any) -> Generator[dict[str, Any], None, Any]:
    """Waits while another process makes the compiled code, once per installation, and calls a function then."""
    yield from wait_for_compiled_code()
    value = function(*arguments)
    return (yield from value) if isinstance(value, Generator) else value


def wait_for_compiled_code() -> Generator[dict[str, Any], None, None]:
    """Waits, and yields meanwhile that it does."""
    # Imported here, in the worker's process: numpy and llvmlite.
    from bsp_sat.backends.kernel import MACHINE_CODE

    for code in MACHINE_CODE:
        compilation = code.compile_in_background()
        if compilation is not None:
            yield {"compiling": True}
            compilation.wait()
            yield {"compiling": False}


class Pace:
    """Tells how far something is, but not all the time.

    Args:
        tell: where events go.
        shown: names of figures that events have as well.
    """

    def __init__(self, tell: Tell, *shown: str) -> None:
        self._tell = tell
        self._shown = shown
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        """What `ProgressHook` is."""
        self.show(progress.seconds, progress.lower_bound, progress.length, progress.figures)

    def show(self, seconds: float, lower: int | None, upper: int | None, figures: Mapping[str, Any]) -> None:
        """Tells it, where the last time is long enough ago."""
        if seconds < self._next:
            return
        self._next = seconds + PROGRESS_SECONDS
        self._tell(
            "progress",
            {
                "lower": lower,
                "upper": upper,
                "seconds": round(seconds, 2),
                "phase": "compiling" if figures.get("compiling") else "searching",
                **{name: figures[name] for name in self._shown if name in figures},
            },
        )
