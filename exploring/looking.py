"""What a move reveals: partitions fillings by what a player sees.

After a move a player sees the cells that it uncovered, which locks have opened, which tubes are corked, and whether the
board is solved. Fillings that look the same can't be told apart yet, and a strategy goes on with the same move.

Colours that don't show and have no name are numbered as they show: what the first of them that shows is called in a
filling makes no difference. So all fillings are renamed after a look, in such a way that the colours that have just
shown have the lowest numbers, and the others follow by their first cell. Fillings that differ in more than names stay
different.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bsp_sat.exploring.unseen import Effects, effects_of, may_have_effects, with_filling
from bsp_sat.instances.sorting import UNKNOWN, Filling, HiddenSort, Place, RuledSort
from bsp_sat.instances.sorting.cells import Cells, numbering

Seen = tuple[tuple[Place, int], ...]
"""Cells with their colours."""


@dataclass(frozen=True)
class Part:
    """What a player may see, and what is known afterwards.

    Attributes:
        seen: newly revealed cells in order, with their colours.
        opened: tubes whose locks are seen to open though the tubes that opened them have unknown cells.
        solved: whether the board is solved.
        board: what is known now.
        fillings: the fillings that agree with it.
        corked: tubes that are seen to be corked though they have unknown cells.
    """

    seen: Seen
    opened: tuple[int, ...]
    solved: bool
    board: RuledSort
    fillings: tuple[Filling, ...]
    corked: tuple[int, ...] = ()


def shown(board: HiddenSort, colours: Mapping[Place, int]) -> Seen:
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


def _something_shows(board: HiddenSort, cells: Cells, fillings: Sequence[Filling]) -> bool:
    """Whether some filling may reveal an unknown cell."""
    if board.to_see or board.covered_tops:
        return True
    numbers = {place: number for number, place in enumerate(cells.places)}
    same = [(numbers[place], colour) for place, colour in board.differing().items()]
    return any(filling[number] == colour for number, colour in same for filling in fillings)


def look(board: RuledSort, cells: Cells, fillings: Sequence[Filling]) -> list[Part]:
    """The parts that fillings fall into when ``board`` is looked at.

    Args:
        board: what is known, with cells to be seen where a move has uncovered some.
        cells: the cells that fillings give colours to.
        fillings: fillings that agree with ``board``, at least one.
    """
    if not isinstance(board, HiddenSort):
        return [Part((), (), board.is_goal(), board, tuple(fillings))]
    by_cells: dict[Seen, list[Filling]] = defaultdict(list)
    unseen = board.unseen if board.rules.nameless else ()
    if _something_shows(board, cells, fillings):
        for filling in fillings:
            seen = shown(board, dict(zip(cells.places, filling, strict=True)))
            if (table := numbering((*(colour for _, colour in seen), *filling), unseen)) is not None:
                filling = filling.translate(table)
                seen = tuple((place, table[colour]) for place, colour in seen)
            by_cells[seen].append(filling)
    else:
        by_cells[()] = list(fillings)
    parts = []
    for seen, agreeing in sorted(by_cells.items()):
        known = board.with_cells(dict(seen)) if seen else board.looked()
        parts += _by_effects(Part(seen, (), known.is_goal(), known, tuple(sorted(agreeing))), cells)
    return parts


def _by_effects(part: Part, cells: Cells) -> list[Part]:
    """Splits parts by the effects of covered cells: a tube may be complete, or the board solved, under covers."""
    board = part.board
    if not isinstance(board, HiddenSort):
        return [part]
    if board.to_see or board.covered_tops:  # a lock has opened, which uncovers the tube's top
        return [_after(part, further) for further in look(board, cells, part.fillings)]
    if not may_have_effects(board):
        return [part]
    by_effect: dict[Effects, list[Filling]] = defaultdict(list)
    for filling in part.fillings:
        by_effect[effects_of(board, with_filling(board.tubes, cells.places, filling))].append(filling)
    parts = []
    for (opened, corked, solved), agreeing in sorted(by_effect.items()):
        fillings = tuple(agreeing)
        so_far = replace(part, opened=opened, corked=corked, solved=solved, fillings=fillings)
        if solved:
            parts.append(so_far)
            continue
        after = board.open_locks(opened) if opened else board
        known: RuledSort = after
        if corked:  # they have one colour, that of the known balls if there are any
            colour_of = {place: {*after.tubes[place]} - {UNKNOWN} for place in corked}
            known_cells = {cell: colour for cell in after.unknown for colour in colour_of.get(cell[0], ())}
            known = after.with_cells(known_cells)
        so_far = replace(so_far, board=known)
        new = known != board
        parts += [_after(so_far, further) for further in look(known, cells, fillings)] if new else [so_far]
    return parts


def _after(first: Part, second: Part) -> Part:
    return replace(
        second,
        seen=tuple(sorted(first.seen + second.seen)),
        opened=tuple(sorted(first.opened + second.opened)),
        corked=tuple(sorted(first.corked + second.corked)),
    )
