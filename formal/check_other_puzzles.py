"""The rest of `check_labels.py`, which loads this file: rules for tubes, other goals, tiles and shot.

What is said there holds for these puzzles, too. A tube that has rules of its own is sorted together with them.

**Plain bounds.**

* *Rules for tubes* only forbid moves. So the same holds, with other tubes counted. A tube *may keep* its bottom run of
  colour c if the run is what the goal wants, or if the tube lets c in and has a capacity of at most ("full") or at
  least ("gathered") the number of balls of c. A ball that never moves is at the goal in such a run. The number of runs
  of a colour that count is 1 at "gathered", and at "full" the number of smallest tubes that together hold no more than
  the balls of the colour; at "coloured" only those in tubes of their colour count. (In water sort a pour makes a bottom
  run that may be kept only in an empty tube: in a tube that doesn't let its colour in, no run grows.) A position that
  isn't a goal takes at least one move.
* *The goal "wanted"*, so many tubes full of this colour and so many of that: a tube that ends full of c gets every
  ball by a move, but for those of its bottom run, if that has the colour c: a ball that never moves lies on such balls
  alone, so in that run. In water sort it gets at least one pour, unless it is full of c. A tube that doesn't let c in
  has to be full of it. No move brings balls to two tubes. So for each colour the tubes that need the fewest moves
  count, as many as are wanted; with fewer that may be full of it there is no plan. Locks are taken as open.
* *Drained tubes*: a ball that never moves has only such balls above it, so it lies in the top run, and the same holds
  with top runs. In water sort a pour takes from the bottom block, so no blocks meet in its source.
* *Ball sort, where balls go anywhere*, or anywhere in some tubes, each colour ending in one tube, its home: take the
  balls of a home that aren't kept. Once they have all left their places for the first time the home is *cleared*. A
  ball that moves only once, to its home, stays on balls that stay, so the home was cleared before; and its own tube is
  cleared no sooner than it leaves. So it moves twice if its own tube is cleared before its home, or is its home. Kept
  balls don't move, the others move once. The least sum over all choices of homes, and orders in which they are cleared,
  is a bound.
* *Tiles*: for each colour the number of runs of neighbouring columns that hold it. Tiles don't move sideways, so two
  runs never touch, and a click takes connected tiles of one colour, all of one run.
* *Shot*: the number of balls less one, as a move takes one ball off and one is left at the end.
"""

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise, permutations, product, starmap
from math import comb, inf
from operator import lt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from bsp_sat.formal.check_labels import (
        INFINITE,
        NotVerified,
        Position,
        Rules,
        Sort,
        Tube,
        Unreadable,
        coded,
        whole_number,
    )
else:  # the program
    from check_labels import INFINITE, NotVerified, Position, Rules, Sort, Tube, Unreadable, coded, whole_number

MAX_SETS = 2_000  # of homes and colours, for the bound where balls go anywhere


class TubeRule(NamedTuple):
    """What a tube may do.

    It accepts the colours that may be put in; None for all. Its lock opens when ``colour`` is complete, or so many
    complete ``tubes``, of the colour if both are given; without either it is open. ``own`` is at the goal "coloured"
    the only colour that it may end with; None if it ends empty. ``any_top`` says whether a ball may be put on any
    other.
    """

    capacity: int
    takes: bool = True
    gives: bool = True
    accepts: frozenset[int] | None = None
    colour: int | None = None
    tubes: int | None = None
    own: int | None = None
    any_top: bool = False

    @property
    def locked(self) -> bool:
        """Whether it is neither source nor target yet."""
        return self.colour is not None or self.tubes is not None

    def opened(self) -> "TubeRule":
        """The rule once the lock is open."""
        return self._replace(colour=None, tubes=None)

    def lets_in(self, colour: int) -> bool:
        """Whether a ball of the colour may ever be put in."""
        return self.takes and (self.accepts is None or colour in self.accepts)


class RuledSort(Sort):
    """Ball sort and water sort with rules for tubes.

    A tube is a byte string: the number of the rule that it is under, then its balls from the bottom. Rules are
    numbered as they come first, tube by tube: all of them with their locks open, then those with closed locks.

    A tube is *complete* if its balls are of one colour and fill it, or, unless the goal is "full" or "wanted", are all
    of that colour. A lock opens, for good, when as many tubes, perhaps of one colour, are complete as it asks for, or
    when all balls of its colour are in complete tubes. With corks nothing leaves a complete tube or is put into it.
    Drained, balls leave at the bottom, and those above slide down.
    """

    def set_up(self, fields: dict[str, Any], tubes: list[bytes], codes: dict[int | str, int]) -> None:
        self.partial, self.cork = fields.pop("partial", True), fields.pop("cork", False)
        self.drain = fields.pop("drain", False)
        if {type(self.partial), type(self.cork), type(self.drain)} != {bool}:
            raise Unreadable("board.json: partial, cork and drain: expected true or false")
        self.wanted = wanted_tubes(fields, self.goal, len(tubes), codes)
        own = fields.get("tube_colours", [])
        if type(own) is not list or len(own) != (len(tubes) if self.goal == "coloured" else 0):
            raise Unreadable("board.json: tube_colours: expected one for each tube at the goal coloured, else none")
        rules = tube_rules(fields, self.capacity, len(tubes), codes)
        if any(len(tube) > rule.capacity for tube, rule in zip(tubes, rules, strict=True)):
            raise Unreadable("board.json: tubes: a tube holds more than its capacity")
        self.rules = list(dict.fromkeys([rule.opened() for rule in rules] + [rule for rule in rules if rule.locked]))
        if len(self.rules) > 256:
            raise Unreadable("board.json: tubes: more than 256 rules")
        number_of = {rule: number for number, rule in enumerate(self.rules)}
        self.opens = bytes(number_of[rule.opened()] for rule in self.rules)
        self.locks = any(rule.locked for rule in rules)
        # By colour, the most tubes that it may be in at the goal; at "full" the smallest ones that it can fill.
        homes = {"gathered": 1, "monochrome": len(tubes), "wanted": 0}
        places = list(accumulate(sorted(rule.capacity for rule in rules)))
        self.homes = [homes.get(self.goal, bisect(places, count)) for count in self.counts]
        if self.goal == "coloured":
            self.homes = [sum(rule.own == colour for rule in rules) for colour in range(len(self.counts))]
        self.one_home_each = self.counts_fills = False
        self.remember(max(rule.capacity for rule in rules))
        self.placed = self.unlocked(bytes([number_of[rule]]) + tube for rule, tube in zip(rules, tubes, strict=True))
        self.start = tuple(sorted(self.placed))

    def part(self, data: bytes) -> bytes | None:
        possible = data and data[0] < len(self.rules) and len(data) - 1 <= self.rules[data[0]].capacity
        return data if possible and max(data[1:], default=-1) < len(self.counts) else None

    def unchanging(self, tubes: Position) -> Any:
        """The balls, and the rules as they are with their locks open."""
        rules = bytes(tube[0] for tube in tubes).translate(self.opens.ljust(256))
        return sorted(b"".join(tube[1:] for tube in tubes)), sorted(rules)

    def tube_facts(self, tube: bytes) -> Tube:
        rule, balls = self.rules[tube[0]], tube[1:]
        if not balls:
            return Tube(-1, -1, b"", 0, uniform=False, done=True)
        kept_end = balls[::-1] if self.drain else balls
        bottom, run = kept_end[0], len(balls) - len(kept_end.lstrip(kept_end[:1]))
        count, lets_in = self.counts[bottom], rule.lets_in(bottom)
        uniform = run == len(balls)
        full, gathered = uniform and run == rule.capacity, uniform and run == count
        done, may_keep = {
            "full": (full, full or (lets_in and rule.capacity <= count)),
            "gathered": (gathered, run == count or (lets_in and rule.capacity >= count)),
            "monochrome": (uniform, True),
            "coloured": (uniform and bottom == rule.own, bottom == rule.own),
            "wanted": (full, True),
        }[self.goal]
        kept = (1 if self.water else run) if may_keep else 0
        return Tube(balls[-1], bottom, self.blocks(balls), kept, uniform, done)

    def is_complete(self, tube: bytes) -> bool:
        """See the class."""
        about, size = self.about(tube), len(tube) - 1
        all_there = self.goal not in ("full", "wanted") and size == self.counts[about.bottom]
        return about.uniform and (size == self.rules[tube[0]].capacity or all_there)

    def unlocked(self, tubes: Iterable[bytes]) -> Position:
        """The tubes once every lock has opened that opens."""
        tubes = tuple(tubes)
        if not self.locks:
            return tubes
        complete = [tube for tube in tubes if self.is_complete(tube)]
        opening = set()
        for number, rule in enumerate(self.rules):
            counted = [tube for tube in complete if rule.colour in (None, tube[1])]
            if rule.tubes is not None:
                opens = len(counted) >= rule.tubes
            else:
                opens = rule.colour is not None and sum(map(len, counted)) - len(counted) == self.counts[rule.colour]
            if opens:
                opening.add(number)
        return tuple(bytes([self.opens[tube[0]]]) + tube[1:] if tube[0] in opening else tube for tube in tubes)

    def pour(self, source: bytes, target: bytes) -> tuple[bytes, bytes] | None:
        giver, taker = self.rules[source[0]], self.rules[target[0]]
        balls, room = source[1:], taker.capacity + 1 - len(target)
        balls = balls[::-1] if self.drain else balls
        if not balls or not room or giver.locked or taker.locked or not giver.gives or not taker.lets_in(balls[-1]):
            return None
        if not self.matches(balls[-1], target) or (self.cork and any(map(self.is_complete, (source, target)))):
            return None
        run = self.top_run(balls)
        if run > room and not self.partial:
            return None
        amount = min(run, room)
        left = balls[:-amount]
        return source[:1] + (left[::-1] if self.drain else left), target + balls[-amount:]

    def matches(self, ball: int, target: bytes) -> bool:
        """Whether the colours allow a ball on a tube."""
        return self.about(target).top in (-1, ball)

    def after(self, position: Position) -> Iterator[Position]:
        if self.drain:
            return self.after_any(position)
        positions = super().after(position)
        return (tuple(sorted(self.unlocked(tubes))) for tubes in positions) if self.locks else positions

    def after_any(self, position: Position) -> Iterator[Position]:
        """The same, where the colours on top don't say between which tubes balls move."""
        for i, j in permutations(range(len(position)), 2):
            poured = self.poured(position[i], position[j])
            if poured is not None:
                others = (tube for k, tube in enumerate(position) if k not in (i, j))
                yield tuple(sorted(self.unlocked((*others, *poured))))

    def is_goal(self, position: Position) -> bool:
        if self.goal != "wanted":
            return super().is_goal(position)
        full = [tube[1] for tube in position if self.is_complete(tube)]
        return all(full.count(colour) >= number for colour, number in enumerate(self.wanted))

    def bound(self, position: Position) -> int:
        if self.goal == "wanted":
            return sum(self.arrivals(position, colour, number) for colour, number in enumerate(self.wanted))
        return super().bound(position) or int(not self.is_goal(position))

    def arrivals(self, position: Position, colour: int, number: int) -> int:
        """The moves that make so many tubes full of a colour, at least; `INFINITE` where too few may be."""
        needs = []
        for tube in position:
            rule, about = self.rules[tube[0]], self.about(tube)
            has = about.bottom == colour
            need = 0 if has and about.done else 1 if self.water else rule.capacity - has * about.kept
            if not need or rule.lets_in(colour):
                needs.append(need)
        return sum(sorted(needs)[:number]) if len(needs) >= number else INFINITE

    def played(self, placed: Position, move: Any) -> Position | None:
        following = super().played(placed, move)
        return None if following is None else self.unlocked(following)


class Anywhere(RuledSort):
    """Sort boards where a ball goes wherever there is room, in all tubes or in some."""

    def set_up(self, fields: dict[str, Any], tubes: list[bytes], codes: dict[int | str, int]) -> None:
        super().set_up(fields, tubes, codes)
        self.homes_are_single = max(self.homes, default=0) == 1 and not self.drain and not self.water
        colours = len(self.counts)
        sets = 1 << colours if self.goal == "coloured" else comb(colours + len(tubes), colours)
        if self.homes_are_single and sets > MAX_SETS:
            raise Unreadable("board.json: more colours than the bound is checked for where balls go anywhere")

    def matches(self, ball: int, target: bytes) -> bool:
        return self.rules[target[0]].any_top or super().matches(ball, target)

    def after(self, position: Position) -> Iterator[Position]:
        return self.after_any(position)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        if not self.homes_are_single:
            return super().bound(position)
        balls = [tube[1:] for tube in position]
        homes = {
            colour: {
                place: self.about(tube).kept if self.about(tube).bottom == colour else 0
                for place, tube in enumerate(position)
                if self.may_end_with(tube, colour)
            }
            for colour in range(len(self.counts))
        }

        @lru_cache(None)
        def least(cleared: int, colours: int) -> float:
            """Second moves less kept balls, of these colours, once these tubes are cleared."""
            return min(
                (
                    sum(tube.count(colour) for i, tube in enumerate(balls) if cleared >> i & 1 or i == place)
                    - 2 * kept
                    + least(cleared | 1 << place, colours ^ 1 << colour)
                    for colour, places in homes.items()
                    if colours >> colour & 1
                    for place, kept in places.items()
                    if not cleared >> place & 1
                ),
                default=inf if colours else 0,
            )

        saved = least(0, sum(1 << colour for colour, places in homes.items() if places))
        total = sum(map(len, balls)) + (int(saved) if saved < inf else 0)
        return total or int(not self.is_goal(position))

    def may_end_with(self, tube: bytes, colour: int) -> bool:
        """Whether the tube may be the colour's home."""
        rule, count, about = self.rules[tube[0]], self.counts[colour], self.about(tube)
        fits = {"full": rule.capacity <= count, "gathered": rule.capacity >= count, "coloured": rule.own == colour}
        return (about.bottom == colour and about.kept > 0) or (rule.lets_in(colour) and fits[self.goal])


def sort_rules(fields: dict[str, Any]) -> Rules:
    """The rules of a sort board with rules for tubes."""
    return (Anywhere if fields.get("placement", "matching") != "matching" or "any_in" in fields else RuledSort)(fields)


def wanted_tubes(fields: dict[str, Any], goal: str, size: int, codes: dict[int | str, int]) -> list[int]:
    """Takes out of a board's fields how many tubes are wanted of each colour, at the goal "wanted"."""
    wanted = fields.pop("wanted", {})
    if type(wanted) is not dict or bool(wanted) != (goal == "wanted"):
        raise Unreadable("board.json: wanted: expected colours with numbers of tubes at the goal wanted, else none")
    numbers = [0] * len(codes)
    for name, number in wanted.items():
        named = [code for colour, code in codes.items() if str(colour) == name]
        if len(named) != 1:
            raise Unreadable("board.json: wanted: expected the names of single colours of the board")
        numbers[named[0]] = whole_number(number, "wanted", 1, size)
    return numbers


def tube_rules(fields: dict[str, Any], capacity: int, size: int, codes: dict[int | str, int]) -> list[TubeRule]:
    """Takes the rules of the tubes out of a board's fields; ``codes`` are the numbers of the colours."""

    def of_type(value: Any, kind: type, where: str) -> Any:
        if type(value) is not kind:
            raise Unreadable(f"board.json: {where}: expected {'a list' if kind is list else 'an object'}")
        return value

    def place(value: Any, where: str) -> int:
        return whole_number(value, where, 0, size - 1)

    def code(colour: Any, where: str) -> int:
        if type(colour) not in (int, str) or colour not in codes:
            raise Unreadable(f"board.json: {where}: expected a colour of the board")
        return codes[colour]

    capacities = of_type(fields.pop("capacities", [capacity] * size), list, "capacities")
    if len(capacities) != size:
        raise Unreadable("board.json: capacities: expected one for each tube")
    if (placement := fields.pop("placement", "matching")) not in ("matching", "any"):
        raise Unreadable("board.json: placement: expected matching or any")
    rules = [TubeRule(whole_number(each, "capacities", 1, 10_000), any_top=placement == "any") for each in capacities]
    for value in of_type(fields.pop("any_in", []), list, "any_in"):
        tube = place(value, "any_in")
        rules[tube] = rules[tube]._replace(any_top=True)
    for value in of_type(fields.pop("no_in", []), list, "no_in"):
        tube = place(value, "no_in")
        rules[tube] = rules[tube]._replace(takes=False)
    for value in of_type(fields.pop("no_out", []), list, "no_out"):
        tube = place(value, "no_out")
        rules[tube] = rules[tube]._replace(gives=False)
    for name, colours in of_type(fields.pop("accepts", {}), dict, "accepts").items():
        if not re.fullmatch("0|[1-9][0-9]{0,8}", name):
            raise Unreadable("board.json: accepts: expected the numbers of tubes")
        tube = place(int(name), "accepts")
        accepts = frozenset(code(colour, "accepts") for colour in of_type(colours, list, "accepts"))
        rules[tube] = rules[tube]._replace(accepts=accepts)
    for tube, own in enumerate(fields.pop("tube_colours", [])):
        if own is not None:
            rules[tube] = rules[tube]._replace(own=code(own, "tube_colours"))
    for value in of_type(fields.pop("locked", []), list, "locked"):
        lock = of_type(value, dict, "locked")
        if set(lock) != {"tube", "until"}:
            raise Unreadable("board.json: locked: expected tube and until")
        tube, until = place(lock["tube"], "locked"), lock["until"]
        if rules[tube].locked:
            raise Unreadable("board.json: locked: a tube that stands twice")
        if type(until) in (int, str):
            until = {"tubes" if type(until) is int else "colour": until}
        if type(until) is not dict or not until or not {*until} <= {"colour", "tubes"}:
            raise Unreadable("board.json: locked: expected a colour or a number of tubes")
        if "tubes" in until:
            rules[tube] = rules[tube]._replace(tubes=whole_number(until["tubes"], "locked", 1, size))
        if "colour" in until:
            rules[tube] = rules[tube]._replace(colour=code(until["colour"], "locked"))
    return rules


class Tiles(Rules):
    """Tiles; a column is a byte string, bottom first."""

    def __init__(self, fields: dict[str, Any]) -> None:
        del fields["puzzle"]
        columns, codes = coded(fields.pop("columns", None), "columns")
        self.placed = self.start = tuple(columns)
        self.height, self.colours = max(map(len, columns)), len(codes)
        self.cells = sum(map(len, columns)) + len(columns)

    def part(self, data: bytes) -> bytes | None:
        return data if len(data) <= self.height and max(data, default=-1) < self.colours else None

    def refuse_foreign(self, position: Position) -> None:
        """See `Rules`; every list of columns is a position."""

    def is_goal(self, position: Position) -> bool:
        return not any(position)

    def click(self, columns: Position, column: int) -> Position:
        """The columns without the group of the bottom tile of ``column``, which must have one."""
        colour = columns[column][0]
        group = {(column, 0)}
        edge = [(column, 0)]
        while edge:
            x, y = edge.pop()
            for place in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                i, j = place
                inside = 0 <= i < len(columns) and 0 <= j < len(columns[i])
                if inside and place not in group and columns[i][j] == colour:
                    group.add(place)
                    edge.append(place)
        left = list(columns)
        for x in {x for x, _ in group}:
            left[x] = bytes(tile for y, tile in enumerate(columns[x]) if (x, y) not in group)
        return tuple(left)

    def after(self, position: Position) -> Iterator[Position]:
        return (self.click(position, x) for x, column in enumerate(position) if column)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        return sum(len({*column} - {*before}) for before, column in pairwise((b"", *position)))

    def played(self, placed: Position, move: Any) -> Position | None:
        """See `Rules`; a move is a column, from 0."""
        if type(move) is not int:
            raise ValueError("expected a column")
        return self.click(placed, move) if 0 <= move < len(placed) and placed[move] else None

    def drawn(self, board: dict[str, Any]) -> Iterator[str]:
        yield "tiles, columns bottom first:"
        yield from (f"  {number}: {json.dumps(column)}" for number, column in enumerate(board["columns"], start=1))


class Shot(Rules):
    """Shot; a row is the byte string of the columns where its balls are.

    A ball that is sent stops before the next one on its line, which mustn't be adjacent; that one goes on to the next,
    and so on; the last one leaves. So the ball that is sent goes from the line, and those ahead of it come one nearer.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        del fields["puzzle"]
        self.width = whole_number(fields.pop("width", None), "width", 1, 100)
        height = whole_number(fields.pop("height", None), "height", 1, 100)
        balls = fields.pop("balls", None)
        if type(balls) is not list or not balls:
            raise Unreadable("board.json: balls: expected a list of places")
        rows: list[set[int]] = [set() for _ in range(height)]
        for ball in balls:
            if type(ball) is not list or len(ball) != 2:
                raise Unreadable("board.json: balls: expected [x, y]")
            x = whole_number(ball[0], "balls", 0, self.width - 1)
            y = whole_number(ball[1], "balls", 0, height - 1)
            if x in rows[y]:
                raise Unreadable("board.json: balls: two in one place")
            rows[y].add(x)
        self.placed = self.start = tuple(bytes(sorted(row)) for row in rows)
        self.cells = height + len(balls)

    def part(self, data: bytes) -> bytes | None:
        return data if max(data, default=0) < self.width and all(starmap(lt, pairwise(data))) else None

    def refuse_foreign(self, position: Position) -> None:
        if not any(position):
            raise NotVerified("labels.bin: a position without balls")

    def is_goal(self, position: Position) -> bool:
        return sum(map(len, position)) == 1

    def sent(self, rows: Position, x: int, y: int, direction: str) -> Position | None:
        """The rows after the ball at (x, y) is sent; None if the rules forbid it."""
        across = direction in ("left", "right")
        line = [*rows[y]] if across else [j for j, row in enumerate(rows) if x in row]
        here, step = x if across else y, 1 if direction in ("right", "down") else -1
        ahead = [place for place in line if (place - here) * step > 0]
        if not ahead or here + step in ahead:
            return None
        line = sorted([place for place in line if (place - here) * step < 0] + [place - step for place in ahead])
        if across:
            return (*rows[:y], bytes(line), *rows[y + 1 :])
        return tuple(row if (x in row) == (j in line) else bytes(sorted({*row} ^ {x})) for j, row in enumerate(rows))

    def after(self, position: Position) -> Iterator[Position]:
        for y, row in enumerate(position):
            for x, direction in product(row, DIRECTIONS):
                following = self.sent(position, x, y, direction)
                if following is not None:
                    yield following

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        return sum(map(len, position)) - 1

    def played(self, placed: Position, move: Any) -> Position | None:
        """See `Rules`; a move is ``[x, y, direction]``, from 0, y downwards."""
        shaped = type(move) is list and len(move) == 3 and type(move[0]) is type(move[1]) is int
        if not shaped or move[2] not in DIRECTIONS:
            raise ValueError("expected [x, y, direction]")
        x, y, direction = move
        return self.sent(placed, x, y, direction) if 0 <= y < len(placed) and x in {*placed[y]} else None

    def drawn(self, board: dict[str, Any]) -> Iterator[str]:
        balls = set(map(tuple, board["balls"]))
        yield "shot:"
        for y in range(board["height"]):
            yield "  " + "".join("#" if (x, y) in balls else "." for x in range(board["width"]))


DIRECTIONS = ("left", "right", "up", "down")

PUZZLES: dict[str, Callable[[dict[str, Any]], Rules]] = {
    "ball-sort": sort_rules,
    "water-sort": sort_rules,
    "tiles": Tiles,
    "shot": Shot,
}
