"""What a player knows of a board with hidden cells, and how it grows with what is seen.

**What is seen** after a move: the revealed cells, and the effects of the position: the locks that have opened, the
tubes that are corked, and whether the board is solved (`bsp_sat.apps.covered.effects`). The player is asked about an
effect if the remaining fillings differ in it; if all agree it is known. What is seen rules out fillings.

`Knowledge` is what stays known over all attempts. A `View` is what a player faces at one moment: it looks (`looking`),
or is asked (`asking`), or nothing is open and the next move can be made.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bsp_sat.apps.covered.board import up_to_exchange
from bsp_sat.apps.covered.cases import NO_EFFECTS, Cases, Observation, Possible
from bsp_sat.apps.covered.effects import Effects, joined_effects, may_have_effects
from bsp_sat.apps.covered.looking import shown
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import NEW_COLOUR, UNKNOWN, Place, SortPuzzle
from bsp_sat.instances.text.words import quantity


class Contradiction(BspSatError):
    """What was seen contradicts what was entered before."""


def key_of(board: SortPuzzle) -> object:
    """Equal for positions that a player needn't tell apart."""
    board = board.looked() if board.is_hidden else board.canonical()
    return board.tubes, board.covers, board.rules


def key_up_to_exchange(board: SortPuzzle) -> object:
    """The same as `up_to_exchange`, once what is uncovered was looked at."""
    return up_to_exchange(board.looked())


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is known, whatever becomes of the attempt.

    ``start`` is the position at the start of an attempt, with everything known by now; ``differing`` has colours that
    unknown cells are known not to have.
    """

    first: SortPuzzle
    start: SortPuzzle
    learnt: Mapping[Place, int] = field(default_factory=dict)
    differing: Mapping[Place, int] = field(default_factory=dict)
    observations: tuple[Observation, ...] = ()
    _possible: dict[object, Possible] = field(default_factory=dict)

    def cases(self) -> Cases:
        """The cases that agree with it."""
        return Cases(self.start, self.differing, self.observations)

    def effects(self, board: SortPuzzle) -> Possible:
        """The effects that a position may have."""
        if not may_have_effects(board):
            return NO_EFFECTS
        key = key_of(board)
        if key not in self._possible:
            differing = {**self.differing, **board.differing()}
            self._possible[key] = Cases(self.start, differing, self.observations).effects(board)
        return self._possible[key]

    def may_show(self, board: SortPuzzle) -> list[Place]:
        """The unknown cells below the run of a known top that may have its colour."""
        missing = board.missing
        differing = board.looked().differing().items()
        return [cell for cell, colour in differing if missing[colour] and self.differing.get(cell) != colour]

    def ruling_out(self, differing: Mapping[Place, int]) -> "Knowledge":
        """With cells known not to have a colour; itself if that is nothing new."""
        if differing.items() <= self.differing.items():
            return self
        return replace(self, differing={**self.differing, **differing})

    def is_news_after(self, before: "Knowledge") -> bool:
        """Whether it has more cells or observations."""
        return len(self.learnt) > len(before.learnt) or len(self.observations) > len(before.observations)

    def learning(
        self, board: SortPuzzle, cells: Mapping[Place, int], *observations: Observation
    ) -> tuple["Knowledge", SortPuzzle]:
        """With what was seen at a position, and what follows from it; and what is now known of the position.

        Contradiction if no filling agrees.
        """
        learnt, seen = {**self.learnt, **cells}, (*self.observations, *observations)
        while True:
            known, start = _with_cells(board, learnt), _with_cells(self.first, learnt)
            cases = Cases(start, {**self.differing, **_differing(known, opened(board, known))}, seen)
            if cases.possible == []:
                raise Contradiction("no way to distribute the missing balls agrees with all that was seen")
            if not (follows := cases.follows()):
                break
            learnt.update(follows)
        learning = Knowledge(self.first, start, learnt, self.differing, seen)
        return learning if learning.is_news_after(self) else replace(self, start=start), known


def opened(before: SortPuzzle, after: SortPuzzle) -> list[int]:
    """The tubes whose locks have opened between two positions."""
    return [place for place in before.rules.locked if place not in after.rules.locked]


@dataclass(frozen=True)
class View:
    """What a player faces.

    Tubes in ``looking`` show cells which aren't known yet. ``asking`` has locks that may have opened, tubes that may be
    corked, and whether the board may be solved; None if that is known.
    """

    position: SortPuzzle
    looking: tuple[int, ...] = ()
    asking: Effects | None = None
    solved: bool = False

    @property
    def is_waiting(self) -> bool:
        """Whether something seen has to be entered before the next move."""
        return bool(self.looking) or (self.asking is not None and bool(self.asking.opened or self.asking.corked))

    def cells_shown(self, colours: Mapping[int, Sequence[Colour]]) -> dict[Place, int]:
        """The cells that the tubes in `looking` show, by colours as in `Explorer.record_colours`.

        Raises `Contradiction` if they contradict the numbers of balls, or can't be revealed together, and `BoardError`
        if the board has no such colour.
        """
        board = self.position
        found: dict[Place, int] = {}
        unseen = [board.palette[colour] for colour in board.unseen]
        for place in self.looking:
            unknown = [cell for cell in reversed(board.unknown) if cell[0] == place]
            shows = colours.get(place, ())
            if NEW_COLOUR in shows and NEW_COLOUR not in board.palette and unseen:
                shows = [unseen[0] if colour == NEW_COLOUR else colour for colour in shows]
            unseen = [colour for colour in unseen if colour not in shows]
            given = [board.colour_named(colour) for colour in shows]
            if len(given) > len(unknown):
                cells = quantity(len(unknown), "unknown cell")
                problem = f"tube {place + 1} has {cells}, found {quantity(len(given), 'colour')}"
                raise Contradiction(problem)
            found.update(zip(unknown, given, strict=False))
        missing = list(board.missing)
        for (place, _), colour in found.items():
            missing[colour] -= 1
            if missing[colour] < 0:
                name = board.palette[colour]
                raise Contradiction(f"tube {place + 1} can't show {name}: all balls of that colour are known already")
        for place, _ in sorted(set(board.to_see) - found.keys()):
            raise Contradiction(f"tube {place + 1} shows a cell whose colour is missing")
        if tuple(sorted(found.items())) != shown(board, {**dict.fromkeys(board.unknown, UNKNOWN), **found}):
            raise Contradiction("cells revealed together must be a whole run of one colour")
        return found

    def observation(self, effects: Effects, sure: Effects) -> Observation:
        """What was noticed of `asking`, with the effects that are certain; Contradiction if one isn't in question."""
        if self.asking is None or not effects.within(self.asking):
            raise Contradiction(f"expected only effects that are in question, {self.asking}; found {effects}")
        return Observation(self.position, joined_effects([sure, effects]))


def look_around(knowledge: Knowledge, board: SortPuzzle, exposed: Collection[int] = ()) -> tuple[Knowledge, View]:
    """What a player faces at a position, and what is known after a look at the tubes that show nothing new.

    The effects that are certain are applied in ``board``; the tops of ``exposed`` tubes have just been uncovered.
    """
    if not board.is_hidden:
        return knowledge, View(board, solved=board.is_goal())
    tops = {place for place, _ in board.to_see} | {*board.covered_tops}
    tops |= {place for place, _ in knowledge.may_show(board) if place in exposed}
    knowledge = knowledge.ruling_out(_differing(board, tops))
    if tops:
        return knowledge, View(board, looking=tuple(sorted(tops)))
    possible = knowledge.effects(board)
    if possible.in_doubt is not None:
        return knowledge, View(board, asking=possible.in_doubt)
    if places := possible.sure.opened:
        return look_around(knowledge, board.open_locks(places), places)
    return knowledge, View(board, solved=possible.sure.solved)


def _with_cells(board: SortPuzzle, colours: Mapping[Place, int]) -> SortPuzzle:
    """The board with more cells known; some of them may be known or moved already."""
    unknown = {*board.unknown}
    return board.with_cells({cell: colour for cell, colour in colours.items() if cell in unknown}) if unknown else board


def _differing(board: SortPuzzle, looking: Collection[int]) -> dict[Place, int]:
    """The unknown cells known not to have a colour, except in tubes that have to be looked at."""
    return {cell: colour for cell, colour in board.differing().items() if cell[0] not in looking}
