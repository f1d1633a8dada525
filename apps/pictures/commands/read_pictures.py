"""What `bsp-sat read` does with pictures; it needs Pillow, which its options and help do without."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from bsp_sat.apps.pictures.board import PictureBoard, ReadCell, corrected
from bsp_sat.apps.pictures.corrections import Correction, RowByHand
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.apps.pictures.loading import clipboard_picture, load_picture
from bsp_sat.apps.pictures.overlay import outlined, overlay
from bsp_sat.apps.pictures.reading import read_loaded, read_rows, stages
from bsp_sat.cli.group import EXIT_BAD_INPUT, EXIT_UNKNOWN
from bsp_sat.cli.screen import Screen
from bsp_sat.instances.errors import BoardError, BspSatError, printable
from bsp_sat.instances.puzzle import symbols_for
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import json_text, make_folder, write_file

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
NO_CELL = "  · ", "dim"


class ReadPictures(NamedTuple):
    """Reads pictures, and prints the boards, or with ``in_lines`` a line about each."""

    puzzle: str | None
    rows: Sequence[RowByHand]
    corrections: Sequence[Correction]
    with_locked: bool
    in_lines: bool
    target: Path | None
    folder: Path | None
    as_json: bool

    def read(self, name: str | None) -> tuple[int, str]:
        """Reads a picture, None for the clipboard, and returns the exit code, and the board as JSON if there is one."""
        label = "the clipboard" if name is None else name
        try:
            loaded = clipboard_picture() if name is None else load_picture(name)
            if self.folder is not None:
                _explain(loaded, self.puzzle, self.folder)
            found = read_rows(loaded, self.rows, self.puzzle) if self.rows else read_loaded(loaded, self.puzzle)
            board = corrected(found.with_locked() if self.with_locked else found, self.corrections)
        except BspSatError as error:
            if self.in_lines:
                click.echo(f"refused   {printable(label)}")
            return _failed(str(error)), ""
        line = json_text({"name": Path(label).name, **board.to_json()})
        if self.in_lines:
            tubes = quantity(len(board.tubes), "tube")
            click.echo(f"{'certain ' if board.sure else 'doubtful'}  {printable(label)}: {board.puzzle}, {tubes}")
        elif sys.stdout.isatty() and not self.as_json:
            print_reading(label, board)
        else:
            click.echo(line)
        if board.left_out:
            left = quantity(len(board.left_out), "locked place")
            click.echo(f"Note: {printable(label)}: {left} left out, which --with-locked takes in", err=True)
        if not board.sure:
            click.echo(f"Doubtful: {printable(label)}: {'; '.join(board.reasons())}", err=True)
        if self.target is not None:
            try:
                write_file(self.target, overlay(loaded, board))
            except BoardError as error:
                return _failed(str(error)), ""
        return 0 if board.sure else EXIT_UNKNOWN, line


def pictures_in(name: str) -> list[str]:
    """The pictures in a folder, by name; or what is named itself.

    BoardError if there is none.
    """
    if not Path(name).is_dir():
        return [name]
    found = sorted(str(path) for path in Path(name).iterdir() if path.suffix.lower() in SUFFIXES)
    if not found:
        raise BoardError(name, f"expected pictures in this folder, {', '.join(SUFFIXES)}, found none")
    return found


def _explain(loaded: Loaded, puzzle: str | None, folder: Path) -> None:
    """Writes a picture of what each of the first steps finds."""
    make_folder(folder)
    for name, boxes in stages(loaded, puzzle).items():
        write_file(folder / f"{name}.png", outlined(loaded, boxes))


def _failed(problem: str) -> int:
    click.echo(f"Error: {printable(problem)}", err=True)
    return EXIT_BAD_INPUT


def print_reading(name: str, board: PictureBoard) -> None:
    """Draws a recognised board with the rows of the picture, ``!`` at doubtful cells and ``?`` at covered ones."""
    out = Screen()
    certainty = ("sure", "bold green") if board.sure else ("doubtful", "bold red")
    kinds = {tube.capacity for tube in board.tubes}
    of = " and ".join(map(str, sorted(kinds)))
    out.print(f"{printable(name)}: {board.puzzle}, {quantity(len(board.tubes), 'tube')} of {of}, ", certainty, "\n")
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


def _drawn(cell: ReadCell, board: PictureBoard, symbols: dict[str, str]) -> tuple[str, str]:
    mark = "!" if cell.doubtful else " "
    if cell.colour is None:
        return f" ?{mark}", "reverse dim"
    return f" {symbols[cell.colour]}{mark}", _style(board.colours[cell.colour])


def _style(rgb: tuple[int, int, int]) -> str:
    red, green, blue = rgb
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 140
    return f"bold {'#000000' if bright else '#ffffff'} on #{red:02x}{green:02x}{blue:02x}"
