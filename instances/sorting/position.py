"""What ball sort and water sort share: moves, goals, symmetry and output."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.puzzle import Cell, Colour, Picture, Puzzle, check_colours
from bsp_sat.instances.sorting.fields import MAX_COLOURS, Goal, SortFields
from bsp_sat.instances.sorting.generator import GENERATOR
from bsp_sat.instances.sorting.notation import format_tubes
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.sorting.tables import board_of, fields_of_text, table_of_value
from bsp_sat.instances.sorting.tubes import bottom_run, top_run
from bsp_sat.instances.symbols import symbols_for
from bsp_sat.instances.text.fields import MAX_SIZE
from bsp_sat.instances.text.words import parse_number, short

MONOCHROME = "the goal monochrome"
SEVERAL_HOMES = "colours that fill several tubes"
"""Features of positions, see `Puzzle.features`."""

MAX_CAPACITY = MAX_SIZE


class Pour(NamedTuple):
    """A move from the top of tube ``source`` to the top of tube ``target``, both counted from 0."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class SortPuzzle(Puzzle[Pour]):
    """What ball sort and water sort share.

    Attributes:
        tubes: a byte string for each tube with a byte for each ball, bottom first; bytes are indices into ``palette``.
        capacity: balls that fit into a tube.
        goal: ``full`` or ``monochrome``.
        palette: the colours, as the user named them.
    """

    tubes: tuple[bytes, ...]
    capacity: int
    goal: Goal
    palette: tuple[Colour, ...]

    move_key: ClassVar[str] = "FROM → TO, tubes counted from 1, left to right (from 0 in --json)"
    whole_run: ClassVar[bool]
    """Whether a move takes as much of the top run as fits, or one ball."""

    prunings: ClassVar[frozenset[str]] = frozenset({"finished", "whole-tube", "one-empty"})
    fields_type: ClassVar[type[SortFields]] = SortFields
    generator = GENERATOR

    def __hash__(self) -> int:
        return hash(self.tubes)

    @classmethod
    def from_tubes(cls, tubes: Sequence[Sequence[Colour]], capacity: int, goal: Goal = "full") -> Self:
        """The position with these tubes of colours, bottom first.

        Raises:
            BoardError: the board breaks a rule of the format, or can't satisfy its goal.

        >>> from bsp_sat.instances.sorting import BallSort
        >>> BallSort.from_tubes([["red", "blue"], ["blue", "red"], []], capacity=2).summary()
        'ball-sort, 2 colours, 3 tubes of 2'
        """
        if goal in ("gathered", "wanted"):
            return cls.with_rules(SortFields(capacity=capacity, tubes=[list(tube) for tube in tubes], goal=goal))
        palette = tuple(dict.fromkeys(chain.from_iterable(tubes)))
        if len(palette) > MAX_COLOURS:
            raise BoardError("tubes", f"expected at most {MAX_COLOURS} colours, found {len(palette)}")
        index = {colour: number for number, colour in enumerate(palette)}
        position = cls(tuple(bytes(index[ball] for ball in tube) for tube in tubes), capacity, goal, palette)
        position.check()
        return position

    @classmethod
    def from_fields(cls, fields: SortFields) -> Self:
        """The position that a file describes.

        Boards beyond the plain form, with rules for tubes or covered cells, have other classes.
        """
        if not fields.is_plain:
            return cls.with_rules(fields)
        step = 1 if fields.order == "bottom-up" else -1
        tubes = [[ball for ball in tube[::step] if ball is not None] for tube in fields.tubes]
        return cls.from_tubes(tubes, fields.capacity, fields.goal)

    @classmethod
    @abstractmethod
    def with_rules(cls, fields: SortFields) -> Self:
        """The position of a board beyond the plain form.

        Raises:
            BoardError: the board breaks a rule, naming the place.
        """

    @classmethod
    def usual_reveal(cls) -> Reveal:
        """What is revealed by default when a covered cell comes to the top: what a move takes."""
        return "run" if cls.whole_run else "cell"

    def check(self) -> None:
        """See `Puzzle.check`."""
        capacity = self.capacity
        if not 1 <= capacity <= MAX_CAPACITY:
            raise BoardError("capacity", f"expected 1 to {MAX_CAPACITY}, found {capacity}")
        if self.goal not in ("full", "monochrome"):
            raise BoardError("goal", f"expected full or monochrome on a board without rules, found {self.goal!r}")
        if not self.tubes:
            raise BoardError("tubes", "expected at least one tube, found none")
        for number, tube in enumerate(self.tubes):
            if len(tube) > capacity:
                problem = f"expected at most {capacity} balls (the capacity), found {len(tube)}"
                raise BoardError(f"tubes[{number}]", problem)
        check_colours("tubes", self.tubes, self.palette)
        counts = self.ball_counts()
        for colour, count in zip(self.palette, counts, strict=True):
            if self.goal == "full" and count % capacity:
                raise BoardError(
                    "tubes",
                    f"{count} of colour {short(repr(colour))} cannot fill whole tubes of {capacity}; expected a "
                    'multiple of the capacity, or "goal": "monochrome"',
                )
        needed = sum(-(-count // capacity) for count in counts)
        if needed > len(self.tubes):
            raise BoardError("tubes", f"the colours need {needed} tubes to be apart, found {len(self.tubes)}")

    def features(self) -> frozenset[str]:
        """`MONOCHROME`, or `SEVERAL_HOMES` at the goal ``full``."""
        if self.goal == "monochrome":
            return frozenset({MONOCHROME})
        several = any(count >= 2 * self.capacity for count in self.ball_counts())
        return frozenset({SEVERAL_HOMES}) if several else frozenset()

    @property
    def capacities(self) -> tuple[int, ...]:
        """The capacity of each tube."""
        return (self.capacity,) * len(self.tubes)

    def with_more_tubes(self, number: int) -> Self:
        """The position with more empty tubes, of the common capacity, after the others.

        They never hurt: a plan without them is a plan with them, for every goal and all rules for tubes.
        """
        return replace(self, tubes=(*self.tubes, *[b""] * number))

    # -- rules --------------------------------------------------------------------------------

    def legal_moves(self) -> Iterator[Pour]:
        """All legal moves, by source and then by target."""
        tubes = self.tubes
        open_tubes = [
            (target, tube[-1] if tube else None) for target, tube in enumerate(tubes) if len(tube) < self.capacity
        ]
        for source, tube in enumerate(tubes):
            if tube:
                colour = tube[-1]
                for target, top in open_tubes:
                    if (top is None or top == colour) and target != source:
                        yield Pour(source, target)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """Legal moves that survive the named rules (see docs/search.md for why each is safe).

        * ``finished``: don't touch a tube that holds every ball of its colour.
        * ``whole-tube``: don't move a one-colour tube into an empty one.
        * ``one-empty``: of several empty targets, use the first.
        """
        tubes = self.tubes
        kept_sources = [not ("finished" in prunings and tube and self._is_finished(tube)) for tube in tubes]
        uniform = [bool(tube) and top_run(tube) == len(tube) for tube in tubes]
        first_empty = next((i for i, tube in enumerate(tubes) if not tube), -1)
        for move in self.legal_moves():
            source, target = move
            if not kept_sources[source]:
                continue
            if not tubes[target]:
                if "whole-tube" in prunings and uniform[source]:
                    continue
                if "one-empty" in prunings and target != first_empty:
                    continue
            yield move

    def _is_finished(self, tube: bytes) -> bool:
        """Whether ``tube`` is full of one colour and holds every ball of it."""
        colour = tube[:1]
        return (
            len(tube) == self.capacity
            and tube.count(colour) == self.capacity
            and sum(other.count(colour) for other in self.tubes) == self.capacity
        )

    @abstractmethod
    def amount(self, source: bytes, target: bytes) -> int:
        """The number of balls that a legal move between these tubes takes."""

    def apply(self, move: Pour) -> Self:
        """The position after a legal move."""
        source, target = self.tubes[move.source], self.tubes[move.target]
        amount = self.amount(source, target)
        tubes = list(self.tubes)
        tubes[move.source] = source[:-amount]
        tubes[move.target] = target + source[-amount:]
        return type(self)(tuple(tubes), self.capacity, self.goal, self.palette)

    def refusal(self, move: Pour) -> str | None:
        """Why ``move`` is illegal here, None where it is legal."""
        source, target = move
        if (reason := self._no_move(move)) is not None:
            return reason
        if len(self.tubes[target]) >= self.capacity:
            return f"tube {target + 1} is full"
        if self.tubes[target] and self.tubes[target][-1] != self.tubes[source][-1]:
            taken, there = (self.palette[self.tubes[tube][-1]] for tube in move)
            return f"{taken} cannot go on {there}"
        return None

    def _no_move(self, move: Pour) -> str | None:
        """Why ``move`` is illegal under any rules; None if that depends on the rules."""
        for tube in move:
            if not 0 <= tube < len(self.tubes):
                return f"there is no tube {tube + 1}, the board has {len(self.tubes)}"
        if move.source == move.target:
            return "source and target are the same tube"
        if not self.tubes[move.source]:
            return f"tube {move.source + 1} is empty"
        return None

    def is_goal(self) -> bool:
        """Whether every tube is empty or of one colour, and full if the goal asks for it."""
        return all(self._is_sorted(tube) for tube in self.tubes)

    def _is_sorted(self, tube: bytes) -> bool:
        if not tube:
            return True
        return bottom_run(tube) == len(tube) and (self.goal == "monochrome" or len(tube) == self.capacity)

    def canonical(self) -> Self:
        """The position with its tubes sorted, as their order makes no difference to plans."""
        return type(self)(tuple(sorted(self.tubes)), self.capacity, self.goal, self.palette)

    @abstractmethod
    def lower_bound(self) -> int:
        """An admissible and consistent bound on the number of moves."""

    def home_tubes(self, colour: int) -> int:
        """How many tubes ``colour`` fills at the goal ``full``."""
        return b"".join(self.tubes).count(colour) // self.capacity

    def ball_counts(self) -> list[int]:
        """The number of balls of each colour."""
        balls = b"".join(self.tubes)
        return [balls.count(colour) for colour in range(len(self.palette))]

    # -- files and people -----------------------------------------------------------------------

    def unfinished(self) -> str:
        """Which tubes aren't sorted yet."""
        wrong = [str(number) for number, tube in enumerate(self.tubes, 1) if not self._is_sorted(tube)]
        if not wrong:
            return ""
        wanted = "one colour and full" if self.goal == "full" else "one colour"
        return f"tube{'s' if len(wrong) > 1 else ''} {', '.join(wrong)} should be {wanted}"

    def misreading(self) -> tuple[str, Self] | None:
        """The position with each tube upside down: the two orders are easily mixed up."""
        turned = replace(self, tubes=tuple(tube[::-1] for tube in self.tubes))
        return None if turned == self else ("with its tubes read top-down", turned)

    def coloured_tubes(self) -> list[list[Colour]]:
        """The tubes as lists of the user's colours, bottom first."""
        return [[self.palette[ball] for ball in tube] for tube in self.tubes]

    def to_json(self) -> dict[str, Any]:
        """``puzzle``, ``capacity``, ``tubes`` and, unless it is the default, ``goal``."""
        fields: dict[str, Any] = {
            "puzzle": self.kind,
            "capacity": self.capacity,
            "tubes": self.coloured_tubes(),
        }
        if self.goal != "full":
            fields["goal"] = self.goal
        return fields

    @classmethod
    def fields_of_value(cls, value: Any) -> Mapping[str, Any]:
        """Completes an object that has no capacity or tubes as strings; makes one of a list of tubes."""
        if isinstance(value, dict):
            tubes = value.get("tubes")
            sized = "capacity" in value or "capacities" in value
            if not isinstance(tubes, list) or (sized and not any(isinstance(tube, str) for tube in tubes)):
                return value
        return board_of(table_of_value(value, {}), cls.from_json)

    @classmethod
    def fields_of_text(cls, text: str) -> Mapping[str, Any]:
        """Parses tubes, see `bsp_sat.instances.sorting.notation`. Recognises no text, as any text may be tubes."""
        return fields_of_text(text, cls.from_json)

    def to_text(self) -> str:
        """A line for each tube, after lines with settings that can't be inferred; colours as `picture` has them."""
        return format_tubes(replace(self, palette=tuple(symbols_for(self.palette))).to_json())

    @classmethod
    def move_from_json(cls, value: Any) -> Pour:
        """Reads ``[from, to]``, counted from 0."""
        if not (isinstance(value, list) and len(value) == 2 and all(type(tube) is int for tube in value)):
            raise PlanError(f"expected [from, to] with two tube numbers, found {short(repr(value))}")
        return Pour(*value)

    @classmethod
    def move_from_text(cls, words: list[str]) -> Pour:
        """Parses ``FROM TO``, counted from 1; anything after that, such as the colour, is ignored.

        Also parses an action of `bsp_sat.encoder.export.pddl`, such as ``(move-4-0 tube-9 tube-10 colour-2)``.
        """
        if words[0].startswith("("):
            words = [word.rstrip(")").removeprefix("tube-") for word in words if word.startswith("tube-")]
        source, target = (parse_number(word) for word in (*words, "", "")[:2])
        if source is None or target is None:
            raise PlanError(f"expected two tube numbers, FROM TO, found {short(' '.join(words))!r}")
        if not source or not target:
            raise PlanError("tube 0: plans in text count tubes from 1 (plans in JSON count from 0)")
        return Pour(source - 1, target - 1)

    def describe(self, move: Pour) -> str:
        """Source and target, counted from 1, and the colour that moves."""
        known = 0 <= move.source < len(self.tubes) and self.tubes[move.source]
        colour = f"  {self.palette[self.tubes[move.source][-1]]}" if known else ""
        return f"{move.source + 1} → {move.target + 1}{colour}"

    def summary(self) -> str:
        """For example ``ball-sort, 9 colours, 11 tubes of 4``."""
        goal = "" if self.goal == "full" else f", goal {self.goal}"
        colours = f"{len(self.palette)} colour{'s' if len(self.palette) != 1 else ''}"
        return f"{self.kind}, {colours}, {len(self.tubes)} tubes of {self.capacity}{goal}"

    def picture(self) -> Picture:
        """The tubes as columns, with a symbol for each ball and ``·`` for room."""
        symbols = symbols_for(self.palette)
        rows = tuple(
            tuple(
                Cell(symbols[tube[level]], self.palette[tube[level]]) if level < len(tube) else Cell("·")
                for tube in self.tubes
            )
            for level in reversed(range(self.capacity))
        )
        header = tuple(str(number) for number in range(1, len(self.tubes) + 1))
        return Picture(rows, header, tuple(zip(symbols, self.palette, strict=True)))


def most_that_stays(puzzle: SortPuzzle, worth: Sequence[int]) -> int:
    """The largest total ``worth`` of bottom runs, one for each tube, that the goal lets stay."""
    if puzzle.goal == "monochrome":
        return sum(value for tube, value in zip(puzzle.tubes, worth, strict=True) if tube)
    at_bottom: dict[int, list[int]] = {}
    for tube, value in zip(puzzle.tubes, worth, strict=True):
        if tube:
            at_bottom.setdefault(tube[0], []).append(value)
    kept = 0
    for colour, values in at_bottom.items():
        if len(values) > 1:
            values.sort(reverse=True)
            kept += sum(values[: puzzle.home_tubes(colour)])
        else:
            kept += values[0]
    return kept
