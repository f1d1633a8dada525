"""Boards, plans and results as text, coloured on a terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from shutil import get_terminal_size

from rich.color import Color
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from bsp_sat.backends.result import Result, Status
from bsp_sat.drawing.palette import fills_for
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Cell, Colour

# For terminals with 16 colours, which by default show red and orange as the same colour.
PALETTE_OF_16 = (
    "bright_red", "green", "bright_blue", "bright_yellow", "yellow", "magenta", "bright_cyan", "bright_magenta",
    "bright_green", "red", "cyan", "blue", "white", "bright_black", "bright_white", "black",
)  # fmt: skip

NAMED_OF_16 = {
    "red": "bright_red", "green": "green", "blue": "bright_blue", "yellow": "bright_yellow", "orange": "yellow",
    "purple": "magenta", "cyan": "bright_cyan", "magenta": "bright_magenta", "brown": "red", "lime": "bright_green",
    "turquoise": "bright_cyan", "teal": "cyan", "pink": "bright_magenta", "maroon": "red",
    "navy": "blue", "black": "black", "white": "bright_white", "grey": "bright_black", "olive": "yellow",
    "lavender": "bright_blue", "peach": "bright_yellow",
}  # fmt: skip

STATUS_STYLES = {
    Status.OPTIMAL: "bold green",
    Status.FEASIBLE: "bold yellow",
    Status.UNSOLVABLE: "bold red",
    Status.UNKNOWN: "bold yellow",
}


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
    """A background for each colour: the one it is named after if that is free, else an unused one.

    Args:
        colours: the colours to distinguish.
        few: whether the terminal has only 16 colours.
    """
    backgrounds = fills_for(colours, NAMED_OF_16, PALETTE_OF_16) if few else fills_for(colours)
    return {colour: _on(background) for colour, background in zip(colours, backgrounds, strict=True)}


def _on(background: str) -> Style:
    red, green, blue = Color.parse(background).get_truecolor()
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return Style(color="#000000" if bright else "#ffffff", bgcolor=background, bold=True)


def heading(instance: Instance) -> Text:
    """The board's name and size."""
    return Text(f"{printable(instance.name)}: {instance.puzzle.summary()}\n")


@dataclass(frozen=True)
class Drawing:
    """A position with column numbers, in the console's colours.

    Attributes:
        puzzle: the position.
        legend: whether to explain the symbols below, where they aren't the colours' names.
    """

    puzzle: AnyPuzzle
    legend: bool = True

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Renders the position, for rich."""
        picture = self.puzzle.picture()
        few = console.color_system in ("standard", "windows")
        styles = colour_styles([colour for _, colour in picture.legend], few=few)

        def styled(line: Sequence[Cell], other: str) -> Text:
            spans = ((text, other if colour is None else styles.get(colour, "bold")) for text, colour in line)
            return Text.assemble(*spans)

        for line in picture.lines(options.max_width):
            yield styled(line, "dim")
        if self.legend and (names := [*picture.names(options.max_width)]):
            yield Text()
            for line in names:
                yield styled(line, "")


def plan_listing(puzzle: AnyPuzzle, plan: Plan) -> RenderableType:
    """The numbered moves, in columns."""
    entries = []
    width = len(str(len(plan)))
    for step, move in enumerate(plan, start=1):
        entries.append(Text(f"{step:>{width}}.  {printable(puzzle.describe(move))}"))
        puzzle = puzzle.apply(move)
    return Padding(Columns(entries, padding=(0, 4), column_first=True), (0, 0, 0, 2))


def plan_boards(puzzle: AnyPuzzle, plan: Plan) -> RenderableType:
    """The numbered moves, each with the board after it."""
    parts: list[RenderableType] = []
    for step, move in enumerate(plan, start=1):
        parts.append(Text(f"\n  {step}.  {printable(puzzle.describe(move))}"))
        puzzle = puzzle.apply(move)
        parts.append(Drawing(puzzle, legend=False))
    return Group(*parts)


def answer(result: Result) -> Text:
    """The answer in one to three sentences, with its notes."""
    text = Text(str(result))
    text.highlight_regex(r"^[^:.]*", STATUS_STYLES[result.status])
    for note in result.notes:
        text.append(f"\nNote: {note}.")
    return text


def effort(result: Result) -> Text:
    """The backend, its time and its memory."""
    means = ", ".join(filter(None, (result.backend, result.encoding, result.solver)))
    return Text(f"{means}: {result.seconds:.2f} s, {result.peak_memory_mb:.0f} MB", "dim")
