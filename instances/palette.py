"""The project's only palette: the colours of boards on screens, in pictures and on the page.

Each colour still fits its name, and the colours differ as much as that allows, also for colour-blind people. No twenty
colours are distinct for everybody, so each colour has a symbol too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from bsp_sat.instances.puzzle import Colour, symbols_for

NAMED = {
    "red": "#ae0409", "blue": "#5457fb", "green": "#0d9c7b", "yellow": "#ede401", "orange": "#e46501",
    "purple": "#4c0b99", "pink": "#eda0b3", "cyan": "#69cbff", "lime": "#c6feb5", "brown": "#76594c",
    "grey": "#6c6f82", "teal": "#1b4348", "white": "#f5f5f5", "navy": "#120a40", "maroon": "#560005",
    "black": "#170b18", "khaki": "#bec190", "magenta": "#fc65bb", "olive": "#789955", "lavender": "#d8e4fe",
    "gold": "#ceb732",
}  # fmt: skip
"""The colours by name; unnamed colours get them in this order. The page has the same table (core/palette.js).

Found by simulated annealing among colours that fit their names, the first 14 first and the others with these held. It
maximised the smallest CIEDE2000 distance of two colours, for normal and colour-blind vision (Machado, Oliveira and
Fernandes 2009, severity 1). tests/instances/test_palette.py has the distances.
"""

PALETTE = tuple(NAMED.values())

NEAR = {
    "gray": ("grey", "black"), "dark grey": ("grey", "black"), "light grey": ("white", "grey"),
    "dark red": ("maroon", "red"), "rose": ("pink", "red"), "hot pink": ("magenta", "pink"),
    "light pink": ("pink", "lavender"), "peach": ("pink", "khaki"), "dark orange": ("orange", "brown"),
    "light yellow": ("yellow", "khaki"), "beige": ("khaki", "white"), "tan": ("khaki", "brown"),
    "dark brown": ("brown", "black"), "light green": ("lime", "green"), "dark green": ("green", "teal"),
    "mint": ("lime", "cyan"), "turquoise": ("cyan", "teal"), "dark teal": ("teal", "navy"),
    "light blue": ("cyan", "blue"), "sky blue": ("cyan", "lavender"), "dark blue": ("navy", "blue"),
    "slate": ("grey", "teal"), "violet": ("purple", "lavender"), "light purple": ("lavender", "magenta"),
    "dark purple": ("purple", "navy"),
}  # fmt: skip
"""Other names that people and `bsp_sat.apps.pictures` use, with the nearest colours of the palette, best first."""

GROUND = "#fbfaf7"
INK = "#22252b"
QUIET = "#6b7079"
GRID = "#c9ccd1"
COVER = "#565b66"


@dataclass(frozen=True)
class Paint:
    """How a colour is painted. ``ink``: black or white, whichever is more readable on the fill."""

    fill: str
    ink: str
    symbol: str

    @property
    def line(self) -> str:
        """The colour of the edge: a darker fill, so that pale colours stand out from a pale background."""
        return "#" + "".join(f"{round(level * 0.6):02x}" for level in levels(self.fill))


def levels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#rrggbb``, from 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def fills_for(
    colours: Sequence[Colour], named: Mapping[str, str] = NAMED, palette: Sequence[str] = PALETTE
) -> list[str]:
    """A fill for each colour of a board: the one that its name suggests, or an unused one if that is taken.

    >>> fills_for(["dark red", "maroon", 7])
    ['#ae0409', '#560005', '#5457fb']
    """
    own: dict[Colour, str] = {}
    for names_of in (lambda name: (name,)), (lambda name: NEAR.get(name, ())):
        for colour in colours:
            fills = (named[name] for name in names_of(str(colour).lower()) if name in named)
            fill = next((fill for fill in fills if fill not in own.values()), None)
            if colour not in own and fill is not None:
                own[colour] = fill
    spare = cycle([fill for fill in palette if fill not in own.values()] or palette)
    return [own[colour] if colour in own else next(spare) for colour in colours]


def ink_on(fill: str) -> str:
    """Black or white, whichever has more contrast (WCAG 2) with a colour."""
    parts = [level / 255 for level in levels(fill)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    # Black has the contrast (light + 0.05) / 0.05, white 1.05 / (light + 0.05).
    return "#000000" if (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def paints_for(colours: Sequence[Colour]) -> list[Paint]:
    """The paint of each colour of a board, in the same order.

    >>> [paint.symbol for paint in paints_for(["red", "rose", 3])]
    ['r', 'o', '3']
    """
    fills = fills_for(colours)
    return [Paint(fill, ink_on(fill), symbol) for fill, symbol in zip(fills, symbols_for(colours), strict=True)]
