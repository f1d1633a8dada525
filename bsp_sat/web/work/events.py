"""What work gives back: events, and files."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Any, Self

from bsp_sat.backends.run import Runner
from bsp_sat.instances.text.writing import json_text

EVENT_STREAM = "text/event-stream; charset=utf-8"

JobEvent = tuple[str, Any]
"""An event: its name, and its data, a JSON value or a `File`."""


@dataclass(frozen=True)
class File:
    """An answer to send.

    Attributes:
        data: the content.
        kind: the media type.
    """

    data: bytes
    kind: str

    @classmethod
    def of(cls, value: Any) -> Self:
        """A file with a JSON value."""
        return cls(json_text(value).encode(), "application/json")


Emit = Callable[[str, Any], None]

Work = Callable[[Runner, Event, Emit], JobEvent]
"""A job's work: takes a worker, an event that ends it, and a function for progress; returns the last event."""


def framed(name: str, data: Any) -> bytes:
    """An event in the format of server-sent events."""
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode()
