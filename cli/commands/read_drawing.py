"""The output of `bsp-sat read` on a terminal."""

from rich.color import Color
from rich.style import Style
from rich.text import Text

from bsp_sat.cli import screen
from bsp_sat.instances.errors import printable
from bsp_sat.instances.symbols import symbols_for
from bsp_sat.screenshots.board import Cell, PictureBoard

NO_CELL = Text("  · ", "dim")


def print_reading(name: str, board: PictureBoard) -> None:
    """Draws a recognised board with the rows of the picture, ``!`` at doubtful cells and ``?`` at covered ones."""
    out = screen.console()
    certainty = Text("sure", "bold green") if board.sure else Text("doubtful", "bold red")
    kinds = {tube.capacity for tube in board.tubes}
    of = " and ".join(map(str, sorted(kinds)))
    out.print(Text.assemble(f"{printable(name)}: {board.puzzle}, {len(board.tubes)} tubes of {of}, ", certainty, "\n"))
    names = list(board.colours)
    symbols = dict(zip(names, symbols_for(names), strict=True))
    first = 0
    for count in board.rows:
        tubes = board.tubes[first : first + count]
        for level in reversed(range(max(tube.capacity for tube in tubes))):
            line = Text("  ")
            for tube in tubes:
                if level < len(tube.cells):
                    line.append_text(_drawn(tube.cells[level], board, symbols))
                elif tube.covered:
                    line.append(" ▒▒ ", "dim")
                else:
                    line.append_text(NO_CELL if level < tube.capacity else Text("    "))
            out.print(line)
        out.print(Text("  " + "".join(f"{number:^4}" for number in range(first + 1, first + count + 1)) + "\n", "dim"))
        first += count
    for name in names:
        out.print(Text.assemble("  ", (f" {symbols[name]} ", _style(board.colours[name])), f" {printable(name)}"))


def _drawn(cell: Cell, board: PictureBoard, symbols: dict[str, str]) -> Text:
    mark = "!" if cell.doubtful else " "
    if cell.colour is None:
        return Text.assemble((f" ?{mark}", "reverse dim"), " ")
    return Text.assemble((f" {symbols[cell.colour]}{mark}", _style(board.colours[cell.colour])), " ")


def _style(rgb: tuple[int, int, int]) -> Style:
    red, green, blue = rgb
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    ground = Color.from_rgb(red, green, blue).name
    return Style(color="#000000" if bright else "#ffffff", bgcolor=ground, bold=True)
