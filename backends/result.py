"""The facts that backends report about a board, and the result that follows from them."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import NoneType
from typing import Any, NamedTuple, Protocol

from bsp_sat.backends.versions import versions
from bsp_sat.instances.errors import BackendError, GoalNotReached, IllegalMove, MalformedResult, PlanError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle
from bsp_sat.instances.text.words import quantity, short


class Status(StrEnum):
    """What has been proved."""

    OPTIMAL = "optimal"
    """The plan has minimum length."""

    FEASIBLE = "feasible"
    """The plan solves the board; a shorter one may exist."""

    UNSOLVABLE = "unsolvable"
    """No plan of any length exists."""

    UNKNOWN = "unknown"
    """Neither a plan nor a proof that there is none."""


class Ending(StrEnum):
    """What ended a run."""

    DONE = "done"
    """The backend ended by itself: it settled the board or gave up."""

    INTERRUPTED = "interrupted"
    """A signal or the caller."""

    TIME = "time-limit"
    MEMORY = "memory-limit"

    OUT_OF_MEMORY = "out-of-memory"
    """The backend ran out of memory."""

    KILLED = "killed"
    """A signal from outside ended the backend's process; SIGKILL usually means that the system ran out of memory."""


ADVICE = {
    Ending.DONE: "Try the default backend, auto.",
    Ending.INTERRUPTED: "Start again, and let it run longer.",
    Ending.TIME: "Allow more time.",
    Ending.MEMORY: "Allow more memory, or try another backend.",
    Ending.OUT_OF_MEMORY: "Free some memory, or try another backend.",
    Ending.KILLED: "Free some memory, or try another backend.",
}
"""What to try where a run ended before the board was settled."""


def sentences(
    status: Status, length: int | None, bound: int | None, max_steps: int | None, ending: Ending, reason: str
) -> str:
    """An answer in one to three sentences; the arguments are those of `bsp_sat.backends.result.Result`."""
    why = f" ({reason})" if reason else ""
    match status:
        case Status.OPTIMAL:
            return f"Optimal: {quantity(length, 'move')}. No plan is shorter."
        case Status.UNSOLVABLE:
            return f"Unsolvable: no plan exists, proved{why}."
        case Status.FEASIBLE:
            least = f"; no plan has fewer than {bound}" if bound else ""
            return f"Feasible: {quantity(length, 'move')}{least}{why}. {ADVICE[ending]}"
        case Status.UNKNOWN if excludes(bound, max_steps):
            least = f"Every plan has at least {quantity(bound, 'move')}"
            return f"{least}, so there is none within {max_steps}. Allow more moves, or set no limit."
        case Status.UNKNOWN:
            return f"Unknown: {no_plan_yet(bound, max_steps)}{why}. {ADVICE[ending]}"


def no_plan_yet(bound: int | None, max_steps: int | None = None) -> str:
    """What is known without a plan, such as ``at least 200 moves; no plan yet, the board may have none``."""
    least = f"at least {quantity(bound, 'move')}; " if bound else ""
    sought = "" if max_steps is None else f" of at most {quantity(max_steps, 'move')}"
    return f"{least}no plan{sought} yet, the board may have none"


def excludes(bound: int | None, max_steps: int | None) -> bool:
    """Whether a lower bound leaves no plan of at most ``max_steps`` moves."""
    return bound is not None and max_steps is not None and bound > max_steps


def refused(who: str, refusal: str, puzzle: AnyPuzzle) -> str:
    """Why a backend doesn't try a board, and what to try; ``refusal`` is that of `bsp_sat.instances.scope.Scope`."""
    if HIDDEN in puzzle.features():
        return f"{who} {refusal}; `bsp-sat play` and, in Python, Explorer guide you through this one"
    return f"{who} {refusal}; the default, auto, takes it"


class Asks(StrEnum):
    """What is bounded by the horizon of a question."""

    AT_MOST = "at most"
    """Is there a plan of at most that many moves?"""

    EXACTLY = "exactly"
    """Is there a plan of exactly that many moves?"""

    ANY = "any"
    """Is there a plan at all?"""


class Question(NamedTuple):
    """One question to a SAT solver or to CP-SAT: is there a plan within a horizon?

    ``layers`` are the most layers of moves where an integer model bounds them (`bsp_sat.backends.cpsat.layered`).
    ``exact`` says whether the formula leaves plans out that the horizon allows, as `PlanFormula.exact` or too few
    layers may do; the answer "no" then proves nothing. ``clauses`` are without the assumptions; constraints of an
    integer model. ``satisfiable`` is None if the solver gave up, ``conflicts`` None if it doesn't count them;
    ``seconds`` is its wall time.
    """

    asks: Asks
    horizon: int | None
    layers: int | None
    exact: bool
    variables: int
    clauses: int
    satisfiable: bool | None
    conflicts: int | None
    seconds: float

    @property
    def refutes(self) -> bool:
        """Whether the answer proves that there is no such plan."""
        return self.satisfiable is False and not self.exact


class Counting(Protocol):
    """A solver that may count its conflicts."""

    @property
    def conflicts(self) -> int | None:
        """Conflicts in all answers so far; None if the solver doesn't count them."""


class Asking:
    """Measures what a solver needs for one question; made just before the solver is called."""

    def __init__(self, solver: Counting) -> None:
        self._solver, self._before, self._began = solver, solver.conflicts, time.perf_counter()

    def spent(self) -> tuple[int | None, float]:
        """Conflicts, None if the solver doesn't count them, and seconds."""
        seconds, after = time.perf_counter() - self._began, self._solver.conflicts
        return None if after is None else after - (self._before or 0), round(seconds, 6)


@dataclass(frozen=True)
class Result:
    """The answer to one board; impossible combinations can't be built.

    ``plan`` is the shortest plan found, replayed. ``lower_bound`` is proved for every plan; None if the board is
    unsolvable. ``reason`` is the argument for the status, or what stopped the backend, in a few words.
    ``peak_memory_mb`` is in MB (10⁶ bytes). ``stats`` are figures of the backend's own, such as ``expansions`` or
    ``conflicts``. ``max_steps`` is the longest plan of interest; None if any was. Results are compared without their
    board.
    """

    status: Status
    plan: Plan | None
    lower_bound: int | None
    reason: str
    backend: str
    encoding: str | None = None
    solver: str | None = None
    seconds: float = 0.0
    peak_memory_mb: float = 0.0
    stats: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ending: Ending = Ending.DONE
    max_steps: int | None = None
    questions: tuple[Question, ...] = ()
    board: AnyPuzzle | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuses impossible combinations."""
        has_plan = self.plan is not None
        if has_plan != (self.status in (Status.OPTIMAL, Status.FEASIBLE)):
            raise ValueError(f"{self.status} {'with' if has_plan else 'without'} a plan")
        if (self.lower_bound is None) != (self.status is Status.UNSOLVABLE):
            raise ValueError(f"{self.status} with lower bound {self.lower_bound}")
        if self.plan is not None and self.lower_bound is not None:
            gap = len(self.plan) - self.lower_bound
            if gap < 0 or (gap == 0) != (self.status is Status.OPTIMAL):
                raise ValueError(f"{self.status} with length {len(self.plan)} and bound {self.lower_bound}")

    @property
    def length(self) -> int | None:
        """Number of moves of the plan; None without a plan."""
        return None if self.plan is None else len(self.plan)

    @property
    def settled(self) -> bool:
        """Whether the status is final, or no plan of interest exists."""
        final = self.status in (Status.OPTIMAL, Status.UNSOLVABLE)
        return final or excludes(self.lower_bound, self.max_steps)

    @property
    def settled_by(self) -> str:
        """The backend that settled the board: of a chain of backends, one of its links."""
        return str(self.stats.get("settled_by", self.backend))

    def __str__(self) -> str:
        """The answer in one to three sentences: what is proved, then what to try."""
        return sentences(self.status, self.length, self.lower_bound, self.max_steps, self.ending, self.reason)

    def _repr_html_(self) -> str:
        """The answer, and the plan to step through, for notebooks."""
        from html import escape  # a notebook alone needs it

        words = "<br>".join(escape(line) for line in (str(self), *(f"Note: {note}." for note in self.notes)))
        board = self.board
        plan = "" if board is None or board.artist is None else board.artist.steps_of(board, self.plan)
        return f"<p>{words}</p>{plan}"

    @property
    def read_as(self) -> str:
        """What the board was taken for, see `bsp_sat.instances.puzzle.Puzzle.read_as`."""
        return "" if self.board is None else self.board.read_as

    @property
    def other_end(self) -> AnyPuzzle | None:
        """The board with the other end of each tube as its top, if nothing showed which it is."""
        return None if self.board is None else self.board.other_end

    def to_json(self, puzzle: AnyPuzzle | None = None) -> dict[str, Any]:
        """The result as a JSON object; ``puzzle`` is its board, for the plan of a result that was made without one."""
        board = puzzle or self.board
        if self.plan is not None and board is None:
            raise TypeError("this result doesn't know its board, which the plan needs: write result.to_json(board)")
        stats = dict(self.stats)
        if self.questions:
            stats["questions"] = [question._asdict() for question in self.questions]
        fields = {
            "status": str(self.status),
            "length": self.length,
            "lower_bound": self.lower_bound,
            "plan": None if self.plan is None or board is None else self.plan.to_json(board),
            "backend": self.backend,
            "encoding": self.encoding,
            "solver": self.solver,
            "seconds": round(self.seconds, 3),
            "peak_memory_mb": round(self.peak_memory_mb, 1),
            "ending": str(self.ending),
            "reason": self.reason,
            "notes": list(self.notes),
            "stats": stats,
            "versions": versions(),
        }
        return fields if self.max_steps is None else {**fields, "max_steps": self.max_steps}


TYPES: Mapping[str, tuple[type, ...]] = {
    "status": (str,),
    "length": (int, NoneType),
    "lower_bound": (int, NoneType),
    "plan": (list, NoneType),
    "backend": (str,),
    "encoding": (str, NoneType),
    "solver": (str, NoneType),
    "seconds": (int, float),
    "peak_memory_mb": (int, float),
    "ending": (str,),
    "reason": (str,),
    "notes": (list,),
    "stats": (dict,),
}
"""The keys that every result has in the result format, with their types."""

IN_WORDS = {
    str: "a string", int: "a whole number", float: "a number", list: "a list", dict: "an object", NoneType: "null",
}  # fmt: skip


def read_result(puzzle: AnyPuzzle, fields: Mapping[str, Any]) -> Result:
    """Reads what `Result.to_json` wrote, and checks it as far as possible: a plan is replayed.

    Refuses unknown words, a ``length`` that differs from the plan's, a bound above the length, and other
    contradictions. It can't check whether bounds and ``unsolvable`` are true. Unknown keys are ignored.

    MalformedResult names the key.
    """
    for key, types in TYPES.items():
        if key not in fields:
            raise MalformedResult(f"{key}: missing")
        if type(fields[key]) not in types:
            raise _malformed(fields, key, " or ".join(IN_WORDS[each] for each in types))
    if type(fields.get("max_steps")) not in (int, NoneType):
        raise _malformed(fields, "max_steps", "a whole number or null")
    for key in ("length", "lower_bound", "seconds", "peak_memory_mb", "max_steps"):
        if fields.get(key) is not None and not 0 <= fields[key] < math.inf:
            raise _malformed(fields, key, "a number from 0")
    if not all(type(note) is str for note in fields["notes"]):
        raise _malformed(fields, "notes", "strings")
    for key, words in (("status", Status), ("ending", Ending)):
        if fields[key] not in list(words):
            raise _malformed(fields, key, f"one of {', '.join(words)}")
    try:
        plan = None if fields["plan"] is None else Plan.from_json(puzzle, fields["plan"])
        if plan is not None:
            plan.replay(puzzle)
    except (PlanError, IllegalMove, GoalNotReached) as error:
        raise MalformedResult(f"plan: {error}") from None
    if fields["length"] != (None if plan is None else len(plan)):
        raise _malformed(fields, "length", "that of the plan")
    as_they_are = "backend", "encoding", "solver", "seconds", "peak_memory_mb", "stats", "reason"
    about = {key: fields[key] for key in as_they_are}
    about |= {"notes": tuple(fields["notes"]), "ending": Ending(fields["ending"]), "max_steps": fields.get("max_steps")}
    try:
        return Result(Status(fields["status"]), plan, fields["lower_bound"], **about, board=puzzle)
    except ValueError as error:
        raise MalformedResult(str(error)) from None


def _malformed(fields: Mapping[str, Any], key: str, expected: str) -> MalformedResult:
    return MalformedResult(f"{key}: expected {expected}, found {short(repr(fields[key]))}")


class Report(Protocol):
    """Receives facts from a backend as soon as they are proved."""

    @property
    def settled(self) -> bool:
        """Whether the facts so far settle the board."""

    def lower_bound(self, bound: int) -> None:
        """No plan has fewer than ``bound`` moves."""

    def plan(self, plan: Plan) -> None:
        """``plan`` solves the board."""

    def guide(self, plan: Plan) -> None:
        """``plan`` solves the board and guides the backend; it counts if the run ends before there is a shorter one."""

    def unsolvable(self, proof: str) -> None:
        """No plan exists; ``proof`` names the argument."""

    def progress(self, expansions: int, **figures: Any) -> None:
        """Sets the number of expanded states, and further figures as in `stats`; called several times a second."""

    def stats(self, **figures: Any) -> None:
        """Sets figures of the backend's own; the latest value of each counts."""

    def solver_answered(self, question: Question) -> None:
        """A solver has answered ``question``."""


class Findings(Report):
    """Facts about one board, collected as a backend reports them.

    A backend only states facts, and the status follows from them. So the answer is true whenever the backend is
    stopped. Every plan is replayed before it counts (BackendError), and the facts must agree. The board's own lower
    bound counts too, unless ``claims_bounds`` is false. ``max_steps`` is the longest plan of interest; None for any.
    """

    def __init__(
        self, puzzle: AnyPuzzle, backend: str, *, claims_bounds: bool = True, max_steps: int | None = None
    ) -> None:
        self.puzzle = puzzle
        self.backend = backend
        self.max_steps = max_steps
        self.bound = puzzle.lower_bound() if claims_bounds else 0
        self.best: Plan | None = None
        self.guided_by: Plan | None = None
        self.proof: str | None = None
        self.figures: dict[str, Any] = {}
        self.questions: list[Question] = []

    def lower_bound(self, bound: int) -> None:
        self.bound = max(self.bound, bound)
        self._check_consistency()

    def plan(self, plan: Plan) -> None:
        self._replay(plan)
        self._keep(plan)

    def guide(self, plan: Plan) -> None:
        self._replay(plan)
        self.guided_by = plan
        self.stats(guide=len(plan))

    def _replay(self, plan: Plan) -> None:
        try:
            plan.replay(self.puzzle)
        except (IllegalMove, GoalNotReached) as error:
            raise BackendError(f"{self.backend} reported a plan that does not replay: {error}") from error

    def _keep(self, plan: Plan) -> None:
        """Keeps a plan if it is the shortest so far; the plan is replayed elsewhere."""
        if self.best is None or len(plan) < len(self.best):
            self.best = plan
        self._check_consistency()

    def unsolvable(self, proof: str) -> None:
        self.proof = proof
        self._check_consistency()

    def progress(self, expansions: int, **figures: Any) -> None:
        self.stats(expansions=expansions, **figures)

    def stats(self, **figures: Any) -> None:
        self.figures.update(figures)

    def solver_answered(self, question: Question) -> None:
        self.questions.append(question)

    def _check_consistency(self) -> None:
        if self.best is None:
            return
        if self.proof is not None:
            raise BackendError(f"{self.backend} claims that a board it solved is unsolvable")
        if len(self.best) < self.bound:
            moves = quantity(len(self.best), "move")
            raise BackendError(f"{self.backend} claims a lower bound of {self.bound} and a plan of {moves}")

    @property
    def status(self) -> Status:
        """The status that follows from the facts."""
        if self.proof is not None:
            return Status.UNSOLVABLE
        if self.best is None:
            return Status.UNKNOWN
        return Status.OPTIMAL if len(self.best) == self.bound else Status.FEASIBLE

    @property
    def settled(self) -> bool:
        return self.status in (Status.OPTIMAL, Status.UNSOLVABLE) or excludes(self.bound, self.max_steps)

    def result(self, reason: str, **about: Any) -> Result:
        """The result so far. ``reason`` is used if the facts don't settle the board; ``about`` sets further fields."""
        guide = self.guided_by
        if guide is not None and not self.settled and (self.best is None or len(guide) < len(self.best)):
            self.stats(plan_by="a quick search")
            self._keep(guide)
        if self.proof is not None:
            reason = self.proof
        elif self.status is Status.OPTIMAL:
            reason = f"no plan has fewer than {quantity(self.bound, 'move')}"
        elif excludes(self.bound, self.max_steps):
            reason = f"no plan within {quantity(self.max_steps, 'move')}"
        bound = None if self.proof is not None else self.bound
        about = {"backend": self.backend, "stats": dict(self.figures), "board": self.puzzle, **about}
        about |= {"max_steps": self.max_steps, "questions": tuple(self.questions)}
        return Result(self.status, self.best, bound, reason, **about)
