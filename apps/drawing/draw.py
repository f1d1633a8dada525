"""Draws a position, or a position and its moves, as a file."""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from bsp_sat.apps.drawing import raster
from bsp_sat.apps.drawing.film import Film
from bsp_sat.apps.drawing.grids import film_of_shot, film_of_tiles
from bsp_sat.apps.drawing.steps import page
from bsp_sat.apps.drawing.svg import svg
from bsp_sat.apps.drawing.tubes import film_of_tubes
from bsp_sat.instances.errors import Unsupported, printable
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.optional import need
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.text.words import quantity, short
from bsp_sat.instances.tiles import Tiles

Format = Literal["svg", "png", "gif", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)

MOST_CELLS = 20_000  # balls, tiles or places; far more than a person can read
MOST_WORK = 2_000_000  # cells times positions of a plan: a few seconds

FILMS: dict[str, Callable[..., Film]] = {
    **{puzzle.kind: film_of_tubes for puzzle in (BallSort, WaterSort)},
    Tiles.kind: film_of_tiles,
    Shot.kind: film_of_shot,
}
"""For each kind of puzzle, the function that makes a film of a position and legal moves from it.

Those of sort puzzles also take the ratio of width to height that the picture is to have.
"""


def draw(
    board: Board,
    moves: Sequence[Move] = (),
    form: Format = "svg",
    *,
    position: int | None = None,
    title: str = "",
    letters: bool = True,
    size: tuple[int, int] | None = None,
) -> bytes:
    """Draws a board, a position of a plan, or all of a plan, and returns the file's contents.

    Args:
        board: the position before the first move.
        moves: a plan or the beginning of one; it need not lead to the goal.
        form: ``svg`` (animated if there are moves), ``png`` (one position), ``gif``, or ``html`` (to step through).
        position: draw only the position after this number of moves; None for all positions.
        title: by default a description of the board.
        letters: whether colours have letters, and tubes numbers.
        size: width and height in pixels, with the board in the middle, its tubes in as many rows as fit best.

    Raises `IllegalMove` for the first move that breaks a rule, and `Unsupported` if board or plan is too large, there
    is no such position, a PNG of several is asked for, or Pillow isn't installed.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> draw(BallSort.from_tubes([["red"], []], capacity=1))[:4]
    b'<svg'
    """
    if form not in FORMATS:
        raise Unsupported(f"expected one of the forms {', '.join(FORMATS)}, found {short(repr(form))}")
    if form == "png" and moves and position is None:
        raise Unsupported(f"a PNG shows one position: say which, 0 to {len(moves)}, or choose SVG, GIF or HTML")
    shape = None if size is None else size[0] / size[1]
    film = film_of(position_of(board), moves, position=position, title=title, shape=shape)
    if not letters:
        film.leave_out_letters()
    if size is not None:
        film.fit(*size)
    if form == "svg":
        return svg(film)
    if form == "html":
        return page(film)
    need("PIL", f"a {form.upper()} picture")
    return raster.png(film) if form == "png" else raster.gif(film)


def film_of(
    puzzle: AnyPuzzle,
    moves: Sequence[Move],
    *,
    position: int | None = None,
    title: str = "",
    shape: float | None = None,
) -> Film:
    """The film that `draw` paints; ``shape`` is the ratio of width to height that is best. Raises what `draw` does."""
    if position is not None and not 0 <= position <= len(moves):
        raise Unsupported(f"position: expected 0 to {len(moves)}, found {position}")
    cells = cell_count(puzzle)
    if cells > MOST_CELLS or cells * (1 + len(moves)) > MOST_WORK:
        along = f" with {quantity(len(moves), 'move')}" if moves else ""
        raise Unsupported(f"the board is too large to be drawn{along}")
    positions, captions = _replayed(puzzle, moves)
    wanted = {} if shape is None or not isinstance(puzzle, SortPuzzle) else {"shape": shape}
    if position is None:
        film = FILMS[puzzle.kind](puzzle, moves, **wanted)
        film.moves = len(moves)
    else:
        film = FILMS[puzzle.kind](positions[position], (), **wanted)
        captions = captions[position : position + 1]
    film.title = printable(short(title)) or puzzle.summary()
    film.description = "\n".join([puzzle.summary(), *captions])
    if moves:
        film.add_captions(captions)
    return film


def cell_count(puzzle: AnyPuzzle) -> int:
    """The number of cells to draw. Unsupported if there is no drawing for boards of this puzzle."""
    match puzzle:
        case SortPuzzle():
            return len(puzzle.tubes) + sum(map(len, puzzle.tubes))
        case Tiles():
            return len(puzzle.columns) + sum(map(len, puzzle.columns))
        case Shot():
            return puzzle.width * puzzle.height
    raise Unsupported(f"{puzzle.kind} boards can't be drawn")


def _replayed(puzzle: AnyPuzzle, moves: Sequence[Move]) -> tuple[list[AnyPuzzle], list[str]]:
    """The positions of a plan, and a caption for each; `IllegalMove` for the first move that breaks a rule."""
    positions = list(puzzle.positions(moves))
    described = (printable(before.describe(move)) for before, move in zip(positions, moves, strict=False))
    captions = (f"{number} of {len(moves)}:  {words}" for number, words in enumerate(described, start=1))
    return positions, [f"0 of {len(moves)}", *captions]
