"""Positions with rules for single tubes or covered cells, in classes of their own to keep plain boards fast.

`bsp_sat.instances.sorting.position` reads every board; a board beyond the plain form gets a class from here. The moves
are those of the plain rules without those that `Rules` forbid:

* a locked tube, or one that takes nothing, is no target; a locked tube, one that gives nothing, or a corked one is no
  source; a tube takes only the colours that it accepts;
* if partial pours are refused, water isn't poured into a tube without room for all of it;
* a covered cell counts as part of the run above it, except in water sort with the reveal rule ``cell``: there a pour
  stops at it, so that covers are part of the position.

**The lower bound** is the plain one, with homes limited by the rules of the tubes. Say that a tube *may keep* its
bottom run if it is sorted as the goal asks, or may be at the goal (`bsp_sat.instances.sorting.rules.may_end_in`).

* Ball sort: a ball that never moves lies at the goal in a sorted tube, at the bottom with its own colour, and so in the
  bottom run of a tube that may keep it. A colour has at most `most_homes` such tubes. Every other ball moves.
* Water sort: φ = blocks − Σ over the colours of min(most homes, bottom blocks that may be kept). It is 0 at every goal,
  where each tube is one block that may be kept. And a pour lowers it by at most one: whether a tube may keep its bottom
  block depends on the block's colour and, in a tube that doesn't let the colour in, on its size, which never grows
  there; so a pour creates a bottom block that may be kept only by starting it in an empty tube. Then it removes no
  block. Otherwise it removes at most one block: if all of a run lands on its colour.

Rules only forbid moves, so nothing else has to be shown.

At the goal ``wanted`` other tubes may stay as they are, so the bound counts arrivals alone: a tube that ends full of a
colour gets every ball but those of that colour at its bottom, one a move in ball sort; in water sort it gets at least
one pour unless it is full of it already. For each colour the tubes that need the fewest count, as many as are wanted; a
tube that doesn't let the colour in counts only if it is full of it. A move adds balls of one colour to one tube alone,
so the sum over the colours is a bound and falls by at most one. It is 0 at the goal alone.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Cell, Colour, Picture, check_colours
from bsp_sat.instances.sorting.fields import GOALS, Goal, SortFields
from bsp_sat.instances.sorting.position import MAX_CAPACITY, MONOCHROME, SEVERAL_HOMES, Pour, SortPuzzle
from bsp_sat.instances.sorting.rules import COVERED, GATHERED, UNKNOWN, WANTED, Rules, TubeRule, may_end_in, most_homes
from bsp_sat.instances.sorting.tubes import block_count, bottom_run, top_run
from bsp_sat.instances.symbols import symbols_for


@dataclass(frozen=True, slots=True)
class RuledSort(SortPuzzle):
    """A position with `Rules`. ``capacity`` is the default for tubes.

    Attributes:
        rules: the current rules: locks that have opened are gone.
        covers: for each tube, bit p is set if the cell at place p, from the bottom, is covered.
    """

    rules: Rules
    covers: tuple[int, ...]

    def __hash__(self) -> int:
        return hash(self.tubes)

    @classmethod
    def from_tubes(cls, tubes: Sequence[Sequence[Colour]], capacity: int, goal: Goal = "full") -> Self:
        """The position of a plain board, see `SortPuzzle.from_tubes`."""
        return cls.with_rules(SortFields(capacity=capacity, tubes=[list(tube) for tube in tubes], goal=goal))

    def check(self) -> None:
        """See `Puzzle.check`."""
        tubes, rules = self.tubes, self.rules
        found = (len(tubes), len(rules.tubes), len(self.covers))
        if not tubes or len(set(found)) > 1:
            raise BoardError("tubes", f"expected one or more, and rules and covers for each, found {found}")
        if self.goal not in GOALS:
            raise BoardError("goal", f"expected {' or '.join(GOALS)}, found {self.goal!r}")
        check_colours("tubes", tubes, self.palette, self._not_colours())
        numbers = frozenset(range(len(self.palette)))
        for place, (tube, rule, cover) in enumerate(zip(tubes, rules.tubes, self.covers, strict=True)):
            if not 1 <= rule.capacity <= MAX_CAPACITY:
                raise BoardError(f"capacities[{place}]", f"expected 1 to {MAX_CAPACITY}, found {rule.capacity}")
            if len(tube) > rule.capacity:
                problem = f"expected at most {rule.capacity} balls (its capacity), found {len(tube)}"
                raise BoardError(f"tubes[{place}]", problem)
            if not 0 <= cover < 1 << len(tube):
                raise BoardError(f"hidden[{place}]", f"expected bits for {len(tube)} balls, found {cover:#b}")
            if not numbers.issuperset(rule.colours):
                raise BoardError(f"tubes[{place}]", "expected rules that name colours of the board")
        known = Counter(b"".join(tubes))
        missing = [count - known[colour] for colour, count in enumerate(rules.counts)]
        if len(missing) != len(numbers) or min(missing, default=0) < 0 or sum(missing) != known[UNKNOWN]:
            raise BoardError("colours", "expected the number of balls of each colour on the board")
        if len(rules.wanted) != (len(numbers) if self.goal == "wanted" else 0):
            raise BoardError("wanted", "expected a number for each colour at the goal wanted, and none at others")

    def _not_colours(self) -> bytes:
        """The numbers of balls that aren't those of colours."""
        return b""

    @property
    def capacities(self) -> tuple[int, ...]:
        """The capacity of each tube."""
        return tuple(rule.capacity for rule in self.rules.tubes)

    def with_more_tubes(self, number: int) -> Self:
        """See `SortPuzzle.with_more_tubes`. The new tubes have no rules."""
        rules = replace(self.rules, tubes=(*self.rules.tubes, *[TubeRule(self.capacity)] * number))
        return self._with((*self.tubes, *[b""] * number), rules, (*self.covers, *[0] * number))

    @property
    def stops_at_covers(self) -> bool:
        """Whether covers affect the moves."""
        return self.whole_run and self.rules.reveal == "cell"

    def features(self) -> frozenset[str]:
        """The features of the position."""
        found = set(self.rules.features())
        if self.goal == "gathered":
            found.add(GATHERED)
        elif self.goal == "wanted":
            found.add(WANTED)
        elif self.goal == "monochrome":
            found.add(MONOCHROME)
        elif max(most_homes(self.rules, self.goal), default=0) > 1:
            found.add(SEVERAL_HOMES)
        if self.stops_at_covers and any(self.covers):
            found.add(COVERED)
        return frozenset(found)

    # -- rules --------------------------------------------------------------------------------

    def _gives(self, place: int) -> bool:
        """Whether a non-empty tube may be a source."""
        rule = self.rules.tubes[place]
        if rule.lock is not None or not rule.gives:
            return False
        return not (self.rules.cork and self.rules.is_complete(self.tubes[place], place, self.goal))

    def run_of(self, place: int) -> int:
        """The number of balls that a pour from a tube takes, if they fit."""
        tube = self.tubes[place]
        if not self.whole_run:
            return min(1, len(tube))
        run = top_run(tube)
        if self.stops_at_covers and (cover := self.covers[place]):
            return min(run, len(tube) - cover.bit_length())
        return run

    def legal_moves(self) -> Iterator[Pour]:
        """All legal moves, by source and then by target."""
        tubes, rules = self.tubes, self.rules.tubes
        targets = [
            (place, tube[-1] if tube else None, rules[place].capacity - len(tube), rules[place].accepts)
            for place, tube in enumerate(tubes)
            if len(tube) < rules[place].capacity and rules[place].lock is None and rules[place].takes
        ]
        for source, tube in enumerate(tubes):
            if tube and self._gives(source):
                colour = tube[-1]
                least = 1 if self.rules.partial else self.run_of(source)
                for target, top, room, accepts in targets:
                    if (
                        (top is None or top == colour)
                        and target != source
                        and room >= least
                        and (accepts is None or colour in accepts)
                    ):
                        yield Pour(source, target)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """The prunings of plain boards, between tubes of equal rules (docs/variants.md).

        * ``finished``: if all tubes have equal rules, don't touch a tube that holds every ball of its colour and that
          the goal accepts; not at the goal ``wanted``.
        * ``whole-tube``: don't move a one-colour tube into an empty one of equal rules; in ball sort only where there
          are no corks.
        * ``one-empty``: of several empty targets of equal rules, use the first.
        """
        tubes, rules = self.tubes, self.rules
        finished = "finished" in prunings and rules.tubes_alike and self.goal != "wanted"
        whole = "whole-tube" in prunings and (self.whole_run or not rules.cork)
        first_empty: dict[TubeRule, int] = {}
        for place, tube in enumerate(tubes):
            if not tube:
                first_empty.setdefault(rules.tubes[place], place)
        for move in self.legal_moves():
            source, target = move
            tube = tubes[source]
            if finished and self._is_sorted_at(source) and len(tube) == rules.counts[tube[0]]:
                continue
            if not tubes[target]:
                rule = rules.tubes[target]
                if whole and rules.tubes[source] == rule and self._is_bare(source) and top_run(tube) == len(tube):
                    continue
                if "one-empty" in prunings and target != first_empty[rule]:
                    continue
            yield move

    def _is_bare(self, place: int) -> bool:
        return not (self.stops_at_covers and self.covers[place])

    def apply(self, move: Pour) -> Self:
        """The position after a legal move. Uncovers tops and opens locks."""
        source, target = move
        tubes = list(self.tubes)
        tube = tubes[source]
        amount = min(self.run_of(source), self.rules.tubes[target].capacity - len(tubes[target]))
        tubes[source] = tube[:-amount]
        tubes[target] += tube[-amount:]
        covers = self.covers
        if covers[source]:
            covers = (*covers[:source], self._uncovered(tubes[source], covers[source]), *covers[source + 1 :])
        return self._with(tuple(tubes), self.rules, covers).settled()

    def _with(self, tubes: tuple[bytes, ...], rules: Rules, covers: tuple[int, ...]) -> Self:
        return type(self)(tubes, self.capacity, self.goal, self.palette, rules, covers)

    def _uncovered(self, tube: bytes, cover: int) -> int:
        """The covers that stay on a tube whose top is visible."""
        shown = top_run(tube) if self.rules.reveal == "run" else min(1, len(tube))
        return cover & ((1 << (len(tube) - shown)) - 1)

    def open_locks(self, places: Collection[int]) -> Self:
        """The position with the locks of some tubes open, and their tops uncovered."""
        tubes = tuple(rule.base if place in places else rule for place, rule in enumerate(self.rules.tubes))
        return self._with(self.tubes, replace(self.rules, tubes=tubes), self.covers).uncovered()

    def settled(self) -> Self:
        """The position with all due locks open, and the tops of open tubes uncovered."""
        rules = self.rules.opened_by(self.tubes, self.goal) if self.rules.locked else self.rules
        if rules is self.rules:
            return self
        return self._with(self.tubes, rules, self.covers).uncovered()

    def uncovered(self) -> Self:
        """The position with the tops of open tubes uncovered."""
        covers = tuple(
            cover if rule.lock is not None else self._uncovered(tube, cover)
            for tube, cover, rule in zip(self.tubes, self.covers, self.rules.tubes, strict=True)
        )
        return self._with(self.tubes, self.rules, covers)

    @abstractmethod
    def bare(self) -> SortPuzzle:
        """The position as one of the plain class; for positions without `features`, whose covers make no difference."""

    @abstractmethod
    def with_unknown(self, tubes: tuple[bytes, ...]) -> "RuledSort":
        """The position with the unknown balls of ``tubes``, except those that follow from the counts."""

    def refusal(self, move: Pour) -> str | None:
        """Why ``move`` is illegal here; None if it is legal."""
        source, target = move
        if (reason := self._no_move(move)) is not None:
            return reason
        for place in move:
            if (lock := self.rules.tubes[place].lock) is not None:
                return f"tube {place + 1} is locked until {self._opens(lock.colour, lock.tubes)}"
        if not self.rules.tubes[source].gives:
            return f"nothing may be taken from tube {source + 1}"
        if not self._gives(source):
            return f"tube {source + 1} is complete and corked"
        rule = self.rules.tubes[target]
        if not rule.takes:
            return f"nothing may be put into tube {target + 1}"
        room = rule.capacity - len(self.tubes[target])
        if room <= 0:
            return f"tube {target + 1} is full"
        ball = self.tubes[source][-1]
        if self.tubes[target] and self.tubes[target][-1] != ball:
            taken, there = (self.palette[self.tubes[place][-1]] for place in move)
            return f"{taken} cannot go on {there}"
        if not rule.lets_in(ball):
            return f"tube {target + 1} does not accept {self.palette[ball]}"
        if not self.rules.partial and self.run_of(source) > room:
            return f"tube {target + 1} has no room for all of it, and partial pours are refused"
        return None

    def _opens(self, colour: int | None, tubes: int | None) -> str:
        if colour is not None:
            return f"{self.palette[colour]} is complete"
        return "a tube is complete" if tubes == 1 else f"{tubes} tubes are complete"

    def tube_json(self, place: int) -> dict[str, Any]:
        """The current rules of a tube, for display.

        ``capacity``; ``locked``, a text that says until when, or null; ``corked``, ``takes`` and ``gives``;
        ``accepts``, the colours that may be put in, or null for all.
        """
        rule = self.rules.tubes[place]
        return {
            "capacity": rule.capacity,
            "locked": None if rule.lock is None else f"until {self._opens(rule.lock.colour, rule.lock.tubes)}",
            "corked": self.rules.cork and self.rules.is_complete(self.tubes[place], place, self.goal),
            "takes": rule.takes,
            "gives": rule.gives,
            "accepts": None if rule.accepts is None else [self.palette[colour] for colour in rule.accepts],
        }

    def is_goal(self) -> bool:
        """Whether every tube is sorted as the goal asks, or as many as are wanted."""
        if self.goal == "wanted":
            return not any(self._missing())
        return all(map(self._is_sorted_at, range(len(self.tubes))))

    def _missing(self) -> list[int]:
        """At the goal ``wanted``, by colour how many more tubes are to be full of it."""
        missing = list(self.rules.wanted)
        for place, tube in enumerate(self.tubes):
            if self.rules.is_complete(tube, place, "wanted") and missing[tube[0]]:
                missing[tube[0]] -= 1
        return missing

    def _in_words(self, tubes: Sequence[int]) -> str:
        """Numbers of full tubes by colour."""
        return ", ".join(f"{number} of {self.palette[colour]}" for colour, number in enumerate(tubes) if number)

    def _is_sorted_at(self, place: int) -> bool:
        return self.rules.is_sorted(self.tubes[place], place, self.goal)

    def _may_keep(self, place: int) -> bool:
        """Whether the bottom run of a non-empty tube may stay there until the goal without moving.

        A tube that doesn't let its colour in must already hold what the goal asks for: it is full of it at ``full``; at
        ``gathered`` its bottom run has every ball of the colour.
        """
        tube = self.tubes[place]
        if may_end_in(self.rules, self.goal)[place][tube[0]]:
            return True
        run = bottom_run(tube)
        if self.goal == "full":
            return run == self.rules.tubes[place].capacity
        return self.goal == "monochrome" or run == self.rules.counts[tube[0]]

    def canonical(self) -> Self:
        """The position with tubes of equal rules sorted, and without covers that make no difference."""
        tubes, covers = list(self.tubes), [0] * len(self.tubes)
        bare = not (self.stops_at_covers and any(self.covers))
        for places in self.rules.classes:
            if bare:
                if len(places) > 1:
                    for place, tube in zip(places, sorted(self.tubes[place] for place in places), strict=True):
                        tubes[place] = tube
            else:
                found = sorted((self.tubes[place], self.covers[place]) for place in places)
                for place, (tube, cover) in zip(places, found, strict=True):
                    tubes[place], covers[place] = tube, cover
        return self._with(tuple(tubes), self.rules, tuple(covers))

    def lower_bound(self) -> int:
        """See the module docstring; at least 1 unless the board is solved."""
        if self.goal == "wanted":
            return sum(self._arrivals(colour, tubes) for colour, tubes in enumerate(self.rules.wanted) if tubes)
        worth: dict[int, list[int]] = {}
        work = 0
        for place, tube in enumerate(self.tubes):
            if tube:
                work += block_count(tube) if self.whole_run else len(tube)
                if self._may_keep(place):
                    worth.setdefault(tube[0], []).append(1 if self.whole_run else bottom_run(tube))
        most = most_homes(self.rules, self.goal)
        for colour, values in worth.items():
            work -= sum(sorted(values, reverse=True)[: most[colour]])
        return work or (0 if self.is_goal() else 1)

    def _arrivals(self, colour: int, tubes: int) -> int:
        """A lower bound on the moves that put balls of a colour into the tubes that end full of it."""
        needs = []
        for tube, rule in zip(self.tubes, self.rules.tubes, strict=True):
            need = rule.capacity - (bottom_run(tube) if tube and tube[0] == colour else 0)
            if not need or rule.lets_in(colour):
                needs.append(min(1, need) if self.whole_run else need)
        return sum(sorted(needs)[:tubes])

    def home_tubes(self, colour: int) -> int:
        """An upper bound on the tubes of ``colour`` at the goal."""
        return most_homes(self.rules, self.goal)[colour]

    # -- files and people -----------------------------------------------------------------------

    def unfinished(self) -> str:
        """Which tubes are not sorted yet, or what is wanted besides."""
        if self.goal == "wanted":
            return "" if self.is_goal() else f"full tubes are missing: {self._in_words(self._missing())}"
        wrong = [str(place + 1) for place in range(len(self.tubes)) if not self._is_sorted_at(place)]
        if not wrong:
            return ""
        wanted = {
            "full": "one colour and full",
            "monochrome": "one colour",
            "gathered": "one colour, with all of its balls",
        }[self.goal]
        return f"tube{'s' if len(wrong) > 1 else ''} {', '.join(wrong)} should be {wanted}"

    def misreading(self) -> tuple[str, Self] | None:
        """None: misreadings aren't guessed for boards with rules."""
        return None

    def to_json(self) -> dict[str, Any]:
        """The fields of plain boards, and the rules that aren't the default."""
        rules = self.rules.tubes
        fields = SortPuzzle.to_json(self)  # `super()` fails in classes that `dataclass` recreates for slots
        if self.rules.wanted:
            fields["wanted"] = {str(self.palette[i]): tubes for i, tubes in enumerate(self.rules.wanted) if tubes}
        if self.rules.reveal != self.usual_reveal():
            fields["reveal"] = self.rules.reveal
        if any(self.covers):
            fields["hidden"] = [
                [bool(cover >> place & 1) for place in range(len(tube))]
                for tube, cover in zip(self.tubes, self.covers, strict=True)
            ]
        if set(self.capacities) != {self.capacity}:
            fields["capacities"] = list(self.capacities)
        locked = [{"tube": place, "until": self._until(place)} for place in self.rules.locked]
        lists = {
            "locked": locked,
            "no_in": [place for place, rule in enumerate(rules) if not rule.takes],
            "no_out": [place for place, rule in enumerate(rules) if not rule.gives],
            "accepts": {
                str(place): [self.palette[colour] for colour in rule.accepts]
                for place, rule in enumerate(rules)
                if rule.accepts is not None
            },
        }
        fields.update({key: value for key, value in lists.items() if value})
        if not self.rules.partial:
            fields["partial"] = False
        if self.rules.cork:
            fields["cork"] = True
        return fields

    def _until(self, place: int) -> Any:
        lock = self.rules.tubes[place].lock
        assert lock is not None
        if lock.colour is None:
            return lock.tubes
        colour = self.palette[lock.colour]
        return colour if isinstance(colour, str) else {"colour": colour}

    def summary(self) -> str:
        """For example ``water-sort, 9 colours, 11 tubes of 4 to 6, 2 locked``."""
        goal = "" if self.goal == "full" else f", goal {self.goal}"
        if self.goal == "wanted":
            goal = f", full tubes wanted: {self._in_words(self.rules.wanted)}"
        colours = f"{len(self.palette)} colour{'s' if len(self.palette) != 1 else ''}"
        least, most = min(self.capacities), max(self.capacities)
        size = f"{least}" if least == most else f"{least} to {most}"
        said = f", {len(self.rules.locked)} locked" if self.rules.locked else ""
        covered = sum(cover.bit_count() for cover in self.covers)
        said += f", {covered} cell{'s' if covered > 1 else ''} covered" if covered else ""
        return f"{self.kind}, {colours}, {len(self.tubes)} tubes of {size}{said}{goal}"

    def picture(self) -> Picture:
        """The tubes as columns, with a row below them for locks and directions if there are any."""
        symbols = symbols_for(self.palette)
        tallest = self.rules.tallest
        rows = [
            tuple(self._cell(place, level, symbols) for place in range(len(self.tubes)))
            for level in reversed(range(tallest))
        ]
        marks = [self._mark(rule, symbols) for rule in self.rules.tubes]
        if any(marks):
            rows.append(tuple(Cell(mark or " ") for mark in marks))
        header = tuple(str(number) for number in range(1, len(self.tubes) + 1))
        return Picture(tuple(rows), header, tuple(zip(symbols, self.palette, strict=True)))

    def _cell(self, place: int, level: int, symbols: Sequence[str]) -> Cell:
        tube = self.tubes[place]
        if level < len(tube):
            return Cell(symbols[tube[level]], self.palette[tube[level]])
        return Cell("·" if level < self.rules.tubes[place].capacity else " ")

    @staticmethod
    def _mark(rule: TubeRule, symbols: Sequence[str]) -> str:
        """``!`` and what opens a lock; ``↑`` for giving only, ``↓`` for taking only, ``=`` for some colours only."""
        mark = ""
        if rule.lock is not None:
            mark += "!" + (symbols[rule.lock.colour] if rule.lock.colour is not None else str(rule.lock.tubes))
        mark += "" if rule.takes else "↑"
        mark += "" if rule.gives else "↓"
        return mark + ("" if rule.accepts is None else "=")
