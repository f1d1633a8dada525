"""A child process begun before the program knows what it is for.

What a child has to load takes as long as what the program itself has to. So the command line begins one at once, if a
command is likely to need it, and the first `Child` takes that one over. This module imports next to nothing, for the
same reason.

On two idle processors `bsp-sat solve level-80` takes 0.23 s with this and 0.35 s without (medians of 15 runs each, in
turns). Where all processors are busy it makes no difference.
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


def begin(*, warm: bool = False) -> Begun:
    """Begins a process.

    Args:
        warm: has it load what the default backend needs.
    """
    # The imports are in this text, as the process must find them where this one does.
    start = "from bsp_sat.backends.auto import Auto; main({}, Auto().prepare)" if warm else "main({})"
    path = f"import sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.process.child_main import main; "
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever ends the process
    program = [sys.executable, "-c", path + start.format(os.getpid())]
    return Begun(subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr), stderr)


def give_head_start(*, warm: bool) -> None:
    """Begins a process for whoever asks first; one that nobody asks for ends with this program."""
    atexit.register(_end_spare)
    with suppress(OSError):  # no more processes, nowhere for files: `take` hits and reports the same error
        _spare.append(begin(warm=warm))


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
