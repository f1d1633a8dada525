"""Errors in a user's input. Each message is one sentence that names the place."""

from typing import Any


class BspSatError(Exception):
    """Base of every expected error. The message is one line, to show to the user as it is."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Supports copies and pickles: by default an exception is rebuilt from its message, which may not be enough."""
        return _made_anew, (type(self), *self.args), self.__dict__


def _made_anew(kind: type[BspSatError], *args: str) -> BspSatError:
    return kind.__new__(kind, *args)


class BoardError(BspSatError):
    """A board can't be read, or breaks a rule.

    Attributes:
        where: path inside the file, such as ``tubes[2][0]``; empty for the whole file.
        problem: what was expected there, and what was found.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}" if where else problem)


class PlanError(BspSatError):
    """A plan can't be read."""


class IllegalMove(BspSatError):
    """A plan breaks the rules.

    Attributes:
        step: the first illegal move, counted from 1.
        move: that move as text.
        reason: the rule it breaks.
    """

    def __init__(self, step: int, move: str, reason: str) -> None:
        self.step = step
        self.move = move
        self.reason = reason
        super().__init__(f"move {step} ({move}) is illegal: {reason}")


class GoalNotReached(BspSatError):
    """Every move of a plan is legal, but the board isn't solved at the end."""


class Unsupported(BspSatError):
    """A combination of puzzle, encoding, solver and options isn't supported."""


def printable(text: str) -> str:
    """``text`` with line breaks, control characters and lone surrogates escaped."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
