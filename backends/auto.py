"""The default: a chain of backends, each with its reason, one after the other until one settles the board.

What comes is chosen by looks at the board that take no time; whatever searches is a link of the chain, and runs in
the child process, within the limits, like any backend. docs/backends.md says what was measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from bsp_sat.backends.backend import Backend, Relay, Report
from bsp_sat.backends.kernel import Kernel, missing_library
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, block_count
from bsp_sat.instances.tiles import Tiles

LONG_RUNS, MANY_TUBES = 4, 4  # balls a block, tubes a colour: too many plans for search, few blocks to place
MANY_TILES = 49  # from there on thousands of boards at once are faster than one by one
ROOMY_EMPTY, ROOMY_COLOURS = 4, 14  # from there on SAT has few moves to spare, and sometimes wins
KERNEL_EFFORT = 4_000_000  # expansions times tubes²: a tenth of a second, often enough with the bound of ball sort
LIGHT_EFFORT = 2_500_000  # expansions times tubes²: some hundredths of a second, on large boards too
FEW_TABLES = 5_000  # a fraction of a second, also on large boards
LAYERED = Scope.of(BallSort, features=(MONOCHROME, SEVERAL_HOMES))
"""The boards for which CP-SAT has a layered model of its own."""


@dataclass(frozen=True)
class Auto(Backend):
    """The chain of backends for a board.

    Attributes:
        memory_mb: memory for each link in MB (10⁶ bytes); None for no limit.
        shared: whether a link may end with a MemoryError where that is too little, see `Backend.sharing`.
    """

    memory_mb: float | None = None
    shared: bool = False

    name = "auto"

    def prepare(self) -> None:
        """Loads the compiled search, which most boards get."""
        Kernel().prepare()

    def within(self, memory_mb: float) -> Self:
        """Each link within so much memory."""
        return replace(self, memory_mb=memory_mb)

    def sharing(self, memory_mb: float) -> Self:
        """Each link within so much memory, or none."""
        return replace(self, memory_mb=memory_mb, shared=True)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        """Runs link after link; the figure ``settled_by`` names the backend whose fact was the last."""
        if missing_library() is not None and isinstance(puzzle, SortPuzzle):
            report.stats(without_library=True)
        reason = ""
        for link in chain(puzzle, limited=max_steps is not None):
            reason = self._with_memory(link).run(puzzle, _Signed(report, link.name), max_steps)
            if report.settled:
                break
        return reason

    def _with_memory(self, link: Backend) -> Backend:
        if self.memory_mb is None:
            return link
        return link.sharing(self.memory_mb) if self.shared else link.within(self.memory_mb)


class _Signed(Relay):
    """Names the backend that settles the board; where it stands for two of them, it has the last word itself."""

    def __init__(self, report: Report, name: str) -> None:
        super().__init__(report)
        self._name = name
        self._signed = False

    def look(self) -> None:
        """Adds the name to the fact that settles the board."""
        if self.settled and not self._signed:
            self._signed = True
            self.report.stats(settled_by=self._name)


def chain(puzzle: AnyPuzzle, *, limited: bool = False) -> Iterator[Backend]:
    """The backends for a board, in their order; the last of them takes every time it needs.

    Args:
        puzzle: the board.
        limited: whether only plans up to some length are of interest; a search then leaves open whether there are
            longer ones, so that what may show that there is none comes first.
    """
    # Backends are imported where they are used, here and below: most boards are settled by the first.
    if isinstance(puzzle, Tiles) and sum(map(len, puzzle.columns)) >= MANY_TILES:
        from bsp_sat.backends.search.frontier import Frontier

        yield Frontier()
    elif isinstance(puzzle, SortPuzzle):
        yield from _sort_chain(puzzle, limited)
    else:
        yield _astar()


def _sort_chain(puzzle: SortPuzzle, limited: bool) -> Iterator[Backend]:
    kernel = Kernel()
    fits, balls = kernel.takes(puzzle), isinstance(puzzle, BallSort)
    if fits and not limited:
        yield Kernel(max_expansions=LIGHT_EFFORT // len(puzzle.tubes) ** 2)
    # Unsolvable boards that no search exhausts are settled by a few tables, if at all.
    from bsp_sat.backends.search.borders import Borders

    borders = Borders(FEW_TABLES)
    if borders.takes(puzzle):
        yield borders
    if LAYERED.refusal(puzzle) is None and _has_long_runs(puzzle):
        yield _with_cpsat(kernel if fits else None)
    elif not fits:
        yield _astar()  # the only one with no limit on colours, tubes, balls and features
    elif _is_roomy(puzzle):
        # SAT refutes a horizon at once where hardly a move is to spare; water sort's bound leaves it more to do.
        fair_try = KERNEL_EFFORT // len(puzzle.tubes) ** 2 if balls else 0
        yield _beside_sat(kernel, puzzle, fair_try)
    else:
        yield kernel


def _astar() -> Backend:
    from bsp_sat.backends.search.astar import AStar

    return AStar()


def _with_cpsat(kernel: Kernel | None) -> Backend:
    """CP-SAT counts balls in integers, and places blocks instead of trying moves."""
    from bsp_sat.backends.cpsat.backend import CpSat
    from bsp_sat.backends.process.portfolio import Portfolio
    from bsp_sat.encoder.registry import ENCODINGS

    cpsat = CpSat(ENCODINGS["layered"])
    return cpsat if kernel is None else Portfolio(kernel, cpsat)


def _beside_sat(kernel: Kernel, puzzle: SortPuzzle, fair_try: int) -> Backend:
    """The search, and SAT after so many expansions, where an encoding takes the board that can prove its answers."""
    from bsp_sat.backends.process.portfolio import Portfolio
    from bsp_sat.backends.sat.backend import Sat
    from bsp_sat.encoder.registry import certifying_encoding

    try:
        return Portfolio(kernel, Sat(certifying_encoding(puzzle)), after=fair_try)
    except Unsupported:
        return kernel


def _is_roomy(puzzle: SortPuzzle) -> bool:
    return puzzle.tubes.count(b"") >= ROOMY_EMPTY and len(puzzle.palette) >= ROOMY_COLOURS


def _has_long_runs(puzzle: SortPuzzle) -> bool:
    """Whether there are many balls in few blocks, of few colours in many tubes."""
    blocks, balls = sum(map(block_count, puzzle.tubes)), sum(map(len, puzzle.tubes))
    return balls >= LONG_RUNS * max(1, blocks) and len(puzzle.tubes) >= MANY_TUBES * len(puzzle.palette)
