"""What is drawn with rich: text and boards on a terminal, progress, and tables. Elsewhere rich isn't loaded."""

from collections.abc import Sequence
from shutil import get_terminal_size

from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text as Text

from bsp_sat.instances.palette import fills_for
from bsp_sat.instances.puzzle import Colour

# For terminals with 16 colours, which by default show red and orange as the same colour.
PALETTE_OF_16 = (
    "bright_red", "green", "bright_blue", "bright_yellow", "yellow", "magenta", "bright_cyan", "bright_magenta",
    "bright_green", "red", "cyan", "blue", "white", "bright_black", "bright_white", "black",
)  # fmt: skip

NAMED_OF_16 = {
    "red": "bright_red", "green": "green", "blue": "bright_blue", "yellow": "bright_yellow", "orange": "yellow",
    "purple": "magenta", "cyan": "bright_cyan", "magenta": "bright_magenta", "brown": "red", "lime": "bright_green",
    "khaki": "white", "teal": "cyan", "pink": "bright_magenta", "maroon": "red",
    "navy": "blue", "black": "black", "white": "bright_white", "grey": "bright_black", "olive": "yellow",
    "lavender": "bright_blue", "gold": "bright_yellow",
}  # fmt: skip


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Passes the error on to the command line; rich would exit with 1."""
        raise


def console(*, stderr: bool = False) -> Console:
    """A console without automatic highlighting."""
    made = _Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.width:  # rich takes COLUMNS=0 literally; other programs take it as unset
        made.width = get_terminal_size().columns
    return made


def colour_styles(colours: Sequence[Colour], *, few: bool = False) -> dict[Colour, Style]:
    """A background for each colour, of 16 if ``few``: the one it is named after if that is free, else an unused one."""
    backgrounds = fills_for(colours, NAMED_OF_16, PALETTE_OF_16) if few else fills_for(colours)
    return {colour: _style_on(background) for colour, background in zip(colours, backgrounds, strict=True)}


def _style_on(background: str) -> Style:
    red, green, blue = Color.parse(background).get_truecolor()
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return Style(color="#000000" if bright else "#ffffff", bgcolor=background, bold=True)
