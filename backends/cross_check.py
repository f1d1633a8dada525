"""Solves a board again with backends that share little with the one that answered, and compares the answers.

The witnesses are the readable A* (`bsp_sat.backends.search.astar`) and, where that takes few states, breadth-first
search. A* is code of its own, but relies on the puzzle's lower bound and prunings, as other searches do. Breadth-first
search relies on neither, only on the rules. What A* itself answered is checked by breadth-first search, and by SAT if
that takes too many states; SAT begins at the same lower bound, but searches in another way. Each witness says what it
rests on (`Backend.rests_on`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.puzzle import AnyPuzzle

FEW_STATES = 100_000  # some ten seconds of breadth-first search, and 150 MB


@dataclass(frozen=True)
class Witness:
    """A backend that solved the board again. ``confirms``: whether the result proves what the answer claims."""

    backend: Backend
    result: Result
    confirms: bool

    def to_json(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """The result format, with ``confirmed``."""
        return {"confirmed": self.confirms, **self.result.to_json(puzzle)}


def cross_check(puzzle: AnyPuzzle, answer: Result, run: Callable[[Backend], Result]) -> tuple[Witness, ...]:
    """Lets witnesses solve a board again. BackendError if a witness contradicts the answer."""

    def ask_witness(backend: Backend) -> Witness:
        result = run(backend)
        return Witness(backend, result, compare_claims(puzzle, answer, result))

    witnesses = [ask_witness(backend) for backend in witnesses_for(answer)]
    if answer.settled_by == AStar.name and not witnesses[0].confirms and (sat := make_backend("sat")).takes(puzzle):
        witnesses.append(ask_witness(sat))
    return tuple(witnesses)


def witnesses_for(answer: Result) -> list[Backend]:
    """The searches that check an answer: both, but never the one that answered."""
    few_states = BreadthFirst(max_states=FEW_STATES)
    return [backend for backend in (AStar(), few_states) if backend.name != answer.settled_by]


def compare_claims(puzzle: AnyPuzzle, first: Result, second: Result) -> bool:
    """Whether a second answer confirms the first: both settle the board. BackendError if they can't both be true."""
    for claim, other in ((first, second), (second, first)):
        if claim.status is Status.UNSOLVABLE and other.plan is not None:
            raise _disagreement(puzzle, first, second)
        if claim.lower_bound is not None and other.length is not None and other.length < claim.lower_bound:
            raise _disagreement(puzzle, first, second)
    if first.status in (Status.OPTIMAL, Status.UNSOLVABLE):
        return second.status is first.status
    return first.settled and second.settled


def _disagreement(puzzle: AnyPuzzle, *results: Result) -> BackendError:
    claims = " but ".join(f"{result.backend} claims {_claim(puzzle, result)}" for result in results)
    return BackendError(f"the backends disagree: {claims}")


def _claim(puzzle: AnyPuzzle, result: Result) -> str:
    if result.lower_bound is None:
        return f"that no plan exists ({result.reason})"
    bound = f"that every plan has {result.lower_bound} moves or more"
    return bound if result.plan is None else f"{bound}, with the plan {result.plan.to_json(puzzle)}"
