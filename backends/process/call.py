"""Calling a function as a job."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bsp_sat.backends.process.job import Job, Pipe
from bsp_sat.instances import errors
from bsp_sat.instances.errors import BspSatError, Unsupported

if TYPE_CHECKING:
    from bsp_sat.backends.process.run import Run

T = TypeVar("T")


class Returned(Generic[T]):
    """What a function has returned or raised.

    Attributes:
        values: what it returned, one value; empty until then.
        error: the error of the package's own that it raised.
        figures: figures of its progress, the latest value of each.
    """

    def __init__(self) -> None:
        self.figures: dict[str, Any] = {}
        self.values: list[T] = []
        self.error: BspSatError | None = None

    @property
    def settled(self) -> bool:
        """Whether the function has ended."""
        return bool(self.values) or self.error is not None

    def stats(self, **figures: Any) -> None:
        """Takes figures of its progress."""
        self.figures.update(figures)

    def returned(self, value: T) -> None:
        """Takes what it returned."""
        self.values.append(value)

    def raised(self, error: BspSatError) -> None:
        """Takes what it raised."""
        self.error = error


@dataclass(frozen=True)
class Call(Job[Returned[T]], Generic[T]):
    """A call of a function of a module.

    Attributes:
        function: returns the value, or is a generator that returns it; what that yields are figures of its progress.
        arguments: for it.
    """

    function: Callable[..., T] | Callable[..., Generator[dict[str, Any], None, T]]
    arguments: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The function's."""
        return self.function.__name__

    def collector(self) -> Returned[T]:
        """What it returns or raises."""
        return Returned()

    def run(self, pipe: Pipe) -> str:
        """Calls the function."""
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


def _sendable(error: BspSatError) -> BspSatError:
    """An error for another process, which is to load nothing for it.

    The page's server loads no numpy and no Pillow: where there is no memory for them, they end the whole process. So an
    error of a module of its own becomes `Unsupported`, with the same words.
    """
    return error if type(error).__module__ == errors.__name__ else Unsupported(str(error))


def value_of(run: "Run[Returned[T]]") -> T:
    """What the function returned, in a run that has ended.

    Raises:
        BspSatError: what the function raised.
        Unsupported: something else ended the run.
    """
    found = run.findings
    if found.error is not None:
        raise found.error
    if not found.values:
        raise Unsupported(f"no answer: {run.reason}")
    return found.values[0]
