"""A checker of certificates that shares nothing with the solvers: standard library only.

    python check_labels.py DIR

checks the claim of the certificate in DIR. Exit code: 0 if it holds, 1 if it isn't shown, 2 if the files can't be
read. The board is printed, so that you can see whether it is the one you mean. docs/certificates.md describes the
files; the rules, the bounds and the arguments in this file are what is left to believe. It is all that ball sort and
water sort need. Rules for tubes, the goals "gathered", "coloured" and "wanted", tiles and shot are in
`check_other_puzzles.py`, the file next to it.

**The claim** is that a shortest plan for the board has C moves, or that the board has no plan. The plan of C moves is
replayed. That no plan is shorter follows from *labels*: a list of positions, each with a number d ≥ 1 or ∞. Let w(u) be
the label of u if it is listed, and otherwise the plain lower bound below. The checker verifies:

    1. No listed position is a goal.
    2. If a legal move leads from a listed position with label d to u, then w(u) ≥ d − 1, where ∞ − 1 is ∞.
    3. w(board) ≥ C; or w(board) = ∞ if the claim is that there is no plan.

Then every plan from a position s has at least w(s) moves, by induction on its length k. If s isn't listed, w(s) is
the plain bound. Otherwise s is no goal, so k ≥ 1, and the first move leads to a position u from which the other k − 1
moves are a plan: w(u) ≤ k − 1 by induction. So d − 1 ≤ k − 1 by condition 2, which is impossible for d = ∞. By
condition 3 no plan of the board has fewer than C moves.

Nothing is assumed about where the labels come from. A position that needs a label can't be left out, because then
condition 2 fails; a position that needs none does no harm, because the conditions hold for it too.

**Sorted tubes.** The rules and goals of the sort puzzles never say where a tube stands. So two positions with the same
tubes in another order have plans of the same lengths, and the tubes of a position are sorted.

**Plain bounds.** A move moves balls of one colour, so moves are counted for each colour. At the goal "full" a colour
with m·h balls ends in m full tubes, where h is the capacity; at "monochrome" every tube ends with one colour or none.

* *Ball sort*: the number of balls less those that may stay where they are. A ball that never moves lies on balls that
  never move, in a tube that ends with one colour: in the bottom run of a tube with its colour at the bottom. At "full"
  only m of these tubes end with the colour, so at most its m longest bottom runs stay.
* *Water sort*: a block is a maximal run of one colour. Let f be the number of the colour's blocks less the number of
  tubes with the colour at the bottom (at "full" less m, if there are more of them). At a goal f = 0. A pour of another
  colour doesn't change f. A pour of this colour lowers f by at most one: a whole block that lands on its colour is one
  block less; one that lands in an empty tube is no block less, and perhaps one more at the bottom; a part of a block
  changes neither. So f pours are needed. At "full" a pour also fills at most one tube, so m less the number of
  tubes that are full of the colour is a bound, too. The larger of the two counts.

**Borders.** The claim that a sort board has no plan may rest on border tables instead, which the checker searches
itself: see `border_tables_lead_out`.
"""

import json
import os
import re
import stat
import sys
import zlib
from array import array
from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import chain, pairwise, product, starmap
from operator import lt
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn, Protocol

INFINITE = 1 << 62
MAX_TEXT_BYTES = 4_000_000  # of a JSON file
MAX_DIGITS = 15  # of a number in a JSON file
MAX_DEPTH = 100  # of arrays and objects in a JSON file
MAX_LABELS_BYTES = 100_000_000  # of labels.bin
MAX_TABLE_BYTES = 10_000_000
MAX_POSITIONS = 2_000_000
MAX_NUMBERS = 50_000_000  # of parts, in all positions
MAX_WORK = 10_000_000_000  # moves looked at, times the size of the board
MAX_REPLAY = 1_000_000_000  # moves of the plan, times the size of the board
MAX_TABLES = 1_000_000_000  # border tables, times what one takes
MEMO_BYTES = 100_000_000  # of what is remembered about tubes, and as much again about pours

HEADER = re.compile(
    rb"bsp-sat labels 1: (NUMBER) parts in (NUMBER) bytes, (NUMBER) positions of (NUMBER), "
    rb"numbers of ([124]), labels of ([124])\n".replace(b"NUMBER", b"0|[1-9][0-9]{0,8}")
)
TYPE_CODES = {1: "B", 2: "H", 4: "I"}

Position = tuple[bytes, ...]
"""The parts of a position: tubes, columns or rows. The tubes of the sort puzzles are sorted."""


class Unreadable(Exception):
    """A file is missing or isn't in the format."""


class NotVerified(Exception):
    """The files are in the format but don't show what they claim."""


class Checked(NamedTuple):
    """A claim that holds: for how many moves, None without a plan, and by ``labels`` or ``borders``.

    ``positions`` counts those with a label, or border tables; ``moves`` those that were looked at; ``bound`` is the
    plain lower bound.
    """

    puzzle: str
    length: int | None
    proof: str
    positions: int
    moves: int
    bound: int
    board: tuple[str, ...]

    def __str__(self) -> str:
        """What was checked, line by line."""
        length = "" if self.length is None else _counted(self.length, "move")
        lines = [f"Plan: {length}, replayed."] if length else []
        if self.proof == "borders":
            lines.append(f"Borders: {_counted(self.positions, 'border table')}, no way out.")
        elif self.positions:
            of = _counted(self.positions, "position")
            lines.append(f"Labels: {of}, {_counted(self.moves, 'move')} from them, all consistent.")
        else:
            bound = "infinite" if self.bound >= INFINITE else _counted(self.bound, "move")
            lines.append(f"Bound: the plain lower bound of the board is {bound}; no labels are needed.")
        minimum = f"{length} is the minimum." if length else "no plan exists."
        return "\n".join([*lines, f"Verified: {minimum}"])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


# -- the puzzles -----------------------------------------------------------------------------------------


class Rules(Protocol):
    """A board and the rules it is played by."""

    placed: Position
    """The board with its parts in their places."""

    start: Position
    """The board as a position."""

    cells: int
    """Size of the board, to estimate work by: balls or tiles, and parts."""

    def part(self, data: bytes) -> bytes | None:
        """A part as positions have it, from the bytes in the table; None if the board can't have it."""

    def refuse_foreign(self, position: Position) -> None:
        """Refuses a list of parts that can't be a position of this board."""

    def is_goal(self, position: Position) -> bool:
        """Whether the puzzle is solved."""

    def after(self, position: Position) -> Iterable[Position]:
        """The position after each legal move."""

    def bound(self, position: Position) -> int:
        """The plain lower bound."""

    def drawn(self, board: dict[str, Any]) -> Iterator[str]:
        """``board.json`` line by line: tubes or columns with their colours from the bottom, or rows of balls.

        In ASCII, whatever the names of the colours hold. What it counts, such as rules for tubes, is from 0 as there.
        """

    def played(self, placed: Position, move: Any) -> Position | None:
        """The parts in their places after a move of a plan, None if illegal; ValueError if it has no such form."""


@dataclass(frozen=True, slots=True)
class Tube:
    """What a tube's contents amount to: the colours at its ends, -1 for none, and of its blocks, or in ball sort balls.

    It may keep the ``kept`` lowest. It is ``uniform`` if it holds balls, all of one colour, and ``done`` if it is as
    the goal wants it.
    """

    top: int
    bottom: int
    blocks: bytes
    kept: int
    uniform: bool
    done: bool


class Sort(Rules):
    """Ball sort and water sort; a tube is a byte string, the numbers of its balls' colours from the bottom."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.water = fields.pop("puzzle") == "water-sort"
        if fields.pop("reveal", "run") not in ("run", "cell"):  # no matter which: nothing is hidden
            raise Unreadable("board.json: reveal: expected run or cell")
        self.capacity = whole_number(fields.pop("capacity", None), "capacity", 1, 10_000)
        self.goal = fields.pop("goal", "full")
        if self.goal not in ("full", "monochrome", *OTHER_GOALS):
            raise Unreadable("board.json: goal: expected full, monochrome, gathered, coloured or wanted")
        tubes, codes = coded(fields.pop("tubes", None), "tubes")
        balls = b"".join(tubes)
        self.cells = len(tubes) + len(balls)
        self.counts = [balls.count(colour) for colour in range(len(codes))]
        self.set_up(fields, tubes, codes)
        self.invariant = self.unchanging(self.start)

    def set_up(self, fields: dict[str, Any], tubes: list[bytes], codes: dict[int | str, int]) -> None:
        """Takes the rest of a board's fields; ``codes`` are the numbers of the colours."""
        if any(len(tube) > self.capacity for tube in tubes):
            raise Unreadable("board.json: tubes: a tube holds more than its capacity")
        if self.goal == "full" and any(count % self.capacity for count in self.counts):
            raise Unreadable("board.json: tubes: the balls of a colour don't fill whole tubes")
        full = self.goal == "full"
        # By colour, the most tubes that it may be in at the goal.
        self.homes = [count // self.capacity if full else len(tubes) for count in self.counts]
        self.one_home_each = all(number == 1 for number in self.homes)
        self.counts_fills = full and self.water
        self.remember(self.capacity)
        self.placed = tuple(tubes)
        self.start = tuple(sorted(tubes))

    def remember(self, largest: int) -> None:
        """Remembers what is found out about tubes of at most a given number of balls."""
        self.about = lru_cache(MEMO_BYTES // (2 * largest + 500))(self.tube_facts)
        self.poured = lru_cache(MEMO_BYTES // (4 * largest + 500))(self.pour)

    def part(self, data: bytes) -> bytes | None:
        return data if len(data) <= self.capacity and max(data, default=-1) < len(self.counts) else None

    def refuse_foreign(self, position: Position) -> None:
        if any(map(lt, position[1:], position)):
            raise NotVerified("labels.bin: a position whose tubes are not sorted")
        if self.unchanging(position) != self.invariant:
            raise NotVerified("labels.bin: a position with other balls or rules than the board's")

    def unchanging(self, tubes: Position) -> Any:
        """What no move changes: the balls."""
        return sorted(b"".join(tubes))

    def tube_facts(self, tube: bytes) -> Tube:
        """What `about` remembers of a tube."""
        if not tube:
            return Tube(-1, -1, b"", 0, uniform=False, done=True)
        run = len(tube) - len(tube.lstrip(tube[:1]))
        uniform = run == len(tube)
        done = uniform and (self.goal == "monochrome" or run == self.capacity)
        return Tube(tube[-1], tube[0], self.blocks(tube), 1 if self.water else run, uniform, done)

    def blocks(self, balls: bytes) -> bytes:
        """See `Tube`."""
        return bytes(ball for i, ball in enumerate(balls) if not (self.water and i and ball == balls[i - 1]))

    def is_goal(self, position: Position) -> bool:
        return all(self.about(tube).done for tube in position)

    def pour(self, source: bytes, target: bytes) -> tuple[bytes, bytes] | None:
        """Both tubes after a move from the first to the second; None if the rules forbid it."""
        room = self.capacity - len(target)
        if not source or not room or self.about(target).top not in (-1, source[-1]):
            return None
        amount = min(self.top_run(source), room)
        return source[:-amount], target + source[-amount:]

    def top_run(self, balls: bytes) -> int:
        """The number of balls that move together, if there is room."""
        return len(balls) - len(balls.rstrip(balls[-1:])) if self.water else 1

    def after(self, position: Position) -> Iterator[Position]:
        """See `Rules`. Of equal tubes one is moved from and one is moved to: the rest is the same."""
        targets: dict[int, list[bytes]] = {}  # by the colour on top
        for tube in dict.fromkeys(position):
            targets.setdefault(self.about(tube).top, []).append(tube)
        empty = targets.pop(-1, [])
        for colour, sources in targets.items():
            for pair in product(sources, targets[colour] + empty):
                poured = self.poured(*pair)
                if poured is not None and (pair[0] != pair[1] or position.count(pair[0]) > 1):
                    tubes = list(position)
                    tubes.remove(pair[0])
                    tubes.remove(pair[1])
                    insort(tubes, poured[0])
                    insort(tubes, poured[1])
                    yield tuple(tubes)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        tubes = list(map(self.about, position))
        total = 0
        if self.one_home_each:  # the same in less time
            best = [0] * (len(self.counts) + 1)
            for tube in tubes:
                total += len(tube.blocks)
                if tube.kept > best[tube.bottom]:
                    best[tube.bottom] = tube.kept
            return total - sum(best)
        blocks = b"".join(tube.blocks for tube in tubes)
        kept: list[list[int]] = [[] for _ in range(len(self.counts) + 1)]
        full = [0] * (len(self.counts) + 1)
        for tube in tubes:
            kept[tube.bottom].append(tube.kept)
            full[tube.bottom] += tube.done
        for colour, homes in enumerate(self.homes):
            by_blocks = blocks.count(colour) - sum(sorted(kept[colour], reverse=True)[:homes])
            by_fills = homes - full[colour] if self.counts_fills else 0
            total += max(by_blocks, by_fills)
        return total

    def played(self, placed: Position, move: Any) -> Position | None:
        """See `Rules`; a move is ``[from, to]``, from 0."""
        if not (type(move) is list and len(move) == 2 and all(type(place) is int for place in move)):
            raise ValueError("expected [from, to]")
        source, target = move
        legal = source != target and 0 <= source < len(placed) and 0 <= target < len(placed)
        poured = self.pour(placed[source], placed[target]) if legal else None
        if poured is None:
            return None
        tubes = list(placed)
        tubes[source], tubes[target] = poured
        return tuple(tubes)

    def drawn(self, board: dict[str, Any]) -> Iterator[str]:
        kind, capacity, goal = board["puzzle"], board["capacity"], board.get("goal", "full")
        yield f"{kind}, capacity {capacity}, goal {goal}, tubes bottom first:"
        yield from (f"  {number}: {json.dumps(tube)}" for number, tube in enumerate(board["tubes"], start=1))
        known = {"puzzle", "capacity", "goal", "tubes", "name", "source"}
        yield from (f"  {key}: {json.dumps(board[key])}" for key in sorted(board.keys() - known))


OTHER_GOALS = ("gathered", "coloured", "wanted")
RULE_KEYS = {"accepts", "any_in", "capacities", "cork", "drain", "locked", "no_in", "no_out", "partial", "placement"}
RULE_KEYS |= {"tube_colours", "wanted"}


def rules_of(fields: dict[str, Any], folder: Path | None = None) -> Rules:
    """The rules of a board; takes what it reads out of the fields. Nothing from the certificate's folder is run."""
    kind = fields.get("puzzle")
    if type(kind) is not str or kind not in ("ball-sort", "water-sort", "tiles", "shot"):
        raise Unreadable("board.json: puzzle: expected one of ball-sort, water-sort, tiles, shot")
    ruled = fields.get("goal") in OTHER_GOALS or not fields.keys().isdisjoint(RULE_KEYS)
    if kind.endswith("sort") and not ruled:
        return Sort(fields)
    name = "check_other_puzzles"
    if __package__:
        name = f"{__package__}.{name}"
    else:
        here = Path(__file__).resolve().parent
        if folder is not None and folder.resolve() == here:
            raise Unreadable("board.json: for this board the program has to be outside of the certificate's folder")
        sys.path.insert(0, str(here))
        sys.modules["check_labels"] = sys.modules[__name__]  # by this name the other file imports from this one
    try:
        others = import_module(name)
    except ImportError:
        raise Unreadable("board.json: for this board check_other_puzzles.py has to be beside this program") from None
    rules: Rules = others.PUZZLES[kind](fields)
    return rules


def whole_number(value: Any, where: str, least: int, most: int) -> int:
    """``value``, if it is an integer in range."""
    if type(value) is int and least <= value <= most:
        return value
    raise Unreadable(f"board.json: {where}: expected a number from {least} to {most}")


def coded(stacks: Any, where: str) -> tuple[list[bytes], dict[int | str, int]]:
    """Lists of colours as byte strings, and the numbers of the colours, counted as they come first."""
    if type(stacks) is not list or not stacks or not all(type(stack) is list for stack in stacks):
        raise Unreadable(f"board.json: {where}: expected lists of colours")
    codes: dict[int | str, int] = {}
    for colour in chain.from_iterable(stacks):
        if type(colour) is not int and type(colour) is not str:
            raise Unreadable(f"board.json: {where}: expected colours that are texts or whole numbers")
        codes.setdefault(colour, len(codes))
    if len(codes) > 256:
        raise Unreadable(f"board.json: {where}: more than 256 colours")
    return [bytes(codes[colour] for colour in stack) for stack in stacks], codes


# -- borders ---------------------------------------------------------------------------------------------


def border_tables_lead_out(tubes: Iterable[bytes], capacity: int) -> tuple[bool, int]:
    """Searches the border tables of a sort board, either rule, either goal; False means that it has no plan.

    A **border** is a place in a tube where the colour changes. A goal has none, and no move makes one. The borders of a
    tube go from the top down, each when all balls above it have been dug away. A **border table** says how many are
    left in each tube.

    Take the moment when the last ball above the highest border of a tube b leaves. For each colour c, the balls of c
    that started above the borders of the table have been above them ever since. Some of them lie in tubes that have
    borders left, above the highest: only where the ball next above that border is a c, and not in b. So they are at
    most as many as there are places above these borders. All others are in tubes without borders. Each of those tubes
    holds one colour, so each colour needs as many of them as its other balls fill, rounded up; and the table says how
    many there are. If they are too few, b's border can't go next.

    So a plan walks from the board's table to the one without borders, by steps that pass this test. Tubes that start
    alike are interchangeable: of the tables that differ by such a swap one is looked at. Returns whether there is such
    a way, and the number of tables seen. Raises NotVerified if there are too many.
    """
    tubes = sorted(tubes)
    first = {tube: place for place, tube in reversed([*enumerate(tubes)])}
    alike = [first[tube] for tube in tubes]
    heights = [[0] + [y for y in range(1, len(tube)) if tube[y] != tube[y - 1]] for tube in tubes]
    colours = sorted({*b"".join(tubes)})
    most = MAX_TABLES // (sum(map(len, tubes)) + len(tubes) ** 2 + len(colours))
    start = tuple(len(places) - 1 for places in heights)
    seen = {start}
    waiting = [start]
    while waiting:
        if len(seen) > most:
            raise NotVerified("too many border tables for this checker")
        table = waiting.pop()
        if not any(table):
            return True, len(seen)
        has = dict.fromkeys(colours, 0)  # balls that started above the borders
        fits = dict.fromkeys(colours, 0)  # places for them in tubes with borders
        for tube, places, left in zip(tubes, heights, table, strict=True):
            for ball in tube[places[left] :]:
                has[ball] += 1
            if left:
                fits[tube[places[left]]] += capacity - places[left]
        needed = {colour: -(-max(0, has[colour] - fits[colour]) // capacity) for colour in colours}
        total, free = sum(needed.values()), table.count(0)
        for b, left in enumerate(table):
            if left:
                colour = tubes[b][heights[b][left]]
                fits_elsewhere = fits[colour] - (capacity - heights[b][left])
                needed_now = -(-max(0, has[colour] - fits_elsewhere) // capacity)
                if total - needed[colour] + needed_now <= free:
                    less = (*table[:b], left - 1, *table[b + 1 :])
                    following = tuple(borders for _, borders in sorted(zip(alike, less, strict=True)))
                    if following not in seen:
                        seen.add(following)
                        waiting.append(following)
    return False, len(seen)


# -- files -----------------------------------------------------------------------------------------------


def open_file(folder: Path, name: str) -> IO[bytes]:
    """Opens a regular file in ``folder``: never through a link, and without waiting for the other end of a pipe."""
    path = folder / name
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise Unreadable(f"{name}: not a regular file")
        stream = os.fdopen(os.open(path, flags), "rb")
    except (OSError, ValueError) as error:
        raise Unreadable(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise Unreadable(f"{name}: not a regular file")
    return stream


def read_file(folder: Path, name: str, most: int) -> bytes:
    """The bytes of a regular file in ``folder``, at most ``most``; opened once."""
    with open_file(folder, name) as stream:
        try:
            data = stream.read(most + 1)
        except OSError as error:
            raise Unreadable(f"{name}: {error.strerror}") from None
    if len(data) > most:
        raise Unreadable(f"{name}: more than {most} bytes")
    return data


def read_json(folder: Path, name: str) -> dict[str, Any]:
    """A JSON object without fractions, long numbers and deep nesting, and with each key once."""

    def short(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise ValueError("a number that is too long")
        return int(digits)

    def refuse(_: str) -> NoReturn:
        raise ValueError("a number that is not whole")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key that stands twice in an object")
        return dict(pairs)

    text = read_file(folder, name, MAX_TEXT_BYTES)
    try:
        value = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=unique,
            parse_int=short,
            parse_float=refuse,
            parse_constant=refuse,
        )
    except (RecursionError, ValueError) as error:
        raise Unreadable(f"{name}: {error}") from None
    if type(value) is not dict:
        raise Unreadable(f"{name}: expected a JSON object")
    layer = [value]
    for _ in range(MAX_DEPTH):
        inner = chain.from_iterable(each.values() if type(each) is dict else each for each in layer)
        layer = [each for each in inner if type(each) in (dict, list)]
    if layer:
        raise Unreadable(f"{name}: nested more than {MAX_DEPTH} deep")
    return value


def read_board(folder: Path) -> tuple[Rules, str, tuple[str, ...]]:
    """The rules of the board, the puzzle's name, and the board to be printed."""
    fields = read_json(folder, "board.json")
    board = dict(fields)
    if not all(type(fields.pop(key, "")) is str for key in ("name", "source")):
        raise Unreadable("board.json: name and source: expected texts")
    rules = rules_of(fields, folder)
    if fields:  # they may mean anything
        raise Unreadable(f"board.json: unknown keys: {', '.join(sorted(map(ascii, fields)))}")
    return rules, board["puzzle"], tuple(rules.drawn(board))


def read_labels(folder: Path, rules: Rules) -> dict[Position, int]:
    """The listed positions with their labels."""
    unpacked, table_bytes, parts, count, number_bytes, label_bytes = unpack(folder, rules)
    table = read_table(unpacked[:table_bytes], parts)
    known = list(map(rules.part, table))
    del table
    if None in known:
        raise NotVerified("labels.bin: a tube, column or row that this board can't have")
    labels = numbers_at(unpacked, table_bytes, count, label_bytes)
    first, step = table_bytes + count * label_bytes, count * number_bytes
    columns = [numbers_at(unpacked, first + place * step, count, number_bytes) for place in range(len(rules.start))]
    del unpacked
    if any(max(column, default=-1) >= parts for column in columns):
        raise Unreadable("labels.bin: a part that is not in the table")
    listed: list[Position] = list(zip(*(map(known.__getitem__, column) for column in columns), strict=True))
    del columns
    if not all(starmap(lt, pairwise(listed))):
        raise Unreadable("labels.bin: the positions are not in strictly rising order")
    for position in listed:
        rules.refuse_foreign(position)
    return dict(zip(listed, (label or INFINITE for label in labels), strict=True))


def unpack(folder: Path, rules: Rules) -> tuple[bytes, int, int, int, int, int]:
    """The compressed part of labels.bin, and what the header says about it.

    Returns the bytes; of how many of them the table consists; numbers of parts and of positions; bytes of a part's
    number and of a label.
    """
    data = read_file(folder, "labels.bin", MAX_LABELS_BYTES)
    match = HEADER.match(data)
    if match is None:
        raise Unreadable("labels.bin: no header of this format")
    parts, table_bytes, count, size, number_bytes, label_bytes = map(int, match.groups())
    if size != len(rules.start):
        raise NotVerified(f"labels.bin: positions of {size} parts, but the board has {len(rules.start)}")
    too_large = table_bytes > MAX_TABLE_BYTES or count > MAX_POSITIONS or count * size > MAX_NUMBERS
    if too_large or count * max(size * size, rules.cells) > MAX_WORK:
        raise Unreadable("labels.bin: too large for this checker")
    expected = table_bytes + count * (label_bytes + size * number_bytes)
    unpacked = decompressed("labels.bin", memoryview(data)[match.end() :], expected)
    return unpacked, table_bytes, parts, count, number_bytes, label_bytes


def decompressed(name: str, data: memoryview, size: int) -> bytes:
    """What is compressed in a file; it has to have this size."""
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise Unreadable(f"{name}: {error}") from None
    if len(unpacked) != size or not stream.eof or stream.unused_data or stream.unconsumed_tail:
        raise Unreadable(f"{name}: the compressed part is not as long as the header says")
    return unpacked


def read_table(data: bytes, parts: int) -> list[bytes]:
    """Byte strings in strictly rising order, each after its length in two bytes, the low one first."""
    table = []
    place = 0
    for _ in range(parts):
        end = place + 2 + int.from_bytes(data[place : place + 2], "little")
        if end > len(data):
            raise Unreadable("labels.bin: the table of parts is cut off")
        table.append(data[place + 2 : end])
        place = end
    if place != len(data) or not all(starmap(lt, pairwise(table))):
        raise Unreadable("labels.bin: the table of parts is not in strictly rising order, or too long")
    return table


def numbers_at(data: bytes, start: int, count: int, width: int) -> "array[int]":
    """``count`` numbers of ``width`` bytes each, the low byte first."""
    numbers = array(TYPE_CODES[width])
    numbers.frombytes(data[start : start + count * width])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


# -- the check -------------------------------------------------------------------------------------------


def check_labels(rules: Rules, labels: dict[Position, int]) -> int:
    """Checks conditions 1 and 2 at the top of this file, and returns the number of moves looked at."""
    after, bound, label_of = rules.after, rules.bound, labels.get
    moves, most = 0, MAX_WORK // rules.cells
    for number, (position, label) in enumerate(labels.items()):
        if rules.is_goal(position):
            raise NotVerified(f"labels.bin: position {number} is a goal")
        needed = label if label == INFINITE else label - 1
        for following in after(position):
            moves += 1
            found = label_of(following)
            if found is None:
                found = bound(following)
            if found < needed:
                shown = "∞" if label == INFINITE else label
                raise NotVerified(f"labels.bin: position {number} has label {shown}, but a move leads to {found}")
            if moves > most:
                raise NotVerified("labels.bin: too many moves for this checker")
    return moves


def replay(rules: Rules, moves: list[Any]) -> None:
    """Plays a plan; refuses illegal moves, and plans that don't end at a goal."""
    placed = rules.placed
    for step, move in enumerate(moves):
        try:
            following = rules.played(placed, move)
        except ValueError as error:
            raise Unreadable(f"plan.json: plan[{step}]: {error}") from None
        if following is None:
            raise NotVerified(f"plan.json: plan[{step}] is no legal move")
        placed = following
    if not rules.is_goal(placed):
        raise NotVerified("plan.json: the board is not solved at the end of the plan")


def check_folder(folder: Path) -> Checked:
    """Checks a certificate; raises NotVerified if the claim isn't shown, Unreadable for other files."""
    claim = read_json(folder, "claim.json")
    status, length, proof = (claim.pop(key, None) for key in ("status", "length", "proof"))
    known = (proof == "labels" or (proof == "borders" and status == "unsolvable")) and not claim
    if not known or {"optimal": int, "unsolvable": type(None)}.get(str(status)) is not type(length):
        raise Unreadable("claim.json: no claim that this program can check")
    rules, kind, board = read_board(folder)
    if proof == "borders":
        if type(rules) is not Sort:
            raise Unreadable("claim.json: borders are for sort puzzles without rules for tubes")
        way_out, tables = border_tables_lead_out(rules.placed, rules.capacity)
        if way_out:
            raise NotVerified("the border argument finds no obstacle")
        return Checked(kind, None, "borders", tables, 0, 0, board)
    labels = read_labels(folder, rules)
    bound = rules.bound(rules.start)
    worth = labels.get(rules.start, bound)
    if length is None:
        if worth < INFINITE:
            raise NotVerified("the claim is that there is no plan, but the board has no label that says so")
    else:
        plan = read_json(folder, "plan.json")
        if type(plan.get("plan")) is not list or len(plan) != 1:
            raise Unreadable("plan.json: expected a list of moves under plan")
        if len(plan["plan"]) != length:
            raise NotVerified(f"the claim is {length} moves, but the plan has {len(plan['plan'])}")
        if length * rules.cells > MAX_REPLAY:
            raise Unreadable("plan.json: too long for this checker")
        replay(rules, plan["plan"])
        if worth < length:
            raise NotVerified(f"the claim is {length} moves, but the board's label or bound is {worth}")
    return Checked(kind, length, "labels", len(labels), check_labels(rules, labels), bound, board)


def report(folder: Path) -> str:
    """The board, and what was checked."""
    checked = check_folder(folder)
    return "\n".join(["Board: " + checked.board[0], *checked.board[1:], str(checked)])


def main(report: Callable[[Path], str]) -> int:
    """Runs a checker, which returns what it has found in a folder."""
    if len(sys.argv) != 2:
        print(f"usage: python {sys.argv[0]} DIR", file=sys.stderr)
        return 2
    try:
        print(report(Path(sys.argv[1])))
    except NotVerified as error:
        print(f"Not verified: {error}")
        return 1
    except (Unreadable, MemoryError) as error:
        print(f"Unreadable: {str(error) or 'out of memory'}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(report))
