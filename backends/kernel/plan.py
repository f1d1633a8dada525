"""From the states of the compiled search to a plan, move by move."""

from collections.abc import Iterator
from itertools import pairwise

from bsp_sat.backends.kernel.arrays import MIXED, TEMPORARY, UNIFORM
from bsp_sat.backends.kernel.contents import Alphabet
from bsp_sat.backends.kernel.ruled import RuledAlphabet
from bsp_sat.backends.kernel.search import KernelSearch, Spot
from bsp_sat.backends.search.paths import plan_through
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle, top_run

HOME = 4  # a kind of content that states leave out


def plan_of(search: KernelSearch) -> Plan:
    """The plan to the goal that a search has found."""
    puzzle, alphabet = search.puzzle, search.alphabet
    if isinstance(alphabet, Alphabet) and alphabet.by_homes:
        return plan_of_homes(puzzle, search.way())
    numbers = [numbers for numbers, _, _ in search.numbers_on_way()]
    if isinstance(alphabet, RuledAlphabet):
        states = map(sorted, numbers[1:])
        return plan_through(puzzle, states, lambda position: sorted(filter(None, alphabet.start(position)[0])))
    tubes = [tube for tube, _ in alphabet.numbers]
    filled = (sorted([tubes[number] for number in state]) for state in numbers[1:])
    return plan_through(puzzle, filled, lambda position: sorted(filter(None, position.tubes)))


def plan_of_homes(puzzle: SortPuzzle, way: list[Spot]) -> Plan:
    """The plan along states of the space of homes."""
    table = _Table(puzzle, way[0])
    for before, after in pairwise(way):
        table = _shortest(table, before, after, len(table.moves) + after.cost - before.cost)
    return Plan(tuple(table.moves))


def _shortest(table: "_Table", before: Spot, after: Spot, moves: int) -> "_Table":
    """A table that is at ``after`` a step on, with at most ``moves`` if there is one, else with the fewest."""
    best: _Table | None = None
    for step in table.steps(before, after):
        for reached in step.decided(after):
            if reached.is_at(after) and (best is None or len(reached.moves) < len(best.moves)):
                best = reached
                if len(best.moves) <= moves:
                    return best
    assert best is not None
    return best


class _Table:
    """The tubes where they stand, what kind of content each holds, and the moves so far."""

    def __init__(self, puzzle: SortPuzzle, start: Spot) -> None:
        self.capacity = puzzle.capacity
        self.tubes = list(puzzle.tubes)
        self.kinds = [0 if not tube else UNIFORM if top_run(tube) == len(tube) else MIXED for tube in self.tubes]
        self.homes: dict[int, int] = {}
        self.moves: list[Pour] = []
        for place, tube in enumerate(self.tubes):
            if self.kinds[place] == UNIFORM and start.homes >> tube[0] & 1:
                self.homes[tube[0]] = place
                self.kinds[place] = HOME

    def copy(self) -> "_Table":
        """The same again, to be changed."""
        other = object.__new__(_Table)
        other.capacity = self.capacity
        other.tubes, other.kinds, other.moves = [*self.tubes], [*self.kinds], [*self.moves]
        other.homes = {**self.homes}
        return other

    def is_at(self, spot: Spot) -> bool:
        """Whether this is that state."""
        homes = 0
        for colour in self.homes:
            homes |= 1 << colour
        if homes != spot.homes:
            return False
        contents = zip(self.tubes, self.kinds, strict=True)
        return sorted([content for content in contents if content[0] and content[1] != HOME]) == spot.contents

    def open(self, colour: int, place: int) -> None:
        """Makes the tube at ``place`` the home of ``colour``."""
        self.homes[colour] = place
        self.kinds[place] = HOME
        self.close()

    def close(self) -> None:
        """Moves all balls home that can go there."""
        tubes, kinds, homes = self.tubes, self.kinds, self.homes
        for place, tube in enumerate(tubes):
            while tube and tube[-1] in homes and kinds[place] != HOME:
                self.move(place, homes[tube[-1]], top_run(tube))
                tube = tubes[place]

    def move(self, source: int, target: int, balls: int = 1) -> None:
        """Moves balls of one colour, one by one."""
        tube = self.tubes[source]
        self.tubes[source] = left = tube[:-balls]
        self.tubes[target] += tube[-balls:]
        self.moves += [Pour(source, target)] * balls
        if not left:
            self.kinds[source] = 0
        elif self.kinds[source] == MIXED and left.count(left[0]) == len(left):
            self.kinds[source] = UNIFORM
        if self.kinds[target] == 0:
            self.kinds[target] = TEMPORARY

    def steps(self, before: Spot, after: Spot) -> Iterator["_Table"]:
        """The tables a step on that may lead to ``after``, as `expand_homes` takes them, without decisions."""
        if UNIFORM in self.kinds:
            yield self
            return
        opened = after.homes & ~before.homes
        if 0 in self.kinds:
            for colour in {tube[-1] for tube in self.tubes if tube} - set(self.homes):
                if opened >> colour & 1:
                    opening = self.copy()
                    opening.open(colour, self.kinds.index(0))
                    yield opening
        for source in self._sources(opened, after):
            yield from self._clears(source)

    def _sources(self, opened: int, after: Spot) -> Iterator[int]:
        """The tubes that may have been cleared on the way to ``after``, on which the homes ``opened`` opened.

        A clearing can open a home only in the tube itself, when its colour is all that is left in it. Where none opened
        no other tube loses a ball. Then there are as many tubes as before of what was in this one only if another one,
        of the same top colour, has come to hold the same.
        """
        there = [
            (source, tube, kind)
            for source, (tube, kind) in enumerate(zip(self.tubes, self.kinds, strict=True))
            if kind in (MIXED, TEMPORARY)
        ]
        if opened:
            yield from (source for source, tube, _ in there if opened >> tube[0] & 1)
            return
        contents = [(tube, kind) for _, tube, kind in there]
        tops = [tube[-1] for tube, _ in contents]
        for source, tube, kind in there:
            if after.contents.count((tube, kind)) < contents.count((tube, kind)) or tops.count(tube[-1]) > 1:
                yield source

    def decided(self, spot: Spot) -> Iterator["_Table"]:
        """The tables that may be at ``spot`` after decisions on tubes with one colour, of which one may become a home.

        Neither a decision nor a ball that goes home changes what another such tube holds, so that ``spot`` tells which
        of them are temporaries by then.
        """
        if UNIFORM not in self.kinds:
            yield self
            return
        after = self.copy()
        for place, kind in enumerate(self.kinds):
            if kind == UNIFORM:
                content = self.tubes[place], TEMPORARY
                if spot.contents.count(content) > sum(map(content.__eq__, zip(after.tubes, after.kinds, strict=True))):
                    after.kinds[place] = TEMPORARY
        yield after
        for place, kind in enumerate(after.kinds):
            if kind == UNIFORM and spot.homes >> self.tubes[place][0] & 1:
                opened = after.copy()
                opened.open(self.tubes[place][0], place)
                yield opened

    def _clears(self, source: int) -> Iterator["_Table"]:
        """All tables after the top run of a tube has gone elsewhere but home."""
        tube = self.tubes[source]
        targets = [
            place
            for place, other in enumerate(self.tubes)
            if place != source and self.kinds[place] in (MIXED, TEMPORARY) and other[-1:] == tube[-1:]
        ]
        targets += [place for place, kind in enumerate(self.kinds) if kind == 0][:1]
        yield from self._shared(source, targets, top_run(tube))

    def _shared(self, source: int, targets: list[int], left: int) -> Iterator["_Table"]:
        """All ways to move ``left`` balls from ``source`` to ``targets``."""
        if left == 0:
            after = self.copy()
            after.close()
            yield after
        elif targets:
            after = self.copy()
            for _ in range(min(left, self.capacity - len(self.tubes[targets[0]])) + 1):
                yield from after._shared(source, targets[1:], left)
                if left and len(after.tubes[targets[0]]) < self.capacity:
                    after.move(source, targets[0])
                    left -= 1
