"""What a tube may do, tube by tube: capacities, locks, directions, colours; and the rules that a whole board adds.

Plain boards carry none of this (`bsp_sat.instances.sorting.position`). Where there is any, a position of class
`bsp_sat.instances.sorting.ruled.RuledSort` carries one object of class `Rules`. Tubes of equal rules are
interchangeable, others aren't.

When a tube is **complete** and when a **colour** is, by which locks open:

* a tube is complete where it holds balls of one colour only and is full of them; at the goals ``monochrome`` and
  ``gathered`` also where it holds every ball of its colour;
* a colour is complete where all of its balls are in complete tubes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import mul
from typing import Literal, NamedTuple, get_args

from bsp_sat.instances.sorting.fields import Goal

Reveal = Literal["run", "cell"]
REVEALS: tuple[Reveal, ...] = get_args(Reveal)

UNKNOWN = 255
"""What stands in a tube for a ball of unknown colour."""

MIXED_CAPACITIES = "tubes of several capacities"
LOCKED = "locked tubes"
ONE_WAY = "one-way tubes"
CHOOSY = "tubes for some colours only"
WHOLE_POURS = "partial pours refused"
CORKED = "corks on complete tubes"
COVERED = "cells uncovered one by one"
GATHERED = "the goal gathered"
TUBE_RULES = (CHOOSY, CORKED, COVERED, GATHERED, LOCKED, MIXED_CAPACITIES, ONE_WAY, WHOLE_POURS)
"""Features of positions, see `Puzzle.features`."""


class Lock(NamedTuple):
    """What opens a locked tube, for good: a colour that is complete, or so many complete tubes.

    Attributes:
        colour: index into the palette, or None.
        tubes: how many complete tubes, or None.
    """

    colour: int | None = None
    tubes: int | None = None


class TubeRule(NamedTuple):
    """The rules of one tube.

    Attributes:
        capacity: balls that fit.
        lock: until it is open the tube is neither source nor target; None for an open tube.
        takes: whether it may be a target.
        gives: whether it may be a source.
        accepts: the colours that may be put in, as sorted indices; None for all. What is in it at the start may be
            anything.
    """

    capacity: int
    lock: Lock | None = None
    takes: bool = True
    gives: bool = True
    accepts: tuple[int, ...] | None = None

    def lets_in(self, colour: int) -> bool:
        """Whether a ball of ``colour`` may ever be put in, its lock open."""
        return self.takes and (self.accepts is None or colour in self.accepts)

    @property
    def base(self) -> "TubeRule":
        """The same tube with its lock open."""
        return self if self.lock is None else self._replace(lock=None)


@dataclass(frozen=True)
class Rules:
    """The rules of a board, beyond the plain ones.

    Attributes:
        tubes: by tube.
        counts: balls of each colour on the board.
        partial: whether water may be poured where not all of the run fits.
        cork: whether complete tubes are closed for good.
        reveal: what shows when a covered cell comes to the top.
        classes: the tubes of equal rules, each group in rising order.
        locked: the tubes whose locks are closed.
    """

    tubes: tuple[TubeRule, ...]
    counts: tuple[int, ...]
    partial: bool = True
    cork: bool = False
    reveal: Reveal = "run"
    classes: tuple[tuple[int, ...], ...] = field(init=False, compare=False, repr=False)
    locked: tuple[int, ...] = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Groups the tubes."""
        groups: dict[TubeRule, list[int]] = {}
        for place, rule in enumerate(self.tubes):
            groups.setdefault(rule, []).append(place)
        object.__setattr__(self, "classes", tuple(map(tuple, groups.values())))
        object.__setattr__(self, "locked", tuple(i for i, rule in enumerate(self.tubes) if rule.lock is not None))
        object.__setattr__(self, "_hash", hash((self.tubes, self.counts, self.partial, self.cork, self.reveal)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def tallest(self) -> int:
        """The greatest capacity."""
        return max(rule.capacity for rule in self.tubes)

    @property
    def tubes_alike(self) -> bool:
        """Whether all tubes have equal rules once their locks are open."""
        return len({rule.base for rule in self.tubes}) == 1

    def features(self) -> frozenset[str]:
        """What of the `TUBE_RULES` there is; `COVERED` and `GATHERED` are for the position to say."""
        found = {
            MIXED_CAPACITIES: len({rule.capacity for rule in self.tubes}) > 1,
            LOCKED: bool(self.locked),
            ONE_WAY: any(not rule.takes or not rule.gives for rule in self.tubes),
            CHOOSY: any(rule.accepts is not None for rule in self.tubes),
            WHOLE_POURS: not self.partial,
            CORKED: self.cork,
        }
        return frozenset(feature for feature, there in found.items() if there)

    def is_complete(self, tube: bytes, place: int, goal: Goal) -> bool:
        """Whether a tube at ``place`` that holds ``tube`` is complete, as the module says."""
        if not tube or tube[0] == UNKNOWN or tube.count(tube[0]) < len(tube):
            return False
        return len(tube) == self.tubes[place].capacity or (goal != "full" and len(tube) == self.counts[tube[0]])

    def is_sorted(self, tube: bytes, place: int, goal: Goal) -> bool:
        """Whether a tube at ``place`` that holds ``tube`` is empty, or of one colour and as full as the goal asks."""
        if not tube:
            return True
        if tube[0] == UNKNOWN or tube.count(tube[0]) < len(tube):
            return False
        if goal == "full":
            return len(tube) == self.tubes[place].capacity
        return goal == "monochrome" or len(tube) == self.counts[tube[0]]

    def opened_by(self, tubes: Sequence[bytes], goal: Goal) -> "Rules":
        """The rules when the tubes hold that: locks whose conditions are met are open, from now on."""
        if not self.locked:
            return self
        complete = [tube for place, tube in enumerate(tubes) if self.is_complete(tube, place, goal)]
        in_place: Counter[int] = Counter()
        for tube in complete:
            in_place[tube[0]] += len(tube)

        def opens(place: int) -> bool:
            lock = self.tubes[place].lock
            assert lock is not None
            if lock.colour is not None:
                return in_place[lock.colour] == self.counts[lock.colour]
            return lock.tubes is not None and len(complete) >= lock.tubes

        opened = tuple(filter(opens, self.locked))
        return _opened(self, opened) if opened else self

    def never_open(self, tubes: Sequence[bytes], goal: Goal) -> frozenset[int]:
        """Locked tubes that stay so whatever is moved: by waiting for a colour of which a ball is behind such a lock.

        There may be more; locks that wait for a number of tubes are passed over.
        """
        closed = set(self.locked)
        while True:
            behind = {
                ball for place in closed if not self.is_complete(tubes[place], place, goal) for ball in tubes[place]
            }
            waiting = {place for place in closed if (lock := self.tubes[place].lock) and lock.colour in behind}
            if waiting == closed:
                return frozenset(closed)
            closed = waiting


@lru_cache(maxsize=1 << 12)  # one object for the positions of a search, so that they are compared by identity
def _opened(rules: Rules, places: tuple[int, ...]) -> Rules:
    tubes = tuple(rule.base if place in places else rule for place, rule in enumerate(rules.tubes))
    return replace(rules, tubes=tubes)


@lru_cache(maxsize=1 << 10)
def may_end_in(rules: Rules, goal: Goal) -> tuple[tuple[bool, ...], ...]:
    """[tubes][colours] whether a tube that is sorted at the goal may hold the colour, unless it is so already.

    At ``full`` it has to be filled with balls of the colour, at ``gathered`` to hold all of them; and it has to let
    them in. A tube that is sorted and never touched again is no matter of this table.
    """

    def fits(rule: TubeRule, count: int) -> bool:
        return {"full": rule.capacity <= count, "gathered": rule.capacity >= count}.get(goal, True)

    return tuple(
        tuple(rule.lets_in(colour) and fits(rule, count) for colour, count in enumerate(rules.counts))
        for rule in rules.tubes
    )


@lru_cache(maxsize=1 << 10)
def most_homes(rules: Rules, goal: Goal) -> tuple[int, ...]:
    """For each colour a number that its tubes at the goal don't exceed.

    At ``full`` their capacities add up to its balls: no choice has more tubes than the smallest ones that still fit.
    """
    if goal == "gathered":
        return (1,) * len(rules.counts)
    if goal == "monochrome":
        return (len(rules.tubes),) * len(rules.counts)
    capacities = sorted(rule.capacity for rule in rules.tubes)
    most = []
    for count in rules.counts:
        left, number = count, 0
        while number < len(capacities) and capacities[number] <= left:
            left -= capacities[number]
            number += 1
        most.append(number)
    return tuple(most)


MOST_NUMBERS = 1_000_000  # in partial choices of tubes; half a second


def can_be_filled(rules: Rules) -> bool:
    """Whether the tubes can be dealt out so that each colour fills some exactly; True also where that takes too long.

    What is in the tubes is not looked at, but for its number: this is about capacities and counts alone. Deciding it
    can take exponential time (with one capacity a number, it is a bin-packing problem), so it is given up after
    `MOST_NUMBERS`; then a search will find that there is no plan.
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
