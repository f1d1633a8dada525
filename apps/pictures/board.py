"""What a picture shows: tubes and cells with their places and how sure each is."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from bsp_sat.apps.pictures.corrections import Correction
from bsp_sat.apps.pictures.names import NAMES
from bsp_sat.instances.errors import PictureError, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import Reveal

SURE = 0.5
"""Least confidence of a cell that isn't doubtful."""

MOST_NAMED = 12  # doubtful cells that a message lists


class Box(NamedTuple):
    """A box in the pixels of the picture as it came; ``right`` and ``bottom`` are one past the last."""

    left: int
    top: int
    right: int
    bottom: int


Alternative = tuple[str, float]
"""Another colour that a cell may have, and how near it comes, 0 to 1."""


@dataclass(frozen=True)
class ReadCell:
    """A filled place in a tube: the name of its colour, None where the game covers it.

    It is doubtful where the confidence, from 0 to 1, is below `SURE`; then the likeliest other colours come first.
    """

    colour: str | None
    box: Box
    confidence: float
    alternatives: tuple[Alternative, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether it should be looked at."""
        return self.confidence < SURE


@dataclass(frozen=True)
class TubeInPicture:
    """A tube; ``confidence``, 0 to 1, is that there is one with this many cells.

    Where a curtain or the like hides what is in it, ``until`` has the colour that opens it, None where that isn't seen.
    """

    cells: tuple[ReadCell, ...]
    capacity: int
    box: Box
    confidence: float
    covered: bool = False
    until: str | None = None

    def colours(self) -> Iterator[str | None]:
        """What it holds, the lowest first, None for cells that are covered."""
        return (cell.colour for cell in self.cells)


SET_CELL, SET_TUBES, SET_ROWS = "--set TUBE:CELL=COLOUR", "--set TUBE=none or --set TUBE+", "--row"


class DoubtKind(Enum):
    """What a doubt is about, with the option of `bsp-sat read` that settles it, unless `Doubt.cure` knows better."""

    COUNTS = 1, SET_CELL  # correct counts of the colours end it
    UNEXPLAINED = 2, SET_TUBES
    UNLIKELY = 3, SET_ROWS  # regions aren't where cells would be; with wrong counts there is no board
    NO_ROOM = 4, SET_TUBES  # nor is there one of which all tubes are full
    CELLS = 5, SET_CELL
    TUBES = 6, SET_TUBES
    HEIGHTS = 7, SET_ROWS
    RULES = 8, "--puzzle"
    TURNED = 9, SET_ROWS
    MEASURED = 10, ""  # nothing settles it; whoever sees that the board is right goes on with what `read` prints


class Doubt(NamedTuple):
    """What makes a board doubtful: a clause for messages; where it is seen; the tubes, from 0, if it is about these."""

    says: str
    kind: DoubtKind = DoubtKind.CELLS
    box: Box | None = None
    about: tuple[int, ...] = ()

    @property
    def cure(self) -> str:
        """The option of `bsp-sat read` that settles it; of tubes that may be anywhere, that is to say where all are."""
        is_anywhere = self.kind in (DoubtKind.UNEXPLAINED, DoubtKind.TUBES) and not self.about
        option: str = self.kind.value[1]
        return SET_ROWS if is_anywhere else option


@dataclass(frozen=True)
class PictureBoard:
    """The board of a picture: its tubes row by row from the top, and what makes the whole doubtful, cells apart.

    Locked places for more tubes, at the end of the last row, are ``left_out``.
    """

    puzzle: str
    tubes: tuple[TubeInPicture, ...]
    rows: tuple[int, ...]
    colours: dict[str, tuple[int, int, int]]
    doubts: tuple[Doubt, ...]
    size: tuple[int, int]
    left_out: tuple[TubeInPicture, ...] = ()

    def with_locked(self) -> "PictureBoard":
        """The board as it is when all locked places are unlocked."""
        rows = (*self.rows[:-1], self.rows[-1] + len(self.left_out))
        return replace(self, tubes=self.tubes + self.left_out, rows=rows, left_out=())

    @property
    def doubtful(self) -> tuple[tuple[int, int], ...]:
        """Tube and cell, both counted from 0, of every doubtful cell."""
        return tuple(
            (tube, cell)
            for tube, of_tube in enumerate(self.tubes)
            for cell, of_cell in enumerate(of_tube.cells)
            if of_cell.doubtful
        )

    @property
    def doubt_kinds(self) -> set[DoubtKind]:
        """Of its doubts."""
        return {doubt.kind for doubt in self.doubts}

    @property
    def cures(self) -> str:
        """The options of `bsp-sat read` that settle what is doubtful."""
        found = [doubt.cure for doubt in self.doubts] + [SET_CELL] * bool(self.doubtful)
        return " or ".join(dict.fromkeys(filter(None, found)))

    @property
    def sure(self) -> bool:
        """Whether nothing at all is doubtful."""
        return not self.doubts and not self.doubtful

    @property
    def capacity(self) -> int:
        """Cells of the largest tube."""
        return max(tube.capacity for tube in self.tubes)

    def contents(self) -> list[list[str | None]]:
        """The colours of each tube, the lowest first, None for what is covered."""
        return [list(tube.colours()) for tube in self.tubes]

    def to_json(self) -> dict[str, Any]:
        """The board in the format of board files, with a key ``picture`` for places and confidences.

        A covered tube is full of unknown cells: an empty one would be a board that can be played.
        """
        tubes = [[None] * tube.capacity if tube.covered else list(tube.colours()) for tube in self.tubes]
        data: dict[str, Any] = {"puzzle": self.puzzle, "capacity": self.capacity, "tubes": tubes}
        if any(None in tube for tube in tubes):
            data["hidden"] = [[colour is None for colour in tube] for tube in tubes]
        if capacities := self._capacities():
            data["capacities"] = capacities
        locked = [{"tube": index, "until": tube.until} for index, tube in enumerate(self.tubes) if tube.covered]
        if locked:
            data["locked"] = locked
        data["sure"] = self.sure
        data["doubts"] = [doubt.says for doubt in self.doubts]
        data["doubtful"] = [list(place) for place in self.doubtful]
        data["picture"] = {
            "size": list(self.size),
            "rows": list(self.rows),
            "colours": {name: f"#{red:02x}{green:02x}{blue:02x}" for name, (red, green, blue) in self.colours.items()},
            "tubes": [_tube_to_json(tube) for tube in self.tubes],
            "unexplained": [list(doubt.box) for doubt in self.doubts if doubt.box],
            "left_out": [list(tube.box) for tube in self.left_out],
        }
        return data

    def reasons(self) -> list[str]:
        """What is doubtful, in words, tubes and cells counted from 1."""
        places = self.doubtful
        cells = ", ".join(f"{tube + 1}:{cell + 1}" for tube, cell in places[:MOST_NAMED])
        more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
        reasons = [doubt.says for doubt in self.doubts]
        return [*reasons, f"cells (tube:cell, from the bottom) {cells}{more}"] if places else reasons

    def to_instance(self, name: str, reveal: Reveal | None = None) -> Instance:
        """The board to solve. A picture doesn't say what shows of hidden cells at a time, by default one of balls.

        Unsupported if it doesn't say enough about the board, BoardError if no rule allows it.
        """
        missing = None
        if any(tube.covered for tube in self.tubes):
            missing = "covered tubes, and not what is in them"
        elif reveal is None and self.puzzle == "water-sort" and any(None in tube for tube in self.contents()):
            missing = "hidden cells; add --reveal run if the game uncovers a run of one colour, else --reveal cell"
        if missing is not None:
            raise Unsupported(f"the picture shows {missing}; `bsp-sat read` prints the board, to say more about it")
        data: dict[str, Any] = {"capacity": self.capacity, "tubes": self.contents(), "capacities": self._capacities()}
        if reveal is not None:
            data["reveal"] = reveal
        return Instance(PUZZLES[self.puzzle].from_json(data), {"name": name})

    def _capacities(self) -> list[int]:
        """Of each tube, where they differ; else nothing."""
        capacities = [tube.capacity for tube in self.tubes]
        return capacities if len(set(capacities)) > 1 else []


def corrected(board: PictureBoard, corrections: Sequence[Correction]) -> PictureBoard:
    """A board as a person says it is.

    What is set is sure, and what was doubtful about these tubes alone is settled. The rest is as sure as before, one
    right cell doesn't make others right; but the counts are asked again, as of a board that was read. A cell one above
    the top one is added; of the colour ``-`` it is taken away, and those above it come down. PictureError if there
    is no such tube or cell.
    """
    if not corrections:
        return board
    places = [[tube] for tube in board.tubes]  # each with those that are added after it
    none = set()
    for number, added, cell, colour in corrections:
        if not 0 <= number < len(places):
            raise PictureError(f"tube {number + 1}: expected 1 to {len(places)}")
        place, name = places[number], f"{number + 1}{'+' * added}"
        if cell is not None and added and len(place) == 1:
            raise PictureError(f"tube {name}: expected --set {name} before, which adds it")
        if cell is not None:
            at = -1 if added else 0
            place[at] = _with_cell(place[at], name, cell, colour)
        elif added:
            place.append(_beside(place[-1]))
        else:
            none.add(number)
    places = [place[number in none :] for number, place in enumerate(places)]
    ends = list(itertools.accumulate(board.rows, initial=0))
    rows = [sum(map(len, places[start:end])) for start, end in itertools.pairwise(ends)]
    tubes = tuple(itertools.chain.from_iterable(places))
    if not tubes:
        raise PictureError("expected that a tube is left")
    counts = Counter(cell.colour for tube in tubes for cell in tube.cells)
    colours = {name: board.colours.get(name) or NAMES.get(name, NAMES["grey"]) for name in counts if name is not None}
    settled = {each.tube for each in corrections}
    doubts = [each for each in board.doubts if not each.about or not settled.issuperset(each.about)]
    has_room = any(len(tube.cells) < tube.capacity for tube in tubes)
    left = {DoubtKind.COUNTS, DoubtKind.NO_ROOM} if has_room else {DoubtKind.COUNTS}
    doubts = [each for each in doubts if each.kind not in left] + list(doubts_of_counts(tubes))
    return replace(board, tubes=tubes, rows=tuple(filter(None, rows)), colours=colours, doubts=tuple(doubts))


def doubts_of_counts(tubes: Sequence[TubeInPicture]) -> Iterator[Doubt]:
    """Whether the counts of the colours aren't those of a level: each colour fills one tube of its own.

    Of hidden cells, and of what covered tubes hold, it is known how many they are: all cells together fill whole tubes,
    at least as many as there are colours, and no colour has more cells than a tube.
    """
    return (Doubt(says, DoubtKind.COUNTS) for says in _wrong_counts(tubes))


def _wrong_counts(tubes: Sequence[TubeInPicture]) -> Iterator[str]:
    counts = Counter(cell.colour for tube in tubes for cell in tube.cells)
    sizes = [tube.capacity for tube in tubes]
    unseen = counts.pop(None, 0) + sum(tube.capacity for tube in tubes if tube.covered)
    cells, size = counts.total() + unseen, max(sizes)
    odd = [f"{colour} {count}" for colour, count in counts.items() if count > size or (count < size and not unseen)]
    if min(sizes) < size:
        if unseen:
            yield "counts: tubes of different sizes with hidden cells can't be checked"
        elif not Counter(counts.values()) <= Counter(sizes):
            found = ", ".join(f"{colour} {count}" for colour, count in counts.items())
            yield f"counts: expected that each colour fills a tube of its own, found {found}"
    elif unseen and cells % size:
        yield f"counts: expected whole tubes of {size} cells, found {cells} cells with the hidden ones"
    elif unseen and len(counts) > cells // size:
        yield f"counts: expected at most {cells // size} colours, found {len(counts)}"
    elif odd:
        most = "at most " if unseen else ""
        yield f"counts: expected {most}{size} cells of each colour, found {', '.join(odd)}"


def _beside(tube: TubeInPicture) -> TubeInPicture:
    """An empty tube to the right of another one."""
    left, top, right, bottom = tube.box
    step = round(1.3 * (right - left))
    return TubeInPicture((), tube.capacity, Box(left + step, top, right + step, bottom), 1.0)


def _with_cell(tube: TubeInPicture, name: str, cell: int, colour: str) -> TubeInPicture:
    cells = list(tube.cells)
    if cell == len(cells) < tube.capacity and colour != "-":
        left, top, right, bottom = cells[-1].box if cells else tube.box
        height = (bottom - top) if cells else (bottom - top) // tube.capacity
        above = Box(left, top - height, right, top) if cells else Box(left, bottom - height, right, bottom)
        return replace(tube, cells=(*cells, ReadCell(colour, above, 1.0)), confidence=1.0)
    if not 0 <= cell < len(cells):
        raise PictureError(f"tube {name}: expected a cell from 1 to {len(cells)}, found {cell + 1}")
    if colour == "-":
        del cells[cell]
    else:
        cells[cell] = ReadCell(colour, cells[cell].box, 1.0)
    return replace(tube, cells=tuple(cells))


def _tube_to_json(tube: TubeInPicture) -> dict[str, Any]:
    return {
        "box": list(tube.box),
        "confidence": round(tube.confidence, 3),
        "cells": [
            {
                "box": list(cell.box),
                "confidence": round(cell.confidence, 3),
                "alternatives": [[colour, round(confidence, 3)] for colour, confidence in cell.alternatives],
            }
            for cell in tube.cells
        ],
    }
