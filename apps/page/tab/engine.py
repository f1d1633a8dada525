"""Answers the page's questions in a tab, one after the other; `application` does the same on a server.

The worker in ``files/page/tab/worker.js`` runs this in Pyodide. An answer has a status, a media type and a body in
pieces, as in HTTP, so that the page reads it in the same way.
"""

import json
import time
from threading import Event
from typing import Any, Protocol

from bsp_sat.apps.page.answering import EVENT_STREAM, Emit, File, Service, Task, framed
from bsp_sat.apps.page.errors import refused_by
from bsp_sat.apps.page.questions import QUICK, SEARCHES, SHORT_TURNS, TURNS
from bsp_sat.apps.page.request_fields import fields_of
from bsp_sat.apps.page.tab.reading import read_pixels
from bsp_sat.backends.run import Here

SECONDS, MEMORY_MB = 60.0, 700.0
PAUSE_SECONDS = 0.02  # between two pauses of a job


class Host(Protocol):
    """The worker that the engine runs in."""

    def heap_bytes(self) -> int:
        """This worker's memory."""

    def pause(self) -> bool:
        """Lets the worker take messages, if the browser can do that; whether the answer is no longer wanted."""


class Reply(Protocol):
    """Takes an answer."""

    def head(self, status: int, kind: str) -> None:
        """Takes the HTTP status and the media type, before anything else."""

    def piece(self, data: bytes) -> None:
        """Takes a piece of the body."""


class Engine:
    """Answers questions for the worker, its host."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._service = Service(SECONDS, MEMORY_MB)

    def about(self) -> str:
        """What the page has to know, as JSON: which ``searches`` may take long, and their limits."""
        return json.dumps({"searches": [*SEARCHES], "seconds": SECONDS, "memory_mb": MEMORY_MB})

    def answer(self, path: str, body: bytes, reply: Reply) -> None:
        """Answers a question: a path as after ``/api/``, and JSON or a file, empty where the path takes none."""
        try:
            name, _, query = path.partition("?")
            file = File.of(read_pixels(query, body)) if name == "read" else self._file(name, body, reply)
        except Exception as error:
            refused = refused_by(error)
            file = File.of(refused.answer)
            reply.head(refused.status, file.kind)
        else:
            if file is None:
                return
            reply.head(200, file.kind)
        reply.piece(file.data)

    def _file(self, path: str, body: bytes, reply: Reply) -> File | None:
        """The answer; None if it has been given, as a stream."""
        if path in QUICK:
            return File.of(QUICK[path](fields_of(body)))
        question = (SEARCHES | TURNS | SHORT_TURNS)[path]
        answer = question.answer(self._service, question.reader(fields_of(body)))
        if path in SHORT_TURNS:
            return File.of(self._done(answer, lambda name, data: None))
        self._stream(answer, reply)
        return None

    def _stream(self, answer: Task, reply: Reply) -> None:
        """Gives the events of an answer as they come."""
        reply.head(200, EVENT_STREAM)
        try:
            last = "answer", self._done(answer, lambda name, data: reply.piece(framed(name, data)))
        except Exception as error:
            last = "error", refused_by(error).answer
        reply.piece(framed(*last))

    def _done(self, answer: Task, emit: Emit) -> Any:
        stop = Event()
        last_pause = time.monotonic()

        def pause() -> None:
            nonlocal last_pause
            if time.monotonic() - last_pause >= PAUSE_SECONDS:
                if self._host.pause():
                    stop.set()
                last_pause = time.monotonic()

        return answer(Here(self._host.heap_bytes, pause), stop, emit)
