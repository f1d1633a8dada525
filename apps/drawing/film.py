"""Films: pictures with still parts, moving pieces and their times.

Time is counted in moves: move k, from 1, takes place between the times k - 1 and k. Pieces move during the first part,
`MOVING`, and rest afterwards. Painters turn times into seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist
from typing import NamedTuple, Self

from bsp_sat.apps.drawing.shapes import Point, Shape, Words
from bsp_sat.instances.palette import INK
from bsp_sat.instances.text.words import short

MOVING = 0.65
"""The part of a move's time in which pieces move."""

MOVE_SECONDS = 0.9
START_SECONDS = 1.0
END_SECONDS = 2.5

CAPTION_HEIGHT = 28
CAPTION_SIZE = 14
UNKNOWN_CELL = "?"
ORIGIN = Point(0, 0)
SNAP = 0.01  # duration of sudden changes, as a part of a move's time


class Key(NamedTuple):
    """The time in moves, and a piece's origin and opacity (0 to 1), which change linearly between two keys."""

    time: float
    place: Point
    opacity: float


@dataclass
class Piece:
    """Shapes that move together, with keys in order of time: the first is the start, the last the final state."""

    shapes: tuple[Shape, ...]
    keys: list[Key]
    title: str = ""

    @classmethod
    def at(cls, place: Point, shapes: Sequence[Shape], title: str = "", since: int = 0) -> Self:
        """A piece that stands still."""
        if not since:
            return cls(tuple(shapes), [Key(0, place, 1)], title)
        appearing = since - 1 + MOVING
        keys = [Key(0, place, 0), Key(appearing - MOVING / 3, place, 0), Key(appearing, place, 1)]
        return cls(tuple(shapes), keys, title)

    @property
    def place(self) -> Point:
        """Its final place."""
        return self.keys[-1].place

    def go(self, move: int, *points: Point) -> None:
        """Moves it through points during a move, at constant speed."""
        path = [self.place, *points]
        lengths = [dist(one, other) for one, other in pairwise(path)]
        if not sum(lengths):
            return
        opacity = self.keys[-1].opacity
        gone = 0.0
        self._stay_until(move - 1)
        for length, point in zip(lengths, points, strict=True):
            gone += length
            self.keys.append(Key(move - 1 + MOVING * gone / sum(lengths), point, opacity))

    def vanish(self, move: int, *, at_once: bool = False) -> None:
        """Lets it fade away during a move: at the end of the motion, or at once at the beginning."""
        end = move - 1 + MOVING / (2 if at_once else 1)
        self._stay_until(end - MOVING / 3)
        place = self.place
        if self.keys[-1].time > end - MOVING / 3:  # it is still moving
            last = self.keys.pop()
            self.keys.append(Key(last.time, last.place, 0))
        else:
            self.keys.append(Key(end, place, 0))

    def _stay_until(self, time: float) -> None:
        if self.keys[-1].time < time:
            self.keys.append(self.keys[-1]._replace(time=time))

    def changes(self, begin: float, end: float) -> bool:
        """Whether it may look different at some times after ``begin`` and until ``end``."""
        return any(begin < key.time <= end + SNAP for key in self.keys)

    def at_time(self, time: float) -> Key:
        """Its place and opacity at a time."""
        before = self.keys[0]
        for key in self.keys:
            if key.time > time:
                part = (time - before.time) / (key.time - before.time)
                return Key(
                    time,
                    Point(*(a + (b - a) * part for a, b in zip(before.place, key.place, strict=True))),
                    before.opacity + (key.opacity - before.opacity) * part,
                )
            before = key
        return before._replace(time=time)


def _is_letter(shape: Shape) -> bool:
    """Whether it is the letter of a colour: captions and numbers aren't bold."""
    return isinstance(shape, Words) and shape.bold and shape.text != UNKNOWN_CELL


@dataclass
class Film:
    """A picture of a board and its moves: pieces that may change, painted over still shapes, each in painting order.

    ``scale`` is pixels for each unit of its shapes; None if no size was given.
    """

    width: float
    height: float
    still: list[Shape] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    moves: int = 0
    title: str = ""
    description: str = ""
    origin: Point = ORIGIN
    scale: float | None = None

    def fit(self, width: int, height: int) -> None:
        """Makes the picture this many pixels wide and high, with what it shows in the middle."""
        self.scale = scale = min(width / self.width, height / self.height)
        wide, high = width / scale, height / scale
        self.origin = Point((self.width - wide) / 2, (self.height - high) / 2)
        self.width, self.height = wide, high

    def leave_out_letters(self) -> None:
        """Removes the letters of colours, and the numbers below tubes."""
        self.still = [shape for shape in self.still if not isinstance(shape, Words)]
        for piece in self.pieces:
            piece.shapes = tuple(shape for shape in piece.shapes if not _is_letter(shape))

    def add_captions(self, captions: Sequence[str]) -> None:
        """Adds a line of text below the picture that changes with each move; the first text is for the start."""
        place = Point(self.width / 2, self.height + CAPTION_HEIGHT / 2)
        self.height += CAPTION_HEIGHT
        # Texts are cut so that even the widest letters fit.
        longest = max(12, int((self.width - CAPTION_SIZE) / (0.6 * CAPTION_SIZE)))
        for move, caption in enumerate(captions):
            words = Words(Point(0, 0), short(caption, longest), CAPTION_SIZE, INK)
            begin, end = move - 1, float(move)
            keys = [Key(0, place, 1)]
            if move:
                keys = [Key(0, place, 0), Key(begin, place, 0), Key(begin + SNAP, place, 1)]
            if move < len(captions) - 1:
                keys += [Key(end, place, 1), Key(end + SNAP, place, 0)]
            self.pieces.append(Piece((words,), keys))

    @property
    def seconds(self) -> float:
        """The duration, with the pauses before and after."""
        return self.second(self.moves) + END_SECONDS

    def second(self, time: float) -> float:
        """Turns a time in moves into seconds."""
        return START_SECONDS + time * MOVE_SECONDS
