"""What places look like, and how different that is."""

from math import sqrt

from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.pixels.arrays import COLOUR, CORNERS, DRAWN, GRID, LOOK, MEAN, PARTS, UNIT, Pixels

FINE = 3  # samples of a part, across and down
MIDDLE = 0.6  # of a place's width and height, that its parts cover
CORNER = 0.07  # of its width and height, from a place's side to where its corner is looked at
TEXTURE = 0.6  # weight of patterns beside colours
BESIDE = 6.0  # in Lab; what the difference of means, which signs and highlights change, is taken to be larger by


@compiled
def look(p: Pixels, places: int) -> int:
    """Fills ``looks`` of the first ``places`` boxes."""
    for place in range(places):
        left, top = p.boxes[place, 0] / UNIT, p.boxes[place, 1] / UNIT
        across, down = p.boxes[place, 2] / UNIT - left, p.boxes[place, 3] / UNIT - top
        seen = p.looks[place]
        for channel in range(3):
            seen[COLOUR + channel] = median_of_ring(p, left, top, across, down, channel)
            for corner in range(4):
                x = left + across * (1 - CORNER) - 1 if corner % 2 else left + across * CORNER
                y = top + down * (1 - CORNER) - 1 if corner > 1 else top + down * CORNER
                seen[CORNERS + 3 * corner + channel] = value(p, x + 0.5, y + 0.5, channel)
            look_at_parts(p, place, left, top, across, down, channel)
        drawn = 0.0
        for number in range(PARTS, LOOK):
            drawn += seen[number] * seen[number]
        seen[DRAWN] = int(sqrt(drawn / (LOOK - PARTS)))
    return 0


@compiled
def value(p: Pixels, x: float, y: float, channel: int) -> int:
    """The channel of the pixel at a place, or of the nearest one in the picture."""
    height, width = p.height, p.width
    column, row = min(max(int(x), 0), width - 1), min(max(int(y), 0), height - 1)
    return int(p.lab[row + channel * height, column])


@compiled
def median_of_ring(p: Pixels, left: float, top: float, across: float, down: float, channel: int) -> int:
    """The median of a channel over a ring: the least value that half of its points are at most."""
    low, high = -200 * UNIT, 200 * UNIT
    while low < high:
        middle = (low + high) // 2
        below = 0
        for point in range(len(p.ring)):
            x, y = left + across * p.ring[point, 0] / 1000, top + down * p.ring[point, 1] / 1000
            if value(p, x, y, channel) <= middle:
                below += 1
        if 2 * below >= len(p.ring):
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def look_at_parts(p: Pixels, place: int, left: float, top: float, across: float, down: float, channel: int) -> None:
    """Fills the mean of a place's middle, and its parts."""
    seen = p.looks[place]
    fine = GRID * FINE
    total = 0
    for part in range(GRID * GRID):
        seen[PARTS + 3 * part + channel] = 0
    for row in range(fine):
        for column in range(fine):
            x = left + across * ((1 - MIDDLE) / 2 + MIDDLE * (column + 0.5) / fine)
            y = top + down * ((1 - MIDDLE) / 2 + MIDDLE * (row + 0.5) / fine)
            level = value(p, x, y, channel)
            seen[PARTS + 3 * (row // FINE * GRID + column // FINE) + channel] += level
            total += level
    mean = total // (fine * fine)
    seen[MEAN + channel] = mean
    for part in range(GRID * GRID):
        seen[PARTS + 3 * part + channel] = seen[PARTS + 3 * part + channel] // (FINE * FINE) - mean


@compiled
def compare(p: Pixels, places: int) -> int:
    """Fills ``apart`` of the first ``places`` looks: of their colours, and of their patterns with less weight."""
    for one in range(places):
        for other in range(one):
            first, second = p.looks[one], p.looks[other]
            colour = distance(p, one, other, COLOUR)
            colour = min(colour, distance(p, one, other, MEAN) + BESIDE * UNIT)
            pattern = 0.0
            for number in range(PARTS, LOOK):
                pattern += (first[number] - second[number]) * (first[number] - second[number])
            pattern = TEXTURE * TEXTURE * pattern / (GRID * GRID)
            apart = int(sqrt(colour * colour + pattern))
            p.apart[one, other], p.apart[other, one] = apart, apart
    return 0


@compiled
def distance(p: Pixels, one: int, other: int, start: int) -> float:
    """How far three values of two looks are apart."""
    total = 0.0
    for number in range(start, start + 3):
        difference = p.looks[one, number] - p.looks[other, number]
        total += difference * difference
    return sqrt(total)
