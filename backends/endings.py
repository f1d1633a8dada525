"""How a run can end, and the sentences for each ending: first what is proved, then what to try.

docs/formats.md lists them (Results).
"""

from enum import StrEnum

from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle


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
            return f"Optimal: {moves(length)}. No plan is shorter."
        case Status.UNSOLVABLE:
            return f"Unsolvable: no plan exists, proved{why}."
        case Status.FEASIBLE:
            least = f"Every plan has at least {bound}; whether" if bound else "Whether"
            open_question = f"{least} one has fewer than {length} isn't known{why}"
            return f"Feasible: {moves(length)}. {open_question}. {ADVICE[ending]}"
        case Status.UNKNOWN if excludes(bound, max_steps):
            least = f"Every plan has at least {moves(bound)}"
            return f"{least}, so there is none within {max_steps}. Allow more moves, or any number of them."
        case Status.UNKNOWN:
            least = f"every plan has at least {moves(bound)}; " if bound else ""
            sought = "a plan" if max_steps is None else f"a plan of at most {moves(max_steps)}"
            return f"Unknown: {least}whether there is {sought} isn't known{why}. {ADVICE[ending]}"


def excludes(bound: int | None, max_steps: int | None) -> bool:
    """Whether a lower bound leaves no plan of at most ``max_steps`` moves."""
    return bound is not None and max_steps is not None and bound > max_steps


def refused(who: str, refusal: str, puzzle: AnyPuzzle) -> str:
    """Why a backend doesn't try a board, and what to try; ``refusal`` is that of `bsp_sat.instances.scope.Scope`."""
    return f"{who} {refusal}" if HIDDEN in puzzle.features() else f"{who} {refusal}; the default, auto, takes it"


def moves(count: int | None) -> str:
    """A number of moves in words.

    >>> moves(1), moves(31)
    ('1 move', '31 moves')
    """
    return f"{count} move{'' if count == 1 else 's'}"
