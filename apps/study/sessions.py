"""How runs of a campaign are done: command, versions, machine and time."""

import os
import platform
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

import psutil

from bsp_sat.apps.study.store import Program, Session
from bsp_sat.backends.versions import in_words, versions

GIGABYTE = 10**9


def session_of(command: str, programs: Sequence[Program], boards: Sequence[str]) -> Session:
    """The session of this process, with programs, and files of boards."""
    began = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return Session(
        command, in_words(versions()), machine(), began, list(programs), digests({each: each for each in boards})
    )


def digests(files: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of the contents of files, by the names given here; of those that are there, and no pipes."""
    found = {}
    for name, place in files.items():
        with suppress(OSError, ValueError):
            if Path(place).is_file():
                with Path(place).open("rb") as file:
                    found[name] = file_digest(file, "sha256").hexdigest()
    return found


def changed_files(sessions: Sequence[Session]) -> list[str]:
    """The files of boards that are no longer what they were when they were last used."""
    before = {name: digest for session in sessions for name, digest in session.files.items()}
    return [name for name, digest in digests({name: name for name in before}).items() if digest != before[name]]


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
