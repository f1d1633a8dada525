"""The backends by name; the command line and the tests iterate over them."""

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.lazy import Lazy
from bsp_sat.instances.text.words import did_you_mean, short

BACKENDS: Lazy[type[Backend]] = Lazy(
    {
        "auto": "bsp_sat.backends.auto:Auto",
        "sat": "bsp_sat.backends.sat.backend:Sat",
        "cpsat": "bsp_sat.backends.cpsat.backend:CpSat",
        "kernel": "bsp_sat.backends.kernel.backend:Kernel",
        "astar": "bsp_sat.backends.search.astar:AStar",
        "bfs": "bsp_sat.backends.search.breadth_first:BreadthFirst",
        "borders": "bsp_sat.backends.search.borders:Borders",
        "dfs": "bsp_sat.backends.baselines.depth_first:DepthFirst",
        "dfs-sorted": "bsp_sat.backends.baselines.depth_first:DepthFirstSorted",
        "heuristic": "bsp_sat.backends.baselines.heuristic:Heuristic",
        "partition": "bsp_sat.backends.cpsat.partition:Partition",
        "frontier": "bsp_sat.backends.search.frontier:Frontier",
        "sequences": "bsp_sat.backends.baselines.sequences:Sequences",
    }
)


def backend_of(given: object) -> Backend:
    """A backend, or the one of a specification, as `bsp_sat.solve` takes it; raises Unsupported for neither."""
    if isinstance(given, str):
        return make_backend(given)
    if isinstance(given, Backend):
        return given
    write = ""
    if isinstance(given, Limits):
        said = ", ".join(f"{name}={limit}" for name, limit in vars(given).items() if limit is not None)
        write = f"; write solve(board, limits=Limits({said}))"
    elif isinstance(given, type) and issubclass(given, Backend):
        write = f"; write {given.__name__}()"
    raise Unsupported(f"expected a backend or the name of one, found {short(repr(given))}{write}")


def make_backend(specification: str) -> Backend:
    """The backend of a specification ``NAME[:CHOICE…][:KEY=VALUE…]``; `Backend.choices` has the choices.

    Raises Unsupported for an unknown name or choice.

    >>> make_backend("sat:order:glucose4").encoding_name
    'order'
    >>> make_backend("heuristic:greedy:misplaced:room-weight=0.5")
    Heuristic(heuristic='misplaced', driver='greedy', weights={'room-weight': 0.5}, as_published=False)
    """
    name, *words = specification.split(":")
    if name not in BACKENDS:
        expected = f"expected one of {', '.join(BACKENDS)}{did_you_mean(name, BACKENDS)}"
        raise Unsupported(f"unknown backend {short(repr(name))}, {expected}")
    pairs = [word.partition("=") for word in words if "=" in word]
    settings = {key: value for key, _, value in pairs}
    if len(settings) < len(pairs):
        raise Unsupported(f"{short(specification)}: a setting is given twice")
    return BACKENDS[name].from_words([word for word in words if "=" not in word], settings)
