"""The parent's view of a child process: jobs go in, messages come out."""

import io
import pickle
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Queue  # not SimpleQueue, see `_within` in cluster.py
from threading import Thread
from types import FunctionType
from typing import Any

import psutil

from bsp_sat.backends.run import head_start
from bsp_sat.backends.run.child_main import Order
from bsp_sat.backends.run.job import CLOSED, Message
from bsp_sat.instances.errors import Unsupported

LOOKS_A_LIST = 20  # at its memory until its own children are listed anew, which asks about every process of the machine


class Child:
    """A child process, its standard error, and its messages. Raises OSError or RuntimeError if none could be made."""

    def __init__(self) -> None:
        self._process, self._stderr = head_start.take()
        self._usage = psutil.Process(self._process.pid)
        self._below: list[psutil.Process] = []
        self._looks = 0
        self._messages: Queue[Message] = Queue()
        self._reader = Thread(target=_read_messages, args=(self._process, self._messages), daemon=True)
        try:
            self._reader.start()
        except RuntimeError:
            with self._process, self._stderr:  # closes the pipes, and waits
                self._process.kill()
            raise

    def is_alive(self) -> bool:
        """Whether the process can take a job."""
        return self._process.poll() is None

    def begin(self, order: Order) -> None:
        """Sends jobs, which the process does in order. If it is dead, the messages tell how. Raises Unsupported."""
        assert self._process.stdin is not None
        self._stderr.seek(0)
        self._stderr.truncate()
        data = _pickled(order)
        with suppress(BrokenPipeError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def arrived(self, seconds: float) -> Iterator[Message]:
        """Waits up to ``seconds`` for a message, and yields all that have arrived by then."""
        with suppress(Empty):
            yield self._messages.get(timeout=seconds)
            for _ in range(self._messages.qsize()):
                yield self._messages.get_nowait()

    def resident_bytes(self) -> int:
        """Its current memory, including its own child processes; 0 if it has just ended."""
        held = 0
        if self._looks % LOOKS_A_LIST == 0:
            with suppress(psutil.Error):
                self._below = self._usage.children(recursive=True)
        self._looks += 1
        for process in (self._usage, *self._below):
            with suppress(psutil.Error):  # it has just ended
                held += process.memory_info().rss
        return held

    def exit_code(self) -> int:
        """Waits for its end and returns the exit code; negative numbers are signals."""
        return self._process.wait()

    def last_words(self) -> str:
        """The last line of its standard error."""
        self._stderr.seek(0)
        return "".join(self._stderr.read().decode(errors="replace").strip().splitlines()[-1:])

    def end(self) -> None:
        """Kills it and its own child processes, and cleans up."""
        children: list[psutil.Process] = []
        with suppress(psutil.Error):
            self._usage.suspend()  # so that it can't start further processes
            children = self._usage.children(recursive=True)
        self._process.kill()
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        self._reader.join()
        with suppress(BrokenPipeError), self._process:  # closes the pipes, and waits
            pass
        self._stderr.close()


class _Pickler(pickle.Pickler):
    """Refuses objects of the user's `__main__` module, which the child process can't unpickle."""

    def reducer_override(self, value: Any) -> Any:
        """Called by pickle for every object; checks classes and functions."""
        if isinstance(value, type | FunctionType) and value.__module__ in ("__main__", "__mp_main__"):
            raise Unsupported(
                f"{value.__qualname__} is defined in the program that is run (__main__), which a backend's process "
                "doesn't import: put it into a module of its own, in a notebook by %%writefile mine.py as the first "
                "line of its cell, and import it from there"
            )
        return NotImplemented


def _pickled(order: Order) -> bytes:
    """The order as bytes; complete, so that an error occurs before anything is sent."""
    data = io.BytesIO()
    try:
        _Pickler(data).dump(order)
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
        what = order[0].name if isinstance(order, list) else "what to load"
        raise Unsupported(f"{what} can't be handed to its process: {error}") from None
    return data.getvalue()


def _read_messages(process: subprocess.Popen[bytes], messages: "Queue[Message]") -> None:
    """Passes on the child's messages until the pipe closes, perhaps in the middle of a message."""
    assert process.stdout is not None
    try:
        while True:
            messages.put(pickle.load(process.stdout))
    except (EOFError, pickle.UnpicklingError):
        pass
    except Exception:  # not enough memory for a message, or for a module that it needs
        process.kill()
    messages.put(CLOSED)
