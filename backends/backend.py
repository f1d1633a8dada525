"""What a backend is."""

from abc import ABC, abstractmethod
from typing import Any, Protocol, Self

from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


class Report(Protocol):
    """Where a backend states what it has proved, as soon as it has."""

    @property
    def settled(self) -> bool:
        """Whether all that was stated here leaves nothing to find out."""

    def lower_bound(self, bound: int) -> None:
        """No plan has fewer than ``bound`` moves."""

    def plan(self, plan: Plan) -> None:
        """``plan`` solves the board."""

    def unsolvable(self, proof: str) -> None:
        """No plan exists; ``proof`` names the argument."""

    def stats(self, **figures: Any) -> None:
        """Figures of the backend's own, the latest value of each counts."""


class Relay(ABC):
    """A report that passes facts on to another one.

    Attributes:
        report: the other one.
    """

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def settled(self) -> bool:
        """See `Report.settled`."""
        return self.report.settled

    def lower_bound(self, bound: int) -> None:
        """See `Report.lower_bound`."""
        self.report.lower_bound(bound)
        self.look()

    def plan(self, plan: Plan) -> None:
        """See `Report.plan`."""
        self.report.plan(plan)
        self.look()

    def unsolvable(self, proof: str) -> None:
        """See `Report.unsolvable`."""
        self.report.unsolvable(proof)
        self.look()

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        self.report.stats(**figures)
        self.look()

    @abstractmethod
    def look(self) -> None:
        """What to do after each fact."""


class Backend(Protocol):
    """A way to solve boards: an immutable set of choices with one method.

    Backends know nothing of limits, signals or screens. They run in a process of their own, which
    `bsp_sat.backends.process.supervisor` ends when a limit is reached.
    """

    @property
    def name(self) -> str:
        """The backend's name on the command line."""

    @property
    def encoding_name(self) -> str | None:
        """The encoding's name, where one is used."""

    @property
    def solver_name(self) -> str | None:
        """The solver's name, where one is used."""

    @property
    def claims_bounds(self) -> bool:
        """Whether it answers for the length of its plans; without that no plan of it is called optimal."""

    def within(self, memory_mb: float) -> "Backend":
        """The backend with choices that keep its process below so many MB (10⁶ bytes), as far as it has any."""

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses a puzzle that this backend can't solve, before any process is started.

        Raises:
            Unsupported: saying what is offered instead.
        """

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None) -> str:
        """Solves ``puzzle`` and reports what it proves.

        Args:
            puzzle: the board.
            report: where facts go.
            max_steps: longest plan of interest; None for no limit.

        Returns:
            Why it stopped, for a result that isn't settled.
        """


class BackendDefaults:
    """What most backends have in common."""

    claims_bounds: bool = True

    def within(self, memory_mb: float) -> Self:
        """The backend as it is: most have no say in their memory."""
        return self


class SearchBackend(BackendDefaults):
    """What backends without encoding and solver share: they take every puzzle."""

    encoding_name: str | None = None
    solver_name: str | None = None

    def check(self, puzzle: AnyPuzzle) -> None:
        """Accepts every puzzle."""
