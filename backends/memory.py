"""The memory available to a process: free memory of the system, within the limits of its container."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from bsp_sat.instances.optional import IN_A_TAB

ROOT = Path("/")
TAB_BYTES = 1_000_000_000  # in a browser's tab, which can't tell: half of what WebAssembly gives it at most


def available_bytes(root: Path = ROOT) -> int:
    """Memory that can be allocated now without swapping.

    The system's figure ignores control groups (man 7 cgroups), which limit containers and services on Linux. Each group
    from this process's up to the root may have a limit; the smallest remainder counts.

    Args:
        root: the folder that contains ``proc`` and ``sys``.
    """
    if IN_A_TAB:
        return TAB_BYTES
    # Imported here: most boards don't need it.
    import psutil

    memory = psutil.virtual_memory()
    return min(memory.available, memory.total, *_left_in_groups(root))


def _left_in_groups(root: Path) -> Iterator[int]:
    """The remaining memory of each control group with a limit, for versions 1 and 2 of control groups."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                files = ("memory.max", "memory.current", "inactive_file")
                yield from _left_up(root / "sys/fs/cgroup", path, *files)
            elif "memory" in controllers.split(","):
                files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
                yield from _left_up(root / "sys/fs/cgroup/memory", path, *files)


def _left_up(mount: Path, path: str, limit: str, usage: str, cache: str) -> Iterator[int]:
    """The same from the group at ``path`` upwards. In a container, ``path`` may be the host's; only the root exists."""
    group = PurePosixPath(path)
    for above in (group, *group.parents):
        folder = mount / str(above).lstrip("/")
        with suppress(OSError, ValueError):  # no such group, or not a number: "max"
            most = int((folder / limit).read_text(encoding="ascii"))
            used = int((folder / usage).read_text(encoding="ascii"))
            yield max(0, most - used + _figure(folder / "memory.stat", cache))


def _figure(stat: Path, name: str) -> int:
    """A figure of ``memory.stat``. Cached files count as used memory, but are dropped when memory is needed."""
    figures = dict(line.split() for line in stat.read_text(encoding="ascii").splitlines())
    return int(figures.get(name, 0))
