"""Drawings of puzzles on a grid: tiles and shot."""

from collections.abc import Sequence
from itertools import pairwise

from bsp_sat.apps.drawing.film import Film, Piece
from bsp_sat.apps.drawing.shapes import Disc, Line, Point, Rectangle, Words
from bsp_sat.instances.errors import printable
from bsp_sat.instances.palette import GRID, QUIET, Paint, paints_for
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.shot import DIRECTIONS, Knock, Shot
from bsp_sat.instances.text.words import short
from bsp_sat.instances.tiles import Click, Tiles

CELL = 40
EDGE = 16
NUMBER = 24


def film_of_tiles(start: Tiles, moves: Sequence[Click]) -> Film:
    """The film of legal clicks; `bsp_sat.apps.drawing.tubes.film_of_tubes` explains the arguments."""
    paints = paints_for(start.palette)
    tallest = max(map(len, start.columns))
    film = Film(2 * EDGE + CELL * len(start.columns), EDGE + CELL * tallest + NUMBER + EDGE / 2)
    floor = EDGE + CELL * tallest

    def place(column: int, row: int) -> Point:
        return Point(EDGE + CELL * (column + 0.5), floor - CELL * (row + 0.5))

    film.still.append(Line((Point(EDGE, floor), Point(film.width - EDGE, floor)), QUIET))
    pieces: list[list[Piece]] = []
    for number, column in enumerate(start.columns):
        film.still.append(Words(Point(place(number, 0).x, floor + NUMBER / 2 + 1), str(number + 1), 13, QUIET))
        pieces.append([_tile(paints[tile], place(number, row), start.palette[tile]) for row, tile in enumerate(column)])
        film.pieces += pieces[-1]
    position = start
    for number, move in enumerate(moves, start=1):
        for x, rows in position.group(move).items():
            for y in rows:
                pieces[x][y].vanish(number, at_once=True)
            pieces[x] = [piece for y, piece in enumerate(pieces[x]) if y not in rows]
            for y, piece in enumerate(pieces[x]):
                piece.go(number, place(x, y))
        position = position.after_legal(move)
    return film


def _tile(paint: Paint, place: Point, colour: Colour) -> Piece:
    name, side = printable(short(str(colour))), CELL - 2
    body = Rectangle(-side / 2, -side / 2, side, side, paint.fill, paint.line, radius=4)
    return Piece.at(place, [body, Words(Point(0, 0), paint.symbol, CELL * 0.5, paint.ink, bold=True)], name)


def film_of_shot(start: Shot, moves: Sequence[Knock]) -> Film:
    """The film of legal knocks."""
    (paint,) = paints_for(["blue"])
    left = top = EDGE + NUMBER
    film = Film(left + CELL * start.width + EDGE, top + CELL * start.height + EDGE)

    def place(x: int, y: int) -> Point:
        return Point(left + CELL * (x + 0.5), top + CELL * (y + 0.5))

    right, floor = film.width - EDGE, film.height - EDGE
    columns, rows = range(left, left + CELL * start.width + 1, CELL), range(top, top + CELL * start.height + 1, CELL)
    film.still += [Line((Point(x, top), Point(x, floor)), GRID, 1) for x in columns]
    film.still += [Line((Point(left, y), Point(right, y)), GRID, 1) for y in rows]
    film.still += [Words(Point(place(x, 0).x, top - NUMBER / 2), str(x + 1), 13, QUIET) for x in range(start.width)]
    film.still += [Words(Point(left - NUMBER / 2, place(0, y).y), str(y + 1), 13, QUIET) for y in range(start.height)]
    body = (Disc(Point(0, 0), CELL / 2 - 3, paint.fill, paint.line),)
    balls = {(x, y): Piece.at(place(x, y), body) for x, y in sorted(start.balls)}
    film.pieces += balls.values()
    position = start
    for number, (x, y, direction) in enumerate(moves, start=1):
        dx, dy = DIRECTIONS[direction]
        line = position.line(Knock(x, y, direction))
        ahead = line[-1]
        while 0 <= ahead[0] < start.width and 0 <= ahead[1] < start.height:
            ahead = (ahead[0] + dx, ahead[1] + dy)
        # From the far end, so that each place is free when a ball moves there.
        leaving = balls.pop(line[-1])
        leaving.go(number, place(*ahead))
        leaving.vanish(number)
        for here, struck in reversed(list(pairwise(line))):
            stop = (struck[0] - dx, struck[1] - dy)
            piece = balls.pop(here)
            piece.go(number, place(*stop))
            balls[stop] = piece
        position = position.after_legal(Knock(x, y, direction))
    return film
