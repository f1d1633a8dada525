"""Rules for single tubes (capacities, locks, directions, colours) and for a whole board.

Every position has an object of class `Rules`; on boards of the plain form it is `PLAIN`. Tubes of equal rules are
interchangeable; others aren't.

Locks open when tubes or colours are **complete**:

* a tube is complete if it is full of one colour; at the goals ``monochrome``, ``gathered`` and ``coloured`` also if it
  holds every ball of its one colour;
* a colour is complete if all of its balls are in complete tubes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, pairwise
from operator import mul
from typing import Any, Literal, NamedTuple, get_args

from bsp_sat.instances.text.reading import ABOUT, AnswerField, BoardFields, ColourField, ColourName, Coordinate, Size

Goal = Literal["full", "monochrome", "gathered", "wanted", "coloured"]
GOALS: tuple[Goal, ...] = get_args(Goal)
PLAIN_GOALS: tuple[Goal, ...] = ("full", "monochrome")
Placement = Literal["matching", "any"]

MAX_COLOURS = 256  # tubes are byte strings
NOT_SAID: Any = None  # for keys whose value may not be null in a file


@dataclass(kw_only=True)
class SortFields(BoardFields):
    """The fields of a ball-sort or water-sort board's file, as docs/formats.md says."""

    tubes: list[list[ColourField | None]]
    capacity: Size
    order: Literal["bottom-up", "top-down"] = "bottom-up"
    goal: Goal = "full"
    wanted: dict[ColourName, Size] = field(default_factory=dict)
    tube_colours: list[ColourField | None] = field(default_factory=list)
    placement: Placement = "matching"
    any_in: list[Coordinate] = field(default_factory=list)
    optimal: dict[str, AnswerField] | None = None
    reveal: Literal["run", "cell"] = NOT_SAID
    hidden: list[list[bool]] = field(default_factory=list)
    colours: dict[ColourName, Size] = field(default_factory=dict)
    capacities: list[Size] = field(default_factory=list)
    locked: list[dict[str, Any]] = field(default_factory=list)
    no_in: list[Coordinate] = field(default_factory=list)
    no_out: list[Coordinate] = field(default_factory=list)
    accepts: dict[str, list[ColourField]] = field(default_factory=dict)
    partial: bool = True
    cork: bool = False
    drain: bool = False
    contents: list[list[ColourField]] = field(default_factory=list, metadata={ABOUT: True})

    @property
    def is_plain(self) -> bool:
        """Whether the board is of the plain form."""
        of_tubes = (self.capacities, self.locked, self.no_in, self.no_out, self.accepts, self.any_in, self.tube_colours)
        others = (self.hidden, self.colours, self.wanted, self.cork, self.drain, not self.partial)
        plainly = self.placement == "matching" and self.goal in PLAIN_GOALS and not any(of_tubes + others)
        return plainly and not any(None in tube for tube in self.tubes)


# A search asks again and again about a few hundred tubes. The page's server keeps what is cached until it ends.


@lru_cache(maxsize=1 << 12)
def top_run(tube: bytes) -> int:
    """The length of the run at the top of a tube, 0 for an empty one.

    >>> top_run(b"abb")
    2
    """
    return len(tube) - len(tube.rstrip(tube[-1:]))


@lru_cache(maxsize=1 << 12)
def bottom_run(tube: bytes) -> int:
    """The length of the run at the bottom of a tube, 0 for an empty one."""
    return len(tube) - len(tube.lstrip(tube[:1]))


@lru_cache(maxsize=1 << 12)
def block_count(tube: bytes) -> int:
    """The number of blocks in a tube.

    >>> block_count(b"abba")
    3
    """
    return len(tube) and 1 + sum(lower != upper for lower, upper in pairwise(tube))


@lru_cache(maxsize=1 << 12)
def colour_blocks(tube: bytes, colour: int) -> int:
    """The number of blocks of a colour in a tube.

    >>> colour_blocks(b"abba", ord("a"))
    2
    """
    return sum(run[0] == colour for run in groupby(tube))


Reveal = Literal["run", "cell"]
REVEALS: tuple[Reveal, ...] = get_args(Reveal)

UNKNOWN = 255
"""A ball of unknown colour in a tube."""

UNKNOWN_BALL = "?"
"""How people write it; null in the JSON format."""

MIXED_CAPACITIES = "tubes of several capacities"
LOCKED = "locked tubes"
ONE_WAY = "one-way tubes"
CHOOSY = "tubes for some colours only"
WHOLE_POURS = "partial pours refused"
CORKED = "corks on complete tubes"
COVERED = "cells uncovered one by one"
DRAINED = "balls that leave at the bottom"
GATHERED = "the goal gathered"
WANTED = "the goal wanted"  # not a rule of tubes: what knows of those doesn't know of colours that may stay as they are
COLOURED = "the goal coloured"
ANYWHERE = "balls that go anywhere"  # nor are these two: a search may rest on balls that lie on their own colour
TUBE_RULES = (CHOOSY, CORKED, COVERED, DRAINED, GATHERED, LOCKED, MIXED_CAPACITIES, ONE_WAY, WHOLE_POURS)
"""Features of positions, see `Puzzle.features`."""


class Lock(NamedTuple):
    """What opens a locked tube for good: a complete colour, by index, or complete tubes, of any colour or of one."""

    colour: int | None = None
    tubes: int | None = None


class TubeRule(NamedTuple):
    """The rules of one tube.

    It is neither source nor target until its ``lock`` opens. ``accepts`` are the colours that may be put in, as sorted
    indices, None for all; it may start with any. ``colour`` is its own at the goal ``coloured``, which it may end with;
    None for a reserve tube, which ends empty. ``any_top`` says whether a ball may be put on any other.
    """

    capacity: int
    lock: Lock | None = None
    takes: bool = True
    gives: bool = True
    accepts: tuple[int, ...] | None = None
    colour: int | None = None
    any_top: bool = False

    def lets_in(self, colour: int) -> bool:
        """Whether a ball of ``colour`` may be put in once the lock is open."""
        return self.takes and (self.accepts is None or colour in self.accepts)

    @property
    def colours(self) -> tuple[int, ...]:
        """The colours that the rules name."""
        opening = () if self.lock is None or self.lock.colour is None else (self.lock.colour,)
        own = () if self.colour is None else (self.colour,)
        return (*(self.accepts or ()), *opening, *own)

    @property
    def base(self) -> "TubeRule":
        """The rules with the lock open."""
        return self if self.lock is None else self._replace(lock=None)


@dataclass(frozen=True)
class Rules:
    """The rules of a board, beyond the plain ones.

    ``counts`` are the balls of each colour, and ``wanted`` at the goal ``wanted`` how many tubes are to be full of
    each. ``nameless`` is how many colours, the last ones of the palette, don't show at the start and are known only to
    exist; each fills one tube, and no other rule names them, so they are interchangeable until they show. ``classes``
    are groups of tubes with equal rules, each in ascending order; ``anywhere`` says whether some tube, or each, lets a
    ball be put on any other.
    """

    tubes: tuple[TubeRule, ...]
    counts: tuple[int, ...]
    partial: bool = True
    cork: bool = False
    reveal: Reveal = "run"
    nameless: int = 0
    wanted: tuple[int, ...] = ()
    drain: bool = False
    classes: tuple[tuple[int, ...], ...] = field(init=False, compare=False, repr=False)
    locked: tuple[int, ...] = field(init=False, compare=False, repr=False)
    anywhere: bool = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Groups the tubes."""
        groups: dict[TubeRule, list[int]] = {}
        for place, rule in enumerate(self.tubes):
            groups.setdefault(rule, []).append(place)
        object.__setattr__(self, "classes", tuple(map(tuple, groups.values())))
        object.__setattr__(self, "locked", tuple(i for i, rule in enumerate(self.tubes) if rule.lock is not None))
        object.__setattr__(self, "anywhere", any(rule.any_top for rule in self.tubes))
        object.__setattr__(self, "_hash", hash((self.tubes, self.counts, self.partial, self.cork, self.reveal)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def tallest(self) -> int:
        """The largest capacity."""
        return max(rule.capacity for rule in self.tubes)

    @property
    def tubes_alike(self) -> bool:
        """Whether all tubes have equal rules once their locks are open."""
        return len({rule.base for rule in self.tubes}) == 1

    @property
    def any_in(self) -> tuple[int, ...]:
        """The tubes into which any ball goes, if it isn't all of them."""
        places = tuple(place for place, rule in enumerate(self.tubes) if rule.any_top)
        return () if len(places) == len(self.tubes) else places

    def features(self) -> frozenset[str]:
        """The features that apply. The position adds those of the goal, and `COVERED`."""
        found = {
            MIXED_CAPACITIES: len({rule.capacity for rule in self.tubes}) > 1,
            LOCKED: bool(self.locked),
            ONE_WAY: any(not rule.takes or not rule.gives for rule in self.tubes),
            CHOOSY: any(rule.accepts is not None for rule in self.tubes),
            WHOLE_POURS: not self.partial,
            CORKED: self.cork,
            ANYWHERE: self.anywhere,
            DRAINED: self.drain,
        }
        return frozenset(feature for feature, there in found.items() if there)

    def is_complete(self, tube: bytes, place: int, goal: Goal) -> bool:
        """Whether tube ``place`` with the contents ``tube`` is complete (see the module docstring)."""
        if not tube or tube[0] == UNKNOWN or tube.count(tube[0]) < len(tube):
            return False
        if len(tube) == self.tubes[place].capacity:
            return True
        return goal in ("monochrome", "gathered", "coloured") and len(tube) == self.counts[tube[0]]

    def is_sorted(self, tube: bytes, place: int, goal: Goal) -> bool:
        """Whether tube ``place`` with the contents ``tube`` is empty, or of one colour and as full as the goal asks."""
        if not tube:
            return True
        if tube[0] == UNKNOWN or tube.count(tube[0]) < len(tube):
            return False
        if goal == "full":
            return len(tube) == self.tubes[place].capacity
        if goal == "coloured":
            return tube[0] == self.tubes[place].colour
        return goal == "monochrome" or len(tube) == self.counts[tube[0]]

    def opened_by(self, tubes: Sequence[bytes], goal: Goal) -> "Rules":
        """The rules when tubes have these contents: locks whose conditions are met are open from now on."""
        if not self.locked:
            return self
        complete = [tube for place, tube in enumerate(tubes) if self.is_complete(tube, place, goal)]

        def opens(place: int) -> bool:
            lock = self.tubes[place].lock
            assert lock is not None
            counted = [tube for tube in complete if lock.colour in (None, tube[0])]
            if lock.tubes is not None:
                return len(counted) >= lock.tubes
            return lock.colour is not None and sum(map(len, counted)) == self.counts[lock.colour]

        opened = tuple(filter(opens, self.locked))
        return _opened(self, opened) if opened else self

    def never_open(self, tubes: Sequence[bytes], goal: Goal) -> frozenset[int]:
        """Tubes that stay locked in any case: their lock waits for a colour with a ball in such a tube.

        There may be more; locks that wait for a number of tubes are ignored.
        """
        closed = set(self.locked)
        while True:
            unfinished = (place for place in closed if not self.is_complete(tubes[place], place, goal))
            behind = {ball for place in unfinished for ball in tubes[place]}
            waiting = {
                place
                for place in closed
                if (lock := self.tubes[place].lock) and lock.tubes is None and lock.colour in behind
            }
            if waiting == closed:
                return frozenset(closed)
            closed = waiting


PLAIN = Rules((), ())
"""The rules of boards of the plain form."""


@lru_cache(maxsize=1 << 12)  # one object for all positions of a search, so that comparisons are by identity
def _opened(rules: Rules, places: tuple[int, ...]) -> Rules:
    tubes = tuple(rule.base if place in places else rule for place, rule in enumerate(rules.tubes))
    return replace(rules, tubes=tubes)


def moves_to_fill(tube: bytes, rule: TubeRule, colour: int, *, whole_run: bool) -> int | None:
    """A lower bound on the moves that bring balls to a tube before it is full of a colour; None if it never is.

    The balls stand from the end at which they may stay. In water sort a move may bring a ``whole_run``.
    """
    need = rule.capacity - (bottom_run(tube) if tube and tube[0] == colour else 0)
    if need and not rule.lets_in(colour):
        return None
    return min(1, need) if whole_run else need


@lru_cache(maxsize=1 << 10)
def may_end_in(rules: Rules, goal: Goal) -> tuple[tuple[bool, ...], ...]:
    """``[tube][colour]``: whether a tube may become sorted with the colour, as the goal asks.

    At ``full`` it must be filled with the colour; at ``gathered`` it must hold all of its balls; at ``coloured`` the
    colour must be its own; and it must let them in. The table doesn't apply to tubes that are sorted already and never
    touched.
    """

    def fits(rule: TubeRule, colour: int, count: int) -> bool:
        if goal == "coloured":
            return rule.colour == colour
        return {"full": rule.capacity <= count, "gathered": rule.capacity >= count}.get(goal, True)

    return tuple(
        tuple(rule.lets_in(colour) and fits(rule, colour, count) for colour, count in enumerate(rules.counts))
        for rule in rules.tubes
    )


@lru_cache(maxsize=1 << 10)
def most_homes(rules: Rules, goal: Goal) -> tuple[int, ...]:
    """For each colour an upper bound on the number of its tubes at the goal.

    At ``full`` their capacities add up to its balls: no choice has more tubes than the smallest ones that fit.
    """
    if goal == "gathered":
        return (1,) * len(rules.counts)
    if goal == "monochrome":
        return (len(rules.tubes),) * len(rules.counts)
    if goal == "coloured":
        return tuple(sum(rule.colour == colour for rule in rules.tubes) for colour in range(len(rules.counts)))
    capacities = sorted(rule.capacity for rule in rules.tubes)
    most = []
    for count in rules.counts:
        left, number = count, 0
        while number < len(capacities) and capacities[number] <= left:
            left -= capacities[number]
            number += 1
        most.append(number)
    return tuple(most)


MOST_NUMBERS = 1_000_000  # of partial choices of tubes; half a second


def can_be_filled(rules: Rules) -> bool:
    """Whether the tubes can be divided so that each colour fills some exactly; True if deciding it takes too long.

    This depends on capacities and counts alone, not on the contents. Deciding it can take exponential time (it is a
    bin-packing problem), so it gives up after `MOST_NUMBERS`; then a search will find that there is no plan.
    """
    capacities = Counter(rule.capacity for rule in rules.tubes)
    sizes = sorted(capacities, reverse=True)
    states = {tuple(capacities[size] for size in sizes)}
    numbers = 0
    for count in sorted(rules.counts, reverse=True):
        partial = {(state, count) for state in states}
        for place, size in enumerate(sizes):
            following: set[tuple[tuple[int, ...], int]] = set()
            for state, left in partial:
                room = sum(map(mul, sizes[place + 1 :], state[place + 1 :]))
                for used in range(max(0, -((room - left) // size)), min(state[place], left // size) + 1):
                    numbers += len(sizes)
                    if numbers > MOST_NUMBERS:
                        return True
                    following.add(((*state[:place], state[place] - used, *state[place + 1 :]), left - used * size))
            partial = following
        states = {state for state, _ in partial}
    return bool(states)
