"""What a request is told that can't be answered: one sentence, in the words of the command line."""

import logging
import traceback
from pathlib import Path

from bsp_sat.backends.result import BackendError
from bsp_sat.instances.errors import BspSatError

logger = logging.getLogger(__name__)


class Refused(Exception):
    """A request that isn't answered, whatever its board is.

    Attributes:
        status: of HTTP.
        sentence: why.
    """

    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        self.sentence = sentence
        super().__init__(sentence)


def in_words(error: BaseException) -> str:
    """An error in one sentence; of what is nobody's fault but ours the log says more, in one line."""
    if isinstance(error, BspSatError) and not isinstance(error, BackendError):
        return str(error)
    if isinstance(error, OSError):  # no more processes, a full disk
        return error.strerror or str(error)
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in place)
    logger.error("Error: this is a bug in bsp-sat: %s: %s%s", type(error).__name__, " ".join(str(error).split()), where)
    about = str(error) if isinstance(error, BackendError) else type(error).__name__
    return f"this is a bug in bsp-sat, please report it: {about}"
