"""Tube contents as small numbers: the alphabet of the compiled search.

A ball lands only on its own colour or in an empty tube. So a tube always holds an untouched **residue**, a prefix of
what it held at the start, with balls of the residue's top colour on it, or balls of one colour only. These contents
are few (about ten a tube at capacity 4). Each gets a number, a state is the sorted list of its tubes' numbers,
and what a move does to a tube is looked up. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of `bsp_sat.backends.kernel.compiled.loops`: for single moves a step
takes one ball off a tube, for homes it takes the whole top run.
"""

from array import array
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from itertools import chain, groupby
from struct import Struct
from typing import NamedTuple

from bsp_sat.backends.kernel.arrays import MIXED, TEMPORARY, UNIFORM, Contents, IntRows
from bsp_sat.backends.kernel.memory import array_of, zeros
from bsp_sat.instances.sorting import BallSort, SortPuzzle, block_count, bottom_run, top_run

Content = tuple[bytes, int]
"""Balls, bottom first, and kind (0 for the empty tube)."""

NOTHING: Content = (b"", 0)


class Letter(NamedTuple):
    """What of a content depends on nothing else of the board.

    Attributes:
        less: what is left after a step took balls off.
        more: with one more ball of its top colour, None where no step can put one there.
        figures: `STEADY` figures, in the order of the fields of `Contents`, as the bytes of 32-bit integers.
        colours: bit set of the colours in it.
    """

    less: Content
    more: Content | None
    figures: bytes
    colours: int


STEADY = 8
PACKED = Struct(f"={STEADY}i")


@lru_cache(maxsize=1 << 14)  # many boards have many of them in common
def letter(content: Content, capacity: int, *, by_homes: bool, balls: bool) -> Letter:
    """All about a content that isn't empty.

    Args:
        content: the content.
        capacity: balls that fit.
        by_homes: whether a step takes a whole top run off, see the module docstring.
        balls: whether a move takes one ball (ball sort) or the run (water sort).
    """
    tube, kind = content
    size, stays, run = len(tube), bottom_run(tube), top_run(tube)
    left = tube[:-run] if by_homes else tube[:-1]
    grows = size < capacity and not (by_homes and kind == UNIFORM)
    keep = 1
    if balls:  # for homes less the balls of its colour above the bottom run, which then move twice
        keep = 0 if kind == TEMPORARY else 2 * stays - tube.count(tube[0]) if by_homes else stays
    work = size if balls else block_count(tube)
    return Letter(
        content_of(left),
        (tube + tube[-1:], kind) if grows else None,
        PACKED.pack(tube[-1], run, capacity - size, tube[0], work, keep, stays, kind),
        sum(1 << colour for colour in set(tube)),
    )


def content_of(tube: bytes) -> Content:
    """The content that ``tube``, bottom first, is."""
    if not tube:
        return NOTHING
    return tube, UNIFORM if tube.count(tube[0]) == len(tube) else MIXED


class Founded(NamedTuple):
    """The contents of one colour in tubes that were empty, which have the first numbers; number 0 among them.

    Attributes:
        numbers: of each content.
        figures: of all of them, see `Letter`.
        less: by number, as `Contents` has it; and so are the others.
        more: the same.
        colours: the same.
        founded: the same.
    """

    numbers: dict[Content, int]
    figures: bytes
    less: list[int]
    more: list[int]
    colours: list[int]
    founded: IntRows


@lru_cache(maxsize=16)
def founded(colours: int, capacity: int, *, by_homes: bool, balls: bool) -> Founded:
    """The first contents of all boards of so many colours; the other arguments are those of `letter`."""
    kind = TEMPORARY if by_homes else UNIFORM
    rows = [[(bytes((c,)) * load, kind) for load in range(1, capacity + 1)] for c in range(colours)]
    numbers: dict[Content, int] = {NOTHING: 0}
    letters: list[Letter] = []
    known = partial(letter, capacity=capacity, by_homes=by_homes, balls=balls)
    _number([content for row in rows for content in row], numbers, letters, known)
    return Founded(
        numbers,
        PACKED.pack(-1, 0, capacity, -1, 0, 0, 0, 0) + b"".join(each.figures for each in letters),
        [0, *(numbers[each.less] for each in letters)],
        [-1, *(-1 if each.more is None else numbers[each.more] for each in letters)],
        [0, *(each.colours for each in letters)],
        _rows([[0, *map(numbers.__getitem__, row)] for row in rows], capacity + 1),
    )


def _number(
    waiting: list[Content], numbers: dict[Content, int], letters: list[Letter], known: Callable[[Content], Letter]
) -> None:
    """Numbers the contents in ``waiting``, the last one first, and all that become of them."""
    while waiting:
        content = waiting.pop()
        if content not in numbers:
            numbers[content] = len(numbers)
            found = known(content)
            letters.append(found)
            waiting.append(found.less)
            if found.more is not None:
                waiting.append(found.more)


def _rows(rows: list[list[int]], columns: int) -> IntRows:
    """An array with two dimensions, of one row of zeros where there are none."""
    return array_of("i", chain.from_iterable(rows or [[0] * columns])).cast("B").cast("i", (max(1, len(rows)), columns))


def _one_ball(puzzle: SortPuzzle) -> bool:
    return isinstance(puzzle, BallSort)


def has_homes(puzzle: SortPuzzle) -> bool:
    """Whether the space of homes can be searched: plain ball sort, each colour filling one tube."""
    return isinstance(puzzle, BallSort) and not puzzle.features()


class Alphabet:
    """The contents that a board's tubes can have, numbered.

    Args:
        puzzle: the board.
        by_homes: whether a step takes a whole top run off, see the module docstring.
        further: tubes of other positions that searches begin at, as well.

    Attributes:
        puzzle: the board.
        by_homes: as given.
        numbers: the number of each content.
    """

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, further: Iterable[bytes] = ()) -> None:
        self.puzzle = puzzle
        self.by_homes = by_homes
        self._founded = founded(len(puzzle.palette), puzzle.capacity, by_homes=by_homes, balls=_one_ball(puzzle))
        self.numbers = self._founded.numbers.copy()
        self._letters: list[Letter] = []
        _number(
            [*map(content_of, (*puzzle.tubes, *further))],
            self.numbers,
            self._letters,
            partial(letter, capacity=puzzle.capacity, by_homes=by_homes, balls=_one_ball(puzzle)),
        )

    def start(self, board: SortPuzzle) -> tuple[list[int], int]:
        """The numbers of a board's tubes, and the open homes: in their space full tubes of one colour are homes."""
        contents = list(map(content_of, board.tubes))
        homes = 0
        if self.by_homes:
            full = [tube for tube, kind in contents if len(tube) == board.capacity and kind == UNIFORM]
            homes = sum(1 << tube[0] for tube in full)
            contents = [NOTHING if tube in full else (tube, kind) for tube, kind in contents]
        return [self.numbers[content] for content in contents], homes

    @cached_property
    def tables(self) -> Contents:
        """The look-up tables, which nobody changes."""
        puzzle, capacity, numbers, letters, first = (
            self.puzzle,
            self.puzzle.capacity,
            self.numbers,
            self._letters,
            self._founded,
        )
        full = puzzle.goal == "full"
        counts = puzzle.ball_counts()
        homes = [puzzle.home_tubes(c) if full else 0 for c in range(len(counts))]
        figures = array("i", first.figures + b"".join([each.figures for each in letters]))
        top, run, room, bottom, work, keep, stays, kind = (figures[place::STEADY] for place in range(STEADY))
        done = [k != MIXED and (k == 0 or not (full and r)) for k, r in zip(kind, room, strict=True)]
        whole = [c == capacity for c in counts]
        alone = [k == UNIFORM and not r and whole[b] for k, r, b in zip(kind, room, bottom, strict=True)]
        return Contents(
            top=memoryview(top),
            run=memoryview(run),
            room=memoryview(room),
            bottom=memoryview(bottom),
            work=memoryview(work),
            keep=memoryview(keep),
            stays=memoryview(stays),
            blocks=self._blocks(len(counts), needed=not _one_ball(puzzle) and any(home != 1 for home in homes)),
            kind=memoryview(kind),
            less=array_of("i", first.less + [numbers[each.less] for each in letters]),
            more=array_of("i", first.more + [-1 if each.more is None else numbers[each.more] for each in letters]),
            colours=array_of("Q", first.colours + [each.colours for each in letters]),
            done=array_of("i", done),
            alone=array_of("i", alone),
            founded=first.founded,
            homes=array_of("i", homes),
        )

    def _blocks(self, colours: int, *, needed: bool) -> IntRows:
        """[contents, colours] blocks of each colour; only zeros where no bound asks for them."""
        blocks = zeros("i", len(self.numbers), max(1, colours))
        for number, (tube, _) in enumerate(self.numbers if needed else ()):
            for colour, _ in groupby(tube):
                blocks[number, colour] += 1
        return blocks
