"""Shot (the rules of *Fling!*): knock balls off a grid until one is left.

A ball is sent along a row or column into the next ball on that line, which must exist and must not be
adjacent. The ball stops in front of it and the struck one moves on in the same direction; it may strike
an adjacent ball, which moves on in turn; the last one struck leaves the grid. So each move removes
one ball, and every plan for n balls has n − 1 moves.

As balls look alike, the effect of a knock is simple: the ball that is sent is removed, and all balls ahead of it on the
line come one place nearer. So no ball ever moves outwards, and plans don't depend on the size of the grid.

Source: *Literate Haskell: Shot Solver*, 30 October 2009. It shows 7×9 and draws rows 0 to 8, but drops balls below row
7; here a grid has the nine rows that it draws.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.puzzle import READ_AS, Cell, Generator, Number, Picture, Puzzle, check_number
from bsp_sat.instances.text.reading import BoardFields, Place, Size
from bsp_sat.instances.text.words import parse_number, quantity, short

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
BALL = "#"
MAX_SIDE = 100  # a position is an integer of width × height bits
WIDTH, HEIGHT = 7, 9  # the default size of a grid: pictures often leave out free space on the right and below


class Knock(NamedTuple):
    """The ball at column ``x``, row ``y`` (from 0, y downwards) is sent ``left``, ``right``, ``up`` or ``down``."""

    x: int
    y: int
    direction: str

    def __str__(self) -> str:
        """``COLUMN ROW DIRECTION``, counted from 1, as plans in text have it."""
        return f"{self.x + 1} {self.y + 1} {self.direction}"


@dataclass(kw_only=True)
class ShotFields(BoardFields):
    """The fields of a shot board's file. ``balls``: their places, y downwards."""

    width: Size = WIDTH
    height: Size = HEIGHT
    balls: list[Place]


def _random_fields(chance: Random, balls: int, width: int, height: int) -> ShotFields:
    if balls > width * height:
        raise BoardError("balls", f"expected at most {width * height}, the places of the grid, found {balls}")
    places = chance.sample(range(width * height), balls)
    return ShotFields(width=width, height=height, balls=[(place % width, place // width) for place in places])


@dataclass(frozen=True)
class Shot(Puzzle[Knock]):
    """Balls on a grid; ``occupied`` has a bit for each place, row by row from the top, the lowest for (0, 0)."""

    width: int
    height: int
    occupied: int

    kind: ClassVar[str] = "shot"
    move_key: ClassVar[str] = "COLUMN ROW DIRECTION, counted from 1, from the top left (from 0 in --json)"
    prunings: ClassVar[frozenset[str]] = frozenset({"apart"})
    fields_type: ClassVar[type[ShotFields]] = ShotFields
    generator: ClassVar[Generator] = Generator(
        command="shot",
        summary="Put balls into random places of a grid.",
        numbers={
            "balls": Number("Number of balls.", most=MAX_SIDE**2),
            "width": Number("Columns.", most=MAX_SIDE, default=WIDTH),
            "height": Number("Rows.", most=MAX_SIDE, default=HEIGHT),
        },
        board_name="shot-{width}x{height}-b{balls}",
        make=_random_fields,
        decidable=True,
    )

    @classmethod
    def from_balls(cls, width: int, height: int, balls: Iterable[tuple[int, int]]) -> Self:
        """The position with balls in these places; BoardError for one outside or twice, none, or over 100 a side."""
        for side, length in (("width", width), ("height", height)):
            if length > MAX_SIDE:
                raise BoardError(side, f"expected at most {MAX_SIDE}, found {length}")
        places: set[tuple[int, int]] = set()
        for number, (x, y) in enumerate(balls):
            if not (0 <= x < width and 0 <= y < height):
                raise BoardError(f"balls[{number}]", f"expected a place inside {width}×{height}, found [{x}, {y}]")
            if (x, y) in places:
                raise BoardError(f"balls[{number}]", f"expected one ball a place, found [{x}, {y}] again")
            places.add((x, y))
        if not places:
            raise BoardError("balls", "expected at least one ball, found none")
        return cls(width, height, sum(1 << (y * width + x) for x, y in places))

    @classmethod
    def from_fields(cls, fields: ShotFields) -> Self:
        return cls.from_balls(fields.width, fields.height, fields.balls)

    def check(self) -> None:
        for side, length in (("width", self.width), ("height", self.height)):
            check_number(side, length, 1, MAX_SIDE)
        if type(self.occupied) is not int:
            raise BoardError("balls", f"expected a number with a bit for each ball, found {short(repr(self.occupied))}")
        if self.occupied < 1:
            raise BoardError("balls", "expected at least one ball, found none")
        last = self.occupied.bit_length() - 1
        if last >= self.width * self.height:
            x, y = last % self.width, last // self.width
            raise BoardError("balls", f"expected places inside {self.width}×{self.height}, found [{x}, {y}]")

    @property
    def balls(self) -> frozenset[tuple[int, int]]:
        """The places (x, y) of the balls, y downwards."""
        return frozenset((place % self.width, place // self.width) for place in _bits(self.occupied))

    def legal_moves(self) -> Iterator[Knock]:
        """Every knock: along the rows from the top, then along the columns from the left."""
        width, occupied = self.width, self.occupied
        rows, columns = _lines(width, self.height)
        for lines, step, back, ahead in ((rows, 1, "left", "right"), (columns, width, "up", "down")):
            for line in lines:
                for place, forward in _knocks(occupied & line, step):
                    yield Knock(place % width, place // width, ahead if forward else back)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterable[Knock]:
        """The legal moves; with ``apart`` none if some balls can never meet the others."""
        if "apart" in prunings and self._apart():
            return ()
        return self.legal_moves()

    def _apart(self) -> bool:
        """Whether the balls fall into groups whose spans share no row and no column.

        No move takes a ball out of the span of its group, so groups never meet, and each keeps a ball to the end.
        """
        spans: list[tuple[int, int, int, int]] = []
        for place in _bits(self.occupied):
            bottom, left = divmod(place, self.width)
            right, top = left, bottom
            others = spans
            while others:  # a growing span may meet more balls
                met = [s for s in others if (s[0] <= right and left <= s[1]) or (s[2] <= bottom and top <= s[3])]
                if not met:
                    break
                others = [span for span in others if span not in met]
                lefts, rights, tops, bottoms = zip(*met, strict=True)
                left, right = min(left, *lefts), max(right, *rights)
                top, bottom = min(top, *tops), max(bottom, *bottoms)
            spans = [*others, (left, right, top, bottom)]
        return len(spans) > 1

    def _next_on_line(self, x: int, y: int, direction: str) -> tuple[int, int] | None:
        """The first ball from (x, y) in ``direction``."""
        dx, dy = DIRECTIONS[direction]
        while 0 <= (x := x + dx) < self.width and 0 <= (y := y + dy) < self.height:
            if self._has(x, y):
                return x, y
        return None

    def line(self, move: Knock) -> list[tuple[int, int]]:
        """The balls that a legal knock moves: the one that is sent, and those that are struck, in order."""
        x, y, direction = move
        places = [(x, y)]
        while (struck := self._next_on_line(*places[-1], direction)) is not None:
            places.append(struck)
        return places

    def _has(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height and bool(self.occupied >> (y * self.width + x) & 1)

    def after_legal(self, move: Knock) -> Self:
        x, y, direction = move
        rows, columns = _lines(self.width, self.height)
        line, step = (rows[y], 1) if direction in ("left", "right") else (columns[x], self.width)
        ball = 1 << (y * self.width + x)
        before = line & (ball - 1) & self.occupied
        beyond = line & -(ball << 1) & self.occupied
        if direction in ("right", "down"):
            occupied = self.occupied ^ ball ^ beyond ^ beyond >> step
        else:
            occupied = self.occupied ^ ball ^ before ^ before << step
        return type(self)(self.width, self.height, occupied)

    def refusal(self, move: Knock) -> str | None:
        x, y, direction = move
        if not self._has(x, y):
            return f"there is no ball in column {x + 1}, row {y + 1}"
        struck = self._next_on_line(x, y, direction)
        if struck is None:
            return "it strikes no ball and would leave the grid"
        if abs(struck[0] - x) + abs(struck[1] - y) == 1:
            return "the ball it strikes is adjacent"
        return None

    def is_goal(self) -> bool:
        return self.occupied.bit_count() == 1

    def lower_bound(self) -> int:
        """Balls less one: each move removes one."""
        return self.occupied.bit_count() - 1

    def unfinished(self) -> str:
        return "" if self.is_goal() else f"{quantity(len(self.balls), 'ball')} left"

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.kind,
            "width": self.width,
            "height": self.height,
            "balls": [[place % self.width, place // self.width] for place in _bits(self.occupied)],
        }

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether a text is a grid of balls and spaces rather than tubes."""
        return any(BALL in line for line in _grid(text))

    @classmethod
    def fields_of_text(cls, text: str) -> dict[str, Any]:
        """Parses a grid of ``#`` and spaces, of at least 7×9; or with ``o`` for balls, dots for room, or a border."""
        lines = _grid(text)
        if not lines:
            raise BoardError("", f"expected a grid of {BALL} and spaces")
        balls = [[x, y] for y, line in enumerate(lines) for x, mark in enumerate(line) if mark == BALL]
        width = max(WIDTH, *map(len, lines))
        fields = {"width": width, "height": max(HEIGHT, len(lines)), "balls": balls}
        read_as = f"{quantity(len(balls), 'ball')} on {width}×{fields['height']}"
        return fields if _is_own(text) else {**fields, READ_AS: read_as}

    def to_text(self) -> str:
        """The grid with ``#`` for balls and spaces elsewhere. Raises BoardError for a grid of less than 7×9."""
        if self.width < WIDTH or self.height < HEIGHT:
            raise BoardError("", f"text shows a grid of at least {WIDTH}×{HEIGHT}, not {self.width}×{self.height}")
        rows = ("".join(BALL if self._has(x, y) else " " for x in range(self.width)) for y in range(self.height))
        return "".join(f"{row}\n" for row in rows)

    @classmethod
    def move_from_json(cls, value: Any) -> Knock:
        """Reads ``[x, y, direction]``, counted from 0."""
        match value:
            case [int(x), int(y), str(direction)] if direction in DIRECTIONS and bool not in (type(x), type(y)):
                return Knock(x, y, direction)
        raise PlanError(f"expected [x, y, direction] with one of {', '.join(DIRECTIONS)}, found {short(repr(value))}")

    @classmethod
    def move_from_text(cls, words: list[str]) -> Knock:
        """Reads ``COLUMN ROW DIRECTION``, counted from 1, or as ``(1,1)=> Down``, from 0."""
        if other := re.fullmatch(r"\((\d{1,9}) (\d{1,9})\) ?=> ?(\w+)", " ".join(words)):
            x, y, direction = other.groups()
            if direction.lower() in DIRECTIONS:
                return Knock(int(x), int(y), direction.lower())
        match words:
            case [column, row, direction] if direction in DIRECTIONS:
                x, y = parse_number(column), parse_number(row)
                if x and y:
                    return Knock(x - 1, y - 1, direction)
        raise PlanError(f"expected COLUMN ROW DIRECTION, counted from 1, found {short(' '.join(words))!r}")

    def describe(self, move: Knock) -> str:
        """Column and row, counted from 1, and the direction."""
        return str(Knock(*move))

    def summary(self) -> str:
        balls = len(self.balls)
        return f"{self.kind}, {quantity(balls, 'ball')} on {self.width}×{self.height}"

    def picture(self) -> Picture:
        """The grid, with ``o`` for balls and ``·`` elsewhere."""
        rows = tuple(
            tuple(Cell("o", "ball") if self._has(x, y) else Cell("·") for x in range(self.width))
            for y in range(self.height)
        )
        return Picture(rows, tuple(str(number) for number in range(1, self.width + 1)))


def _is_own(text: str) -> bool:
    """Whether a text is of ``#`` and spaces alone."""
    return re.fullmatch(r"[# \n\r]*", text) is not None


def _grid(text: str) -> list[str]:
    """The rows of a grid, with ``#`` for balls and spaces elsewhere; none if it is no grid."""
    if _is_own(text):
        return text.splitlines()
    lines = text.strip("\r\n").splitlines()
    bordered = [line[1:-1] for line in lines if line.strip("+")]
    if not all(len(line) > 1 and line[0] == line[-1] == "+" for line in lines):
        bordered = lines
        if not re.search(r"o[ .·]+o|^[ .·]+o", text, re.MULTILINE):  # else they are tubes of one colour
            return []
    if not all(re.fullmatch(r"[#o .·]*", line) for line in bordered):
        return []
    spaced = "·" in text or "." in text
    rows = ["".join(line.split()) if spaced else line for line in bordered]
    return [re.sub("[.·]", " ", row).replace("o", BALL) for row in rows]


def _bits(number: int) -> Iterator[int]:
    """The positions of the 1 bits, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@cache
def _lines(width: int, height: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Bit masks of each row and each column."""
    row = (1 << width) - 1
    column = sum(1 << (y * width) for y in range(height))
    return tuple(row << (y * width) for y in range(height)), tuple(column << x for x in range(width))


@lru_cache(maxsize=1 << 14)
def _knocks(line: int, step: int) -> tuple[tuple[int, bool], ...]:
    """The knocks on a line whose places are ``step`` bits apart: the ball, and whether it moves to higher bits."""
    knocks = []
    for place in _bits(line):
        ball = 1 << place
        if line & (ball - 1) and not line & ball >> step:
            knocks.append((place, False))
        if line & -(ball << 1) and not line & ball << step:
            knocks.append((place, True))
    return tuple(knocks)
