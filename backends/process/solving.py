"""A job that solves one board with one backend."""

from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Any, Self

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.process.job import Job, Pipe
from bsp_sat.backends.process.limits import MEGABYTE, Limits, Progress, ProgressHook
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.question import Question
from bsp_sat.backends.result import Findings, Result
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

if TYPE_CHECKING:
    from bsp_sat.backends.process.run import Run


@dataclass(frozen=True)
class Solve(Job[Findings]):
    """A backend on a board.

    Attributes:
        backend: the backend, with all choices made: see `Backend.for_board`.
        puzzle: the board.
        max_steps: longest plan of interest; None for no limit.
        earlier: what an earlier search of the board has found: its facts count, and so do its seconds.
    """

    backend: Backend
    puzzle: AnyPuzzle
    max_steps: int | None = None
    earlier: Result | None = None

    @property
    def spent(self) -> float:
        """Seconds of the earlier search."""
        return 0.0 if self.earlier is None else self.earlier.seconds

    @property
    def name(self) -> str:
        """The name of the backend."""
        return self.backend.name

    def within(self, memory_mb: float) -> Self:
        return replace(self, backend=self.backend.within(memory_mb))

    def sharing(self, memory_mb: float) -> Self:
        return replace(self, backend=self.backend.sharing(memory_mb))

    def collector(self) -> Findings:
        """Collects facts, and checks each of them."""
        found = Findings(
            self.puzzle, self.backend.name, claims_bounds=self.backend.claims_bounds, max_steps=self.max_steps
        )
        if self.earlier is not None:
            found.lower_bound(self.earlier.lower_bound or 0)
            if self.earlier.plan is not None:
                found.plan(self.earlier.plan)
        return found

    def run(self, pipe: Pipe) -> str:
        """Runs the backend."""
        return self.backend.run(self.puzzle, SentFindings(pipe, self), self.max_steps)

    def result(self, run: "Run[Findings]") -> Result:
        """The result of a run of this job."""
        return run.findings.result(
            run.reason,
            ending=run.ending,
            encoding=self.backend.encoding_name,
            solver=self.backend.solver_name,
            seconds=run.seconds(),
            peak_memory_mb=run.peak_bytes / MEGABYTE,
        )


class SentFindings(Findings):
    """Findings in the child that also sends each fact to the parent at once.

    Figures that come after the board is settled wait for the message that ends the run, which follows at once.
    """

    def __init__(self, pipe: Pipe, job: Solve) -> None:
        backend = job.backend
        super().__init__(job.puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=job.max_steps)
        self._pipe = pipe

    def lower_bound(self, bound: int) -> None:
        if bound > self.bound:
            self._pipe.send("lower_bound", bound)
        super().lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        self._pipe.send("plan", plan)
        self._keep(plan)  # the parent replays it

    def unsolvable(self, proof: str) -> None:
        self._pipe.send("unsolvable", proof)
        super().unsolvable(proof)

    def progress(self, expansions: int, **figures: Any) -> None:
        self._pipe.put_often("stats", expansions=expansions, **figures)

    def stats(self, **figures: Any) -> None:
        if self.settled:
            self._pipe.put("stats", **figures)
        else:
            self._pipe.send("stats", **figures)

    def asked(self, question: Question) -> None:
        self._pipe.send("asked", question)


def run_backend(
    worker: Worker,
    backend: Backend,
    puzzle: AnyPuzzle,
    limits: Limits,
    on_progress: ProgressHook | None = None,
    stop: Event | None = None,
    earlier: Result | None = None,
) -> Result:
    """Runs one backend on one board in a worker process; takes the arguments of `solve`, and those of `Solve`.

    Raises:
        BackendError: the backend crashed or contradicted itself.
        MoreThanItsShare: see `Worker.run`.
    """

    def show(run: "Run[Findings]") -> None:
        if on_progress is not None:
            facts = run.findings
            figures, questions = dict(facts.figures), tuple(facts.questions)
            on_progress(Progress(backend.name, run.seconds(), facts.bound, facts.best, figures, questions))

    job = Solve(backend, puzzle, limits.max_steps, earlier)
    return job.result(worker.run(job, limits, show, stop))
