"""The solvers of a campaign: the default ones, and heuristics with swept weights."""

from collections.abc import Iterator, Sequence

from bsp_sat.backends.baselines import HEURISTICS, Heuristic
from bsp_sat.backends.registry import make_backend
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance

DEFAULT_SOLVERS = ("auto", "heuristic:astar:unique-length", "heuristic:astar:misplaced", "dfs-sorted")


def default_solvers(instances: Sequence[Instance]) -> list[str]:
    """The default solvers that take every board. Unsupported if there is none."""
    default = {spec: make_backend(spec) for spec in DEFAULT_SOLVERS}
    found = [spec for spec, solver in default.items() if all(solver.takes(each.puzzle) for each in instances)]
    if not found:
        raise Unsupported(f"none of {', '.join(default)} takes all of these boards; name others by --solvers")
    return found


def swept(specs: Sequence[str], sweeps: Sequence[str]) -> Iterator[str]:
    """The solvers, a heuristic for each value of a sweep ``WEIGHT=FROM:TO:STEP``; Unsupported if one is unknown."""
    for spec in specs:
        solver = make_backend(spec)
        varied = [
            f"{spec}:{weight}={value:g}"
            for weight, values in map(_parse_sweep, sweeps)
            if isinstance(solver, Heuristic) and weight in HEURISTICS[solver.heuristic]
            for value in values
        ]
        for variant in varied:
            make_backend(variant)
        yield from varied or [spec]


def _parse_sweep(sweep: str) -> tuple[str, list[float]]:
    weight, _, numbers = sweep.partition("=")
    known = sorted({name for weights in HEURISTICS.values() for name in weights})
    try:
        start, end, step = map(float, numbers.split(":"))
    except ValueError:
        raise Unsupported(f"expected WEIGHT=FROM:TO:STEP, found {sweep!r}") from None
    if weight not in known:
        raise Unsupported(f"unknown weight {weight!r}, expected one of {', '.join(known)}")
    if not (0 <= start <= end and step > 0 and (end - start) / step < 1000):
        raise Unsupported(f"{weight}: expected numbers from 0 upwards and fewer than 1000 steps, found {numbers}")
    return weight, [round(start + number * step, 9) for number in range(int((end - start) / step + 1e-9) + 1)]
