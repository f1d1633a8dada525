"""The backends by name; the command line and the tests iterate this."""

from collections.abc import Callable

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.baselines.depth_first import DepthFirst
from bsp_sat.backends.baselines.heuristic import Heuristic
from bsp_sat.backends.baselines.partition import Partition
from bsp_sat.backends.baselines.sequences import Sequences
from bsp_sat.backends.cpsat.backend import CpSat, best_model
from bsp_sat.backends.kernel.backend import Kernel
from bsp_sat.backends.process.backup import Backup
from bsp_sat.backends.process.head_start import HeadStart
from bsp_sat.backends.sat import DEFAULT_SOLVER, Sat, solver_named
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders, search_tables
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import encoding_for, encoding_named
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import BallSort, SortPuzzle, block_count
from bsp_sat.instances.tiles import Tiles

BACKENDS: dict[str, Callable[[], Backend]] = {
    "sat": Sat,
    "cpsat": CpSat,
    "kernel": Kernel,
    "astar": AStar,
    "bfs": BreadthFirst,
    "borders": Borders,
    "dfs": DepthFirst,
    "dfs-sorted": lambda: DepthFirst(symmetry=True),
    "heuristic": Heuristic,
    "partition": Partition,
    "frontier": Frontier,
    "sequences": Sequences,
}

AUTO = "auto"
OPTIMAL = "optimal"  # what comparisons call the default
LONG_RUNS, MANY_TUBES = 4, 4  # balls a block, tubes a colour: too many plans for search, few blocks to place
MANY_TILES = 49  # from there on thousands of boards at once are faster than one by one
ROOMY_EMPTY, ROOMY_COLOURS = 4, 14  # from there on SAT has few moves to spare, and sometimes wins
LIGHT_STATES = 10_000  # half a second of A*, about what the kernel takes to start
KERNEL_EFFORT = 4_000_000  # expansions times tubes²: a tenth of a second, often enough with the bound of ball sort
AUTO_TABLES = 5_000  # a fraction of a second, also on large boards


def make_backend(name: str, puzzle: AnyPuzzle, encoding: str | None = None, solver: str | None = None) -> Backend:
    """The backend ``name``, with the named encoding and solver where it takes them.

    ``auto`` stands for ``sat`` where an encoding or a solver is asked for, for ``borders`` where that proves the
    board unsolvable at once, for ``frontier`` on large tiles boards, for ``astar`` on other puzzles' boards, and else
    for ``kernel``: with ``cpsat`` on ball-sort boards of few colours in long runs and many tubes; on others with
    ``astar`` while it starts, and with ``sat`` on roomy ones.

    Raises:
        Unsupported: an unknown name, or an encoding or solver for a backend that takes none.
    """
    choices = encoding is not None or solver is not None
    if name == AUTO and not choices:
        return _best_for(puzzle)
    if name == AUTO:
        name = "sat"
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
    return encoding_for(puzzle) if name is None else encoding_named(name)


def _best_for(puzzle: AnyPuzzle) -> Backend:
    if isinstance(puzzle, Tiles) and sum(map(len, puzzle.columns)) >= MANY_TILES:
        return Frontier()
    if not isinstance(puzzle, SortPuzzle):
        return AStar()
    if search_tables(puzzle, AUTO_TABLES)[0] is False:
        return Borders()
    light, kernel = AStar(max_states=LIGHT_STATES), Kernel()
    is_ball_sort, fits = isinstance(puzzle, BallSort), _takes(kernel, puzzle)
    if is_ball_sort and _has_long_runs(puzzle):
        cpsat = CpSat("layered")
        return Backup(kernel, cpsat) if fits else cpsat
    if not fits:
        return AStar()
    roomy = puzzle.tubes.count(b"") >= ROOMY_EMPTY and len(puzzle.palette) >= ROOMY_COLOURS
    if not roomy or not encoding_for(puzzle).certifies:
        return HeadStart(light, kernel)
    fair_try = KERNEL_EFFORT // len(puzzle.tubes) ** 2 if is_ball_sort else 0
    return HeadStart(light, Backup(kernel, Sat(encoding_for(puzzle)), after=fair_try))


def _takes(backend: Backend, puzzle: AnyPuzzle) -> bool:
    try:
        backend.check(puzzle)
    except Unsupported:
        return False
    return True


def _has_long_runs(puzzle: SortPuzzle) -> bool:
    """Whether there are many balls in few blocks, of few colours in many tubes."""
    blocks, balls = sum(map(block_count, puzzle.tubes)), sum(map(len, puzzle.tubes))
    return balls >= LONG_RUNS * max(1, blocks) and len(puzzle.tubes) >= MANY_TUBES * len(puzzle.palette)


def solver_from_spec(spec: str) -> str | Backend:
    """The solver that ``spec`` names in a comparison.

    A backend's name, ``optimal`` for the default, which proves its answers, or ``DRIVER:HEURISTIC[:WEIGHT=NUMBER]…``.

    Raises:
        Unsupported: it names nothing.
    """
    if spec in (OPTIMAL, AUTO):
        return AUTO
    if ":" in spec:
        return Heuristic.from_spec(spec)
    if spec not in BACKENDS:
        known = ", ".join([OPTIMAL, *BACKENDS])
        raise Unsupported(f"unknown solver {spec!r}, expected DRIVER:HEURISTIC or one of {known}")
    return spec
