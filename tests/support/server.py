"""What the tests of the server share: a server in a process of its own, streams, boards that take for ever."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psutil

from bsp_sat import BallSort, random_boards

HARD = next(random_boards(BallSort, 24, 6, 4, seed=5)).to_json()
"""A board that takes minutes."""


def events_of(text: str) -> list[tuple[str, Any]]:
    """The events of a stream."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.partition(": ")[::2] for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@contextmanager
def serving(*words: str, before: str = "") -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server in a process of its own, and its address; ``before`` is Python that it runs first."""
    program = f"{before}\nfrom bsp_sat.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", "--no-open", "--port", "0", "--jobs", "1", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http://\S+", line)
            assert address is not None, (line, process.stderr)
            yield process, address[0]
        finally:
            process.kill()


def run_apart(function: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs a coroutine in a thread of its own: a browser's loop may be running in this one."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(lambda: asyncio.run(function())).result()


def children(process: "subprocess.Popen[str]") -> set[psutil.Process]:
    """The processes below one."""
    return set(psutil.Process(process.pid).children(recursive=True))
