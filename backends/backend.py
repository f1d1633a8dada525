"""The interface of backends."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.backends.result import Question, Status, refused
from bsp_sat.backends.result import Report as Report
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.text.words import did_you_mean, short


class Relay(Report):
    """A report that passes facts on to another report."""

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def settled(self) -> bool:
        return self.report.settled

    def lower_bound(self, bound: int) -> None:
        self.report.lower_bound(bound)
        self.after_fact()

    def plan(self, plan: Plan) -> None:
        self.report.plan(plan)
        self.after_fact()

    def guide(self, plan: Plan) -> None:
        self.report.guide(plan)

    def unsolvable(self, proof: str) -> None:
        self.report.unsolvable(proof)
        self.after_fact()

    def progress(self, expansions: int, **figures: Any) -> None:
        self.report.progress(expansions, **figures)
        self.after_fact()

    def stats(self, **figures: Any) -> None:
        self.report.stats(**figures)
        self.after_fact()

    def solver_answered(self, question: Question) -> None:
        self.report.solver_answered(question)
        self.after_fact()

    def after_fact(self) -> None:
        """Called after each fact."""


class Ended(Exception):
    """Raised by a `Relay` to end the backend that reports to it."""


class Choice(NamedTuple):
    """A choice that one word of a specification makes.

    ``values``: the value of each word; a function, as some values need imports.
    """

    field: str
    values: Callable[[], Mapping[str, Any]]
    summary: str


class Backend(ABC):
    """A way to solve boards: an immutable set of choices with one method.

    Those that are chosen by name are frozen dataclasses. Backends don't handle limits, signals or output. They run in a
    process of their own, which `bsp_sat.backends.run` ends when a limit is reached.

    Class attributes declare what a backend can do; messages, tests, ``auto`` and the tables of docs/ use them.
    """

    name: ClassVar[str]
    """The backend's name in specifications and results."""

    scope: ClassVar[Scope] = Scope()
    """The boards that it takes."""

    finds_plans: ClassVar[bool] = True
    """Whether it searches for plans."""

    claims_bounds: ClassVar[bool] = True
    """Whether a plan as short as the board's own lower bound counts as optimal."""

    rests_on: ClassVar[str] = "the rules, and the argument of the backend"
    """What its proofs rest on, in words: see `bsp_sat.backends.explanation`."""

    counts: ClassVar[str] = ""
    """The figure that counts what its proof looked at, ``expansions`` for states; empty if there is none."""

    no_plan: ClassVar[str] = "The search looked at {states}, for all that can follow, and none is solved."
    """Why no plan exists, in words with that figure, as ``states`` or ``tables``."""

    choices: ClassVar[tuple[Choice, ...]] = ()
    """The choices that words of a specification make."""

    @property
    def proves(self) -> frozenset[Status]:
        """What it can prove: ``optimal``, ``unsolvable``, both or neither."""
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE})

    @property
    def encoding_name(self) -> str | None:
        """The name of the encoding, if there is one."""
        return None

    @property
    def solver_name(self) -> str | None:
        """The name of the solver, if there is one."""
        return None

    @classmethod
    def from_words(cls, words: Sequence[str], settings: Mapping[str, str]) -> Self:
        """The backend with words that each pick one value of `choices`, and settings. Raises Unsupported."""
        chosen: dict[str, Any] = cls._settings(settings)
        for word in words:
            choice = next((each for each in cls.choices if word in each.values()), None)
            if choice is None:
                suggestion = did_you_mean(word, (known for each in cls.choices for known in each.values()))
                problem = f"has no choice {short(repr(word))}, {cls._expected()}{suggestion}"
                raise Unsupported(f"backend {cls.name} {problem}")
            if choice.field in chosen:
                problem = f"expected one {choice.summary}, found {short(repr(word))} as well"
                raise Unsupported(f"backend {cls.name}: {problem}")
            chosen[choice.field] = choice.values()[word]
        return cls(**chosen)

    @classmethod
    def _settings(cls, settings: Mapping[str, str]) -> dict[str, Any]:
        """The fields that settings set; by default, a backend has no settings."""
        for key in settings:
            raise Unsupported(f"backend {cls.name} has no setting {short(repr(key))}")
        return {}

    def _written_settings(self) -> Mapping[str, str]:
        """The settings in the form that `_settings` reads; by default none."""
        return {}

    @property
    def specification(self) -> str:
        """The text of which `make_backend` makes this backend, without fields that no word can set."""
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
        """Refuses a board that this backend can't solve, before any process is started, with Unsupported."""
        puzzle.check()
        if (refusal := self.scope.refusal(puzzle)) is not None:
            raise Unsupported(refused(f"backend {self.name}", refusal, puzzle))

    def takes(self, puzzle: AnyPuzzle) -> bool:
        """Whether `check` accepts a board."""
        try:
            self.check(puzzle)
        except Unsupported:
            return False
        return True

    def for_board(self, puzzle: AnyPuzzle) -> "Backend":
        """The backend with all open choices made for a board. Unsupported if it doesn't take the board."""
        self.check(puzzle)
        return self

    def within(self, memory_mb: float) -> "Backend":
        """The backend, limited to this much memory in MB (10⁶ bytes) as far as its own choices allow."""
        return self

    def sharing(self, memory_mb: float) -> "Backend":
        """Like `within`, but it ends with a MemoryError if more memory would help: it can run again with more."""
        return self.within(memory_mb)

    def on_cores(self, cores: int) -> "Backend":
        """The backend with this number of threads, as far as it can use them for one board."""
        return self

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """Loads what `run` needs; called in a thread of the child process while the board is still being read."""

    def short_search(self, puzzle: AnyPuzzle) -> "Backend | None":
        """A search that takes less time than the start of a process, and settles most such boards; None for none."""
        return None

    def solves_together(self, puzzle: AnyPuzzle) -> bool:
        """Whether `solve_together` takes a board, for which `for_board` has been called."""
        return False

    def solve_together(
        self, boards: Sequence[tuple[AnyPuzzle, Report, int | None]], go_on: Callable[[], bool] = lambda: True
    ) -> int:
        """Solves boards in order, each by a short search, up to the first one that isn't settled; returns how many are.

        ``boards`` are the arguments of `run` for each. After the first, ``go_on`` is asked from time to time.
        """
        return 0

    @abstractmethod
    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Solves ``puzzle``, which it takes, and reports what it proves.

        ``max_steps`` is the longest plan of interest; None for no limit. Returns why it stopped, in words, for boards
        that aren't settled.
        """
