"""The program around the commands: usable standard streams, and signals that end it cleanly."""

import codecs
import io
import os
import signal
import sys
from types import FrameType

from bsp_sat.cli import group

PLAINER = {"→": "->", "≤": "<=", "≥": ">=", "−": "-", "–": "-", "…": "...", "·": "-", "×": "x", "⌈": "[", "⌉": "]"}
"""Replacements for characters that the output's encoding lacks. Others become a question mark."""


def run() -> int:
    """Runs the command of this process's arguments."""
    codecs.register_error("plainer", _plainer)
    _open_standard_streams()
    _begin_early(sys.argv[1:])
    commands = group.commands  # loaded while the child starts, and before a signal raises what only commands catch
    sys.unraisablehook = _repeat_interruption
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    return commands.run()


def _begin_early(words: list[str]) -> None:
    """Starts the child process that a command will very likely need, before anything else is loaded."""
    if words[:1] == ["solve"] and any(word.startswith("--backend") for word in words):
        from bsp_sat.backends.run import give_head_start

        give_head_start()


class InterruptedBySignal(KeyboardInterrupt):
    """A signal was received.

    A separate class, because under `python -m` the interpreter remembers a KeyboardInterrupt that leaves an `exec`
    (`dataclasses` uses one while modules are imported), and then ends itself by SIGINT whatever the exit code is.
    """


class RepeatingInterrupt(BaseException):
    """Raised by a timer that goes on until it is caught. Not an `Exception`, so that nothing treats it as bad input."""


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Ends a command that prints nothing when interrupted. Others use `stop_on_signals`.

    A second signal ends the process at once; raised during the exit, it would print a traceback.
    """
    while frame is not None:
        if frame.f_code is _repeat_interruption.__code__:  # what is raised in there is dropped too
            _interrupt_later()
            return
        frame = frame.f_back
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    raise InterruptedBySignal


def _repeat_interruption(dropped: "sys.UnraisableHookArgs") -> None:
    """Interrupts the command later if a finalizer or a weak reference's callback was interrupted (imports have such).

    Python prints the exceptions of these and goes on, so the command would not end. After an interruption the others
    aren't printed: a finalizer may fail on an object that was interrupted while it was being made.
    """
    was_interrupted = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if dropped.exc_type is InterruptedBySignal:
        _interrupt_later()
    elif not was_interrupted and not issubclass(dropped.exc_type, RepeatingInterrupt):
        sys.__unraisablehook__(dropped)


def _interrupt_later() -> None:
    if sys.platform != "win32":  # which has no such timer
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.01)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """The replacement of characters that an encoding lacks, for `codecs.register_error`."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(PLAINER.get(character, "?") for character in lacking), error.end


def _open_standard_streams() -> None:
    """Opens closed streams as empty ones, replaces characters an encoding lacks, and makes writes complete."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # otherwise the next opened file would get its number
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            mode = "r" if number == 0 else "w"
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the program runs
        elif number and isinstance(stream.buffer, io.RawIOBase):  # python -u, whose writes may be partial
            stream = io.TextIOWrapper(io.BufferedWriter(stream.buffer), stream.encoding, line_buffering=True)
        if number:
            stream.reconfigure(errors="plainer")
        setattr(sys, name, stream)
