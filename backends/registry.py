"""The backends by name; the command line and the tests iterate this."""

from collections.abc import Callable

from bsp_sat.backends.astar import AStar
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.borders import Borders, search_tables
from bsp_sat.backends.breadth_first import BreadthFirst
from bsp_sat.backends.cpsat import CpSat, best_model
from bsp_sat.backends.depth_first import DepthFirst
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.sat import DEFAULT_SOLVER, Sat, solver_named
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS, encoding_for
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

BACKENDS: dict[str, Callable[[], Backend]] = {
    "sat": Sat,
    "cpsat": CpSat,
    "kernel": Kernel,
    "astar": AStar,
    "bfs": BreadthFirst,
    "borders": Borders,
    "dfs": DepthFirst,
    "dfs-sorted": lambda: DepthFirst(symmetry=True),
}

AUTO = "auto"
ROOMY_EMPTY, ROOMY_COLOURS = 4, 14  # from there on search has too many states, and SAT few moves to spare
AUTO_TABLES = 2_000  # a fraction of a second, also on large boards


def make_backend(name: str, puzzle: AnyPuzzle, encoding: str | None = None, solver: str | None = None) -> Backend:
    """The backend ``name``, with the named encoding and solver where it takes them.

    ``auto`` stands for ``sat`` where an encoding or a solver is asked for, for ``borders`` where that proves the
    board unsolvable at once, for ``sat`` on roomy boards, and else for ``astar``.

    Raises:
        Unsupported: an unknown name, or an encoding or solver for a backend that takes none.
    """
    choices = encoding is not None or solver is not None
    if name == AUTO:
        name = "sat" if choices else _best_for(puzzle)
    if name not in BACKENDS:
        raise Unsupported(f"unknown backend {name!r}, expected one of {', '.join([AUTO, *BACKENDS])}")
    if name == "sat":
        return Sat(_encoding_named(encoding, puzzle), solver_named(solver or DEFAULT_SOLVER))
    if name == "cpsat" and solver is None:
        return CpSat(encoding or best_model(puzzle))
    if choices:
        raise Unsupported(f"backend {name} takes no {'solver' if name == 'cpsat' else 'encoding and no solver'}")
    return BACKENDS[name]()


def _encoding_named(name: str | None, puzzle: AnyPuzzle) -> Encoding:
    if name is None:
        return encoding_for(puzzle)
    if name not in ENCODINGS:
        raise Unsupported(f"unknown encoding {name!r}, expected one of {', '.join(ENCODINGS)}")
    return ENCODINGS[name]


def _best_for(puzzle: AnyPuzzle) -> str:
    if not isinstance(puzzle, SortPuzzle):
        return "astar"
    if search_tables(puzzle, AUTO_TABLES)[0] is False:
        return "borders"
    roomy = puzzle.tubes.count(b"") >= ROOMY_EMPTY and len(puzzle.palette) >= ROOMY_COLOURS
    return "sat" if roomy and encoding_for(puzzle).certifies else "astar"
