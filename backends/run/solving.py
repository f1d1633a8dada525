"""A job that solves one board with one backend."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, Self

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.engine import missing_library
from bsp_sat.backends.limits import MEGABYTE, Limits, Progress, ProgressHook, peak_bytes
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Ending, Findings, Question, Result, Status
from bsp_sat.backends.run.here import Here
from bsp_sat.backends.run.job import Job, Pipe, Run, RunHook, Runner
from bsp_sat.instances.optional import how_to_install
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle

SHORT_MB = 300.0  # memory for a short search without a limit
LEAST_SECONDS, LEAST_MB = 1.0, 200.0  # limits that boards solved together can't exceed


@dataclass(frozen=True)
class Solve(Job[Findings, Result]):
    """A backend, with all choices made (`Backend.for_board`), on a board.

    If ``misread``, an unsolvable board is also read the other way; a note says if that makes it solvable. If
    ``measured``, it gets a process to itself, so that its time and memory are exact. Facts and seconds of an
    ``earlier`` search count.
    """

    backend: Backend
    puzzle: AnyPuzzle
    limits: Limits = field(default_factory=Limits)
    misread: bool = field(default=True, kw_only=True)
    measured: bool = field(default=False, kw_only=True)
    earlier: Result | None = field(default=None, kw_only=True)

    @property
    def spent(self) -> float:
        return 0.0 if self.earlier is None else self.earlier.seconds

    @property
    def name(self) -> str:
        return self.backend.name

    def within(self, memory_mb: float) -> Self:
        return replace(self, backend=self.backend.within(memory_mb))

    def sharing(self, memory_mb: float) -> Self:
        return replace(self, backend=self.backend.sharing(memory_mb))

    def collector(self) -> Findings:
        found = self._findings()
        if self.earlier is not None:
            found.lower_bound(self.earlier.lower_bound or 0)
            if self.earlier.plan is not None:
                found.plan(self.earlier.plan)
        return found

    def _findings(self) -> Findings:
        backend = self.backend
        return Findings(self.puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=self.limits.max_steps)

    def run(self, pipe: Pipe) -> str:
        return self.backend.run(self.puzzle, SentFindings(pipe, self), self.limits.max_steps)

    def result(self, run: Run[Findings]) -> Result:
        return run.findings.result(
            run.reason,
            ending=run.ending,
            encoding=self.backend.encoding_name,
            solver=self.backend.solver_name,
            seconds=run.seconds(),
            peak_memory_mb=run.peak_bytes / MEGABYTE,
        )

    def follow_up(self, runner: Runner, result: Result, stop: Event | None) -> Result:
        notes = []
        if "without_library" in result.stats:
            notes.append(f"a slower search answered, as there is no compiled one: {missing_library()}")
        if "without" in result.stats:
            lacking = how_to_install(result.stats["without"])
            notes.append(f"a faster backend for such boards isn't installed: {lacking}")
        if result.status is Status.UNSOLVABLE and (stuck := self.puzzle.stuck()):
            notes.append(stuck[0].lower() + stuck[1:])
        if result.status is Status.UNSOLVABLE and self.misread:
            notes += self._misreading_note(runner, result, stop)
        return replace(result, notes=(*result.notes, *notes)) if notes else result

    def _misreading_note(self, runner: Runner, result: Result, stop: Event | None) -> list[str]:
        """A note if a short search solves the board when it is read the other way. It ends after so many positions."""
        misreading = self.puzzle.misreading()
        if misreading is None:
            return []
        how, meant = misreading
        if (search := make_backend("auto").short_search(meant)) is None:
            return []
        left = None if self.limits.seconds is None else max(0.0, self.limits.seconds - result.seconds)
        job = Solve(search, meant, replace(self.limits, seconds=left), misread=False)
        return [f"{how}, this board is solvable"] if runner.do(job, stop=stop).plan is not None else []

    # -- in this process --------------------------------------------------------------------------------

    def done_shortly(self, on_progress: RunHook[Findings] | None = None, stop: Event | None = None) -> Result | None:
        """The result of the backend's short search in this process; None if it has none for the board."""
        if (search := self.backend.short_search(self.puzzle)) is None:
            return None
        short = replace(self, backend=search)
        return short.result(Here(share_mb=SHORT_MB).run(short, on_progress, stop))

    def done_here_first(self, runner: Runner, on_progress: RunHook[Findings] | None, stop: Event | None) -> Result:
        """The result, by the backend's short search here if that settles the board, or else by ``runner``, see `do`."""
        result = self.done_shortly(on_progress, stop)
        if result is None or not (result.settled or result.ending in (Ending.TIME, Ending.INTERRUPTED)):
            job = replace(self, earlier=result)
            result = job.result(runner.run(job, on_progress, stop))
        return self.follow_up(runner, result, stop)

    @property
    def goes_here(self) -> bool:
        seconds, memory_mb = self.limits.seconds, self.limits.memory_mb
        are_wide = (seconds is None or seconds >= LEAST_SECONDS) and (memory_mb is None or memory_mb >= LEAST_MB)
        return not self.measured and are_wide and self.backend.solves_together(self.puzzle)

    @classmethod
    def done_here(cls, jobs: "Sequence[Solve]", stop: Event, go_on: Callable[[], bool]) -> list[Result]:
        """Solves boards in one call; each gets an equal share of the time."""
        began = time.monotonic()
        found = [job._findings() for job in jobs]
        boards = [(job.puzzle, findings, job.limits.max_steps) for job, findings in zip(jobs, found, strict=True)]
        solved = jobs[0].backend.solve_together(boards, go_on)
        seconds, megabytes = (time.monotonic() - began) / max(1, solved), peak_bytes() / MEGABYTE
        return [findings.result("", seconds=seconds, peak_memory_mb=megabytes) for findings in found[:solved]]


class SentFindings(Findings):
    """Findings in the child that also sends each fact to the parent at once.

    Figures that come after the board is settled wait for the message that ends the run, which follows at once.
    """

    def __init__(self, pipe: Pipe, job: Solve) -> None:
        backend, limits = job.backend, job.limits
        super().__init__(job.puzzle, backend.name, claims_bounds=backend.claims_bounds, max_steps=limits.max_steps)
        self._pipe = pipe

    def lower_bound(self, bound: int) -> None:
        if bound > self.bound:
            self._pipe.send("lower_bound", bound)
        super().lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        self._pipe.send("plan", plan)
        self._keep(plan)  # the parent replays it

    def guide(self, plan: Plan) -> None:
        self._pipe.send("guide", plan)

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

    def solver_answered(self, question: Question) -> None:
        self._pipe.send("solver_answered", question)


def showing(hook: ProgressHook | None) -> RunHook[Findings] | None:
    """Calls ``hook`` with the progress of a board that is being solved."""
    if hook is None:
        return None

    def show(run: Run[Findings]) -> None:
        facts = run.findings
        figures, questions = dict(facts.figures), tuple(facts.questions)
        hook(Progress(facts.backend, run.seconds(), facts.bound, facts.best, figures, questions))

    return show
