"""The default backend: a chain of backends that run one after the other until one settles the board.

The chain is chosen by quick checks of the board. All searches are links of the chain: they run in the child process,
within the limits, like any backend. docs/backends.md names the measurements behind the choices.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Self

from bsp_sat.backends import kernel, portfolio
from bsp_sat.backends.backend import Backend, Relay, Report
from bsp_sat.backends.cpsat import LAYERED
from bsp_sat.backends.engine import missing_library
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.search import borders
from bsp_sat.instances import tiles
from bsp_sat.instances.optional import is_installed
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle, block_count

LONG_RUNS, MANY_TUBES = 4, 4  # balls a block, tubes a colour: from here on CP-SAT is faster than search
MANY_TILES = 49  # from here on the search by whole frontiers is faster than one board at a time
LIGHT_EFFORT = 2_500_000  # expansions times tubes²: a few hundredths of a second, on large boards too
WHOLE_EFFORT = 50_000_000  # expansions times tubes²: some tenths of a second
FEW_TABLES = 5_000  # a fraction of a second, on large boards too


@dataclass(frozen=True)
class Auto(Backend):
    """The chain of backends for a board, each with ``memory_mb`` MB (10⁶ bytes); None for no limit.

    If ``shared``, a link may end with a MemoryError if that is too little, see `Backend.sharing`.
    """

    memory_mb: float | None = None
    shared: bool = False
    cores: int = field(default=1, compare=False)

    name = "auto"
    rests_on = "the backends that auto runs (docs/backends.md), their bounds and their prunings"

    def prepare(self) -> None:
        """Loads the compiled search, which most boards need."""
        Kernel().prepare()

    def within(self, memory_mb: float) -> Self:
        return replace(self, memory_mb=memory_mb)

    def sharing(self, memory_mb: float) -> Self:
        return replace(self, memory_mb=memory_mb, shared=True)

    def on_cores(self, cores: int) -> Self:
        return replace(self, cores=cores)

    def short_search(self, puzzle: AnyPuzzle) -> Backend | None:
        """The first search of the chain, for most sort boards."""
        if self == Auto() and isinstance(puzzle, SortPuzzle) and Kernel().takes(puzzle) and not partition_for(puzzle):
            return ShortSearch.of(puzzle)
        return None

    def solves_together(self, puzzle: AnyPuzzle) -> bool:
        """Takes sort boards without rules of tubes, if there is a compiled search."""
        return isinstance(puzzle, SortPuzzle) and puzzle.is_plain and self == Auto() and missing_library() is None

    def solve_together(
        self, boards: Sequence[tuple[AnyPuzzle, Report, int | None]], go_on: Callable[[], bool] = lambda: True
    ) -> int:
        """Solves sort boards in one call of compiled code."""
        plain = [puzzle for puzzle, _, _ in boards if isinstance(puzzle, SortPuzzle)]
        most_expansions = LIGHT_EFFORT // max(len(puzzle.tubes) for puzzle in plain) ** 2
        solved = 0
        answers = kernel.solve_boards(plain, most_expansions=most_expansions, go_on=go_on)
        for (_, to, max_steps), answer in zip(boards, answers, strict=False):
            if not answer.settled:
                break
            report = _Shorter(to, max_steps)
            report.stats(expansions=answer.expansions, settled_by=Kernel.name)
            if answer.plan is None:
                report.unsolvable("every position that can be reached was looked at")
            else:
                report.lower_bound(len(answer.plan))
                report.plan(answer.plan)
            solved += 1
        return solved

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Runs link after link; the figure ``settled_by`` names the backend that settled the board."""
        if missing_library() is not None and isinstance(puzzle, SortPuzzle):
            report.stats(without_library=True)
        if (package := _package_for(puzzle)) is not None and not is_installed(package):
            report.stats(without=package)
        reason = ""
        for link in chain(puzzle, limited=max_steps is not None):
            reason = self._with_memory(link.on_cores(self.cores)).run(puzzle, _Signed(report, link.name), max_steps)
            if report.settled:
                break
        return reason

    def _with_memory(self, link: Backend) -> Backend:
        if self.memory_mb is None:
            return link
        return link.sharing(self.memory_mb) if self.shared else link.within(self.memory_mb)


class ShortSearch(Backend):
    """The search that settles most sort boards, as a step of `Auto` that needs no process of its own.

    It looks for plans of any length, so that it can prove a board unsolvable whatever the limit on the length is, but
    reports none beyond that limit.
    """

    name = Auto.name

    def __init__(self, search: Kernel) -> None:
        self._search = search

    @classmethod
    def of(cls, puzzle: SortPuzzle) -> Self:
        """With little effort where another backend may be faster."""
        effort = LIGHT_EFFORT if _package_for(puzzle) else WHOLE_EFFORT
        return cls(Kernel(max_expansions=effort // len(puzzle.tubes) ** 2))

    def within(self, memory_mb: float) -> Self:
        return type(self)(self._search.sharing(memory_mb))

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        return self._search.run(puzzle, _Signed(_Shorter(report, max_steps), Kernel.name))


class _Shorter(Relay):
    """Leaves out plans that are longer than a limit."""

    def __init__(self, report: Report, max_steps: int | None) -> None:
        super().__init__(report)
        self._most = inf if max_steps is None else max_steps

    def plan(self, plan: Plan) -> None:
        if len(plan) <= self._most:
            super().plan(plan)


class _Signed(Relay):
    """Adds the name of the backend that settles the board; a `Portfolio` may then replace it by one of its two."""

    def __init__(self, report: Report, name: str) -> None:
        super().__init__(report)
        self._name = name
        self._signed = False

    def after_fact(self) -> None:
        if self.settled and not self._signed:
            self._signed = True
            self.report.stats(settled_by=self._name)


def chain(puzzle: AnyPuzzle, *, limited: bool = False) -> Iterator[Backend]:
    """The backends for a board, in order; all but the last have limited effort.

    With ``limited``, only plans up to some length are of interest. A search then can't prove the board unsolvable, so
    backends that may prove it come first.
    """
    if _package_for(puzzle) == "numpy" and is_installed("numpy"):
        yield make_backend("frontier")
    elif isinstance(puzzle, SortPuzzle):
        yield from _sort_chain(puzzle, limited)
    else:
        yield make_backend("astar")


def partition_for(puzzle: AnyPuzzle) -> Backend | None:
    """The backend for boards made from 3-Partition; None for other boards, for small ones, and without OR-Tools."""
    if not isinstance(puzzle, SortPuzzle) or len(puzzle.palette) != 2 or not _has_long_runs(puzzle):
        return None
    partition = make_backend("partition")
    return partition if partition.takes(puzzle) else None


def _sort_chain(puzzle: SortPuzzle, limited: bool) -> Iterator[Backend]:
    search = Kernel()
    fits = search.takes(puzzle)
    partition = partition_for(puzzle)
    if fits and not limited and partition is None:
        yield Kernel(max_expansions=LIGHT_EFFORT // len(puzzle.tubes) ** 2)
    # If the border argument can settle an unsolvable board at all, a few tables are enough.
    argument = borders.Borders(FEW_TABLES)
    if argument.takes(puzzle):
        yield argument
    if partition is not None:
        yield partition
    elif _package_for(puzzle) == "ortools" and is_installed("ortools"):
        # CP-SAT counts balls in integers, and places blocks instead of trying moves.
        cpsat = make_backend("cpsat:layered")
        yield portfolio.Portfolio(search, cpsat) if fits else cpsat
    elif not fits:
        yield make_backend("astar")  # the only search without limits on colours, tubes, balls and features
    else:
        yield search


def _package_for(puzzle: AnyPuzzle) -> str | None:
    """The package of the backend that is fastest on such boards, if it is one that an installation may lack."""
    if isinstance(puzzle, SortPuzzle):
        return "ortools" if LAYERED.refusal(puzzle) is None and _has_long_runs(puzzle) else None
    return "numpy" if isinstance(puzzle, tiles.Tiles) and sum(map(len, puzzle.columns)) >= MANY_TILES else None


def _has_long_runs(puzzle: SortPuzzle) -> bool:
    """Whether blocks are long and colours fill many tubes each."""
    blocks, balls = sum(map(block_count, puzzle.tubes)), sum(map(len, puzzle.tubes))
    return balls >= LONG_RUNS * max(1, blocks) and len(puzzle.tubes) >= MANY_TUBES * len(puzzle.palette)
