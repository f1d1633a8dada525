"""The names of colours in pictures."""

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


def rgb_of_name(name: str) -> Rgb:
    """What a name looks like in sRGB; grey where it isn't one of `NAMES`."""
    return NAMES.get(name, NAMES["grey"])
