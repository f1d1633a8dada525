"""Names for colours that a person would use, each but once a picture, and what colours are in sRGB."""

from collections.abc import Sequence
from functools import cache
from math import dist

from bsp_sat.apps.pictures.picture import Colour

Rgb = tuple[int, int, int]

NAMES = {
    "red": (220, 40, 40), "dark red": (150, 20, 25), "rose": (232, 95, 105), "orange": (245, 140, 40),
    "dark orange": (215, 100, 10), "peach": (255, 190, 150), "brown": (125, 75, 20), "dark brown": (80, 50, 25),
    "tan": (220, 190, 140), "yellow": (250, 220, 50), "light yellow": (250, 240, 150), "gold": (215, 170, 30),
    "olive": (125, 150, 20), "lime": (175, 230, 60), "light green": (110, 220, 130), "green": (60, 180, 60),
    "dark green": (20, 100, 45), "mint": (165, 240, 200), "teal": (20, 150, 140), "dark teal": (10, 90, 95),
    "turquoise": (60, 215, 200), "cyan": (40, 225, 245), "light blue": (90, 165, 235), "sky blue": (160, 215, 250),
    "blue": (30, 90, 225), "dark blue": (45, 45, 190), "navy": (20, 25, 90), "slate": (85, 115, 150),
    "lavender": (190, 170, 240), "violet": (150, 90, 220), "purple": (125, 40, 165), "dark purple": (75, 25, 110),
    "magenta": (215, 50, 190), "light purple": (205, 130, 225), "hot pink": (250, 70, 160), "pink": (240, 110, 150),
    "light pink": (255, 175, 195), "maroon": (110, 20, 55), "white": (245, 245, 245), "light grey": (195, 195, 195),
    "grey": (120, 120, 120), "dark grey": (70, 70, 70), "black": (20, 20, 20), "beige": (240, 225, 195),
}  # fmt: skip
"""What each looks like in sRGB, where its bearers usually are rather than as the web defines it."""


@cache
def lab_of(rgb: Rgb) -> Colour:
    """CIE Lab of sRGB.

    >>> [round(part) for part in lab_of((255, 0, 0))]
    [53, 80, 67]
    """
    levels = [level / 255 for level in rgb]
    red, green, blue = (level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    a, b, c = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def rgb_of(colour: Colour) -> Rgb:
    """The sRGB of a colour.

    >>> rgb_of(lab_of((12, 200, 99)))
    (12, 200, 99)
    """
    lightness, a, b = colour
    y = (lightness + 16) / 116
    roots = y + a / 500, y, y - b / 200
    x, y, z = (root**3 if root**3 > 0.008856 else (root - 16 / 116) / 7.787 for root in roots)
    x, z = 0.95047 * x, 1.08883 * z
    light = (
        3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
        0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
    )
    inside = (min(1.0, max(0.0, part)) for part in light)
    levels = (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in inside)
    red, green, blue = (round(255 * level) for level in levels)
    return red, green, blue


def names_for(colours: Sequence[Colour]) -> list[str]:
    """A name of its own for each colour; the best fits choose first. Beyond the names, numbers tell them apart.

    >>> names_for([lab_of(rgb) for rgb in ((230, 40, 40), (200, 30, 60), (30, 90, 225))])
    ['red', 'dark red', 'blue']
    """
    places = {word: lab_of(rgb) for word, rgb in NAMES.items()}
    fits = sorted(
        (dist(colour, place), number, word) for number, colour in enumerate(colours) for word, place in places.items()
    )
    names: dict[int, str] = {}
    for _, number, word in fits:
        if number not in names and word not in names.values():
            names[number] = word
    nearest = {number: word for _, number, word in reversed(fits)}
    return [names.get(number, f"{nearest[number]} {number + 1}") for number in range(len(colours))]
