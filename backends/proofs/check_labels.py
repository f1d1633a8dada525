"""A checker of certificates that shares nothing with the solvers: one file, standard library only.

Run it on a folder:

    python check_labels.py DIR

It exits with 0 if the claim in the folder holds, with 1 if it is not shown, with 2 if the folder can't be read. It
prints the board that the claim is about; whether that is the board you mean is yours to see.

**What is shown.** The folder claims that the shortest plan for a board has C moves, or that the board has no plan.
A plan of C moves is replayed here. That none is shorter follows from *labels*: a list of positions, each with a
number d ≥ 1 or ∞. Write w(u) for u's label if u is listed, else for the plain lower bound below. Checked is, one
position at a time, that

    1. no listed position is a goal;
    2. w(u) ≥ d − 1 for each position u that a legal move leads to from a listed position with label d, ∞ − 1 being ∞;
    3. w(board) ≥ C, or ∞ where the claim is that there is no plan.

Then w(s) ≤ k for every position s and every plan of k moves from s, by induction on k: if s isn't listed, w(s) is the
plain bound, which no plan beats. If it is, then it is no goal, so k ≥ 1, and the first move leads to some u with
d − 1 ≤ w(u) ≤ k − 1. So d ≤ k; and no position with label ∞ has a plan. With 3, no plan has fewer than C moves.

The list is complete because nothing may be left out: a position that needs a label and has none fails at 2. Further
positions do no harm, as what is checked holds for them, too.

**Sorted tubes.** The rules of the sort puzzles and their goals say nothing of where a tube stands, so two positions
with the same tubes in another order have plans of the same lengths, and positions are compared with sorted tubes.
Where tubes have rules of their own, each is sorted together with its rule.

**Plain bounds.** Moves are counted colour by colour; a move moves one colour. At the goal "full" a colour with m·h
balls, where a tube holds h, ends in m full tubes; at "monochrome" each tube ends with one colour or none.

* *Ball sort*: the balls, less those that may stay for good. A ball that never moves lies on balls that never move, in a
  tube that ends with one colour, so in the bottom run of a tube with its colour at the bottom. At "full" only m of
  these tubes end with the colour: at most its m longest bottom runs stay.
* *Water sort*: a block is a maximal run of one colour. Let f be the colour's blocks less the tubes with the colour at
  the bottom, of which at "full" at most m are counted. At a goal f = 0. A pour of another colour doesn't change f.
  One of this colour lowers f by one at most: a whole block poured onto the colour is one block less; into an empty
  tube, no block less but perhaps one tube more that counts; a part of a block changes neither. So f pours are needed.
  At "full" a pour also fills one tube at most, so m less the tubes full of the colour is a bound, too. For colours
  that fill several tubes the larger of the two counts.
* *Rules for tubes* only take moves away, so that the same holds, with other tubes counted. A tube *may keep* its bottom
  run of colour c if the run is as the goal wants it; or if it lets c in and has at "full" at most as many places as
  there are balls of c, at "gathered" at least as many. What never moves is at the goal in such a run; and of a colour
  no more tubes are counted than the smallest ones that together have at most as many places as it has balls, at
  "gathered" one. In water sort a pour makes a bottom block one that may be kept only where it founds it in an empty
  tube: in a tube that doesn't let its colour in a run never grows. The colours' figures are added up.
* *Tiles*: for each colour the runs of neighbouring columns that hold it. Tiles don't move sideways, so two runs never
  touch, and a click, which takes connected tiles of one colour, takes tiles of one run.
* *Shot*: balls less one, as each move takes one ball off and one is left.

**Borders.** The claim that a sort board has no plan may rest on border tables instead (`border_tables_lead_out`).
These are few, and are searched here. The argument is in the docstring there.

What is left to believe: the rules and the bounds in this file. docs/certificates.md describes the files.
"""

import json
import os
import re
import stat
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, product
from operator import lt
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn, Protocol

INFINITE = 1 << 62
MAX_TEXT_BYTES = 4_000_000  # of a JSON file
MAX_DIGITS = 15  # of a number in a JSON file
MAX_LABELS_BYTES = 100_000_000  # of the labels as they stand in the file
MAX_TABLE_BYTES = 10_000_000
MAX_POSITIONS = 2_000_000
MAX_NUMBERS = 50_000_000  # of parts, in all positions
MAX_WORK = 10_000_000_000  # moves looked at, times the size of the board
MAX_REPLAY = 1_000_000_000  # moves of the plan, times the size of the board
MAX_TABLES = 1_000_000_000  # border tables, times what each may take

HEADER = re.compile(
    rb"bsp-sat labels 1: (NUMBER) parts in (NUMBER) bytes, (NUMBER) positions of (NUMBER), "
    rb"numbers of ([124]), labels of ([124])\n".replace(b"NUMBER", b"0|[1-9][0-9]{0,8}")
)
TYPE_CODES = {1: "B", 2: "H", 4: "I"}

Position = tuple[Any, ...]
"""The parts of a position (tubes, columns or rows), each as a byte string or as its number."""


class Unreadable(Exception):
    """A file is missing or isn't what the format says."""


class NotVerified(Exception):
    """The folder is in order but doesn't show what it claims."""


class Checked(NamedTuple):
    """A claim that holds.

    Attributes:
        puzzle: the puzzle's name.
        length: moves of a shortest plan; None if there is no plan.
        proof: ``labels`` or ``borders``.
        positions: positions with a label, or border tables.
        moves: moves that were looked at, or 0.
        bound: the plain lower bound of the board.
        board: the board, line by line.
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
        lines = [] if self.length is None else [f"Plan: {self.length} moves, replayed."]
        if self.proof == "borders":
            lines.append(f"Borders: {self.positions} border tables, no way out.")
        elif self.positions:
            lines.append(f"Labels: {self.positions} positions, {self.moves} moves from them, all consistent.")
        else:
            lines.append(f"Bound: the plain lower bound of the board is {self.bound} moves; no labels are needed.")
        minimum = f"{self.length} moves is the minimum." if self.length is not None else "no plan exists."
        return "\n".join([*lines, f"Verified: {minimum}"])


# -- the puzzles -----------------------------------------------------------------------------------------


class Rules(Protocol):
    """What is asked of a puzzle; positions are canonical."""

    size: int
    """Parts of a position."""

    cells: int
    """Balls or tiles, and parts: the size of the board, to estimate work by."""

    start: Position

    def learn(self, table: list[bytes]) -> None:
        """Takes note of the parts that the labels are about, and refuses those that the board can't have."""

    def position(self, numbers: tuple[int, ...]) -> Position:
        """The position with these parts of the table; refuses what can't be one of this board."""

    def is_goal(self, position: Position) -> bool:
        """Whether the puzzle is solved."""

    def after(self, position: Position) -> Iterable[Position]:
        """The position after each legal move."""

    def bound(self, position: Position) -> int:
        """The plain lower bound."""

    def replay(self, moves: list[Any]) -> None:
        """Plays a plan; refuses illegal moves, and plans that don't end at a goal."""


class Sort:
    """Ball sort and water sort.

    A tube is a byte string, bottom first, one byte a ball. Tubes are numbered as they come up; a position is the sorted
    tuple of its tubes' numbers.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.water = fields.pop("puzzle") == "water-sort"
        self.capacity = whole_number(fields.pop("capacity", None), "capacity", 1, 10_000)
        self.goal = fields.pop("goal", "full")
        if self.goal not in ("full", "monochrome"):
            raise Unreadable("board.json: goal: expected full or monochrome")
        self.tubes, colours = coded(fields.pop("tubes", None), "tubes")
        if max(map(len, self.tubes)) > self.capacity:
            raise Unreadable("board.json: tubes: a tube holds more than the capacity")
        balls = b"".join(self.tubes)
        counts = [balls.count(colour) for colour in range(colours)]
        if self.goal == "full" and any(count % self.capacity for count in counts):
            raise Unreadable("board.json: tubes: the balls of a colour don't fill whole tubes")
        self.colours = colours
        self.most = [count // self.capacity if self.goal == "full" else len(self.tubes) for count in counts]
        self.one_home_each = self.goal == "full" and all(most == 1 for most in self.most)
        self.size, self.cells = len(self.tubes), len(self.tubes) + len(balls)
        self.contents: list[bytes] = []
        self.numbers: dict[bytes, int] = {}
        self.top: list[int] = []  # by number: colour on top, -1 for none
        self.bottom: list[int] = []  # by number: colour at the bottom, -1 for none
        self.worth: list[int] = []  # by number: what may stay: the bottom run, or with water one block
        self.blocks: list[bytes] = []  # by number: the colours of the blocks, or with balls of the balls
        self.work: list[int] = []  # by number: how many these are
        self.counted: list[int] = []  # by number: balls of each colour, 32 bits a colour
        self.done: list[bool] = []
        self.pours: dict[tuple[int, int], tuple[int, int] | None] = {}
        self.counts = sum(count << 32 * colour for colour, count in enumerate(counts))

    def number(self, tube: bytes) -> int:
        """The number of a tube's contents."""
        number = self.numbers.setdefault(tube, len(self.contents))
        if number == len(self.contents):
            self.contents.append(tube)
            self.top.append(tube[-1] if tube else -1)
            self.bottom.append(tube[0] if tube else -1)
            run = len(tube) - len(tube.lstrip(tube[:1]))
            self.worth.append(min(1, run) if self.water else run)
            starts = (tube[i : i + 1] for i in range(len(tube)) if i == 0 or tube[i] != tube[i - 1])
            self.blocks.append(b"".join(starts) if self.water else tube)
            self.work.append(len(self.blocks[number]))
            self.counted.append(sum(1 << 32 * ball for ball in tube))
            full_enough = self.goal == "monochrome" or len(tube) == self.capacity
            self.done.append(not tube or (run == len(tube) and full_enough))
        return number

    def learn(self, table: list[bytes]) -> None:
        """See `Rules`; the table comes first, so that its numbers are those of the file."""
        for tube in table:
            if len(tube) > self.capacity or max(tube, default=0) >= self.colours:
                raise NotVerified("labels.bin: a tube that this board can't have")
            self.number(tube)
        self.start = tuple(sorted(map(self.number, self.tubes)))

    def position(self, numbers: tuple[int, ...]) -> Position:
        """See `Rules`."""
        if any(map(lt, numbers[1:], numbers)):
            raise NotVerified("labels.bin: a position whose tubes are not sorted")
        if sum(map(self.counted.__getitem__, numbers)) != self.counts:
            raise NotVerified("labels.bin: a position with other balls than the board's")
        return numbers

    def is_goal(self, position: Position) -> bool:
        """See `Rules`."""
        return all(self.done[number] for number in position)

    def pour(self, source: bytes, target: bytes) -> tuple[bytes, bytes] | None:
        """Both tubes after a move from one to the other; None where the rules forbid it."""
        room = self.capacity - len(target)
        if not source or not room or (target and target[-1] != source[-1]):
            return None
        run = len(source) - len(source.rstrip(source[-1:]))
        amount = min(run, room) if self.water else 1
        return source[:-amount], target + source[-amount:]

    def pour_numbers(self, source: int, target: int) -> tuple[int, int] | None:
        """`pour` by numbers."""
        tubes = self.pour(self.contents[source], self.contents[target])
        return None if tubes is None else (self.number(tubes[0]), self.number(tubes[1]))

    def after(self, position: Position) -> Iterator[Position]:
        """See `Rules`. Of tubes with the same contents one is moved from and one is moved to: the rest is the same."""
        pours = self.pours
        targets: dict[int, list[int]] = {}
        for number in dict.fromkeys(position):
            targets.setdefault(self.top[number], []).append(number)
        empty = targets.pop(-1, [])
        for colour, sources in targets.items():
            for pair in product(sources, targets[colour] + empty):
                if pair not in pours:
                    pours[pair] = self.pour_numbers(*pair)
                poured = pours[pair]
                if poured is not None and (pair[0] != pair[1] or position.count(pair[0]) > 1):
                    tubes = list(position)
                    tubes.remove(pair[0])
                    tubes.remove(pair[1])
                    tubes += poured
                    tubes.sort()
                    yield tuple(tubes)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        if self.one_home_each:
            # The first count alone, which is enough: for each colour the best of the bottoms stays.
            best = [0] * (self.colours + 1)
            bottom, worth = self.bottom, self.worth
            for number in position:
                if worth[number] > best[bottom[number]]:
                    best[bottom[number]] = worth[number]
            return sum(map(self.work.__getitem__, position)) - sum(best)
        worths: list[list[int]] = [[] for _ in range(self.colours + 1)]
        works = [0] * self.colours
        full = [0] * self.colours
        for number in position:
            worths[self.bottom[number]].append(self.worth[number])
            for colour in self.blocks[number]:
                works[colour] += 1
            if self.done[number] and self.contents[number]:
                full[self.bottom[number]] += 1
        total = 0
        for colour, most in enumerate(self.most):
            stay = sum(sorted(worths[colour], reverse=True)[:most])
            by_fills = most - full[colour] if self.water and self.goal == "full" else 0
            total += max(works[colour] - stay, by_fills)
        return total

    def replay(self, moves: list[Any]) -> None:
        """See `Rules`; a move is ``[from, to]``, from 0."""
        tubes = list(self.tubes)
        for step, move in enumerate(moves):
            if not (type(move) is list and len(move) == 2 and all(type(tube) is int for tube in move)):
                raise Unreadable(f"plan.json: plan[{step}]: expected [from, to]")
            source, target = move
            legal = source != target and 0 <= source < len(tubes) and 0 <= target < len(tubes)
            poured = self.pour(tubes[source], tubes[target]) if legal else None
            if poured is None:
                raise NotVerified(f"plan.json: plan[{step}] is no legal move")
            tubes[source], tubes[target] = poured
        if not all(self.done[self.number(tube)] for tube in tubes):
            raise NotVerified("plan.json: the board is not solved at the end of the plan")


class TubeRule(NamedTuple):
    """What a tube may do.

    Attributes:
        capacity: balls that fit.
        takes: whether it may be a target.
        gives: whether it may be a source.
        accepts: the colours that may be put in; None for all.
        colour: the colour whose completion opens its lock; None for none.
        tubes: the number of complete tubes that does; None for none. With neither it is open.
    """

    capacity: int
    takes: bool
    gives: bool
    accepts: frozenset[int] | None
    colour: int | None
    tubes: int | None

    @property
    def locked(self) -> bool:
        """Whether it is neither source nor target yet."""
        return self.colour is not None or self.tubes is not None

    def opened(self) -> "TubeRule":
        """The rule from when the lock opens on."""
        return self._replace(colour=None, tubes=None)

    def lets_in(self, colour: int) -> bool:
        """Whether a ball of the colour may ever be put in."""
        return self.takes and (self.accepts is None or colour in self.accepts)


class Ruled:
    """Ball sort and water sort where tubes have rules of their own.

    A tube is a byte string: first the number of the rule that it is under, then its balls, bottom first. Rules are
    numbered as they come first, tube by tube: all as they are with their locks open, then those with closed locks.
    Tubes are numbered as they come up; a position is the sorted tuple of its tubes' numbers.

    A tube is *complete* if its balls are of one colour and fill it, or, unless the goal is "full", are all of that
    colour. A lock opens, for good, when so many tubes are complete, or all balls of its colour are in complete tubes.
    With corks nothing leaves a complete tube.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.water = fields.pop("puzzle") == "water-sort"
        capacity = whole_number(fields.pop("capacity", None), "capacity", 1, 10_000)
        self.goal = fields.pop("goal", "full")
        if self.goal not in ("full", "monochrome", "gathered"):
            raise Unreadable("board.json: goal: expected full, monochrome or gathered")
        stacks = fields.pop("tubes", None)
        tubes, self.colours = coded(stacks, "tubes")
        codes = dict(zip(chain.from_iterable(stacks), b"".join(tubes), strict=True))
        self.partial, self.cork = fields.pop("partial", True), fields.pop("cork", False)
        if type(self.partial) is not bool or type(self.cork) is not bool:
            raise Unreadable("board.json: partial and cork: expected true or false")
        rules = tube_rules(fields, [capacity] * len(tubes), codes)
        if any(len(tube) > rule.capacity for tube, rule in zip(tubes, rules, strict=True)):
            raise Unreadable("board.json: tubes: a tube holds more than its capacity")
        self.rules = list(dict.fromkeys([rule.opened() for rule in rules] + [rule for rule in rules if rule.locked]))
        if len(self.rules) > 256:
            raise Unreadable("board.json: tubes: more than 256 rules")
        number_of = {rule: number for number, rule in enumerate(self.rules)}
        self.opens = [number_of[rule.opened()] for rule in self.rules]
        self.tubes = [bytes([number_of[rule]]) + tube for rule, tube in zip(rules, tubes, strict=True)]
        balls = b"".join(tubes)
        self.size, self.cells = len(tubes), len(tubes) + len(balls)
        self.counts = [balls.count(colour) for colour in range(self.colours)]
        capacities = sorted(rule.capacity for rule in rules)
        self.most = [self.homes(count, capacities) for count in self.counts]
        self.all_counted = sum(map(self.count, self.tubes))
        self.contents: list[bytes] = []
        self.numbers: dict[bytes, int] = {}
        self.top: list[int] = []  # by number: colour on top, -1 for none
        self.bottom: list[int] = []  # by number: colour at the bottom, -1 for none
        self.worth: list[int] = []  # by number: what may be kept: the bottom run, or with water one block
        self.work: list[int] = []  # by number: blocks, or with balls the balls
        self.counted: list[int] = []  # by number: see `count`
        self.complete: list[bool] = []
        self.done: list[bool] = []
        self.pours: dict[tuple[int, int], tuple[int, int] | None] = {}

    def homes(self, count: int, capacities: list[int]) -> int:
        """The most tubes in which a colour of so many balls may be at the goal."""
        if self.goal != "full":
            return 1 if self.goal == "gathered" else len(capacities)
        number = 0
        for capacity in capacities:
            count -= capacity
            if count < 0:
                break
            number += 1
        return number

    def count(self, tube: bytes) -> int:
        """Balls of each colour, then tubes under each rule with its lock open, 32 bits each."""
        return sum(1 << 32 * ball for ball in tube[1:]) + (1 << 32 * (self.colours + self.opens[tube[0]]))

    def number(self, tube: bytes) -> int:
        """The number of a tube."""
        number = self.numbers.setdefault(tube, len(self.contents))
        if number == len(self.contents):
            rule, balls = self.rules[tube[0]], tube[1:]
            self.contents.append(tube)
            self.top.append(balls[-1] if balls else -1)
            self.bottom.append(balls[0] if balls else -1)
            run = len(balls) - len(balls.lstrip(balls[:1]))
            blocks = sum(i == 0 or balls[i] != balls[i - 1] for i in range(len(balls)))
            self.work.append(blocks if self.water else len(balls))
            kept = balls and self.may_keep(rule, balls[0], run)
            self.worth.append(0 if not kept else 1 if self.water else run)
            self.counted.append(self.count(tube))
            whole = bool(balls) and run == len(balls)
            full = whole and run == rule.capacity
            all_there = whole and run == self.counts[balls[0]]
            self.complete.append(full or (all_there and self.goal != "full"))
            self.done.append(not balls or {"full": full, "gathered": all_there}.get(self.goal, whole))
        return number

    def may_keep(self, rule: TubeRule, colour: int, run: int) -> bool:
        """Whether a bottom run may be there at the goal, never having moved."""
        count = self.counts[colour]
        if self.goal == "full":
            return run == rule.capacity or (rule.capacity <= count and rule.lets_in(colour))
        if self.goal == "gathered":
            return run == count or (rule.capacity >= count and rule.lets_in(colour))
        return True

    def learn(self, table: list[bytes]) -> None:
        """See `Rules`; the table comes first, so that its numbers are those of the file."""
        for tube in table:
            possible = tube and tube[0] < len(self.rules) and len(tube) - 1 <= self.rules[tube[0]].capacity
            if not possible or max(tube[1:], default=0) >= self.colours:
                raise NotVerified("labels.bin: a tube that this board can't have")
            self.number(tube)
        self.placed = self.unlocked(map(self.number, self.tubes))
        self.start = tuple(sorted(self.placed))

    def position(self, numbers: tuple[int, ...]) -> Position:
        """See `Rules`."""
        if any(map(lt, numbers[1:], numbers)):
            raise NotVerified("labels.bin: a position whose tubes are not sorted")
        if sum(map(self.counted.__getitem__, numbers)) != self.all_counted:
            raise NotVerified("labels.bin: a position with other balls or rules than the board's")
        return numbers

    def is_goal(self, position: Position) -> bool:
        """See `Rules`."""
        return all(self.done[number] for number in position)

    def unlocked(self, numbers: Iterable[int]) -> list[int]:
        """The tubes in their places, with the locks open that are to be."""
        tubes = list(numbers)
        locked = [i for i, number in enumerate(tubes) if self.rules[self.contents[number][0]].locked]
        if not locked:
            return tubes
        complete = [number for number in tubes if self.complete[number]]
        in_place = [0] * self.colours
        for number in complete:
            in_place[self.top[number]] += len(self.contents[number]) - 1
        for i in locked:
            tube = self.contents[tubes[i]]
            rule = self.rules[tube[0]]
            by_colour = rule.colour is not None and in_place[rule.colour] == self.counts[rule.colour]
            if by_colour or (rule.tubes is not None and len(complete) >= rule.tubes):
                tubes[i] = self.number(bytes([self.opens[tube[0]]]) + tube[1:])
        return tubes

    def pour(self, source: int, target: int) -> tuple[int, int] | None:
        """Both tubes after a move from one to the other; None where the rules forbid it."""
        one, other = self.contents[source], self.contents[target]
        giver, taker = self.rules[one[0]], self.rules[other[0]]
        colour = self.top[source]
        if giver.locked or taker.locked or colour < 0 or not giver.gives or not taker.lets_in(colour):
            return None
        room = taker.capacity - (len(other) - 1)
        if room == 0 or self.top[target] not in (-1, colour) or (self.cork and self.complete[source]):
            return None
        balls = one[1:]
        run = len(balls) - len(balls.rstrip(balls[-1:])) if self.water else 1
        if run > room and not self.partial:
            return None
        amount = min(run, room)
        return self.number(one[:-amount]), self.number(other + one[-amount:])

    def after(self, position: Position) -> Iterator[Position]:
        """See `Rules`. Of equal tubes one is moved from and one is moved to: the rest is the same."""
        pours = self.pours
        targets: dict[int, list[int]] = {}
        for number in dict.fromkeys(position):
            targets.setdefault(self.top[number], []).append(number)
        empty = targets.pop(-1, [])
        for colour, sources in targets.items():
            for pair in product(sources, targets[colour] + empty):
                if pair not in pours:
                    pours[pair] = self.pour(*pair)
                poured = pours[pair]
                if poured is not None and (pair[0] != pair[1] or position.count(pair[0]) > 1):
                    tubes = list(position)
                    tubes.remove(pair[0])
                    tubes.remove(pair[1])
                    yield tuple(sorted(self.unlocked([*tubes, *poured])))

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file; what isn't solved takes a move."""
        worths: list[list[int]] = [[] for _ in range(self.colours + 1)]
        for number in position:
            worths[self.bottom[number]].append(self.worth[number])
        kept = sum(sum(sorted(worths[colour], reverse=True)[:most]) for colour, most in enumerate(self.most))
        return sum(map(self.work.__getitem__, position)) - kept or int(not self.is_goal(position))

    def replay(self, moves: list[Any]) -> None:
        """See `Rules`; a move is ``[from, to]``, from 0."""
        tubes = list(self.placed)
        for step, move in enumerate(moves):
            if not (type(move) is list and len(move) == 2 and all(type(tube) is int for tube in move)):
                raise Unreadable(f"plan.json: plan[{step}]: expected [from, to]")
            source, target = move
            legal = source != target and 0 <= source < len(tubes) and 0 <= target < len(tubes)
            poured = self.pour(tubes[source], tubes[target]) if legal else None
            if poured is None:
                raise NotVerified(f"plan.json: plan[{step}] is no legal move")
            tubes[source], tubes[target] = poured
            tubes = self.unlocked(tubes)
        if not self.is_goal(tuple(tubes)):
            raise NotVerified("plan.json: the board is not solved at the end of the plan")


def tube_rules(fields: dict[str, Any], capacities: list[int], codes: dict[int | str, int]) -> list[TubeRule]:
    """Takes the rules of the tubes out of a board's fields.

    Args:
        fields: of the board.
        capacities: by tube, where nothing else is said.
        codes: the numbers of the colours.
    """
    last = len(capacities) - 1

    def of_type(value: Any, kind: type, where: str) -> Any:
        if type(value) is not kind:
            raise Unreadable(f"board.json: {where}: not as expected")
        return value

    def code(colour: Any, where: str) -> int:
        if type(colour) not in (int, str) or colour not in codes:
            raise Unreadable(f"board.json: {where}: expected a colour of the board")
        return codes[colour]

    if "capacities" in fields:
        said = of_type(fields.pop("capacities"), list, "capacities")
        if len(said) != len(capacities):
            raise Unreadable("board.json: capacities: expected one for each tube")
        capacities = [whole_number(capacity, "capacities", 1, 10_000) for capacity in said]
    rules = [TubeRule(capacity, True, True, None, None, None) for capacity in capacities]
    for value in of_type(fields.pop("no_in", []), list, "no_in"):
        place = whole_number(value, "no_in", 0, last)
        rules[place] = rules[place]._replace(takes=False)
    for value in of_type(fields.pop("no_out", []), list, "no_out"):
        place = whole_number(value, "no_out", 0, last)
        rules[place] = rules[place]._replace(gives=False)
    for name, colours in of_type(fields.pop("accepts", {}), dict, "accepts").items():
        if not re.fullmatch("0|[1-9][0-9]{0,8}", name):
            raise Unreadable("board.json: accepts: expected the numbers of tubes")
        place = whole_number(int(name), "accepts", 0, last)
        accepts = frozenset(code(colour, "accepts") for colour in of_type(colours, list, "accepts"))
        rules[place] = rules[place]._replace(accepts=accepts)
    for value in of_type(fields.pop("locked", []), list, "locked"):
        lock = of_type(value, dict, "locked")
        if set(lock) != {"tube", "until"}:
            raise Unreadable("board.json: locked: expected tube and until")
        place, until = whole_number(lock["tube"], "locked", 0, last), lock["until"]
        if rules[place].locked:
            raise Unreadable("board.json: locked: a tube that stands twice")
        if type(until) is int:
            rules[place] = rules[place]._replace(tubes=whole_number(until, "locked", 1, last + 1))
        else:
            if type(until) is dict and list(until) == ["colour"]:
                until = until["colour"]
            elif type(until) is not str:
                raise Unreadable("board.json: locked: expected a colour or a number of tubes")
            rules[place] = rules[place]._replace(colour=code(until, "locked"))
    return rules


def sort_rules(fields: dict[str, Any]) -> Sort | Ruled:
    """The rules of a sort board, plain or with rules for tubes."""
    if fields.pop("reveal", "run") not in ("run", "cell"):  # no matter where nothing is hidden
        raise Unreadable("board.json: reveal: expected run or cell")
    beyond = {"accepts", "capacities", "cork", "locked", "no_in", "no_out", "partial"} & fields.keys()
    return Ruled(fields) if beyond or fields.get("goal") == "gathered" else Sort(fields)


class Tiles:
    """Tiles; a column is a byte string, bottom first, and a position is the tuple of them."""

    def __init__(self, fields: dict[str, Any]) -> None:
        del fields["puzzle"]
        columns, self.colours = coded(fields.pop("columns", None), "columns")
        self.start: Position = tuple(columns)
        self.height = max(map(len, columns))
        self.size, self.cells = len(columns), sum(map(len, columns)) + len(columns)
        self.table: list[bytes] = []

    def learn(self, table: list[bytes]) -> None:
        """See `Rules`."""
        if any(len(column) > self.height or max(column, default=0) >= self.colours for column in table):
            raise NotVerified("labels.bin: a column that this board can't have")
        self.table = table

    def position(self, numbers: tuple[int, ...]) -> Position:
        """See `Rules`."""
        return tuple(self.table[number] for number in numbers)

    def is_goal(self, position: Position) -> bool:
        """See `Rules`."""
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
        changed = {x for x, _ in group}
        return tuple(
            bytes(tile for y, tile in enumerate(tiles) if (x, y) not in group) if x in changed else tiles
            for x, tiles in enumerate(columns)
        )

    def after(self, position: Position) -> Iterator[Position]:
        """See `Rules`."""
        return (self.click(position, x) for x, column in enumerate(position) if column)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        before: set[int] = set()
        runs = 0
        for column in position:
            colours = set(column)
            runs += len(colours - before)
            before = colours
        return runs

    def replay(self, moves: list[Any]) -> None:
        """See `Rules`; a move is a column, from 0."""
        position = self.start
        for step, column in enumerate(moves):
            if type(column) is not int:
                raise Unreadable(f"plan.json: plan[{step}]: expected a column")
            if not 0 <= column < len(position) or not position[column]:
                raise NotVerified(f"plan.json: plan[{step}] is no legal move")
            position = self.click(position, column)
        if not self.is_goal(position):
            raise NotVerified("plan.json: the board is not solved at the end of the plan")


class Shot:
    """Shot; a row is the byte string of the columns where its balls are, and a position is the tuple of the rows.

    A ball that is sent stops before the next one on its line, which isn't adjacent and goes on to the one after that,
    and so on; the last one leaves. So of the line, the ball that is sent goes, and those ahead come one nearer.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        del fields["puzzle"]
        self.width = whole_number(fields.pop("width", None), "width", 1, 100)
        self.height = whole_number(fields.pop("height", None), "height", 1, 100)
        balls = fields.pop("balls", None)
        if type(balls) is not list or not balls:
            raise Unreadable("board.json: balls: expected a list of places")
        rows: list[set[int]] = [set() for _ in range(self.height)]
        for ball in balls:
            if type(ball) is not list or len(ball) != 2:
                raise Unreadable("board.json: balls: expected [x, y]")
            x = whole_number(ball[0], "balls", 0, self.width - 1)
            y = whole_number(ball[1], "balls", 0, self.height - 1)
            if x in rows[y]:
                raise Unreadable("board.json: balls: two in one place")
            rows[y].add(x)
        self.start: Position = tuple(bytes(sorted(row)) for row in rows)
        self.size, self.cells = self.height, self.height + len(balls)
        self.table: list[bytes] = []

    def learn(self, table: list[bytes]) -> None:
        """See `Rules`."""
        if any(any(map(lt, row[1:], row)) or len(set(row)) < len(row) or row[-1:] >= self.edge() for row in table):
            raise NotVerified("labels.bin: a row that this board can't have")
        self.table = table

    def edge(self) -> bytes:
        """The first column outside."""
        return bytes([self.width])

    def position(self, numbers: tuple[int, ...]) -> Position:
        """See `Rules`."""
        position = tuple(self.table[number] for number in numbers)
        if not any(position):
            raise NotVerified("labels.bin: a position without balls")
        return position

    def is_goal(self, position: Position) -> bool:
        """See `Rules`."""
        return sum(map(len, position)) == 1

    def knock(self, line: bytes, ball: int, forward: bool) -> bytes | None:
        """A line after its ball number ``ball`` is sent to higher or lower places; None where the rules forbid it."""
        if forward:
            if ball + 1 == len(line) or line[ball + 1] == line[ball] + 1:
                return None
            return line[:ball] + bytes(place - 1 for place in line[ball + 1 :])
        if ball == 0 or line[ball - 1] == line[ball] - 1:
            return None
        return bytes(place + 1 for place in line[:ball]) + line[ball + 1 :]

    def column(self, rows: Position, x: int) -> bytes:
        """The rows that have a ball in column ``x``."""
        return bytes(y for y, row in enumerate(rows) if x in row)

    def with_column(self, rows: Position, x: int, column: bytes) -> Position:
        """The position with other balls in column ``x``."""
        return tuple(row if (x in row) == (y in column) else bytes(sorted({*row} ^ {x})) for y, row in enumerate(rows))

    def after(self, position: Position) -> Iterator[Position]:
        """See `Rules`."""
        for y, row in enumerate(position):
            for ball in range(len(row)):
                for forward in (False, True):
                    line = self.knock(row, ball, forward)
                    if line is not None:
                        yield (*position[:y], line, *position[y + 1 :])
        for x in set(chain.from_iterable(position)):
            column = self.column(position, x)
            for ball in range(len(column)):
                for forward in (False, True):
                    line = self.knock(column, ball, forward)
                    if line is not None:
                        yield self.with_column(position, x, line)

    def bound(self, position: Position) -> int:
        """See `Rules` and the top of this file."""
        return sum(map(len, position)) - 1

    def replay(self, moves: list[Any]) -> None:
        """See `Rules`; a move is ``[x, y, direction]``, from 0, y downwards."""
        position = self.start
        for step, move in enumerate(moves):
            shaped = type(move) is list and len(move) == 3 and type(move[0]) is type(move[1]) is int
            if not shaped or move[2] not in ("left", "right", "up", "down"):
                raise Unreadable(f"plan.json: plan[{step}]: expected [x, y, direction]")
            x, y, direction = move
            line = None
            if 0 <= y < self.height and x in {*position[y]}:
                forward = direction in ("right", "down")
                if direction in ("left", "right"):
                    line = self.knock(position[y], position[y].index(x), forward)
                    moved = (*position[:y], line, *position[y + 1 :])
                else:
                    column = self.column(position, x)
                    line = self.knock(column, column.index(y), forward)
                    moved = self.with_column(position, x, line or b"")
            if line is None:
                raise NotVerified(f"plan.json: plan[{step}] is no legal move")
            position = moved
        if not self.is_goal(position):
            raise NotVerified("plan.json: the board is not solved at the end of the plan")


PUZZLES: dict[str, Callable[[dict[str, Any]], Rules]] = {
    "ball-sort": sort_rules,
    "water-sort": sort_rules,
    "tiles": Tiles,
    "shot": Shot,
}


def whole_number(value: Any, where: str, least: int, most: int) -> int:
    """``value``, if it is an integer in range."""
    if type(value) is int and least <= value <= most:
        return value
    raise Unreadable(f"board.json: {where}: expected a number from {least} to {most}")


def coded(stacks: Any, where: str) -> tuple[list[bytes], int]:
    """Lists of colours as byte strings, colours numbered as they come first, and the number of colours."""
    if type(stacks) is not list or not stacks or not all(type(stack) is list for stack in stacks):
        raise Unreadable(f"board.json: {where}: expected lists of colours")
    codes: dict[int | str, int] = {}
    for colour in chain.from_iterable(stacks):
        if type(colour) is not int and type(colour) is not str:
            raise Unreadable(f"board.json: {where}: expected colours that are texts or whole numbers")
        codes.setdefault(colour, len(codes))
    if len(codes) > 256:
        raise Unreadable(f"board.json: {where}: more than 256 colours")
    return [bytes(codes[colour] for colour in stack) for stack in stacks], len(codes)


# -- borders ---------------------------------------------------------------------------------------------


def border_tables_lead_out(tubes: list[bytes], capacity: int) -> tuple[bool, int]:
    """Searches the border tables of a sort board, either rule, either goal; False means that it has no plan.

    A **border** is a place in a tube where the colour changes. At a goal there are none, and no move makes one. In
    each tube they go from the top down, each when all balls above it have been dug away. A **border table** says how
    many are left in each tube. Take the moment when the last ball above the highest border of a tube b leaves. For
    each colour c, the balls of c that started above the borders of the table have been above them ever since. Some of
    them lie above the borders of tubes that have borders left: only where the ball next above the highest border is a
    c, and not in b, so in at most as many places as there are above the borders of such tubes other than b. All
    others are in tubes without borders. Each of these holds one colour, so each colour needs as many tubes for
    itself as its other balls fill, rounded up; and the table says how many there are. If they are too few, b's
    border can't go next.

    So a plan walks through tables by steps that pass this test, from the board's to the one without borders. Tubes
    that start alike are taken for one another: of tables that differ by such a swap one is looked at.

    Returns:
        Whether such a way exists, and the number of tables seen.

    Raises:
        NotVerified: there are too many tables.
    """
    tubes = sorted(tubes)
    alike = [tubes.index(tube) for tube in tubes]
    heights = [[0] + [y for y in range(1, len(tube)) if tube[y] != tube[y - 1]] for tube in tubes]
    colours = sorted({*b"".join(tubes)})
    most = MAX_TABLES // (sum(map(len, tubes)) + len(tubes) ** 2 + len(colours))
    start = tuple(len(places) - 1 for places in heights)
    seen = {start}
    waiting = [start]
    while waiting:
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
        if len(seen) > most:
            raise NotVerified("too many border tables for this checker")
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
    """A JSON object without fractions and long numbers, and with each key once."""

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
    return value


def read_board(folder: Path) -> tuple[Rules, str, tuple[str, ...]]:
    """The rules of the board, the puzzle's name, and the board to be printed."""
    fields = read_json(folder, "board.json")
    board = dict(fields)
    if not all(type(fields.pop(key, "")) is str for key in ("name", "source")):
        raise Unreadable("board.json: name and source: expected texts")
    if type(kind := fields.get("puzzle")) is not str or kind not in PUZZLES:
        raise Unreadable(f"board.json: puzzle: expected one of {', '.join(PUZZLES)}")
    rules = PUZZLES[kind](fields)
    if fields:  # whatever it may mean, it isn't looked at here
        raise Unreadable(f"board.json: unknown keys: {', '.join(sorted(map(ascii, fields)))}")
    return rules, kind, tuple(drawn(kind, board))


def drawn(kind: str, board: dict[str, Any]) -> Iterator[str]:
    """A board line by line: tubes or columns with their colours from the bottom, or rows of balls from the top.

    In ASCII, whatever the names of the colours hold; rules for tubes as the file has them, which counts tubes from 0.
    """
    if kind == "shot":
        balls = set(map(tuple, board["balls"]))
        yield f"{kind}:"
        for y in range(board["height"]):
            yield "  " + "".join("#" if (x, y) in balls else "." for x in range(board["width"]))
    elif kind == "tiles":
        yield f"{kind}, columns bottom first:"
        yield from (f"  {number}: {json.dumps(column)}" for number, column in enumerate(board["columns"], start=1))
    else:
        yield f"{kind}, capacity {board['capacity']}, goal {board.get('goal', 'full')}, tubes bottom first:"
        yield from (f"  {number}: {json.dumps(tube)}" for number, tube in enumerate(board["tubes"], start=1))
        known = {"puzzle", "capacity", "goal", "tubes", "name", "source"}
        yield from (f"  {key}: {json.dumps(board[key])}" for key in sorted(board.keys() - known))


def read_labels(folder: Path, rules: Rules) -> dict[Position, int]:
    """The listed positions with their labels."""
    data = read_file(folder, "labels.bin", MAX_LABELS_BYTES)
    match = HEADER.match(data)
    if match is None:
        raise Unreadable("labels.bin: no header of this format")
    parts, table_bytes, count, size, number_bytes, label_bytes = map(int, match.groups())
    if size != rules.size:
        raise NotVerified(f"labels.bin: positions of {size} parts, but the board has {rules.size}")
    expected = table_bytes + count * (label_bytes + size * number_bytes)
    too_large = table_bytes > MAX_TABLE_BYTES or count > MAX_POSITIONS or count * size > MAX_NUMBERS
    if too_large or count * size * size > MAX_WORK:
        raise Unreadable("labels.bin: too large for this checker")
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(data[match.end() :], expected + 1)
    except zlib.error as error:
        raise Unreadable(f"labels.bin: {error}") from None
    if len(unpacked) != expected or not stream.eof or stream.unused_data or stream.unconsumed_tail:
        raise Unreadable("labels.bin: the compressed part is not as long as the header says")
    table = read_table(unpacked[:table_bytes], parts)
    rules.learn(table)
    labels = [INFINITE if label == 0 else label for label in numbers_at(unpacked, table_bytes, count, label_bytes)]
    at = table_bytes + count * label_bytes
    step = count * number_bytes
    columns = [numbers_at(unpacked, at + place * step, count, number_bytes) for place in range(size)]
    del unpacked
    if any(max(column, default=0) >= parts for column in columns if count):
        raise Unreadable("labels.bin: a part that is not in the table")
    listed: list[tuple[int, ...]] = list(zip(*columns, strict=True))
    if not all(map(lt, listed, listed[1:])):
        raise Unreadable("labels.bin: the positions are not in strictly rising order")
    return dict(zip(map(rules.position, listed), labels, strict=True))


def read_table(data: bytes, parts: int) -> list[bytes]:
    """Byte strings, each after its length in two bytes, the low one first; in strictly rising order."""
    table = []
    place = 0
    for _ in range(parts):
        length = int.from_bytes(data[place : place + 2], "little")
        part = data[place + 2 : place + 2 + length]
        if len(data) - place < 2 + length:
            raise Unreadable("labels.bin: the table of parts is cut off")
        table.append(part)
        place += 2 + length
    if place != len(data) or not all(map(lt, table, table[1:])):
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


def check_folder(folder: Path) -> Checked:
    """Checks a certificate.

    Raises:
        Unreadable: a file is missing or isn't what the format says.
        NotVerified: the claim isn't shown.
    """
    claim = read_json(folder, "claim.json")
    status, length, proof = (claim.pop(key, None) for key in ("status", "length", "proof"))
    known = (proof == "labels" or (proof == "borders" and status == "unsolvable")) and not claim
    if not known or {"optimal": int, "unsolvable": type(None)}.get(str(status)) is not type(length):
        raise Unreadable("claim.json: no claim that this program can check")
    rules, kind, board = read_board(folder)
    if proof == "borders":
        if not isinstance(rules, Sort):
            raise Unreadable("claim.json: borders are for sort puzzles without rules for tubes")
        way_out, tables = border_tables_lead_out(rules.tubes, rules.capacity)
        if way_out:
            raise NotVerified("the border argument finds no obstacle")
        return Checked(kind, None, "borders", tables, 0, 0, board)
    labels = read_labels(folder, rules)
    bound = rules.bound(rules.start)
    worth = labels.get(rules.start, bound)
    if length is None:
        if worth != INFINITE:
            raise NotVerified("the claim is that there is no plan, but the board has no label that says so")
    else:
        plan = read_json(folder, "plan.json")
        if type(plan.get("plan")) is not list or len(plan) != 1:
            raise Unreadable("plan.json: expected a list of moves under plan")
        if len(plan["plan"]) != length:
            raise NotVerified(f"the claim is {length} moves, but the plan has {len(plan['plan'])}")
        if length * rules.cells > MAX_REPLAY:
            raise Unreadable("plan.json: too long for this checker")
        rules.replay(plan["plan"])
        if worth < length:
            raise NotVerified(f"the claim is {length} moves, but the board's label or bound is {worth}")
    return Checked(kind, length, "labels", len(labels), check_labels(rules, labels), bound, board)


def main() -> int:
    """Runs the program."""
    if len(sys.argv) != 2:
        print("usage: python check_labels.py DIR", file=sys.stderr)
        return 2
    try:
        checked = check_folder(Path(sys.argv[1]))
        print("Board: " + "\n".join(checked.board), checked, sep="\n")
    except NotVerified as error:
        print(f"Not verified: {error}")
        return 1
    except (Unreadable, MemoryError) as error:
        print(f"Unreadable: {error or 'out of memory'}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
