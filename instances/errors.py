"""What can be wrong with what a user hands in. Each error is one sentence that names the place."""

from typing import Any


class BspSatError(Exception):
    """Base of every expected error; its text is one line, meant for the user as it stands."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies and other processes. By default an exception is made from its text, which won't do for all."""
        return _made_anew, (type(self), *self.args), self.__dict__


def _made_anew(kind: type[BspSatError], *args: str) -> BspSatError:
    return kind.__new__(kind, *args)


class BoardError(BspSatError):
    """A board that cannot be read or that no rule allows.

    Attributes:
        where: path inside the file, such as ``tubes[2][0]``; empty for the whole.
        problem: what was expected there and what was found.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}" if where else problem)


class PlanError(BspSatError):
    """A plan that cannot be read."""


class IllegalMove(BspSatError):
    """A plan breaks the rules.

    Attributes:
        step: the first illegal move, counted from 1.
        move: that move as it is written for a person.
        reason: the rule it breaks.
    """

    def __init__(self, step: int, move: str, reason: str) -> None:
        self.step = step
        self.move = move
        self.reason = reason
        super().__init__(f"move {step} ({move}) is illegal: {reason}")


class GoalNotReached(BspSatError):
    """Every move of a plan is legal, but the last one leaves the board unsolved."""


class Unsupported(BspSatError):
    """A combination of puzzle, encoding, solver or option that does not exist."""


def printable(text: str) -> str:
    """``text`` with line breaks, control characters and halves of characters written as escapes."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
