"""What locks, corks and the end of the game imply for covered cells.

Of a filling only its **case** matters for the effects of a position (`bsp_sat.apps.covered.effects`): which tubes have
unknown cells of one colour only, and which colour that is. An `Observation` records what was seen of a position; the
cases that agree with all observations are still possible.

For each tube the case has a colour or nothing. If the tube's known balls have one colour, only that colour matters. A
tube with no known balls (a locked one) may have any colour with enough balls left. Nothing means that the cells don't
all have such a colour; the tube is **mixed** in that sense.

**A case has a filling exactly if** the balls suffice for the tubes that have a colour, and of what remains, m balls of
each colour over n cells, m ≤ n − k. Here k counts what has to hold another colour: a cell that is known not to be of
this one, and a mixed tube that could be all of it and has no such cell. (Each cell is known not to be of one colour at
most: that of the ball above it. A mixed tube of one cell counts as such a cell, and is impossible where any colour will
do.)

It is necessary: such cells and tubes lie apart, and each holds a ball of another colour. It is enough: by Hall's
theorem the balls can be dealt out so that no cell gets the colour it can't have. If a mixed tube is all of colour b
then, some ball that isn't b lies outside all of these places, or in a tube with another one that isn't b, as there are
at least as many of them as places, and this tube has none. Let it change places with a b of the tube whose cell it can
have (the tube has two cells or more, and one at most rules out a colour). Now the tube is mixed, and no other has
become all of one colour: the one that got the b was chosen to keep another ball. So the number of tubes that are wrong
falls to 0.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bsp_sat.apps.covered.board import ways_to_deal
from bsp_sat.apps.covered.effects import (
    NOTHING,
    Effects,
    common_effects,
    effects_of,
    joined_effects,
    may_have_effects,
    with_filling,
)
from bsp_sat.instances.sorting import UNKNOWN, Filling, Place, SortPuzzle

MOST_CASES = 4_000  # examined for one question

Case = Mapping[int, int]
"""By tube, the colour of all its unknown cells, for tubes that have one."""

Options = Mapping[int, Sequence[int]]
"""By tube, the colours that all its unknown cells may have."""


@dataclass(frozen=True)
class Observation:
    """The effects seen at a position."""

    board: SortPuzzle
    effects: Effects


@dataclass(frozen=True)
class Possible:
    """The effects that a position may have: ``some``, all if all cases were examined; ``sure`` is common to them."""

    some: tuple[Effects, ...]
    sure: Effects
    most: Effects
    complete: bool = True

    @property
    def in_doubt(self) -> Effects | None:
        """The effects to ask about; None if there are none."""
        if self.complete and len(self.some) == 1:
            return None
        return Effects(
            tuple(place for place in self.most.opened if place not in self.sure.opened),
            tuple(place for place in self.most.corked if place not in self.sure.corked),
            self.most.solved and not self.sure.solved,
        )


NO_EFFECTS = Possible((NOTHING,), NOTHING, NOTHING)


class TooManyCases(Exception):
    """More than `MOST_CASES` cases would have to be examined."""


class Cases:
    """The cases that agree with what is known.

    ``start`` is the board at the start of an attempt, with all cells known by now (unknown cells have never moved);
    ``differing`` has cells known not to have a colour.
    """

    def __init__(
        self, start: SortPuzzle, differing: Mapping[Place, int], observations: Sequence[Observation] = ()
    ) -> None:
        self._start = start
        unknown = {*start.unknown}
        self._differing = {cell: colour for cell, colour in differing.items() if cell in unknown}
        self._observations = observations
        self._missing = start.missing
        self._cells = {place: tube.count(UNKNOWN) for place, tube in enumerate(start.tubes) if UNKNOWN in tube}

    @cached_property
    def possible(self) -> list[Case] | None:
        """All cases of the tubes that the observations are about; None if there are too many."""
        try:
            return list(self._cases(self._observed))
        except TooManyCases:
            return None

    def effects(self, board: SortPuzzle) -> Possible:
        """The effects that ``board`` may have."""
        if not may_have_effects(board):
            return NO_EFFECTS
        if not (options := self._possible_colours(board)):
            sure = effects_of(board, self._tubes(board, {}))
            return Possible((sure,), sure, sure)
        found: list[Effects] = []
        try:
            for case in self._cases({**self._observed, **options}):
                effects = effects_of(board, self._tubes(board, case))
                if effects not in found:
                    found.append(effects)
        except TooManyCases:
            unknown = tuple(place for place, tube in enumerate(board.tubes) if UNKNOWN in tube)
            most = Effects(board.rules.locked, unknown if board.rules.cork else (), True)
            return Possible(tuple(found), NOTHING, most, complete=False)
        return Possible(tuple(found), common_effects(found), joined_effects(found))

    def follows(self) -> dict[Place, int]:
        """The unknown cells with the same colour in all cases."""
        if not self.possible:
            return {}
        common = dict(set.intersection(*({*case.items()} for case in self.possible)))
        return {cell: common[cell[0]] for cell in self._start.unknown if cell[0] in common}

    def agree_with(self, places: Sequence[Place], filling: Filling) -> bool:
        """Whether a filling of the unknown cells agrees with the observations."""
        return not self._shows_otherwise(places, filling) and all(
            effects_of(each.board, with_filling(self._tubes(each.board, {}), places, filling)) == each.effects
            for each in self._observations
        )

    def is_of(self, case: Case, places: Sequence[Place], filling: Filling) -> bool:
        """Whether a filling of the unknown cells belongs to a possible case; True if there are too many."""
        if self.possible is None:
            return self.agree_with(places, filling)
        if self._shows_otherwise(places, filling):
            return False
        colours: dict[int, set[int]] = {}
        for (place, _), colour in zip(places, filling, strict=True):
            colours.setdefault(place, set()).add(colour)
        return all(
            case.get(place) == next((c for c in options if colours[place] == {c}), None)
            for place, options in self._observed.items()
        )

    def _shows_otherwise(self, places: Sequence[Place], filling: Filling) -> bool:
        return any(self._differing.get(cell) == colour for cell, colour in zip(places, filling, strict=True))

    @cached_property
    def _observed(self) -> Options:
        found: dict[int, Sequence[int]] = {}
        for observation in self._observations:
            found.update(self._possible_colours(observation.board))
        return found

    def ways(self, case: Case) -> int:
        """The number of ways to distribute the missing balls if tubes have the case's colours."""
        return ways_to_deal(self._missing_after(case))

    def _missing_after(self, case: Case) -> list[int]:
        left = list(self._missing)
        for place, colour in case.items():
            left[colour] -= self._cells[place]
        return left

    def _tubes(self, board: SortPuzzle, case: Case) -> tuple[bytes, ...]:
        """The tubes of a board with all cells known by now, and those of a case."""
        tubes = list(board.tubes)
        for place, tube in enumerate(tubes):
            if UNKNOWN in tube:
                now = self._start.tubes[place]
                known = bytes(now[level] if ball == UNKNOWN else ball for level, ball in enumerate(tube))
                tubes[place] = known.replace(bytes([UNKNOWN]), bytes([case[place]])) if place in case else known
        return tuple(tubes)

    def _possible_colours(self, board: SortPuzzle) -> Options:
        """The colours that tubes may have, for tubes that the effects of ``board`` depend on."""
        rules, goal, tubes = board.rules, board.goal, self._tubes(board, {})
        complete: dict[int, Sequence[int]] = {}
        orderly: dict[int, Sequence[int]] = {}
        for place, number in self._cells.items():
            known = {*tubes[place]} - {UNKNOWN}
            if len(known) > 1:
                continue
            ruled_out = {colour for (tube, _), colour in self._differing.items() if tube == place}
            colours = [
                colour
                for colour in known or range(len(self._missing))
                if self._missing[colour] >= number and colour not in ruled_out
            ]
            full = [self._tubes(board, {place: colour})[place] for colour in colours]
            if any(rules.is_complete(tube, place, goal) for tube in full):
                complete[place] = colours
            if any(rules.is_sorted(tube, place, goal) for tube in full):
                orderly[place] = colours
        found = complete if rules.cork or rules.locked or goal == "wanted" else {}
        if all(place in orderly or rules.is_sorted(tube, place, goal) for place, tube in enumerate(tubes)):
            found = {**found, **orderly}
        return found

    def _cases(self, options: Options) -> Iterator[Case]:
        """All cases of some tubes, those with more colours first."""
        places, looked_at = list(options), 0
        case: dict[int, int] = {}

        def extended(index: int, left: list[int]) -> Iterator[Case]:
            nonlocal looked_at
            looked_at += 1
            if looked_at > MOST_CASES:
                raise TooManyCases
            seen = [
                (effects_of(each.board, self._tubes(each.board, case)), each.effects) for each in self._observations
            ]
            if not all(effects.within(said) for effects, said in seen):  # more colours have at least as many effects
                return
            if index == len(places):
                if all(effects == said for effects, said in seen) and self._has_filling(case, options):
                    yield dict(case)
                return
            place = places[index]
            for colour in options[place]:
                if left[colour] >= self._cells[place]:
                    case[place] = colour
                    left[colour] -= self._cells[place]
                    yield from extended(index + 1, left)
                    left[colour] += self._cells[place]
                    del case[place]
            if self._cells[place] > 1 or len(self._start.tubes[place]) > 1:
                yield from extended(index + 1, left)

        return extended(0, list(self._missing))

    def _has_filling(self, case: Case, options: Options) -> bool:
        """See the module docstring."""
        left = self._missing_after(case)
        another = Counter(colour for (place, _), colour in self._differing.items() if place not in case)
        another.update(colour for place, colours in options.items() if place not in case for colour in colours)
        return all(number <= sum(left) - another[colour] for colour, number in enumerate(left))
