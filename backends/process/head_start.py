"""A child process begun before the program knows what it is for.

What a child has to load takes as long as what the program itself has to. So the command line begins one at once, if a
command is sure to need it, and the first `Child` takes that one over. This module imports next to nothing, for the
same reason.
"""

import atexit
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import IO, NamedTuple


class Begun(NamedTuple):
    """A process of `bsp_sat.backends.process.child_main`, with what it writes to standard error."""

    process: "subprocess.Popen[bytes]"
    stderr: IO[bytes]


_spare: list[Begun] = []


def begin() -> Begun:
    """Begins a process."""
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever ends the process
    # The path is in this text, as the process must find modules where this one does.
    start = f"from bsp_sat.backends.process.child_main import main; main({os.getpid()})"
    program = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {start}"]
    return Begun(subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr), stderr)


def give_head_start() -> None:
    """Begins a process for whoever asks first; one that nobody asks for ends with this program."""
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
