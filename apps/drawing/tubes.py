"""Ball sort and water sort: rows of tubes, with the number and the rules of each tube below it.

A tube is as high as its capacity. Below its number there may be: a padlock with its key (a colour, or the number of
tubes that must be complete, or both), "any" if any ball goes in, an arrow up if the tube only gives, an arrow down if
it only takes, and the colours that it accepts.
"""

from collections.abc import Sequence
from itertools import chain
from math import ceil, log

from bsp_sat.apps.drawing.film import UNKNOWN_CELL, Film, Piece
from bsp_sat.apps.drawing.shapes import Disc, Line, Point, Rectangle, Shape, Words, arc
from bsp_sat.instances.errors import printable
from bsp_sat.instances.palette import COVER, GROUND, INK, QUIET, Paint, paints_for
from bsp_sat.instances.sorting import Pour, SortPuzzle, TubeRule
from bsp_sat.instances.text.words import short

CELL = 40  # side of a ball's square
WALL = 4  # between the balls and the line of the tube
TUBE = CELL + 2 * WALL
GAP = 14  # between tubes
LANE = 46  # space above a row of tubes, where balls pass
ROOM = 16  # space above a row of tubes if nothing moves
NUMBER = 24  # for the number below a tube
MARK = 22  # for each mark below that
EDGE = 16
SHAPELY = 1.6  # ratio of width to height, by which the number of rows is chosen, of pictures of no given size

Look = tuple[int, bool]
"""The contents of a cell: index of its colour or `UNKNOWN`, and whether it is covered."""


class _Places:
    """The places of tubes and their cells, in rows near to a ``shape``, the ratio of width to height.

    ``marks`` has for each tube the number of lines of marks below its number; ``lane`` is space above a row.
    """

    def __init__(self, capacities: Sequence[int], marks: Sequence[int], lane: int, shape: float) -> None:
        number = len(capacities)
        sizes = []
        for rows in range(1, number + 1):
            each = ceil(number / rows)
            if ceil(number / each) == rows:
                height = rows * (lane + CELL * max(capacities) + NUMBER + MARK * max(marks))
                sizes.append((abs(log(each * (TUBE + GAP) / height / shape)), each))
        each = min(sizes)[1]
        self.width = 2 * EDGE + each * (TUBE + GAP) - GAP
        self.bottoms: list[Point] = []  # the middle of the bottom of each tube
        self.lanes: list[float] = []  # the height at which balls pass above each tube
        top = float(EDGE)
        for first in range(0, number, each):
            tubes = range(first, min(first + each, number))
            bottom = top + lane + CELL * max(capacities[tube] for tube in tubes)
            for place, _ in enumerate(tubes):
                self.bottoms.append(Point(EDGE + place * (TUBE + GAP) + TUBE / 2, bottom))
                self.lanes.append(top + CELL / 2)
            top = bottom + NUMBER + MARK * max(marks[tube] for tube in tubes)
        self.height = top + EDGE / 2

    def cell(self, tube: int, level: int) -> Point:
        """The centre of a cell."""
        x, bottom = self.bottoms[tube]
        return Point(x, bottom - WALL - CELL * (level + 0.5))


def film_of_tubes(start: SortPuzzle, moves: Sequence[Pour], shape: float = SHAPELY) -> Film:
    """The film of legal moves."""
    paints = paints_for(start.palette)
    any_in = start.rules.any_in
    marks = [_marks(rule, paints, takes_any=place in any_in) for place, rule in enumerate(start.rules.tubes)]
    marks = marks or [[] for _ in start.tubes]
    places = _Places(start.capacities, [len(lines) for lines in marks], LANE if moves else ROOM, shape)
    film = Film(places.width, places.height)
    for tube, capacity in enumerate(start.capacities):
        bottom = places.bottoms[tube]
        film.still += [_tube(bottom, capacity), _number(bottom, tube)]
    looks = _looks(start)
    cells = [
        [_cell(start, look, places.cell(tube, level), paints) for level, look in enumerate(column)]
        for tube, column in enumerate(looks)
    ]
    film.pieces += [piece for column in cells for piece in column]
    signs = _Signs(start, places, marks)
    film.pieces += signs.pieces
    position = start
    for number, move in enumerate(moves, start=1):
        source, target = move
        after = position.after_legal(move)
        amount = len(after.tubes[target]) - len(position.tubes[target])
        leaving = slice(amount) if start.rules.drain else slice(-amount, None)
        moved = cells[source][leaving]
        del cells[source][leaving]
        for piece in moved:  # all units of a pour move together
            goal = places.cell(target, len(cells[target]))
            out = places.bottoms[source].y + NUMBER if start.rules.drain else places.lanes[source]
            piece.go(number, Point(piece.place.x, out), Point(goal.x, places.lanes[target]), goal)
            cells[target].append(piece)
        for level, piece in enumerate(cells[source] if start.rules.drain else ()):
            piece.go(number, places.cell(source, level))  # slides down
        before = [column[:] for column in looks]
        run = before[source][leaving]
        del before[source][leaving]
        before[target] += run
        looks = _looks(after)
        for tube, column in enumerate(looks):
            for level, look in enumerate(column):
                if look != before[tube][level]:
                    cells[tube][level].vanish(number)
                    seen = _cell(after, look, places.cell(tube, level), paints, since=number)
                    film.pieces.append(seen)
                    cells[tube][level] = seen
        film.pieces += signs.after(after, number)
        position = after
    return film


def _looks(position: SortPuzzle) -> list[list[Look]]:
    covers = position.covers or (0,) * len(position.tubes)
    return [
        [(ball, bool(cover >> level & 1)) for level, ball in enumerate(tube)]
        for tube, cover in zip(position.tubes, covers, strict=True)
    ]


def _cell(position: SortPuzzle, look: Look, place: Point, paints: Sequence[Paint], since: int = 0) -> Piece:
    colour, covered = look
    water = position.whole_run
    if colour >= len(paints):  # unknown
        mark = Words(Point(0, 0), UNKNOWN_CELL, CELL * 0.5, GROUND if covered else INK, bold=True)
        return Piece.at(place, [_body(water, COVER if covered else GROUND, INK), mark], "not known", since)
    paint = paints[colour]
    name = printable(short(str(position.palette[colour])))
    if covered:
        seen = [_body(water, COVER, INK), Disc(Point(0, 0), CELL * 0.27, paint.fill, paint.line)]
        return Piece.at(place, [*seen, _symbol(paint, 0.36)], f"{name}, covered", since)
    return Piece.at(place, [_body(water, paint.fill, paint.line), _symbol(paint, 0.5)], name, since)


def _body(water: bool, fill: str, line: str) -> Shape:
    if water:
        return Rectangle(-CELL / 2, 1 - CELL / 2, CELL, CELL - 2, fill, line, radius=5)
    return Disc(Point(0, 0), CELL / 2 - 1.5, fill, line)


def _symbol(paint: Paint, size: float) -> Words:
    return Words(Point(0, 0), paint.symbol, CELL * size, paint.ink, bold=True)


def _tube(bottom: Point, capacity: int) -> Line:
    """The outline of a tube, open at the top."""
    left, right = bottom.x - TUBE / 2, bottom.x + TUBE / 2
    top = bottom.y - WALL - CELL * capacity - CELL * 0.2
    radius = 14
    corner = bottom.y - radius
    round_left = arc(Point(left + radius, corner), radius, 2, 1)
    round_right = arc(Point(right - radius, corner), radius, 1, 0)
    return Line((Point(left, top), *round_left, *round_right, Point(right, top)), QUIET, 2.5)


def _number(bottom: Point, tube: int) -> Words:
    return Words(Point(bottom.x, bottom.y + NUMBER / 2 + 1), str(tube + 1), 13, QUIET)


def _marks(rule: TubeRule, paints: Sequence[Paint], *, takes_any: bool) -> list[list[Shape]]:
    """Lines of marks below a tube's number, relative to their middles: any ball first, own colour, the lock last."""
    lines: list[list[Shape]] = [[Words(Point(0, 0), "any", 13, INK)]] if takes_any else []
    if rule.colour is not None:
        lines.append(_small(paints[rule.colour], 0))
    if not rule.takes or rule.accepts == ():
        lines.append(_arrow(-1))
    if not rule.gives:
        lines.append(_arrow(1))
    accepted = rule.accepts or ()
    for first in range(0, len(accepted), 2):
        pair = accepted[first : first + 2]
        middle = (len(pair) - 1) / 2
        balls = (_small(paints[colour], (place - middle) * MARK) for place, colour in enumerate(pair))
        lines.append(list(chain.from_iterable(balls)))
    if rule.lock is not None:
        colour, tubes = rule.lock
        key = [] if colour is None else _small(paints[colour], 12)
        number = [] if tubes is None else [Words(Point(12 if colour is None else -4, 0), f"{tubes}", 13, INK)]
        lines.append([*_padlock(-10 if tubes is None or colour is None else -18), *number, *key])
    return lines


def _small(paint: Paint, x: float) -> list[Shape]:
    return [Disc(Point(x, 0), 9, paint.fill, paint.line), Words(Point(x, 0), paint.symbol, 12, paint.ink, bold=True)]


def _arrow(down: int) -> list[Shape]:
    tip = Point(0, 8 * down)
    return [Line((Point(0, -8 * down), tip), INK, 2.5), Line((Point(-5, 2 * down), tip, Point(5, 2 * down)), INK, 2.5)]


def _padlock(x: float) -> list[Shape]:
    bow = arc(Point(x, -3), 4.5, 2, 4)
    return [Line((Point(x - 4.5, 0), *bow, Point(x + 4.5, 0)), INK, 2), Rectangle(x - 7, -2, 14, 10, INK, radius=2)]


class _Signs:
    """Marks, which stay, and locks and corks, which change during the game."""

    def __init__(self, start: SortPuzzle, places: _Places, marks: Sequence[Sequence[Sequence[Shape]]]) -> None:
        self.places = places
        self.pieces: list[Piece] = []
        self.locks: dict[int, Piece] = {}
        self.corked: set[int] = set()
        for tube, lines in enumerate(marks):
            bottom = places.bottoms[tube]
            for number, shapes in enumerate(lines):
                piece = Piece.at(Point(bottom.x, bottom.y + NUMBER + MARK * (number + 0.5)), shapes)
                self.pieces.append(piece)
                if tube in start.rules.locked:
                    self.locks[tube] = piece  # the lock is the last line of marks
        self.pieces += self.after(start, 0)

    def after(self, position: SortPuzzle, move: int) -> list[Piece]:
        """Removes the locks that a move has opened. Returns the corks that appear after the move."""
        for tube in self.locks.keys() - set(position.rules.locked):
            self.locks.pop(tube).vanish(move)
        complete = {
            tube
            for tube, balls in enumerate(position.tubes)
            if position.rules.cork and position.rules.is_complete(balls, tube, position.goal)
        }
        new = sorted(complete - self.corked)
        self.corked = complete
        return [self._cork(tube, len(position.tubes[tube]), move) for tube in new]

    def _cork(self, tube: int, level: int, move: int) -> Piece:
        place = self.places.cell(tube, level)
        top = CELL / 2 - 12
        return Piece.at(place, [Rectangle(-CELL * 0.42, top, CELL * 0.84, 12, "#b07a45", INK, radius=3)], "cork", move)
