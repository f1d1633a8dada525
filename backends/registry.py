"""The backends by name; the command line and the tests iterate this."""

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.baselines.depth_first import DepthFirst, DepthFirstSorted
from bsp_sat.backends.baselines.heuristic import Heuristic
from bsp_sat.backends.baselines.partition import Partition
from bsp_sat.backends.baselines.sequences import Sequences
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.borders import Borders
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.text.words import short

BACKENDS: dict[str, type[Backend]] = {
    backend.name: backend
    for backend in (
        Auto,
        Sat,
        CpSat,
        Kernel,
        AStar,
        BreadthFirst,
        Borders,
        DepthFirst,
        DepthFirstSorted,
        Heuristic,
        Partition,
        Frontier,
        Sequences,
    )
}


def make_backend(specification: str) -> Backend:
    """The backend that ``NAME[:CHOICE…][:KEY=VALUE…]`` names; `Backend.choices` says what may be chosen.

    Raises:
        Unsupported: an unknown name or choice.

    >>> make_backend("sat:layered:glucose4").encoding_name
    'layered'
    >>> make_backend("heuristic:greedy:misplaced:room-weight=0.5")
    Heuristic(heuristic='misplaced', driver='greedy', weights={'room-weight': 0.5})
    """
    name, *words = specification.split(":")
    if name not in BACKENDS:
        raise Unsupported(f"unknown backend {short(repr(name))}, expected one of {', '.join(BACKENDS)}")
    pairs = [word.partition("=") for word in words if "=" in word]
    settings = {key: value for key, _, value in pairs}
    if len(settings) < len(pairs):
        raise Unsupported(f"{short(specification)}: a setting is given twice")
    return BACKENDS[name].from_words([word for word in words if "=" not in word], settings)
