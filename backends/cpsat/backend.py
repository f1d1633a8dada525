"""CP-SAT of ortools, on native models of most of the encodings.

The order model has the number of moves as its objective, and CP-SAT raises and lowers the bounds on it by
itself. The others are questions about one horizon, and are built anew for each: on boards where the lower bound is
tight, a horizon is met at once that an objective doesn't close in on within minutes.
"""

from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import TYPE_CHECKING, ClassVar, Protocol

from bsp_sat.backends.backend import BackendDefaults, Report
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.backends.search.quick import quick_plan, report_within
from bsp_sat.encoder.blocks import blocks_of
from bsp_sat.encoder.layered.formula import enough_layers
from bsp_sat.encoder.registry import ENCODINGS, check_encoding
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

MODELS = ("order", "layered", "sequential", "knocks", "clicks")
"""Best first."""

HEAD_START_TABLES = 500_000  # half a minute at most
FEW_LAYERS_EFFORT = 20.0  # CP-SAT's deterministic time, roughly seconds


class HorizonModel(Protocol):
    """A model whose solutions are plans of so many moves."""

    model: "CpModel"

    any_length: ClassVar[bool]
    """Whether every plan has as many moves as the lower bound says, so that infeasible means unsolvable."""

    def __init__(self, puzzle: AnyPuzzle, horizon: int) -> None: ...

    def decode(self, solver: "CpSolver") -> Plan:
        """The plan that a solution stands for."""


def horizon_models() -> dict[str, type[HorizonModel]]:
    """The models that are built for each horizon, by name."""
    # Imported here: they import ortools.
    from bsp_sat.backends.cpsat.clicks import ClicksModel
    from bsp_sat.backends.cpsat.knocks import KnocksModel
    from bsp_sat.backends.cpsat.sequential import SequentialModel

    return {"sequential": SequentialModel, "knocks": KnocksModel, "clicks": ClicksModel}


@dataclass(frozen=True)
class CpSat(BackendDefaults):
    """CP-SAT on a model of its own.

    Attributes:
        model: one of `MODELS`, which are named after the encodings.
        workers: parallel searches inside the solver; None for one a processor, or just one with the layered model,
            whose default search is not among the first that several workers run.
        integer_times: for the order model, see `bsp_sat.backends.cpsat.order`.
        head_start: for the layered model, begin with a quick search (`bsp_sat.backends.search.quick`), and where that
        finds
            no plan with the border argument (`bsp_sat.backends.search.borders`).
        break_symmetry: for the layered model, see `bsp_sat.backends.cpsat.layered`.
    """

    model: str = "sequential"
    workers: int | None = None
    integer_times: bool = False
    head_start: bool = True
    break_symmetry: bool = True
    name: str = "cpsat"
    solver_name: str | None = "cp-sat"

    @property
    def encoding_name(self) -> str:
        """The model's name."""
        return self.model

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses what the model can't express.

        Raises:
            Unsupported: naming what the model is for.
        """
        if self.model not in MODELS:
            raise Unsupported(f"backend cpsat has models of the encodings {', '.join(MODELS)}, not of {self.model}")
        check_encoding(ENCODINGS[self.model], puzzle)
        if self.model in ("order", "layered") and not isinstance(puzzle, BallSort):
            raise Unsupported(
                f"the {self.model} model of backend cpsat takes ball-sort boards, not {puzzle.kind}; "
                "try its sequential model, or backend sat"
            )

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Solves the model, or one for each horizon up to ``max_steps``."""
        # Imported here: half a second that no other command need pay.
        from ortools.sat.python.cp_model import CpSolver

        solver = CpSolver()
        solver.parameters.num_workers = self.workers or (1 if self.model == "layered" else 0)
        if self.model == "order":
            assert isinstance(puzzle, BallSort)
            return self._minimise(puzzle, report, max_steps, solver)
        if self.model == "layered":
            assert isinstance(puzzle, BallSort)
            return _LayeredClimb(self, puzzle, report, solver).run(max_steps)
        return self._climb(puzzle, report, max_steps, solver)

    def _minimise(self, puzzle: BallSort, report: Report, max_steps: int | None, solver: "CpSolver") -> str:
        """One model for plans of any length."""
        from ortools.sat.python import cp_model

        from bsp_sat.backends.cpsat.order import OrderModel, PlanReporter

        model = OrderModel(puzzle, integer_times=self.integer_times)
        if max_steps is not None:
            model.model.add(model.moves <= max_steps)
        reporter = PlanReporter(model, report)
        solver.best_bound_callback = reporter.on_bound
        status = solver.solve(model.model, reporter)
        report.stats(conflicts=solver.num_conflicts, branches=solver.num_branches)
        if status == cp_model.OPTIMAL:
            report.lower_bound(round(solver.objective_value))
        elif status != cp_model.INFEASIBLE:
            raise AssertionError(f"CP-SAT answered {solver.status_name(status)}")
        elif max_steps is None:
            report.unsolvable("infeasible without a bound on the length")
        else:
            report.lower_bound(max_steps + 1)
        return f"no plan within {max_steps} moves"

    def _climb(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None, solver: "CpSolver") -> str:
        """Raises the horizon until the model has a solution, or past ``max_steps``."""
        from ortools.sat.python import cp_model

        horizon_model = horizon_models()[self.model]
        conflicts = branches = 0
        for horizon in count(puzzle.lower_bound()):
            report.lower_bound(horizon)
            if max_steps is not None and horizon > max_steps:
                break
            model = horizon_model(puzzle, horizon)
            status = solver.solve(model.model)
            conflicts += solver.num_conflicts
            branches += solver.num_branches
            report.stats(horizon=horizon, conflicts=conflicts, branches=branches)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                report.plan(model.decode(solver))
                return ""
            if status != cp_model.INFEASIBLE:
                raise AssertionError(f"CP-SAT answered {solver.status_name(status)}")
            if horizon_model.any_length:
                report.unsolvable("infeasible, and every plan has as many moves")
                return ""
        return f"no plan within {max_steps} moves"


@dataclass
class _LayeredClimb:
    """Raises the horizon of the layered model, from the lower bound until there is a plan."""

    choices: CpSat
    puzzle: BallSort
    report: Report
    solver: "CpSolver"
    conflicts: int = 0
    branches: int = 0

    def run(self, max_steps: int | None) -> str:
        """Finds a shortest plan, or that none has ``max_steps`` moves or fewer, or that there is none."""
        blocks = len(blocks_of(self.puzzle))
        lowest = self.puzzle.lower_bound()
        plan = quick_plan(self.puzzle) if self.choices.head_start else None
        if plan is not None:
            max_steps = report_within(self.report, plan, max_steps)
        elif self.choices.head_start and search_tables(self.puzzle, HEAD_START_TABLES)[0] is False:
            self.report.unsolvable("border argument")
            return ""
        for horizon in count(lowest):
            self.report.lower_bound(horizon)
            if max_steps is not None and horizon > max_steps:
                break
            found = None if plan else self._plan(blocks // 3, horizon, FEW_LAYERS_EFFORT)
            found = found or self._plan(enough_layers(blocks, horizon - lowest), horizon)
            if found is not None:
                self.report.plan(found)
                break
            if plan is None:
                plan = self._plan(enough_layers(blocks), None)
                if plan is None:
                    self.report.unsolvable("infeasible without a bound on the length")
                    return ""
                max_steps = report_within(self.report, plan, max_steps)
        return f"no plan within {max_steps} moves"

    def _plan(self, layers: int, horizon: int | None, effort: float = inf) -> Plan | None:
        """A plan within these layers and moves; None if there is none, or with an ``effort`` none is found with it."""
        from ortools.sat.python import cp_model

        from bsp_sat.backends.cpsat.layered import LayeredModel

        model = LayeredModel(self.puzzle, layers, horizon, break_symmetry=self.choices.break_symmetry)
        self.solver.parameters.max_deterministic_time = effort
        # The linear relaxation guides to plans (8 triples of sum 40: 5 s with it, 46 s without it), and slows
        # refutations down (a board of 5 colours: over 15 s with it, 0.4 s without it).
        self.solver.parameters.linearization_level = 1 if effort < inf else 0
        status = self.solver.solve(model.model)
        self.conflicts += self.solver.num_conflicts
        self.branches += self.solver.num_branches
        self.report.stats(horizon=horizon, layers=layers, conflicts=self.conflicts, branches=self.branches)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return model.decode(self.solver)
        if status == cp_model.INFEASIBLE or (status == cp_model.UNKNOWN and effort < inf):
            return None
        raise AssertionError(f"CP-SAT answered {self.solver.status_name(status)}")


def best_model(puzzle: AnyPuzzle) -> str:
    """The first model that takes this board; the last where none does."""
    for model in MODELS[:-1]:
        with suppress(Unsupported):
            CpSat(model).check(puzzle)
            return model
    return MODELS[-1]
