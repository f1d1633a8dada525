"""What a backend is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from bsp_sat.backends.result import Status
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.text.words import short


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

    def progress(self, expansions: int, **figures: Any) -> None:
        """So many states have been expanded; a search says so several times a second. Further figures as in `stats`."""

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

    def progress(self, expansions: int, **figures: Any) -> None:
        """See `Report.progress`."""
        self.report.progress(expansions, **figures)
        self.look()

    def stats(self, **figures: Any) -> None:
        """See `Report.stats`."""
        self.report.stats(**figures)
        self.look()

    @abstractmethod
    def look(self) -> None:
        """What to do after each fact."""


class Ended(Exception):
    """Raised by a `Relay` to end the backend that reports to it."""


@dataclass(frozen=True)
class Choice:
    """A choice that a backend's specification may name by one word.

    Attributes:
        field: the field of the backend that it sets.
        values: the words, with the value that each stands for; a function, as some of them take imports.
        summary: what is chosen, for messages and help.
    """

    field: str
    values: Callable[[], Mapping[str, Any]]
    summary: str


class Backend(ABC):
    """A way to solve boards: an immutable set of choices with one method. Subclasses are frozen dataclasses.

    Backends know nothing of limits, signals or screens. They run in a process of their own, which
    `bsp_sat.backends.process` ends when a limit is reached.

    What a backend can do is declared here, once; messages, tests, ``auto`` and the tables of docs/ go by it.
    """

    name: ClassVar[str]
    """The backend's name in specifications and results."""

    scope: ClassVar[Scope] = Scope()
    """The boards that it takes."""

    finds_plans: ClassVar[bool] = True
    """Whether it looks for plans at all."""

    complete: ClassVar[bool] = True
    """Whether it comes, with time and memory enough, to all that it can prove; if not, it may give up."""

    claims_bounds: ClassVar[bool] = True
    """Whether it answers for the length of its plans, so that one as short as the board's own bound is optimal."""

    choices: ClassVar[tuple[Choice, ...]] = ()
    """What words in a specification choose."""

    @property
    def proves(self) -> frozenset[Status]:
        """What it can prove: ``optimal``, ``unsolvable``, both or neither."""
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE})

    @property
    def encoding_name(self) -> str | None:
        """The encoding's name, where one is used."""
        return None

    @property
    def solver_name(self) -> str | None:
        """The solver's name, where one is used."""
        return None

    @classmethod
    def from_words(cls, words: Sequence[str], settings: Mapping[str, str]) -> Self:
        """The backend with the choices and settings of a specification.

        Args:
            words: each picks one value of one of `choices`.
            settings: ``KEY=VALUE`` pairs.

        Raises:
            Unsupported: a word or a key that means nothing here, or a choice made twice.
        """
        chosen: dict[str, Any] = cls._settings(settings)
        for word in words:
            choice = next((each for each in cls.choices if word in each.values()), None)
            if choice is None:
                raise Unsupported(f"backend {cls.name} has no choice {short(repr(word))}, {cls._expected()}")
            if choice.field in chosen:
                raise Unsupported(
                    f"backend {cls.name}: expected one {choice.summary}, found {short(repr(word))} as well"
                )
            chosen[choice.field] = choice.values()[word]
        return cls(**chosen)

    @classmethod
    def _settings(cls, settings: Mapping[str, str]) -> dict[str, Any]:
        """The fields that settings stand for; no setting at all where a backend doesn't say otherwise."""
        for key in settings:
            raise Unsupported(f"backend {cls.name} has no setting {short(repr(key))}")
        return {}

    def _written_settings(self) -> Mapping[str, str]:
        """The settings that `_settings` reads; none where a backend doesn't say otherwise."""
        return {}

    @property
    def specification(self) -> str:
        """The one word that `bsp_sat.backends.registry.make_backend` makes this backend from.

        Fields that no word can set are left out.
        """
        words = [
            word
            for choice in self.choices
            for word, value in choice.values().items()
            if value == getattr(self, choice.field)
        ]
        settings = (f"{key}={value}" for key, value in sorted(self._written_settings().items()))
        return ":".join([self.name, *words, *settings])

    @classmethod
    def _expected(cls) -> str:
        known = [f"{choice.summary} ({', '.join(choice.values())})" for choice in cls.choices]
        return f"expected {', '.join(known)}" if known else "expected none"

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses a board that this backend can't solve, before any process is started.

        Raises:
            Unsupported: saying what it takes.
        """
        self.scope.check(f"backend {self.name}", puzzle)

    def takes(self, puzzle: AnyPuzzle) -> bool:
        """Whether `check` accepts a board."""
        try:
            self.check(puzzle)
        except Unsupported:
            return False
        return True

    def for_board(self, puzzle: AnyPuzzle) -> "Backend":
        """The backend with what was left open chosen for a board.

        Raises:
            Unsupported: it doesn't take the board.
        """
        self.check(puzzle)
        return self

    def within(self, memory_mb: float) -> "Backend":
        """The backend with choices that keep its process below so many MB (10⁶ bytes), as far as it has any."""
        return self

    def sharing(self, memory_mb: float) -> "Backend":
        """As `within`, but where more would help it ends with a MemoryError: it can have more later."""
        return self.within(memory_mb)

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """Loads what `run` will need, in its process and a thread beside it, while the board is still being read."""

    @abstractmethod
    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Solves ``puzzle``, which it takes, and reports what it proves.

        Args:
            puzzle: the board.
            report: where facts go.
            max_steps: longest plan of interest; None for no limit.

        Returns:
            Why it stopped, for a person, where what it reported doesn't settle the board.
        """
