"""Backends and functions that do what they must not, at module level so that a child process can unpickle them."""

import os
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bsp_sat import Plan, Pour
from bsp_sat.backends.backend import Backend, Report
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Misbehaving(Backend):
    """Reports a bound of 3, then does one thing wrong."""

    how: str
    name: str = "misbehaving"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        report.lower_bound(3)
        match self.how:
            case "raises":
                raise RuntimeError("the queue is upside down")
            case "exits":
                sys.exit(7)
            case "runs-out-of-memory":
                raise MemoryError
            case "is-killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "aborts":
                os.abort()
            case "aborts-with-a-message":  # as C++ does
                os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
                os.abort()
            case "plans-badly":
                report.plan(Plan((Pour(0, 1),)))
            case "plans-below-its-bound":
                report.lower_bound(100)
                report.plan(Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2))))
            case "prints":
                print("a message from the depths of a solver")  # noqa: T201 - as solver libraries do
                os.write(1, b"and one from C\n")
                report.plan(Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2))))
            case "tells-its-process":
                report.stats(process=os.getpid())
            case "sleeps":
                time.sleep(3600)
            case "plans-late-and-goes-on":
                for expansions in range(20):
                    report.progress(expansions)
                    time.sleep(0.05)
                report.plan(Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2))))
                time.sleep(3600)
            case "goes-on":
                while True:
                    report.progress(1)
                    time.sleep(0.05)
            case "eats-memory":
                eaten = []
                while True:
                    eaten.append(bytearray(10_000_000))
                    time.sleep(0.02)
            case "takes-200-MB":
                taken = bytearray(200_000_000)
                taken[::4096] = b"x" * len(taken[::4096])
                time.sleep(0.5)
                report.plan(Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2))))
            case "reports-without-end":
                while True:
                    report.stats(figure=1)
            case "keeps-a-child":
                child = os.fork()
                if child:
                    report.stats(child=child)
                time.sleep(3600)
        return "nothing more"


def entry(how: str) -> type[Misbehaving]:
    """What stands in the registry for a backend that misbehaves in one way."""

    class Entry(Misbehaving):
        @classmethod
        def from_words(cls, words, settings):
            return Misbehaving(how)

    return Entry


@dataclass(frozen=True)
class DiesOnce(Backend):
    """Is killed unless the file is there, which it makes first; then it finds nothing."""

    marker: Path
    name: str = "dies-once"

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        if not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "nothing more"


@dataclass(frozen=True)
class TellsItsMemory(Backend):
    """Says what it may plan with."""

    memory_mb: float | None = None
    name: str = "tells-its-memory"

    def within(self, memory_mb: float) -> Self:
        return replace(self, memory_mb=memory_mb)

    def run(self, puzzle: AnyPuzzle, report: Report, max_steps: int | None = None) -> str:
        report.stats(memory_mb=self.memory_mb)
        return "nothing more"


def write_and_sleep(began: Path, ended: Path) -> None:
    """Writes a file, sleeps ten minutes, and writes another one."""
    began.touch()
    time.sleep(3600)
    ended.touch()
