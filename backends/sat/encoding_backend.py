"""Common base of backends on encodings: the encoding is chosen by name, or is the one that suits the board."""

from dataclasses import dataclass, replace
from typing import Self

from bsp_sat.backends.backend import Backend, Choice
from bsp_sat.backends.result import Status
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, suiting_encoding
from bsp_sat.instances.puzzle import AnyPuzzle

ENCODING = Choice("encoding", lambda: ENCODINGS, "encoding")
HEAD_START = Choice("head_start", lambda: {"head-start": True}, "use of a quick search's plan")


@dataclass(frozen=True)
class EncodingBackend(Backend):
    """A backend on an encoding.

    Attributes:
        encoding: the encoding; None for the one that suits the board.
    """

    encoding: Encoding | None = None

    @property
    def proves(self) -> frozenset[Status]:
        """Always ``optimal``, and ``unsolvable`` if the encoding can ask for a plan of any length."""
        any_length = self.encoding is None or self.encoding.for_any_length().any_length
        return frozenset({Status.OPTIMAL, Status.UNSOLVABLE} if any_length else {Status.OPTIMAL})

    @property
    def encoding_name(self) -> str | None:
        """The name of the encoding; None if none is chosen yet."""
        return None if self.encoding is None else self.encoding.name

    def chosen(self, puzzle: AnyPuzzle) -> Encoding:
        """The encoding for a board.

        Raises:
            Unsupported: it doesn't take the board, or none does.
        """
        encoding = self.encoding or suiting_encoding(puzzle)
        check_encoding(encoding, puzzle)
        return encoding

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards that the encoding refuses (without a choice, all encodings)."""
        self.chosen(puzzle)

    def for_board(self, puzzle: AnyPuzzle) -> Self:
        """The backend with an encoding for the board."""
        self.check(puzzle)
        return replace(self, encoding=self.chosen(puzzle))
