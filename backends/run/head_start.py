"""Starts a child process before the program knows its first job.

A child takes as long to load as the program itself. So if a command is sure to need a child, the command line starts
one at once, and the first `Child` takes it over. For the same reason, this module imports very little.
"""

import atexit
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import IO, NamedTuple


class Begun(NamedTuple):
    """A process of `bsp_sat.backends.run.child_main`, with what it writes to standard error."""

    process: "subprocess.Popen[bytes]"
    stderr: IO[bytes]


_spare: list[Begun] = []


def begin() -> Begun:
    """Starts a process."""
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed where the process is ended
    # The program contains the path, as the process must find the same modules.
    start = f"from bsp_sat.backends.run.child_main import main; main({os.getpid()})"
    program = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {start}"]
    return Begun(subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr), stderr)


def give_head_start() -> None:
    """Starts a process for the first call of `take`; if there is none, the process ends with this program."""
    atexit.register(_end_spare)
    with suppress(OSError):  # no more processes, nowhere for files: `take` hits and reports the same error
        _spare.append(begin())


def _end_spare() -> None:
    for process, stderr in _spare:
        process.kill()
        with process:  # closes the pipes, and waits
            stderr.close()


def take() -> Begun:
    """The process with a head start, or a new one."""
    try:
        return _spare.pop()
    except IndexError:
        return begin()
