"""The program around the commands: standard streams that can be used, and signals that end it in order."""

import codecs
import io
import os
import signal
import sys
from types import FrameType

from bsp_sat.backends.process.head_start import give_head_start

PLAINER = {"→": "->", "≤": "<=", "≥": ">=", "−": "-", "–": "-", "…": "...", "·": "-", "×": "x", "⌈": "[", "⌉": "]"}
"""What stands for characters that the output's encoding lacks; a question mark for others."""


def run() -> int:
    """Runs the command of this process's arguments.

    Returns:
        The exit code.
    """
    codecs.register_error("plainer", _plainer)
    _open_standard_streams()
    _begin_early(sys.argv[1:])
    # Imported here, while that process starts.
    from bsp_sat.cli.group import commands

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    return commands.run()


def _begin_early(words: list[str]) -> None:
    """Begins the process that a command will need for sure or nearly so, before anything else is loaded."""
    if words[:1] == ["solve"] and not {"-h", "--help"} & set(words):
        give_head_start(warm=not any(word.startswith("--backend") for word in words))


class Interrupted(KeyboardInterrupt):
    """A signal came.

    A class of its own, because under `python -m` the interpreter remembers a KeyboardInterrupt that leaves an `exec`,
    as `dataclasses` uses it while modules are imported, and ends itself by SIGINT for it, whatever the exit code is.
    """


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Ends a command that has nothing to say when it is interrupted; the others use `stop_on_signals`.

    A second signal while it ends ends it at once: raised there, it would leave the program as a traceback.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    raise Interrupted


def _plainer(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(PLAINER.get(character, "?") for character in lacking), error.end


def _open_standard_streams() -> None:
    """A closed stream becomes an empty one, what an encoding lacks is replaced, and no write is cut short."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # or the next file that is opened would take its number
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            mode = "r" if number == 0 else "w"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the program
        elif number and isinstance(stream.buffer, io.RawIOBase):  # python -u, whose writes may end half-way
            stream = io.TextIOWrapper(io.BufferedWriter(stream.buffer), stream.encoding, line_buffering=True)
        if number:
            stream.reconfigure(errors="plainer")
        setattr(sys, name, stream)
