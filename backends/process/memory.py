"""How much memory there is for a process: what the system has free, and what its container is allowed."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

ROOT = Path("/")


def available_bytes(root: Path = ROOT) -> int:
    """Memory that can be had now without swapping.

    Linux' control groups (man 7 cgroups), by which containers and services are limited, don't show in what the system
    says is free. Each group from this process's up to the root may have a limit; the least that is left counts.

    Args:
        root: where ``proc`` and ``sys`` are.
    """
    # Imported here: most boards never ask.
    import psutil

    memory = psutil.virtual_memory()
    return min(memory.available, memory.total, *_left_in_groups(root))


def own_bytes() -> int:
    """Memory that this process holds."""
    # Imported here, as above.
    import psutil

    return int(psutil.Process().memory_info().rss)


def _left_in_groups(root: Path) -> Iterator[int]:
    """What each control group with a limit has left, in both versions' layouts."""
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
    """From the group at ``path`` upwards; inside a container the path may be the host's, and only the root is there."""
    group = PurePosixPath(path)
    for above in (group, *group.parents):
        folder = mount / str(above).lstrip("/")
        with suppress(OSError, ValueError):  # no such group, or no number: "max"
            most = int((folder / limit).read_text(encoding="ascii"))
            used = int((folder / usage).read_text(encoding="ascii"))
            yield max(0, most - used + _figure(folder / "memory.stat", cache))


def _figure(stat: Path, name: str) -> int:
    """A figure of ``memory.stat``: files in the cache count as used, but are given up when memory is asked for."""
    figures = dict(line.split() for line in stat.read_text(encoding="ascii").splitlines())
    return int(figures.get(name, 0))
