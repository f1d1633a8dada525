"""Covered and unknown cells of tubes.

A covered cell never moves before it is revealed. Covers are a number for each tube: bit p is set if the cell at place
p, from the bottom, is covered. An uncovered cell is revealed at once: an unknown ball that nothing covers is **to be
seen**, and until its colour is entered it can't be moved, and nothing can be put on it.

With the reveal rule ``run``, the whole run is revealed when its top is, also in ball sort, where one ball moves. So the
first cell that stays covered below a revealed run has another colour.

A top that is known but still covered **is to be looked at** if an unknown cell is below its run, as that may have the
same colour and be revealed with it. Until then it stays covered, and nothing is known of that cell.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from bsp_sat.instances.sorting.rules import UNKNOWN, Reveal, top_run

NEW_COLOUR = "new colour"
"""With a number, the name of a colour that doesn't show at the start; alone, the answer that such a colour shows."""

Place = tuple[int, int]
"""A tube and a place in it from the bottom, both counted from 0."""

Filling = bytes
"""Colours of the unknown cells of a position, tube by tube from the bottom."""


def below_top_run(tube: bytes) -> int:
    """The place below the run at the top of a tube; -1 if there is none."""
    return len(tube) - 1 - top_run(tube)


def is_top_covered(tube: bytes, cover: int) -> bool:
    """Whether there is a covered ball at the top of a tube."""
    return bool(tube) and bool(cover >> (len(tube) - 1) & 1)


def still_covered(tube: bytes, cover: int, reveal: Reveal) -> int:
    """The covers that stay on a tube whose top has been looked at."""
    shown = top_run(tube) if reveal == "run" else min(1, len(tube))
    return cover & ((1 << (len(tube) - shown)) - 1)


def covered_until_looked_at(tube: bytes, cover: int, reveal: Reveal) -> int:
    """The covers that stay on a tube whose top is visible, and perhaps still to be looked at."""
    if tube[-1:] == bytes([UNKNOWN]):  # the length of its run isn't known yet
        return cover & ((1 << (len(tube) - 1)) - 1)
    if reveal == "run" and is_top_covered(tube, cover) and _may_go_on(tube, cover):
        return cover
    return still_covered(tube, cover, reveal)


def _may_go_on(tube: bytes, cover: int) -> bool:
    """Whether a covered unknown cell is right below the run at the top."""
    level = below_top_run(tube)
    return level >= 0 and tube[level] == UNKNOWN and bool(cover >> level & 1)


# Cached because exploring asks for it again and again at the same positions.


@lru_cache(maxsize=1 << 12)
def unknown_cells(tubes: tuple[bytes, ...]) -> tuple[Place, ...]:
    """The unknown cells, tube by tube from the bottom."""
    return tuple(
        (place, level) for place, tube in enumerate(tubes) for level, ball in enumerate(tube) if ball == UNKNOWN
    )


@lru_cache(maxsize=1 << 12)
def cells_to_see(tubes: tuple[bytes, ...], covers: tuple[int, ...]) -> tuple[Place, ...]:
    """The uncovered unknown cells."""
    return tuple((place, level) for place, level in unknown_cells(tubes) if not covers[place] >> level & 1)


@lru_cache(maxsize=1 << 12)
def cells_that_differ(
    tubes: tuple[bytes, ...], covers: tuple[int, ...], locked: tuple[int, ...]
) -> Mapping[Place, int]:
    """Unknown cells right below a run that was revealed as a whole, with the colour that they don't have."""
    return MappingProxyType(
        {
            (place, below_top_run(tube)): tube[-1]
            for place, (tube, cover) in enumerate(zip(tubes, covers, strict=True))
            if cover and place not in locked and tube[-1] != UNKNOWN
            if not is_top_covered(tube, cover) and _may_go_on(tube, cover)
        }
    )


@lru_cache(maxsize=1 << 12)
def tops_to_look_at(tubes: tuple[bytes, ...], covers: tuple[int, ...], locked: tuple[int, ...]) -> tuple[int, ...]:
    """The open tubes to be looked at: those whose top is known and still covered."""
    return tuple(
        place
        for place, (tube, cover) in enumerate(zip(tubes, covers, strict=True))
        if place not in locked and is_top_covered(tube, cover)
    )
