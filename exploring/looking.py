"""What a move brings to light: the same fillings, told apart by what a player sees.

After a move a player sees the cells that it uncovered, which locks have opened, which tubes are corked, and whether the
board is solved. Two fillings that show the same can't be told apart yet, and a strategy goes on with the same move.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bsp_sat.exploring.unseen import Effects, effects_of, may_have_effects, with_filling
from bsp_sat.instances.sorting import UNKNOWN, Filling, HiddenSort, Place, RuledSort
from bsp_sat.instances.sorting.cells import Cells

Seen = tuple[tuple[Place, int], ...]
"""Cells with their colours."""


@dataclass(frozen=True)
class Part:
    """What a player may see, and what is known then.

    Attributes:
        seen: the cells that were unknown before, in order, with the colours they show.
        opened: tubes whose locks are seen to open, though what is in the tubes that opened them isn't all seen.
        solved: whether the board is solved.
        board: what is known now.
        fillings: those that agree with it.
        corked: tubes that are seen to be corked, though not all that is in them is seen.
    """

    seen: Seen
    opened: tuple[int, ...]
    solved: bool
    board: RuledSort
    fillings: tuple[Filling, ...]
    corked: tuple[int, ...] = ()


def shown(board: HiddenSort, colours: Mapping[Place, int]) -> Seen:
    """The unknown cells that show, if their colours are these.

    They are those that nothing covers, and under the reveal rule ``run`` all of the runs on top of open tubes: a known
    ball that has come to the top, or that has been covered there, may show with another one of its colour below.
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
    """Whether some of the fillings may show an unknown cell."""
    if board.to_see or board.covered_tops:
        return True
    numbers = {place: number for number, place in enumerate(cells.places)}
    same = [(numbers[place], colour) for place, colour in board.differing().items()]
    return any(filling[number] == colour for number, colour in same for filling in fillings)


def look(board: RuledSort, cells: Cells, fillings: Sequence[Filling]) -> list[Part]:
    """The parts that fillings fall into when ``board``, which all of them agree with, is looked at.

    Args:
        board: what is known, with cells to be seen where a move has uncovered some.
        cells: the cells that fillings give colours to.
        fillings: at least one.
    """
    if not isinstance(board, HiddenSort):
        return [Part((), (), board.is_goal(), board, tuple(fillings))]
    by_cells: dict[Seen, list[Filling]] = defaultdict(list)
    if _something_shows(board, cells, fillings):
        for filling in fillings:
            by_cells[shown(board, dict(zip(cells.places, filling, strict=True)))].append(filling)
    else:
        by_cells[()] = list(fillings)
    parts = []
    for seen, agreeing in sorted(by_cells.items()):
        known = board.told(dict(seen)) if seen else board.looked()
        parts += _by_effects(Part(seen, (), known.is_goal(), known, tuple(agreeing)), cells)
    return parts


def _by_effects(part: Part, cells: Cells) -> list[Part]:
    """Tells apart by what cells do that nobody sees: a tube may be complete, or the board solved, under its covers."""
    board = part.board
    if not isinstance(board, HiddenSort):
        return [part]
    if board.to_see or board.covered_tops:  # a lock has opened, and its tube shows something
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
        if corked:  # they are of one colour, and where some ball is known, of that
            colour_of = {place: {*after.tubes[place]} - {UNKNOWN} for place in corked}
            told = {cell: colour for cell in after.unknown for colour in colour_of.get(cell[0], ())}
            known = after.told(told)
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
