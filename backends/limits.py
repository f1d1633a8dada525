"""Limits and progress of a run."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import ENOMEM
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from bsp_sat.backends.result import Question
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.optional import IN_A_TAB
from bsp_sat.instances.plan import Plan

MEGABYTE = 1_000_000
MEMORY_SHARE = 0.6  # of the free memory, for the states of a search without a limit
MOST = 1_000_000_000  # the largest limit: longer than any plan, 30 years, and in the range of every backend's counters


@dataclass(frozen=True)
class Limits:
    """Limits of a run; None for no limit.

    ``max_steps`` is the longest plan of interest, in moves; ``memory_mb`` is resident memory of the backend's process,
    in MB (10⁶ bytes). Raises Unsupported for a limit below 0, above a billion, or not a number.
    """

    max_steps: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        """Refuses limits that aren't numbers from 0 to `MOST`; of moves, whole ones."""
        for name, limit in (("max_steps", self.max_steps), ("seconds", self.seconds), ("memory_mb", self.memory_mb)):
            if limit is None:
                continue
            kind, words = (int, "a whole number") if name == "max_steps" else (int | float, "a number")
            if not isinstance(limit, kind) or isinstance(limit, bool) or not 0 <= limit <= MOST:
                raise Unsupported(f"{name}: expected {words} from 0 to {MOST:,}, found {limit!r}")


def limits_of(limits: Limits | None, max_steps: int | None, seconds: float | None) -> Limits:
    """Limits with those that are given by themselves. Raises Unsupported where one is given twice, or isn't a limit."""
    if not isinstance(limits, Limits | None):
        raise Unsupported(f"limits: expected Limits, such as Limits(seconds=60), found {limits!r}")
    said = {"max_steps": max_steps, "seconds": seconds}
    given: dict[str, Any] = {name: limit for name, limit in said.items() if limit is not None}
    for name in given:
        if limits is not None and getattr(limits, name) is not None:
            raise Unsupported(f"{name}: expected it once, found it in limits too")
    return replace(limits or Limits(), **given)


class Progress(NamedTuple):
    """The progress of a running backend: the lower bound proved so far, in moves, and the backend's own figures."""

    backend: str
    seconds: float
    lower_bound: int
    plan: Plan | None
    figures: Mapping[str, Any] = {}
    questions: tuple[Question, ...] = ()

    @property
    def length(self) -> int | None:
        """Number of moves of the best plan so far."""
        return None if self.plan is None else len(self.plan)


ProgressHook = Callable[[Progress], None]


ROOT = Path("/")
TAB_BYTES = 1_000_000_000  # in a browser's tab, which can't tell: half of what WebAssembly gives it at most


def available_bytes(root: Path = ROOT) -> int:
    """Memory that can be allocated now without swapping.

    The system's figure ignores control groups (man 7 cgroups), which limit containers and services on Linux. Each group
    from this process's up to the root may have a limit; the smallest remainder counts. ``proc`` and ``sys`` are in
    ``root``.
    """
    if IN_A_TAB:
        return TAB_BYTES
    # Imported here: most boards don't need it.
    import psutil

    memory = psutil.virtual_memory()
    return min(memory.available, memory.total, *_left_in_groups(root))


def has_limited_address_space() -> bool:
    """Whether ``ulimit -v`` limits this process and its children. Then libraries fail in many ways for lack of room."""
    if IN_A_TAB or sys.platform == "win32":
        return False
    # Imported here: it is asked for after an error only.
    try:
        import resource
    except ImportError:  # for lack of room
        return True
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def lack_of_room(error: BaseException | None) -> str | None:
    """What was lacking, if an error, or what caused it, says that memory or threads are used up; None for other errors.

    Python raises a plain RuntimeError for a thread, which is recognised by where it is raised. Libraries that find no
    room while they load raise others, which count where the address space is limited.
    """
    causes = []
    while error is not None:
        causes.append(error)
        error = error.__cause__ or error.__context__
    if any(isinstance(each, MemoryError) or (isinstance(each, OSError) and each.errno == ENOMEM) for each in causes):
        return "out of memory"
    failed = [each for each in causes if isinstance(each, ImportError | RuntimeError)]
    if failed and has_limited_address_space():
        return f"out of memory under a limit (ulimit -v): {' '.join(str(failed[-1]).split())}"
    return "the system has no thread to spare" if any(map(_is_from_a_thread, failed)) else None


def _is_from_a_thread(error: BaseException) -> bool:
    """Whether it was raised where a thread is started."""
    from threading import Thread  # imported here: it is asked for after an error only

    place = error.__traceback__
    while place is not None and place.tb_frame.f_code is not Thread.start.__code__:
        place = place.tb_next
    return place is not None


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


PR_SET_PDEATHSIG = 1  # linux/prctl.h
STATUS_BYTES = 8192  # size of the read buffer; the file has about 2000 bytes


@cache
def _of_this_process(name: str, flags: int) -> int:
    """A file below /proc/self, opened once: opening it for each board would add a tenth to the board's time."""
    return os.open(f"/proc/self/{name}", flags)


def die_with_parent(parent: int) -> None:
    """Asks the kernel to end this process when ``parent`` ends, or ends it if ``parent`` is gone; only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)


def give_back_memory() -> None:
    """Returns unused memory to the system; only on Linux."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc


def forget_peak() -> None:
    """Resets `peak_bytes`; only on Linux."""
    with suppress(OSError, AttributeError):
        os.pwrite(_of_this_process("clear_refs", os.O_WRONLY), b"5", 0)  # man 5 proc: resets the high-water mark


def peak_bytes() -> int:
    """Peak memory of this process since `forget_peak`; 0 if the platform doesn't report it."""
    # getrusage would include the parent's memory, as this process began as a copy of the parent.
    with suppress(OSError, AttributeError, IndexError):
        _, _, rest = os.pread(_of_this_process("status", os.O_RDONLY), STATUS_BYTES, 0).partition(b"VmHWM:")
        return int(rest.split(maxsplit=1)[0]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
