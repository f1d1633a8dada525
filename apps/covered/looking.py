"""What a move reveals: partitions fillings by what a player sees.

After a move a player sees the cells that it uncovered, which locks have opened, which tubes are corked, and whether the
board is solved. Fillings that look the same can't be told apart yet, and a strategy goes on with the same move.

**A lock that opens is looked behind.** What shows may open one, and then the run at the top of its tube shows: also
below a top that was known and uncovered all along, as nothing was known of its run while the tube was locked. So a
board is looked at until nothing that shows, and no effect, tells its fillings apart.

**Parts are disjoint.** A part lists everything that shows and wasn't known before, even if it follows from the rest. So
of the parts that agree with what a player sees, the right one lists all that the others list, and more: a part that
listed the same would look the same, and be the same part. So the most specific one is the right one.

Colours that don't show and have no name are numbered as they show: what the first of them that shows is called in a
filling makes no difference. So all fillings are renamed after a look, in such a way that the colours that have just
shown have the lowest numbers, and the others follow by their first cell. Fillings that differ in more than names stay
different.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bsp_sat.apps.covered.board import Cells, numbering
from bsp_sat.apps.covered.effects import NOTHING, Effects, effects_of, may_have_effects, with_filling
from bsp_sat.instances.sorting import UNKNOWN, Filling, Place, SortPuzzle

Seen = tuple[tuple[Place, int], ...]
"""Cells with their colours."""


@dataclass(frozen=True)
class SeenCase:
    """What a player may see, and what is known afterwards.

    ``seen`` has every cell that shows and wasn't known before, with its colour, in order, also if it followed from
    others; ``effects`` all locks that have opened, and all tubes that are corked and had cells that weren't known
    before.
    """

    seen: Seen
    effects: Effects
    board: SortPuzzle
    fillings: tuple[Filling, ...]


def shown(board: SortPuzzle, colours: Mapping[Place, int]) -> Seen:
    """The unknown cells that are revealed if cells have these colours.

    They are the uncovered ones, and with the reveal rule ``run`` whole runs on top of open tubes: a known ball at the
    top may be revealed together with another one of its colour below.
    """
    found = [(cell, colours[cell]) for cell in board.to_see]
    if board.shows_runs:
        exposed = (place for place, _ in (*board.to_see, *board.differing()))
        tops = {*exposed, *board.covered_tops}
        for place in tops:
            tube = board.tubes[place]
            level = len(tube) - 1
            colour = colours.get((place, level), tube[level])
            while level and colours.get((place, level - 1), tube[level - 1]) == colour:
                level -= 1
                if tube[level] == UNKNOWN:
                    found.append(((place, level), colour))
    return tuple(sorted(found))


def _something_shows(board: SortPuzzle, cells: Cells, fillings: Sequence[Filling]) -> bool:
    """Whether some filling may reveal an unknown cell."""
    if board.to_see or board.covered_tops:
        return True
    numbers = {place: number for number, place in enumerate(cells.places)}
    same = [(numbers[place], colour) for place, colour in board.differing().items()]
    return any(filling[number] == colour for number, colour in same for filling in fillings)


def seen_cases(board: SortPuzzle, cells: Cells, fillings: Sequence[Filling]) -> list[SeenCase]:
    """The parts that fillings fall into when ``board`` is looked at, where a move may have uncovered cells."""
    parts = []
    for known, agreeing in _told_apart(board, cells, fillings):
        shows = [(place, level) for place, level in board.unknown if not known.covers[place] >> level & 1]
        seen = tuple(((place, level), known.tubes[place][level]) for place, level in shows)
        effects = effects_of(board, with_filling(known.tubes, cells.places, agreeing[0]))
        parts.append(SeenCase(seen, effects, known, agreeing))
    return parts


def _told_apart(
    board: SortPuzzle, cells: Cells, fillings: Sequence[Filling]
) -> Iterator[tuple[SortPuzzle, tuple[Filling, ...]]]:
    """What is known after a look, with the fillings that agree, for everything that may be seen.

    It looks again as long as that tells something: a lock that opens exposes the top of its tube.
    """
    if not board.is_hidden:
        yield board, tuple(fillings)
    elif _something_shows(board, cells, fillings):
        by_cells: dict[Seen, list[Filling]] = defaultdict(list)
        unseen = board.unseen if board.rules.nameless else ()
        for filling in fillings:
            seen = shown(board, dict(zip(cells.places, filling, strict=True)))
            if (table := numbering((*(colour for _, colour in seen), *filling), unseen)) is not None:
                filling = filling.translate(table)
                seen = tuple((place, table[colour]) for place, colour in seen)
            by_cells[seen].append(filling)
        for seen, agreeing in sorted(by_cells.items()):
            yield from _told_apart(board.with_cells(dict(seen)), cells, sorted(agreeing))
    elif not may_have_effects(board):
        yield board, tuple(fillings)
    else:
        by_effects: dict[Effects, list[Filling]] = defaultdict(list)
        for filling in fillings:
            by_effects[effects_of(board, with_filling(board.tubes, cells.places, filling))].append(filling)
        for effects, agreeing in sorted(by_effects.items()):
            known = board if effects == NOTHING else _with_effects(board, effects)
            if known == board:
                yield board, tuple(agreeing)
            else:
                yield from _told_apart(known, cells, agreeing)


def _with_effects(board: SortPuzzle, effects: Effects) -> SortPuzzle:
    """What is known after some effects. Of a corked tube the colour is known if it has known balls."""
    after = board.open_locks(effects.opened)
    colour_of = {place: {*after.tubes[place]} - {UNKNOWN} for place in effects.corked}
    return after.with_cells({cell: colour for cell in after.unknown for colour in colour_of.get(cell[0], ())})
