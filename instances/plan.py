"""Plans. `Plan.replay` alone decides whether a plan is valid."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

from bsp_sat.instances.errors import BoardError, GoalNotReached, NotJson, PlanError
from bsp_sat.instances.puzzle import PAGE, AnyPuzzle, Move
from bsp_sat.instances.text.reading import parse_json
from bsp_sat.instances.text.words import quantity, short

MAX_EXTRA_TUBES = 100

_ARROW = re.compile(r"[^\s,]+\s*(?:->|→|(?<!=)>)\s*[^\s,]+|\d+-\d+")
"""A move with an arrow, of which a line may have several."""

P = TypeVar("P", bound=AnyPuzzle)
State = TypeVar("State")


@dataclass(frozen=True)
class Plan:
    """A sequence of moves; its length is the number of moves."""

    moves: tuple[Move, ...]

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __getitem__(self, index: int) -> Move:
        return self.moves[index]

    def __bool__(self) -> bool:
        """True: a plan without moves, for a solved position, is a plan too."""
        return True

    def __str__(self) -> str:
        """The moves as plans in text have them, counted from 1, such as ``3→10 7→10 2→11``, in lines of a page."""
        from textwrap import fill  # which most runs don't need

        moves = list(map(str, self.moves))
        return fill(" ".join(moves) if "→" in "".join(moves) else ", ".join(moves), PAGE)

    @classmethod
    def through(cls, puzzle: P, states: Iterable[State], state_of: Callable[[P], State]) -> Self:
        """The plan from ``puzzle`` through the states after each move; symmetric positions may share a state."""
        moves: list[Move] = []
        for state in states:
            for move in puzzle.legal_moves():
                after = puzzle.after_legal(move)
                if state_of(after) == state:
                    break
            else:
                raise AssertionError("a search found a state that no move leads to")
            moves.append(move)
            puzzle = after
        return cls(tuple(moves))

    def replay(self, puzzle: AnyPuzzle) -> AnyPuzzle:
        """Plays the moves and returns the solved position. Raises IllegalMove with the first, or GoalNotReached."""
        end = puzzle.play(self.moves)
        if not end.is_goal():
            moves = quantity(len(self), "move")
            raise GoalNotReached(f"after {moves} the {puzzle.kind} board is not solved: {end.unfinished()}")
        return end

    def to_json(self, puzzle: AnyPuzzle) -> list[Any]:
        """The moves in the result format."""
        return [puzzle.move_to_json(move) for move in self]

    def __reduce__(self) -> tuple[Any, ...]:
        """Supports pickles: the moves as plain tuples, which takes a sixth of the time."""
        kinds = set(map(type, self.moves))
        if len(kinds) != 1:
            return type(self), (self.moves,)
        return _plan, (*kinds, tuple(map(tuple, self.moves)))

    @classmethod
    def from_json(cls, puzzle: AnyPuzzle, values: Iterable[Any]) -> "Plan":
        """Reads the ``plan`` list of a result. PlanError if a value is no move of this puzzle, naming its index."""
        moves = []
        for index, value in enumerate(values):
            try:
                moves.append(puzzle.move_from_json(value))
            except PlanError as error:
                raise PlanError(f"plan[{index}]: {error}") from None
        return cls(tuple(moves))

    @classmethod
    def from_text(cls, puzzle: AnyPuzzle, text: str) -> "Plan":
        """Parses a result object, a JSON list of moves, or lines with one move each, counted from 1.

        Lines may have a leading number (``12.``), an arrow between the values, and ``#`` or ``;`` comments. With arrows
        a line may have several moves, ``3→10 7→10``. Actions of planners are accepted, such as ``(move-4-0 tube-9
        tube-10 colour-2)``. Raises PlanError, naming the line or index.
        """
        if text.lstrip()[:1] in ("{", "["):
            return cls.from_json(puzzle, _moves_of(text))
        moves = []
        for number, line in enumerate(text.splitlines(), start=1):
            bare = re.sub(r"^\s*\d+\.\s", " ", re.split("[#;]", line, maxsplit=1)[0])
            arrows = _ARROW.findall(bare)
            for one in arrows if len(arrows) > 1 else [bare]:
                if words := re.sub(r"->|(?<!=)>|→|,|(?<=\d)-(?=\d)", " ", one).split():
                    try:
                        moves += puzzle.moves_from_text(words)
                    except PlanError as error:
                        raise PlanError(f"line {number}: {error}") from None
        return cls(tuple(moves))


def _plan(kind: type[Any], moves: tuple[Move, ...]) -> Plan:
    """The plan from plain tuples, all moves of one class."""
    return Plan(tuple(map(partial(tuple.__new__, kind), moves)))


def extra_tubes_of(text: str) -> int:
    """How many empty tubes a result object says were added to the board, else 0; PlanError for a bad number."""
    number = _parsed(text).get("extra_tubes") if text.lstrip().startswith("{") else None
    if number is None:
        return 0
    if type(number) is not int or not 0 <= number <= MAX_EXTRA_TUBES:
        found = short(json.dumps(number))
        raise PlanError(f'expected 0 to {MAX_EXTRA_TUBES} under "extra_tubes", found {found}')
    return number


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except NotJson as error:
        raise PlanError(str(error)) from None
    except BoardError as error:
        raise PlanError(f"not a plan: {error}") from None


def _moves_of(text: str) -> list[Any]:
    data = _parsed(text)
    moves = data.get("plan") if isinstance(data, dict) else data
    if not isinstance(moves, list):
        found = short(json.dumps(moves))
        if moves is None:
            found = "strategies for hidden cells" if data.get("strategy") else "none"
        raise PlanError(f'expected a list of moves under "plan", found {found}')
    return moves
