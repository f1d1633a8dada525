"""A job that calls a function."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run.job import Job, Pipe, Run
from bsp_sat.instances import errors
from bsp_sat.instances.errors import BspSatError, Unsupported

T = TypeVar("T")


class Returned(Generic[T]):
    """The outcome of a call. ``values``: the returned value; empty before the function returns."""

    def __init__(self) -> None:
        self.figures: dict[str, Any] = {}
        self.values: list[T] = []
        self.error: BspSatError | None = None

    @property
    def settled(self) -> bool:
        """Whether the function has ended."""
        return bool(self.values) or self.error is not None

    def stats(self, **figures: Any) -> None:
        """Records progress figures."""
        self.figures.update(figures)

    def returned(self, value: T) -> None:
        """Records the returned value."""
        self.values.append(value)

    def raised(self, error: BspSatError) -> None:
        """Records the raised error."""
        self.error = error


@dataclass(frozen=True)
class Call(Job[Returned[T], T], Generic[T]):
    """A call of a module-level function. Its result is the returned value.

    ``function``: returns the value, or is a generator that yields progress figures and returns the value.
    """

    function: Callable[..., T] | Callable[..., Generator[dict[str, Any], None, T]]
    arguments: tuple[Any, ...] = ()
    limits: Limits = field(default_factory=Limits)
    keeps: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    def collector(self) -> Returned[T]:
        return Returned()

    def run(self, pipe: Pipe) -> str:
        try:
            pipe.put("returned", self._value(pipe))
        except BspSatError as error:
            pipe.put("raised", _sendable(error))
        return "done"

    def _value(self, pipe: Pipe) -> Any:
        value: Any = self.function(*self.arguments)
        while isinstance(value, Generator):
            try:
                pipe.send("stats", **next(value))
            except StopIteration as end:
                value = end.value
        return value

    def result(self, run: Run[Returned[T]]) -> T:
        """The value that the function returned, or the error that it raised; Unsupported if the run ended before."""
        found = run.findings
        if found.error is not None:
            raise found.error
        if not found.values:
            raise Unsupported(f"no answer: {run.reason}")
        return found.values[0]


def _sendable(error: BspSatError) -> BspSatError:
    """The error in a form that another process can load without further imports.

    The page's server must not load numpy or Pillow: if memory is short, loading them ends the whole process. So an
    error class of any other module becomes `Unsupported` with the same message.
    """
    return error if type(error).__module__ == errors.__name__ else Unsupported(str(error))
