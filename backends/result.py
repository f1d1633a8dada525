"""The facts that backends report about a board, and the result that follows from them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from types import NoneType
from typing import Any

from bsp_sat.instances.errors import BspSatError, GoalNotReached, IllegalMove, PlanError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.words import short


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


class BackendError(BspSatError):
    """A backend contradicts the rules or itself: a bug, never the user's fault."""


@dataclass(frozen=True)
class Result:
    """The answer to one board; impossible combinations can't be built.

    Attributes:
        status: what has been proved.
        plan: the shortest plan found; it has been replayed.
        lower_bound: a proved lower bound on the length of every plan; None if the board is unsolvable.
        reason: the argument for the status, or what stopped the backend, in a few words.
        backend: name of the backend.
        encoding: name of the encoding, if the backend uses one.
        solver: name of the solver, if the backend uses one.
        seconds: wall time.
        peak_memory_mb: peak memory of the backend, in MB (10⁶ bytes).
        stats: figures of the backend's own, such as ``expansions`` or ``conflicts``.
        notes: further messages for the user.
        ending: what ended the run.
        board: the board that was solved; None if the result was made without one. Results are compared without it.
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
    def verdict(self) -> str:
        """The answer in one or two sentences; the first word is the status."""
        match self.status:
            case Status.OPTIMAL:
                return f"Optimal: {_moves(self.length)}. No plan is shorter."
            case Status.FEASIBLE:
                least = f"Every plan has at least {self.lower_bound}; the" if self.lower_bound else "The"
                return f"Feasible: {_moves(self.length)}. {least} shortest is not proved ({self.reason})."
            case Status.UNSOLVABLE:
                return f"Unsolvable: no plan exists, proved ({self.reason})."
            case Status.UNKNOWN:
                least = _moves(self.lower_bound)
                return f"Unknown: {self.reason}. Every plan, if there is one, has at least {least}."

    def _repr_html_(self) -> str:
        """The verdict, and the plan to step through, for notebooks."""
        # Imported here: only notebooks ask for it.
        from bsp_sat.drawing.notebook import shown_plan

        verdict = "<br>".join(escape(line) for line in (self.verdict, *(f"Note: {note}." for note in self.notes)))
        plan = "" if self.board is None else shown_plan(self.board, self.plan)
        return f"<p>{verdict}</p>{plan}"

    def to_json(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """The result as a JSON object; ``puzzle`` is the board that was solved."""
        return {
            "status": str(self.status),
            "length": self.length,
            "lower_bound": self.lower_bound,
            "plan": None if self.plan is None else self.plan.to_json(puzzle),
            "backend": self.backend,
            "encoding": self.encoding,
            "solver": self.solver,
            "seconds": round(self.seconds, 3),
            "peak_memory_mb": round(self.peak_memory_mb, 1),
            "ending": str(self.ending),
            "reason": self.reason,
            "notes": list(self.notes),
            "stats": dict(self.stats),
        }


def _moves(count: int | None) -> str:
    return f"{count} move{'' if count == 1 else 's'}"


class MalformedResult(BspSatError):
    """A JSON object isn't a result in the result format, or contradicts itself."""


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
"""The keys of the result format, with their types."""

IN_WORDS = {
    str: "a string", int: "a whole number", float: "a number", list: "a list", dict: "an object", NoneType: "null",
}  # fmt: skip


def read_result(puzzle: AnyPuzzle, fields: Mapping[str, Any]) -> Result:
    """Reads what `Result.to_json` wrote, and checks it as far as possible: a plan is replayed.

    Refuses unknown words, a ``length`` that differs from the plan's, a bound above the length, and other
    contradictions. It can't check whether bounds and ``unsolvable`` are true. Unknown keys are ignored.

    Args:
        puzzle: the board that was solved.
        fields: the JSON object.

    Raises:
        MalformedResult: the message names the key.
    """
    for key, types in TYPES.items():
        if key not in fields:
            raise MalformedResult(f"{key}: missing")
        if type(fields[key]) not in types:
            raise _malformed(fields, key, " or ".join(IN_WORDS[each] for each in types))
    for key in ("length", "lower_bound", "seconds", "peak_memory_mb"):
        if fields[key] is not None and not 0 <= fields[key] < math.inf:
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
    about = {
        key: fields[key] for key in ("backend", "encoding", "solver", "seconds", "peak_memory_mb", "stats", "reason")
    }
    notes, ending = tuple(fields["notes"]), Ending(fields["ending"])
    try:
        return Result(
            Status(fields["status"]), plan, fields["lower_bound"], **about, notes=notes, ending=ending, board=puzzle
        )
    except ValueError as error:
        raise MalformedResult(str(error)) from None


def _malformed(fields: Mapping[str, Any], key: str, expected: str) -> MalformedResult:
    return MalformedResult(f"{key}: expected {expected}, found {short(repr(fields[key]))}")


class Findings:
    """Facts about one board, collected as a backend reports them.

    A backend only states facts, and the status follows from them. So the answer is true whenever the backend is
    stopped. Every plan is replayed before it counts. The board's own lower bound counts too, unless ``claims_bounds``
    is false.

    Args:
        puzzle: the board.
        backend: name of the backend.
        claims_bounds: whether lower bounds count for this backend, see `Backend.claims_bounds`.
        max_steps: longest plan of interest; None for no limit.
    """

    def __init__(
        self, puzzle: AnyPuzzle, backend: str, *, claims_bounds: bool = True, max_steps: int | None = None
    ) -> None:
        self.puzzle = puzzle
        self.backend = backend
        self.max_steps = max_steps
        self.bound = puzzle.lower_bound() if claims_bounds else 0
        self.best: Plan | None = None
        self.proof: str | None = None
        self.figures: dict[str, Any] = {}

    def lower_bound(self, bound: int) -> None:
        """States that no plan has fewer than ``bound`` moves."""
        self.bound = max(self.bound, bound)
        self._check_consistency()

    def plan(self, plan: Plan) -> None:
        """States that ``plan`` solves the board.

        Raises:
            BackendError: the plan doesn't solve the board.
        """
        try:
            plan.replay(self.puzzle)
        except (IllegalMove, GoalNotReached) as error:
            raise BackendError(f"{self.backend} reported a plan that does not replay: {error}") from error
        self._keep(plan)

    def _keep(self, plan: Plan) -> None:
        """Keeps a plan if it is the shortest so far; the plan is replayed elsewhere."""
        if self.best is None or len(plan) < len(self.best):
            self.best = plan
        self._check_consistency()

    def unsolvable(self, proof: str) -> None:
        """States that no plan exists, and what proves it."""
        self.proof = proof
        self._check_consistency()

    def progress(self, expansions: int, **figures: Any) -> None:
        """Sets the number of states expanded so far, and further figures."""
        self.stats(expansions=expansions, **figures)

    def stats(self, **figures: Any) -> None:
        """Sets figures of the backend's own."""
        self.figures.update(figures)

    def _check_consistency(self) -> None:
        if self.best is None:
            return
        if self.proof is not None:
            raise BackendError(f"{self.backend} claims that a board it solved is unsolvable")
        if len(self.best) < self.bound:
            raise BackendError(
                f"{self.backend} claims a lower bound of {self.bound} and a plan of {len(self.best)} moves"
            )

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
        """Whether the status is final, or no plan of interest exists."""
        too_long = self.max_steps is not None and self.bound > self.max_steps
        return too_long or self.status in (Status.OPTIMAL, Status.UNSOLVABLE)

    def result(self, reason: str, **about: Any) -> Result:
        """The result so far. ``reason`` is used if the facts don't settle the board; ``about`` sets further fields."""
        if self.proof is not None:
            reason = self.proof
        elif self.status is Status.OPTIMAL:
            reason = f"no plan has fewer than {self.bound} moves"
        bound = None if self.proof is not None else self.bound
        about = {"backend": self.backend, "stats": dict(self.figures), "board": self.puzzle, **about}
        return Result(self.status, self.best, bound, reason, **about)
