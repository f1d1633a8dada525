"""3-Partition solved by CP-SAT, and boards solved by way of it.

The numbers of a 3-Partition instance have few different values. A triple type is three values with the required sum.
The model has an integer for each type, how often it is used, and an equation for each value, so that every number is
used once. Maximising the sum of the triples' largest numbers gives the shortest ball-sort plans
(docs/three-partition.md).

The backend `Partition` recognises boards of this form, for which ``auto`` chooses it.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from bsp_sat.backends.backend import Backend, Report
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.optional import need
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.three_partition import Core, Triple

POLL_SECONDS = 0.05


def find_triples(numbers: Sequence[int], target: int) -> list[Triple] | None:
    """A partition into triples of sum ``target`` with the largest sum of maxima; None if there is none."""
    need("ortools", "solving 3-Partition")
    # Imported here: it takes half a second to load.
    from ortools.sat.python import cp_model

    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    have = Counter(numbers)
    types = [
        (i, j, target - i - j)
        for i, j in combinations_with_replacement(sorted(have), 2)
        if target - i - j >= j and target - i - j in have
    ]
    used = [model.new_int_var(0, min(have[number] // kind.count(number) for number in kind), "") for kind in types]
    for number, times in have.items():
        terms = [kind.count(number) * use for kind, use in zip(types, used, strict=True) if number in kind]
        model.add(cp_model.LinearExpr.sum(terms) == times)
    model.maximize(cp_model.LinearExpr.weighted_sum(used, [kind[2] for kind in types]))
    status = _solved(solver, model)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise AssertionError(f"CP-SAT answered {solver.status_name(status)}")
    return [kind for kind, use in zip(types, used, strict=True) for _ in range(solver.value(use))]


def _solved(solver: Any, model: Any) -> Any:
    """Solves a model in a thread, so that Ctrl-C ends the search, and returns the status.

    In the main thread the search would delay Ctrl-C, and CP-SAT's own handler doesn't restore the previous one. The
    thread must end before the program does: otherwise the program would abort.
    """
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as thread:
        search = thread.submit(solver.solve, model)
        try:
            while not search.done():
                wait([search], POLL_SECONDS)
        finally:
            while not search.done():
                solver.stop_search()  # has no effect before the search has started
                wait([search], POLL_SECONDS)
        return search.result()


@dataclass(frozen=True)
class Partition(Backend):
    """Reads the numbers from a board that represents a 3-Partition instance, and solves the instance."""

    name = "partition"
    solver_name = "cp-sat"
    rests_on = "the form of the board (docs/three-partition.md), and CP-SAT"
    scope = Scope.of(BallSort, WaterSort, features=(SEVERAL_HOMES,))

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards of any other form, and all where OR-Tools isn't installed, with what is different."""
        super().check(puzzle)
        _core(puzzle)
        need("ortools", f"backend {self.name}")

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Finds the best triples and builds the plan from them."""
        core = _core(puzzle)
        triples = find_triples(core.numbers, core.puzzle.capacity)
        if triples is None:
            report.unsolvable("the numbers don't fall into triples")
            return ""
        plan = core.plan_of(core.tubes_of(triples))
        if max_steps is None or len(plan) <= max_steps:
            report.plan(plan)
        report.lower_bound(len(plan))
        return ""


def _core(puzzle: AnyPuzzle) -> Core:
    assert isinstance(puzzle, SortPuzzle)
    try:
        return Core.of(puzzle)
    except BoardError as error:
        raise Unsupported(f"backend partition takes boards made from 3-Partition: {error}") from None
