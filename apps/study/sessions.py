"""How runs of a campaign are done: command, versions, machine and time."""

import os
import platform
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from bsp_sat.apps.study.store import Program, Session
from bsp_sat.backends.versions import in_words, versions

GIGABYTE = 10**9


def session_of(command: str, programs: Sequence[Program]) -> Session:
    """The session of this process."""
    began = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return Session(command, in_words(versions()), machine(), began, list(programs))


def machine() -> str:
    """System, Python, processor and memory, in words."""
    memory = psutil.virtual_memory().total / GIGABYTE
    return (
        f"{platform.platform()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} processors ({_processor()}), {memory:.0f} GB of memory"
    )


def _processor() -> str:
    with suppress(OSError):  # only Linux has this file
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
