"""The output of `bsp-sat read` on a terminal."""

from bsp_sat.cli.screen import Screen
from bsp_sat.instances.errors import printable
from bsp_sat.instances.symbols import symbols_for
from bsp_sat.screenshots.board import Cell, PictureBoard

NO_CELL = "  · ", "dim"


def print_reading(name: str, board: PictureBoard) -> None:
    """Draws a recognised board with the rows of the picture, ``!`` at doubtful cells and ``?`` at covered ones."""
    out = Screen()
    certainty = ("sure", "bold green") if board.sure else ("doubtful", "bold red")
    kinds = {tube.capacity for tube in board.tubes}
    of = " and ".join(map(str, sorted(kinds)))
    out.print(f"{printable(name)}: {board.puzzle}, {len(board.tubes)} tubes of {of}, ", certainty, "\n")
    names = list(board.colours)
    symbols = dict(zip(names, symbols_for(names), strict=True))
    first = 0
    for count in board.rows:
        tubes = board.tubes[first : first + count]
        for level in reversed(range(max(tube.capacity for tube in tubes))):
            line: list[tuple[str, str]] = []
            for tube in tubes:
                if level < len(tube.cells):
                    line += (_drawn(tube.cells[level], board, symbols), (" ", ""))
                elif tube.covered:
                    line.append((" ▒▒ ", "dim"))
                else:
                    line.append(NO_CELL if level < tube.capacity else ("    ", ""))
            out.print("  ", *line)
        numbers = "".join(f"{number:^4}" for number in range(first + 1, first + count + 1))
        out.print(f"  {numbers}\n", style="dim")
        first += count
    for name in names:
        out.print("  ", (f" {symbols[name]} ", _style(board.colours[name])), f" {printable(name)}")


def _drawn(cell: Cell, board: PictureBoard, symbols: dict[str, str]) -> tuple[str, str]:
    mark = "!" if cell.doubtful else " "
    if cell.colour is None:
        return f" ?{mark}", "reverse dim"
    return f" {symbols[cell.colour]}{mark}", _style(board.colours[cell.colour])


def _style(rgb: tuple[int, int, int]) -> str:
    red, green, blue = rgb
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return f"bold {'#000000' if bright else '#ffffff'} on #{red:02x}{green:02x}{blue:02x}"
