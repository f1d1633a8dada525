"""The backends by name; the command line and the tests iterate over them."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module

from bsp_sat.backends.backend import Backend
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.text.words import did_you_mean, short


class Registry(MutableMapping[str, type[Backend]]):
    """Backends by name. Each is imported when it is first needed: most boards need only one.

    Args:
        places: for each name, ``module:class``.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._backends: dict[str, str | type[Backend]] = dict(places)

    def __getitem__(self, name: str) -> type[Backend]:
        backend = self._backends[name]
        if isinstance(backend, str):
            module, _, kind = backend.partition(":")
            backend = self._backends[name] = getattr(import_module(f"bsp_sat.backends.{module}"), kind)
        return backend

    def __setitem__(self, name: str, backend: type[Backend]) -> None:
        self._backends[name] = backend

    def __delitem__(self, name: str) -> None:
        del self._backends[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._backends)

    def __contains__(self, name: object) -> bool:
        return name in self._backends

    def __len__(self) -> int:
        return len(self._backends)


BACKENDS = Registry(
    {
        "auto": "auto:Auto",
        "sat": "sat.backend:Sat",
        "cpsat": "cpsat.backend:CpSat",
        "kernel": "kernel.backend:Kernel",
        "astar": "search.astar:AStar",
        "bfs": "search.breadth_first:BreadthFirst",
        "borders": "search.borders:Borders",
        "dfs": "baselines.depth_first:DepthFirst",
        "dfs-sorted": "baselines.depth_first:DepthFirstSorted",
        "heuristic": "baselines.heuristic:Heuristic",
        "partition": "cpsat.partition:Partition",
        "frontier": "search.frontier:Frontier",
        "sequences": "baselines.sequences:Sequences",
    }
)


def make_backend(specification: str) -> Backend:
    """The backend of a specification ``NAME[:CHOICE…][:KEY=VALUE…]``; `Backend.choices` has the choices.

    Raises:
        Unsupported: an unknown name or choice.

    >>> make_backend("sat:order:glucose4").encoding_name
    'order'
    >>> make_backend("heuristic:greedy:misplaced:room-weight=0.5")
    Heuristic(heuristic='misplaced', driver='greedy', weights={'room-weight': 0.5})
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
