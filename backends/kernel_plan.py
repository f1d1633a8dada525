"""From the states of the compiled search to a plan, move by move."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from bsp_sat.backends.contents import MIXED, TEMPORARY, UNIFORM, Content
from bsp_sat.backends.kernel_search import Spot
from bsp_sat.backends.search import plan_along
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour, SortPuzzle, top_run

HOME = 4  # a kind of content that states leave out


def plan_of_moves(puzzle: SortPuzzle, way: list[Spot]) -> Plan:
    """The plan along states of the space of moves."""
    positions = []
    for spot, _ in way:
        tubes = [tube for tube, _ in spot.elements()]
        tubes += [b""] * (len(puzzle.tubes) - len(tubes))
        positions.append(type(puzzle)(tuple(sorted(tubes)), puzzle.capacity, puzzle.goal, puzzle.palette))
    return plan_along(puzzle, positions, symmetry=True)


def plan_of_homes(puzzle: SortPuzzle, way: list[Spot]) -> Plan:
    """The plan along states of the space of homes."""
    table = _Table(puzzle, way[0])
    for (before, homes), (after, open_then) in pairwise(way):
        opened = (open_then & ~homes).bit_length() - 1
        pending = [content for content in before if content[1] == UNIFORM][-1:]  # as `expand_homes` takes them
        if opened >= 0:
            table.open(opened, pending[0] if pending else (b"", 0))
        elif pending:
            table.kinds[table.place(pending[0])] = TEMPORARY
        else:
            cleared = (cleared for cleared in table.clears() if cleared.spot() == after)
            table = min(cleared, key=lambda table: len(table.moves))
    return Plan(tuple(table.moves))


class _Table:
    """The tubes where they stand, what kind of content each holds, and the moves so far."""

    def __init__(self, puzzle: SortPuzzle, start: Spot) -> None:
        self.capacity = puzzle.capacity
        self.tubes = list(puzzle.tubes)
        self.kinds = [0 if not tube else UNIFORM if top_run(tube) == len(tube) else MIXED for tube in self.tubes]
        self.homes: dict[int, int] = {}
        self.moves: list[Pour] = []
        for place, tube in enumerate(self.tubes):
            if self.kinds[place] == UNIFORM and start[1] >> tube[0] & 1:
                self.homes[tube[0]] = place
                self.kinds[place] = HOME

    def copy(self) -> "_Table":
        """The same again, to be changed."""
        other = object.__new__(_Table)
        other.capacity = self.capacity
        other.tubes, other.kinds, other.moves = [*self.tubes], [*self.kinds], [*self.moves]
        other.homes = {**self.homes}
        return other

    def place(self, content: Content) -> int:
        """The first tube with this content."""
        return list(zip(self.tubes, self.kinds, strict=True)).index(content)

    def spot(self) -> Counter[Content]:
        """The contents as a state has them."""
        contents = zip(self.tubes, self.kinds, strict=True)
        return Counter((tube, kind) for tube, kind in contents if tube and kind != HOME)

    def open(self, colour: int, content: Content) -> None:
        """Makes a tube with ``content`` the home of ``colour``."""
        place = self.place(content)
        self.homes[colour] = place
        self.kinds[place] = HOME
        self.close()

    def close(self) -> None:
        """Moves all balls home that can go there."""
        for place in range(len(self.tubes)):
            while self.kinds[place] != HOME and self.tubes[place] and self.tubes[place][-1] in self.homes:
                self.move(place, self.homes[self.tubes[place][-1]])

    def move(self, source: int, target: int) -> None:
        """Moves one ball."""
        ball = self.tubes[source][-1:]
        self.tubes[source] = left = self.tubes[source][:-1]
        self.tubes[target] += ball
        self.moves.append(Pour(source, target))
        if not left:
            self.kinds[source] = 0
        elif self.kinds[source] == MIXED and left[-1:] != ball and top_run(left) == len(left):
            self.kinds[source] = UNIFORM
        if self.kinds[target] == 0:
            self.kinds[target] = TEMPORARY

    def clears(self) -> Iterator["_Table"]:
        """All tables after the top run of a tube has gone elsewhere but home."""
        for source, tube in enumerate(self.tubes):
            if self.kinds[source] in (MIXED, TEMPORARY):
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
