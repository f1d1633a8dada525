"""What a player sees of a position besides its cells: opened locks, corked tubes, and that the board is solved.

Each depends on which tubes are complete or sorted, and a tube with unknown cells can only be so if these have one
colour.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bsp_sat.instances.sorting import UNKNOWN, Filling, Place, SortPuzzle


class Effects(NamedTuple):
    """What a player sees besides cells: which locks have opened that weren't known to be open, and what is corked.

    ``corked`` has tubes with unknown cells only.
    """

    opened: tuple[int, ...] = ()
    corked: tuple[int, ...] = ()
    solved: bool = False

    def within(self, other: "Effects") -> bool:
        """Whether ``other`` includes all of these."""
        return {*self.opened} <= {*other.opened} and {*self.corked} <= {*other.corked} and self.solved <= other.solved


NOTHING = Effects()


def common_effects(effects: Sequence[Effects]) -> Effects:
    """What all have in common."""
    opened, corked, solved = zip(*effects, strict=True)
    opened, corked = (tuple(sorted(set.intersection(*map(set, each)))) for each in (opened, corked))
    return Effects(opened, corked, all(solved))


def joined_effects(effects: Sequence[Effects]) -> Effects:
    """What any of them has."""
    opened, corked, solved = zip(*effects, strict=True)
    opened, corked = (tuple(sorted(set().union(*each))) for each in (opened, corked))
    return Effects(opened, corked, any(solved))


def effects_of(board: SortPuzzle, tubes: Sequence[bytes]) -> Effects:
    """The effects of a position if its tubes hold ``tubes``; a tube with balls still unknown counts as mixed."""
    rules, goal = board.rules, board.goal
    still = rules.opened_by(tubes, goal).locked
    corked: tuple[int, ...] = ()
    if rules.cork:
        corked = tuple(
            place
            for place, tube in enumerate(board.tubes)
            if UNKNOWN in tube and rules.is_complete(tubes[place], place, goal)
        )
    if goal == "wanted":  # then other tubes may hold anything
        full = Counter(tube[0] for place, tube in enumerate(tubes) if rules.is_complete(tube, place, goal))
        solved = all(full[colour] >= number for colour, number in enumerate(rules.wanted))
    else:
        solved = all(rules.is_sorted(tube, place, goal) for place, tube in enumerate(tubes))
    return Effects(tuple(place for place in rules.locked if place not in still), corked, solved)


def may_have_effects(board: SortPuzzle) -> bool:
    """A quick test whether ``board`` may have effects: a tube that shows two colours isn't sorted or complete."""
    if board.goal == "wanted":
        return True
    one_colour = [len({*tube} - {UNKNOWN}) <= 1 for tube in board.tubes]
    if all(one_colour):
        return True
    tells = board.rules.cork or bool(board.rules.locked)
    return tells and any(one and UNKNOWN in tube for one, tube in zip(one_colour, board.tubes, strict=True))


def with_filling(tubes: Sequence[bytes], places: Sequence[Place], filling: Filling) -> tuple[bytes, ...]:
    """The tubes with their unknown cells filled in."""
    found = [bytearray(tube) for tube in tubes]
    for (place, level), colour in zip(places, filling, strict=True):
        if level < len(found[place]) and found[place][level] == UNKNOWN:
            found[place][level] = colour
    return tuple(map(bytes, found))
