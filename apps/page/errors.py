"""Errors as one sentence, like those of the command line, their HTTP status, and the readings of a doubtful board."""

import logging
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bsp_sat.backends.limits import lack_of_room
from bsp_sat.instances.choices import NO_CHOICES, Reading
from bsp_sat.instances.errors import AmbiguousBoard, BackendError, BspSatError
from bsp_sat.instances.palette import paints_for

logger = logging.getLogger(__name__)


class Refused(Exception):
    """A request is refused for other reasons than its board: HTTP status, a sentence, further keys of the answer."""

    def __init__(self, status: int, sentence: str, further: Mapping[str, Any] | None = None) -> None:
        self.status = status
        self.sentence = sentence
        self.further = further or {}
        super().__init__(sentence)

    @property
    def answer(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {"error": self.sentence, **self.further}


def refused_by(error: BaseException) -> Refused:
    """An error as it is answered. Bugs are also logged in one line."""
    if isinstance(error, Refused):
        return error
    readings = []
    if isinstance(error, AmbiguousBoard):
        at = error.readings[0].differs_at(error.readings[1:])
        readings = [_reading_json(each, at) for each in error.readings]
    return Refused(*_status_and_sentence(error), {"readings": readings} if readings else None)


def _reading_json(reading: Reading, at: int) -> dict[str, Any]:
    """A reading: the first of its boards that is open, with its colours, and what has to be sent to get it."""
    puzzle = reading.boards[at].puzzle
    colours = [colour for _, colour in puzzle.picture().legend]
    unsaid = NO_CHOICES._asdict()
    return {
        "words": reading.words,
        "doubts": list(reading.doubts),
        "option": reading.option,
        "choices": {key: value for key, value in reading.choices._asdict().items() if value != unsaid[key]},
        "board": puzzle.to_json(),
        "colours": [[colour, paint.fill] for colour, paint in zip(colours, paints_for(colours), strict=True)],
    }


def _status_and_sentence(error: BaseException) -> tuple[int, str]:
    """The HTTP status, 400 for bad requests, 503 for lack of resources, 500 for bugs, and the error as one sentence."""
    if isinstance(error, BspSatError) and not isinstance(error, BackendError):
        return 400, str(error)
    if isinstance(error, OSError):  # no more processes, a full disk
        return 503, error.strerror or str(error)
    if (lacking := lack_of_room(error)) is not None:
        return 503, lacking
    frames = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in frames)
    logger.error("Error: this is a bug in bsp-sat: %s: %s%s", type(error).__name__, " ".join(str(error).split()), where)
    return 500, f"this is a bug in bsp-sat, please report it: {type(error).__name__}"
