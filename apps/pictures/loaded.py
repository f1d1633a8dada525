"""A picture as whoever decoded it hands it over, and at working size."""

from math import cos, sin
from typing import NamedTuple

from bsp_sat.apps.pictures.board import Box
from bsp_sat.apps.pictures.picture import Away, PixelPicture, Place

LONG_SIDE = 1100  # pixels that a picture is worked on with
SHORT_SIDE = 420  # a small picture is enlarged to it, so that outlines are wider than one pixel
MOST_ENLARGED = 2.0
MOST_AWAY = 0.6  # by how much one corner is further away than another


class Loaded(NamedTuple):
    """A picture, which is turned at working size by ``turn``, in radians, clockwise.

    If it is seen ``away``, aslant: by how much a place there is further away for each pixel that it is to the right of
    the middle, and below it; 0.1 for one that is drawn a tenth smaller, and as much nearer to the middle.
    """

    rgb: bytearray
    size: tuple[int, int]
    name: str = "the picture"
    turn: float = 0.0
    away: Away = (0.0, 0.0)

    @property
    def scale(self) -> float:
        """Pixels at working size for one of the picture."""
        longer, shorter = max(self.size), min(self.size)
        if longer > LONG_SIDE:
            return LONG_SIDE / longer
        return max(1.0, min(MOST_ENLARGED, LONG_SIDE / longer, SHORT_SIDE / shorter))

    def at_working_size(self) -> PixelPicture:
        """The picture as it is worked on."""
        return PixelPicture(self.rgb, self.size, max(1, round(self.size[0] * self.scale)), self.turn, self.away)

    def straightened(self, turn: float, away: Away) -> "Loaded":
        """It, turned and tilted further, both as it is at working size; as it is if that is too much."""
        x, y = (each * self.scale for each in away)
        x += self.away[0] * cos(turn) - self.away[1] * sin(turn)
        y += self.away[0] * sin(turn) + self.away[1] * cos(turn)
        if abs(x) * self.size[0] + abs(y) * self.size[1] > MOST_AWAY:
            return self
        return self._replace(turn=self.turn + turn, away=(x, y))

    def original(self, place: Place) -> Box:
        """A place at working size in the pixels of the picture; where it is turned, one about its middle."""
        left, top, right, bottom = (side / self.scale for side in place)
        width, height = self.size
        across = (left + right - width) / 2 + self.away[0] * width**2 / 4  # so that both sides are in sight
        down = (top + bottom - height) / 2 + self.away[1] * height**2 / 4
        away = 1 + across * self.away[0] + down * self.away[1]
        x = width / 2 + (across * cos(self.turn) + down * sin(self.turn)) / away
        y = height / 2 + (down * cos(self.turn) - across * sin(self.turn)) / away
        half_width, half_height = (right - left) / 2 / away, (bottom - top) / 2 / away
        return Box(
            max(0, round(x - half_width)),
            max(0, round(y - half_height)),
            min(width, round(x + half_width)),
            min(height, round(y + half_height)),
        )

    def has_few_shades(self, most: int) -> bool:
        """Whether it has at most this number of colours."""
        seen: set[tuple[int, int, int]] = set()
        length = 3 * self.size[0]
        for start in range(0, len(self.rgb), length):
            row = self.rgb[start : start + length]
            seen.update(zip(row[::3], row[1::3], row[2::3], strict=True))
            if len(seen) > most:
                return False
        return True
