"""What a sort board is: tubes of balls, the rules of the tubes and of the game, and covers.

A board of the **plain form** has no `Rules` (`PLAIN`) and no covers; most boards are, and searches of them are kept
fast. A board with **hidden cells** has balls of unknown colour (`UNKNOWN`) and stands for what a player knows.

Colours that don't show (`SortBoard.unseen`) may be **nameless**: a player knows that they exist, but can't tell them
apart until they show.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import HIDDEN, Colour, Puzzle, check_colours, check_number, symbols_for
from bsp_sat.instances.sorting.covers import (
    NEW_COLOUR,
    Place,
    cells_that_differ,
    cells_to_see,
    covered_until_looked_at,
    still_covered,
    tops_to_look_at,
    unknown_cells,
)
from bsp_sat.instances.sorting.generator import GENERATOR
from bsp_sat.instances.sorting.reading import parts_of
from bsp_sat.instances.sorting.rules import (
    COLOURED,
    COVERED,
    GATHERED,
    GOALS,
    MAX_COLOURS,
    PLAIN,
    PLAIN_GOALS,
    UNKNOWN,
    UNKNOWN_BALL,
    WANTED,
    Goal,
    Reveal,
    Rules,
    SortFields,
    TubeRule,
    most_homes,
)
from bsp_sat.instances.text.reading import MAX_SIZE
from bsp_sat.instances.text.words import quantity, short

MONOCHROME = "the goal monochrome"
SEVERAL_HOMES = "colours that fill several tubes"
_OF_GOALS = {"gathered": GATHERED, "wanted": WANTED, "coloured": COLOURED, "monochrome": MONOCHROME}
"""Features of positions, see `Puzzle.features`."""

MAX_CAPACITY = MAX_SIZE


class Pour(NamedTuple):
    """A move from the top of tube ``source`` to the top of tube ``target``, both counted from 0."""

    source: int
    target: int

    def __str__(self) -> str:
        """As plans in text have it, counted from 1: ``3→10``."""
        return f"{self.source + 1}→{self.target + 1}"


Spelling = str | Sequence[Sequence[Colour | None]] | Mapping[str, Any]
"""A board as people write it: a text, lists of colours, or a dictionary with the keys of board files."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SortBoard(Puzzle[Pour]):
    """A position of ball sort or water sort, without its formats and the rules of play.

    It is made of a board in any spelling: ``BallSort("abba|bcca|cabc|-")``, ``BallSort(["abba", "bcca", "cabc", ""])``,
    ``BallSort([["red", "blue"], ["blue", "red"], []], capacity=2)``, bottom first. Without a capacity, it is found.
    Cells such as 0, "" or None may mean room: then the board is read without them, or it is asked. `from_tubes` takes
    every cell for a ball. Searches give all attributes, which are taken unchecked (see `check`). Raises AmbiguousBoard
    where a board may be meant in several ways or none, and BoardError where there is none, or it breaks a rule.

    Attributes:
        tubes: a byte string for each tube with a byte for each ball, bottom first; bytes are indices into ``palette``,
            or `UNKNOWN` on a board with rules.
        goal: ``full`` or ``monochrome``; on a board with rules also the others.
        rules: the current rules: locks that have opened are gone. `PLAIN` on a board of the plain form.
        covers: on a board with rules, for each tube the covered cells (`bsp_sat.instances.sorting.covers`).
    """

    tubes: tuple[bytes, ...]
    capacity: int
    goal: Goal
    palette: tuple[Colour, ...]
    rules: Rules = PLAIN
    covers: tuple[int, ...] = ()

    whole_run: ClassVar[bool]
    """Whether a move takes as much of the top run as fits, or one ball."""

    fields_type: ClassVar[type[SortFields]] = SortFields
    generator = GENERATOR

    def __init__(
        self,
        tubes: tuple[bytes, ...] | Spelling,
        capacity: int | None = None,
        goal: Goal = "full",
        palette: tuple[Colour, ...] | None = None,
        rules: Rules = PLAIN,
        covers: tuple[int, ...] = (),
    ) -> None:
        if palette is None or type(tubes) in (str, list):
            given = self._spelt(tubes, capacity, goal, palette)
            self.with_reading(given.read_as, given.other_end)
            tubes, capacity, goal, palette = given.tubes, given.capacity, given.goal, given.palette
            rules, covers = given.rules, given.covers
        set_field = object.__setattr__
        set_field(self, "tubes", tubes)
        set_field(self, "capacity", capacity)
        set_field(self, "goal", goal)
        set_field(self, "palette", palette)
        set_field(self, "rules", rules)
        set_field(self, "covers", covers)

    def __hash__(self) -> int:
        return hash(self.tubes)

    def __repr__(self) -> str:
        """What makes the position again; as short as it can be."""
        name = type(self).__name__
        try:
            self.check()
        except BoardError:
            raw = (self.tubes, self.capacity, self.goal, self.palette, self.rules, self.covers)
            return f"{name}({', '.join(map(repr, raw))})"
        if not self.is_plain:
            return f"{name}.from_json({self.to_json()!r})"
        tubes: list[Any] = self.coloured_tubes()
        if symbols_for(self.palette) == list(self.palette):
            tubes = ["".join(tube) for tube in tubes]
            text = "|".join(tube or "-" for tube in tubes)
            with suppress(BoardError):
                if type(self)(text) == self:
                    return f"{name}({text!r})"
        goal = "" if self.goal == "full" else f", goal={self.goal!r}"
        palette = f", palette={self.palette!r}"
        with suppress(BoardError):  # colours that don't come in their order, or sound like room, need it
            palette *= type(self)(tubes, self.capacity, self.goal) != self
        return f"{name}({tubes!r}, capacity={self.capacity}{goal}{palette})"

    # -- making and checking --------------------------------------------------------------------

    @classmethod
    def from_tubes(cls, tubes: Sequence[Sequence[Colour]], capacity: int, goal: Goal = "full") -> Self:
        """The position with these tubes of colours, bottom first. Raises BoardError if it is no board, or has no goal.

        >>> from bsp_sat.instances.sorting import BallSort
        >>> BallSort.from_tubes([["red", "blue"], ["blue", "red"], []], capacity=2).summary()
        'ball-sort, 2 colours, 3 tubes of 2'
        """
        check_number("capacity", capacity, 1, MAX_CAPACITY)
        tubes = [list(tube) for tube in tubes]  # they may come one by one
        try:
            palette = tuple(dict.fromkeys(chain.from_iterable(tubes)))
        except TypeError:
            raise BoardError("tubes", "expected colours (strings or integers)") from None
        if goal in GOALS and goal not in PLAIN_GOALS:
            return cls.from_fields(SortFields(capacity=capacity, tubes=[list(tube) for tube in tubes], goal=goal))
        if len(palette) > MAX_COLOURS:
            raise BoardError("tubes", f"expected at most {MAX_COLOURS} colours, found {len(palette)}")
        index = {colour: number for number, colour in enumerate(palette)}
        position = cls(tuple(bytes(map(index.__getitem__, tube)) for tube in tubes), capacity, goal, palette)
        position.check()
        return position

    @classmethod
    @abstractmethod
    def _spelt(cls, board: Any, capacity: int | None, goal: Goal, palette: tuple[Colour, ...] | None) -> Self:
        """The position that the arguments of the constructor spell; ``palette`` gives the colours their numbers."""

    def _with_palette(self, palette: tuple[Colour, ...]) -> Self:
        """A position of the plain form with its colours numbered as in ``palette``."""
        if not self.is_plain or {*palette} != {*self.palette}:
            raise BoardError("palette", f"expected the colours of a board without rules, found {short(repr(palette))}")
        numbers = bytes.maketrans(bytes(range(len(palette))), bytes(map(palette.index, self.palette)))
        return replace(self, tubes=tuple(tube.translate(numbers) for tube in self.tubes), palette=palette)

    @classmethod
    def from_fields(cls, fields: SortFields) -> Self:
        """The position that a file describes; with open locks and uncovered tops, of the plain form if it can be."""
        if fields.is_plain:
            step = 1 if fields.order == "bottom-up" else -1
            tubes = [[ball for ball in tube[::step] if ball is not None] for tube in fields.tubes]
            return cls.from_tubes(tubes, fields.capacity, fields.goal)
        parts = parts_of(fields, cls.usual_reveal())
        given = cls(parts.tubes, parts.capacity, fields.goal, parts.palette, parts.rules, parts.covers)
        given._check_free()
        shown = given.uncovered().settled()
        if shown.is_hidden and not shown.has_filling():  # even if the counts leave one colour for all of them
            raise BoardError("tubes", "no way to deal out the missing balls agrees with what shows")
        found = given.with_tubes(given.tubes)
        if found.is_hidden:
            return found
        if given.is_hidden:
            # The counts tell all that was missing. Colours are numbered in the order in which they show: so once more.
            known = replace(fields, tubes=found.coloured_tubes(), hidden=parts.hidden, order="bottom-up")
            return cls.from_fields(known)
        if found.rules.features() or any(found.covers) or found.goal not in PLAIN_GOALS:
            return found
        return found.bare()

    @classmethod
    def usual_reveal(cls) -> Reveal:
        """What is revealed by default when a covered cell comes to the top: what a move takes."""
        return "run" if cls.whole_run else "cell"

    def bare(self) -> Self:
        """The position without rules and covers, in the plain form."""
        return type(self)(self.tubes, self.capacity, self.goal, self.palette)

    def _with_tubes(self, tubes: tuple[bytes, ...], rules: Rules, covers: tuple[int, ...]) -> Self:
        return type(self)(tubes, self.capacity, self.goal, self.palette, rules, covers)

    def with_more_tubes(self, number: int) -> Self:
        """The position with more empty tubes, of the common capacity and without rules, after the others.

        They never hurt: a plan without them is a plan with them, for every goal and all rules for tubes.
        """
        tubes = (*self.tubes, *[b""] * number)
        if self.is_plain:
            return replace(self, tubes=tubes)
        rule = TubeRule(self.capacity, any_top=self.rules.anywhere and not self.rules.any_in)
        rules = replace(self.rules, tubes=(*self.rules.tubes, *[rule] * number))
        return self._with_tubes(tubes, rules, (*self.covers, *[0] * number))

    def check(self) -> None:
        check_colours("tubes", self.tubes, self.palette, b"" if self.is_plain else bytes([UNKNOWN]))
        if UNKNOWN_BALL in self.palette:
            raise BoardError("palette", f'expected no colour "{UNKNOWN_BALL}": an unknown ball is null in JSON')
        if self.is_plain:
            self._check_plain()
        else:
            self._check_rules()

    def _check_plain(self) -> None:
        capacity = self.capacity
        check_number("capacity", capacity, 1, MAX_CAPACITY)
        if self.goal not in PLAIN_GOALS:
            raise BoardError("goal", f"expected full or monochrome on a board without rules, found {self.goal!r}")
        if not self.tubes:
            raise BoardError("tubes", "expected at least one tube, found none")
        for number, tube in enumerate(self.tubes):
            if len(tube) > capacity:
                problem = f"expected at most {quantity(capacity, 'ball')} (the capacity), found {len(tube)}"
                raise BoardError(f"tubes[{number}]", problem)
        counts = self.ball_counts()
        for colour, count in zip(self.palette, counts, strict=True):
            if self.goal == "full" and count % capacity:
                alike = sorted({str(each) for each in self.palette if str(each).casefold() == str(colour).casefold()})
                hint = 'expected a multiple of the capacity, or "goal": "monochrome"'
                if len(alike) > 1:
                    hint = f"{short(' and '.join(map(repr, alike)))} differ only by case"
                problem = f"{count} of colour {short(repr(colour))} cannot fill whole tubes of {capacity}; {hint}"
                raise BoardError("tubes", problem)
        needed = sum(-(-count // capacity) for count in counts)
        if needed > len(self.tubes):
            raise BoardError("tubes", f"the colours need {needed} tubes to be kept apart, found {len(self.tubes)}")

    def _check_rules(self) -> None:
        tubes, rules = self.tubes, self.rules
        found = (len(tubes), len(rules.tubes), len(self.covers))
        if not tubes or len(set(found)) > 1:
            raise BoardError("tubes", f"expected one or more, and rules and covers for each, found {found}")
        if self.goal not in GOALS:
            raise BoardError("goal", f"expected {' or '.join(GOALS)}, found {self.goal!r}")
        check_number("capacity", self.capacity, 1, MAX_CAPACITY)
        numbers = frozenset(range(len(self.palette)))
        for place, (tube, rule, cover) in enumerate(zip(tubes, rules.tubes, self.covers, strict=True)):
            check_number(f"capacities[{place}]", rule.capacity, 1, MAX_CAPACITY)
            if len(tube) > rule.capacity:
                problem = f"expected at most {quantity(rule.capacity, 'ball')} (its capacity), found {len(tube)}"
                raise BoardError(f"tubes[{place}]", problem)
            if type(cover) is not int or not 0 <= cover < 1 << len(tube):
                raise BoardError(f"hidden[{place}]", f"expected bits for {len(tube)} balls, found {cover!r}")
            if not numbers.issuperset(rule.colours):
                raise BoardError(f"tubes[{place}]", "expected rules that name colours of the board")
        known = Counter(b"".join(tubes))
        for key, counts in (("colours", rules.counts), ("wanted", rules.wanted)):
            for count in counts:
                check_number(key, count, 0, MAX_SIZE**2)
        missing = [count - known[colour] for colour, count in enumerate(rules.counts)]
        if len(missing) != len(numbers) or min(missing, default=0) < 0 or sum(missing) != known[UNKNOWN]:
            raise BoardError("colours", "expected the number of balls of each colour on the board")
        if len(rules.wanted) != (len(numbers) if self.goal == "wanted" else 0):
            raise BoardError("wanted", "expected a number for each colour at the goal wanted, and none at others")
        self._check_free()

    def _check_free(self) -> None:
        """Refuses what doesn't go with balls that go anywhere or leave at the bottom, or with the goal ``coloured``."""
        if self.rules.drain and (any(self.covers) or self.is_hidden):
            raise BoardError("drain", "expected no covered or unknown balls where balls leave at the bottom")
        if (self.rules.anywhere or self.goal == "coloured") and self.is_hidden:
            raise BoardError("tubes", "expected no unknown balls where balls go anywhere, or at the goal coloured")

    # -- what it has ----------------------------------------------------------------------------

    @property
    def is_plain(self) -> bool:
        """Whether the board has the plain form: no rules for tubes, no covers, the goal ``full`` or ``monochrome``."""
        return not self.rules.tubes

    @property
    def is_hidden(self) -> bool:
        """Whether the colours of some balls aren't known."""
        return not self.is_plain and UNKNOWN in b"".join(self.tubes)

    @property
    def capacities(self) -> tuple[int, ...]:
        """The capacity of each tube."""
        if self.is_plain:
            return (self.capacity,) * len(self.tubes)
        return tuple(rule.capacity for rule in self.rules.tubes)

    @property
    def stops_at_covers(self) -> bool:
        """Whether covers affect the moves."""
        return self.whole_run and not self.is_plain and self.rules.reveal == "cell"

    def features(self) -> frozenset[str]:
        """The features of the rules and the goal, and of hidden cells."""
        found = set() if self.rules is PLAIN else set(self.rules.features())
        if self.goal in _OF_GOALS:
            found.add(_OF_GOALS[self.goal])
        elif self._has_several_homes():
            found.add(SEVERAL_HOMES)
        if self.stops_at_covers and any(self.covers):
            found.add(COVERED)
        if self.is_hidden:
            found.add(HIDDEN)
        return frozenset(found)

    def _has_several_homes(self) -> bool:
        """Whether at the goal ``full`` a colour fills several tubes."""
        if self.is_plain:
            return any(count >= 2 * self.capacity for count in self.ball_counts())
        return max(most_homes(self.rules, self.goal), default=0) > 1

    def ball_counts(self) -> list[int]:
        """The number of known balls of each colour."""
        balls = b"".join(self.tubes)
        return [balls.count(colour) for colour in range(len(self.palette))]

    def home_tubes(self, colour: int) -> int:
        """How many tubes ``colour`` fills at the goal ``full``; on a board with rules an upper bound, at its goal."""
        if self.is_plain:
            return b"".join(self.tubes).count(colour) // self.capacity
        return most_homes(self.rules, self.goal)[colour]

    def _colour(self, ball: int) -> Colour | None:
        """The user's colour of a ball; None if it isn't known."""
        return self.palette[ball] if ball < len(self.palette) else None

    def coloured_tubes(self) -> list[list[Any]]:
        """The tubes as lists of the user's colours, bottom first, with None for unknown cells."""
        colours = self.palette if self.is_plain else {UNKNOWN: None, **dict(enumerate(self.palette))}
        return [[colours[ball] for ball in tube] for tube in self.tubes]

    def colour_named(self, name: Colour) -> int:
        """The index of a colour, a number on the board also as a string. Raises BoardError if there is none."""
        for index, colour in enumerate(self.palette):
            if colour == name or str(colour) == str(name):
                return index
        names = ", ".join(map(str, self.palette)) + (f", or {NEW_COLOUR!r}" if self.unseen else "")
        raise BoardError("", f"there is no colour {name!r} on this board, expected one of {names}")

    # -- what is known of a board with hidden cells ----------------------------------------------

    @property
    def unknown(self) -> tuple[Place, ...]:
        """The unknown cells, tube by tube from the bottom."""
        return () if self.is_plain else unknown_cells(self.tubes)

    @property
    def to_see(self) -> tuple[Place, ...]:
        """The uncovered unknown cells."""
        return () if self.is_plain else cells_to_see(self.tubes, self.covers)

    @property
    def covered_tops(self) -> tuple[int, ...]:
        """The open tubes to be looked at: those whose top is known and still covered."""
        return tops_to_look_at(self.tubes, self.covers, self.rules.locked)

    @property
    def shows_runs(self) -> bool:
        """Whether a run is revealed with its top."""
        return self.rules.reveal == "run"

    def differing(self) -> Mapping[Place, int]:
        """Unknown cells known not to have a colour: those that stay covered below the run at the top of a tube.

        This is known only after looking: right after a move the run may turn out to be longer.
        """
        return cells_that_differ(self.tubes, self.covers, self.rules.locked) if self.shows_runs else {}

    @property
    def missing(self) -> tuple[int, ...]:
        """The number of unknown balls of each colour."""
        known = Counter(b"".join(self.tubes))
        return tuple(count - known[colour] for colour, count in enumerate(self.rules.counts))

    @property
    def unseen(self) -> tuple[int, ...]:
        """The nameless colours of which no ball is known."""
        known = {*b"".join(self.tubes)}
        colours = len(self.palette)
        return tuple(colour for colour in range(colours - self.rules.nameless, colours) if colour not in known)

    def has_filling(self) -> bool:
        """Whether there is a way to deal out the missing balls that agrees with what shows.

        Each cell excludes at most one colour. So balls of two or more colours can go to any unknown cell, and by Hall's
        theorem it is enough that the balls of each single colour find cells.
        """
        number_of_cells, ruled_out = len(self.unknown), Counter(self.differing().values())
        return all(number <= number_of_cells - ruled_out[colour] for colour, number in enumerate(self.missing))

    def with_cells(self, colours: Mapping[Place, int]) -> Self:
        """The position with more cells known, by index into the palette, and with colours that follow from the counts.

        All tubes count as looked at.
        """
        tubes = [bytearray(tube) for tube in self.tubes]
        for (place, level), colour in colours.items():
            tubes[place][level] = colour
        return self.with_tubes(tuple(map(bytes, tubes))).looked()

    def with_tubes(self, tubes: tuple[bytes, ...]) -> Self:
        """The position with these tubes, and with unknown balls filled in if their colour follows from the counts."""
        known = Counter(b"".join(tubes))
        missing = [colour for colour, count in enumerate(self.rules.counts) if count > known[colour]]
        if known[UNKNOWN] and len(missing) == 1:
            tubes = tuple(tube.replace(bytes([UNKNOWN]), bytes(missing)) for tube in tubes)
        return self._with_tubes(tubes, self.rules, self.covers).uncovered().settled()

    def looked(self) -> Self:
        """The position after looking at all tubes: no open tube's known top is covered any more."""
        tops = self.covered_tops
        covers = tuple(
            still_covered(tube, cover, self.rules.reveal) if place in tops else cover
            for place, (tube, cover) in enumerate(zip(self.tubes, self.covers, strict=True))
        )
        return self if covers == self.covers else self._with_tubes(self.tubes, self.rules, covers)

    def uncovered(self) -> Self:
        """The position with the tops of open tubes uncovered."""
        covers = tuple(
            cover if rule.lock is not None else covered_until_looked_at(tube, cover, self.rules.reveal)
            for tube, cover, rule in zip(self.tubes, self.covers, self.rules.tubes, strict=True)
        )
        return self._with_tubes(self.tubes, self.rules, covers)

    def settled(self) -> Self:
        """The position with all due locks open, and the tops of open tubes uncovered."""
        rules = self.rules.opened_by(self.tubes, self.goal) if self.rules.locked else self.rules
        if rules is self.rules:
            return self
        return self._with_tubes(self.tubes, rules, self.covers).uncovered()
