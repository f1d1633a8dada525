"""Solves a board with two independent backends and compares their answers.

All backends except breadth-first search use the puzzle's lower bound, and some use its prunings. So breadth-first
search checks all others.
"""

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.result import BackendError, Result, Status
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.instances.puzzle import AnyPuzzle


class Disagreement(BackendError):
    """Two backends contradict each other, so at least one of them is wrong.

    Attributes:
        results: what each of them claims.
    """

    def __init__(self, puzzle: AnyPuzzle, first: Result, second: Result) -> None:
        self.results = (first, second)
        claims = " but ".join(f"{result.backend} claims {_claim(puzzle, result)}" for result in self.results)
        super().__init__(f"the backends disagree: {claims}")


def witness_for(backend: Backend) -> Backend:
    """The backend that checks ``backend``: breadth-first search, which has no bound and no pruning; for itself, A*."""
    return AStar() if isinstance(backend, BreadthFirst) else BreadthFirst()


def compare_claims(puzzle: AnyPuzzle, first: Result, second: Result) -> bool:
    """Compares two answers to one board.

    Returns:
        Whether both settle the board, and so confirm each other.

    Raises:
        Disagreement: they can't both be true.
    """
    for claim, other in ((first, second), (second, first)):
        if claim.status is Status.UNSOLVABLE and other.plan is not None:
            raise Disagreement(puzzle, first, second)
        if claim.lower_bound is not None and other.length is not None and other.length < claim.lower_bound:
            raise Disagreement(puzzle, first, second)
    return all(result.status in (Status.OPTIMAL, Status.UNSOLVABLE) for result in (first, second))


def _claim(puzzle: AnyPuzzle, result: Result) -> str:
    if result.lower_bound is None:
        return f"that no plan exists ({result.reason})"
    bound = f"that every plan has {result.lower_bound} moves or more"
    return bound if result.plan is None else f"{bound}, with the plan {result.plan.to_json(puzzle)}"
