"""All errors that a user may see. Each message is one sentence that names the place.

    BspSatError
    ├── BoardError          a board, or another file that is read, has a fault
    │   ├── AmbiguousBoard  it may be several boards, or perhaps none
    │   └── NotJson         a syntax error in JSON, at a place in the text
    ├── PictureError        no board can be read from a picture
    ├── Unread              a picture's board is doubtful, or reading took too long
    ├── PlanError           a plan can't be read
    ├── IllegalMove         a plan breaks the rules
    ├── GoalNotReached      a plan ends before the goal
    ├── Unsupported         this can't be combined, or isn't installed
    ├── MalformedResult     a JSON object is no result
    ├── CertificateError    a certificate can't be made, or doesn't show what it claims
    │   ├── NoLabels        there are no distance labels; a formula may do
    │   ├── HasModel        the formula has a model
    │   └── ProofRejected   a checker doesn't accept the proof
    └── BackendError        a bug
        └── Refuted         a claim is wrong: there is a shorter plan

Two more are with the hidden cells that they are about (`bsp_sat.apps.covered`). Exceptions that another part of the
program always catches, such as `TooFar`, are no errors; they are where they are raised. So are those of the two
checkers that run without the package, `lrat.py` and `check_labels.py`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bsp_sat.instances.choices import Reading


class BspSatError(Exception):
    """Base of every expected error. The message is one line, to show to the user as it is."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Supports copies and pickles: by default an exception is rebuilt from its message, which may not be enough."""
        return _restored, (type(self), *self.args), self.__dict__


def _restored(kind: type[BspSatError], *args: str) -> BspSatError:
    return kind.__new__(kind, *args)


class BoardError(BspSatError):
    """A board, or another file such as results, can't be read, or breaks a rule.

    ``where`` is the path inside the file, such as ``tubes[2][0]``, empty for the whole file; ``problem`` says what was
    expected there, and what was found.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}" if where else problem)

    def within(self, place: str) -> "BoardError":
        """The same, where its file or object is at a place of something larger."""
        return BoardError(": ".join(filter(None, (place, self.where))), self.problem)


class AmbiguousBoard(BoardError):
    """A text may be read as several boards, or as one that is doubtful: the user should say which is meant.

    The readings to choose from stand the likeliest first; each says what picks it, in Python one more argument of
    `board` or `load`.
    """

    def __init__(self, where: str, question: str, readings: "Sequence[Reading]") -> None:
        self.question = question
        self.readings = tuple(readings)
        super().__init__(where, f"{question}: {'; or '.join(map(str, readings))}")

    def within(self, place: str) -> "AmbiguousBoard":
        return AmbiguousBoard(": ".join(filter(None, (place, self.where))), self.question, self.readings)


class NotJson(BoardError):
    """A syntax error in JSON."""

    def __init__(self, text: str, place: int, problem: str, first_line: int = 1) -> None:
        self.place = place
        line, column = first_line + text.count("\n", 0, place), place - text.rfind("\n", 0, place)
        super().__init__(f"line {line}, column {column}", problem)


class PictureError(BspSatError):
    """A picture that can't be loaded, or on which no board or no such cell is found; says what was found."""


class Unread(BspSatError):
    """The board in a picture is doubtful, or reading took too long."""


class PlanError(BspSatError):
    """A plan can't be read."""


class IllegalMove(BspSatError):
    """A plan breaks the rules: its first illegal move, counted from 1, that move as text, and the rule it breaks."""

    def __init__(self, step: int, move: str, reason: str) -> None:
        self.step = step
        self.move = move
        self.reason = reason
        super().__init__(f"move {step} ({move}) is illegal: {reason}")


class GoalNotReached(BspSatError):
    """Every move of a plan is legal, but the board isn't solved at the end."""


class Unsupported(BspSatError):
    """A combination of puzzle, encoding, solver and options isn't supported."""


class MalformedResult(BspSatError):
    """A JSON object isn't a result in the result format, or contradicts itself."""


class CertificateError(BspSatError):
    """A certificate can't be made, or doesn't show what it claims."""


class NoLabels(CertificateError):
    """There are no distance labels for this claim within the limits; the message says why."""


class HasModel(CertificateError):
    """A formula can't be refuted, as it has a model."""


class ProofRejected(CertificateError):
    """A checker did not accept a proof; the message names the checker, and says where and why."""


class BackendError(BspSatError):
    """A backend contradicts the rules, itself or another one: a bug, never the user's fault."""


class Refuted(BackendError):
    """An answer is wrong: there is a plan with fewer moves."""


def printable(text: str) -> str:
    """``text`` with line breaks, control characters and lone surrogates escaped."""
    if text.isprintable():  # nearly always, and far quicker
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
