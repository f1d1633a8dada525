"""Positions of ball sort and water sort, and how they are played.

The moves on a board of the plain form are those of the two games. On others they are those without what `Rules` forbid:

* a locked or a corked tube is neither source nor target; one that takes nothing is no target, one that gives nothing no
  source; a tube takes only the colours that it accepts;
* if partial pours are refused, water isn't poured into a tube without room for all of it;
* a covered cell counts as part of the run above it, except in water sort with the reveal rule ``cell``: there a pour
  stops at it, so that covers are part of the position;
* where balls leave at the bottom, a move takes the ball there, in water sort the run there as far as it fits, and the
  others slide down; it arrives on top of its target, as always;
* where balls go anywhere, or into this tube, the colour on top of the target doesn't matter;
* an unknown ball at a top has to be seen before anything is taken from there or put on it.

**The lower bound** with rules is the plain one, with homes limited by the rules of the tubes. Say that a tube *may
keep* its bottom run if it is sorted as the goal asks, or may be at the goal
(`bsp_sat.instances.sorting.rules.may_end_in`).

* Ball sort: a ball that never moves lies at the goal in a sorted tube, at the bottom with its own colour, and so in the
  bottom run of a tube that may keep it. A colour has at most `most_homes` such tubes. Every other ball moves.
* Water sort: φ = blocks − Σ over the colours of min(most homes, bottom blocks that may be kept). It is 0 at every goal,
  where each tube is one block that may be kept. And a pour lowers it by at most one: whether a tube may keep its bottom
  block depends on the block's colour and, in a tube that doesn't let the colour in, on its size, which never grows
  there; so a pour creates a bottom block that may be kept only by starting it in an empty tube. Then it removes no
  block. Otherwise it removes at most one block: if all of a run lands on its colour. On another colour it removes none.

Rules only forbid moves, so nothing else has to be shown.

**Where balls leave at the bottom** this isn't so, but everything holds with the tubes upside down. A ball that never
moves has only balls above it that never move, so it lies in the top run, which may be kept as above: what is put in
comes on top of it, and what lies below has to leave. In water sort count top blocks in φ. A pour takes the bottom block
or a part of it, so no blocks meet in its source, whose top block stays the same until the tube is empty; at the target
it joins the top block, or starts one, in an empty tube or on another colour, and no block is removed. So φ falls by at
most one, as above.

At the goal ``wanted`` other tubes may stay as they are, so the bound counts arrivals alone: a tube that ends full of a
colour gets every ball but those of that colour at its bottom, one a move in ball sort; in water sort it gets at least
one pour unless it is full of it already. For each colour the tubes that need the fewest count, as many as are wanted; a
tube that doesn't let the colour in counts only if it is full of it. A move adds balls of one colour to one tube alone,
so the sum over the colours is a bound and falls by at most one.

Where balls go anywhere, in ball sort, and each colour ends in one tube, some balls have to move twice: see `detours`.
If only some tubes take any ball, this forbids moves, and the bound holds.

With unknown cells: if two neighbouring known balls have different colours, everything above has to move. In water sort
a pour removes at most one such border; in ball sort each ball above the lowest border moves.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar, Self, TypeGuard

from bsp_sat.instances.puzzle import AnyPuzzle, Move, colour_in_words
from bsp_sat.instances.sorting.board import Pour
from bsp_sat.instances.sorting.covers import covered_until_looked_at
from bsp_sat.instances.sorting.detours import moves_of_homes
from bsp_sat.instances.sorting.rules import (
    UNKNOWN,
    TubeRule,
    block_count,
    bottom_run,
    may_end_in,
    most_homes,
    moves_to_fill,
    top_run,
)
from bsp_sat.instances.sorting.written import WrittenSort
from bsp_sat.instances.text.words import quantity


class SortPuzzle(WrittenSort):
    """What ball sort and water sort share."""

    __slots__ = ()

    prunings: ClassVar[frozenset[str]] = frozenset({"finished", "whole-tube", "one-empty"})

    # -- moves --------------------------------------------------------------------------------

    def legal_moves(self) -> Iterator[Pour]:
        """All legal moves, by source and then by target; of those that hidden cells allow, whatever they hold."""
        return self._plain_moves() if self.is_plain else self._allowed_moves()

    def _plain_moves(self) -> Iterator[Pour]:
        tubes = self.tubes
        open_tubes = [
            (target, tube[-1] if tube else None) for target, tube in enumerate(tubes) if len(tube) < self.capacity
        ]
        for source, tube in enumerate(tubes):
            if tube:
                colour = tube[-1]
                for target, top in open_tubes:
                    if (top is None or top == colour) and target != source:
                        yield Pour(source, target)

    def _allowed_moves(self) -> Iterator[Pour]:
        """Those that the rules of the tubes allow."""
        tubes, rules = self.tubes, self.rules.tubes
        targets = [
            (
                place,
                tube[-1] if tube and not rules[place].any_top else None,
                rules[place].capacity - len(tube),
                rules[place].accepts,
            )
            for place, tube in enumerate(tubes)
            if len(tube) < rules[place].capacity and rules[place].takes and not self._is_closed(place)
        ]
        for source, tube in enumerate(tubes):
            if tube and tube[-1] != UNKNOWN and rules[source].gives and not self._is_closed(source):
                colour = tube[0] if self.rules.drain else tube[-1]
                least = 1 if self.rules.partial else self._run_of(source)
                for target, top, room, accepts in targets:
                    if (
                        (top is None or top == colour)
                        and target != source
                        and room >= least
                        and (accepts is None or colour in accepts)
                    ):
                        yield Pour(source, target)

    def _is_closed(self, place: int) -> bool:
        """Whether a tube is locked or corked, and so neither source nor target."""
        return self.rules.tubes[place].lock is not None or self._is_corked(place)

    def _is_corked(self, place: int) -> bool:
        return self.rules.cork and self.rules.is_complete(self.tubes[place], place, self.goal)

    def _run_of(self, place: int) -> int:
        """The number of balls that a pour from a tube takes, if they fit."""
        tube = self.tubes[place]
        if not self.whole_run:
            return min(1, len(tube))
        if self.rules.drain:
            return bottom_run(tube)
        run = top_run(tube)
        if self.stops_at_covers and (cover := self.covers[place]):
            return min(run, len(tube) - cover.bit_length())
        return run

    @abstractmethod
    def amount(self, source: bytes, target: bytes) -> int:
        """The number of balls that a legal move between these tubes takes on a board of the plain form."""

    def after_legal(self, move: Pour) -> Self:
        """The position after a legal move. Uncovers tops and opens locks."""
        source, target = move
        tubes = list(self.tubes)
        tube = tubes[source]
        if not self.rules.tubes:  # of the plain form; asking `is_plain` takes time here
            amount = self.amount(tube, tubes[target])
            tubes[source] = tube[:-amount]
            tubes[target] += tube[-amount:]
            return type(self)(tuple(tubes), self.capacity, self.goal, self.palette)
        amount = min(self._run_of(source), self.rules.tubes[target].capacity - len(tubes[target]))
        left, moved = (tube[amount:], tube[:amount]) if self.rules.drain else (tube[:-amount], tube[-amount:])
        tubes[source] = left
        tubes[target] += moved
        covers = self.covers
        if covers[source]:
            still = covered_until_looked_at(left, covers[source], self.rules.reveal)
            covers = (*covers[:source], still, *covers[source + 1 :])
        return self._with_tubes(tuple(tubes), self.rules, covers).settled()

    def play(self, moves: Iterable[Move]) -> Self:
        """See `Puzzle.play`. Plans of plain boards are played on a list of tubes, in a fifth of the time."""
        if not self.is_plain:
            return super().play(moves)
        moves = tuple(moves)
        tubes, places = list(self.tubes), range(len(self.tubes))
        for move in moves:
            if type(move) is not Pour or move[0] == move[1] or {*map(type, move)} != {int}:
                return super().play(moves)  # says what is wrong, and takes plain tuples
            source, target = move
            if source not in places or target not in places:
                return super().play(moves)
            tube, onto = tubes[source], tubes[target]
            if not tube or len(onto) >= self.capacity or (onto and onto[-1] != tube[-1]):
                return super().play(moves)
            amount = self.amount(tube, onto)
            tubes[source] = tube[:-amount]
            tubes[target] = onto + tube[-amount:]
        return replace(self, tubes=tuple(tubes))

    def open_locks(self, places: Collection[int]) -> Self:
        """The position with the locks of some tubes open, and their tops uncovered."""
        tubes = tuple(rule.base if place in places else rule for place, rule in enumerate(self.rules.tubes))
        return self._with_tubes(self.tubes, replace(self.rules, tubes=tubes), self.covers).uncovered()

    def refusal(self, move: Pour) -> str | None:
        """Why ``move`` is illegal here, or can't be made before looking; None if it is legal."""
        source, target = move
        plain = self.is_plain
        if (reason := self._no_move(move) or (None if plain else self._closed(move))) is not None:
            return reason
        tubes, rule = self.tubes, None if plain else self.rules.tubes[target]
        room = (rule or self).capacity - len(tubes[target])
        if room <= 0:
            return f"tube {target + 1} is full"
        ball = tubes[source][0 if self.rules.drain else -1]
        colour = colour_in_words(self._colour(ball))
        if tubes[target] and tubes[target][-1] != ball and not (rule and rule.any_top):
            return f"{colour} cannot go on {colour_in_words(self._colour(tubes[target][-1]))}"
        if rule is not None and not rule.lets_in(ball):
            return f"tube {target + 1} does not accept {colour}"
        if not self.rules.partial and self._run_of(source) > room:
            return f"tube {target + 1} has no room for all of it, and partial pours are refused"
        return None

    def stuck(self) -> str:
        """See `Puzzle.stuck`. Says nothing while a top isn't known."""
        if self.to_see or not (words := super().stuck()):
            return ""
        is_full = all(len(tube) == room for tube, room in zip(self.tubes, self.capacities, strict=True))
        return f"{words}, as no tube has room" if is_full else words

    def _no_move(self, move: Pour) -> str | None:
        """Why ``move`` is illegal whatever the tubes' rules and contents are, or can't be made before looking."""
        if not self.is_plain:
            unseen = {place for place, _ in self.to_see if self.rules.tubes[place].lock is None}
            for tube in move:
                if tube in unseen:
                    return f"the top of tube {tube + 1} isn't known yet"
        for tube in move:
            if not 0 <= tube < len(self.tubes):
                return f"there is no tube {tube + 1}, the board has {len(self.tubes)}"
        source, target = move
        if source == target:
            return "source and target are the same tube"
        if not self.tubes[source]:
            return f"tube {source + 1} is empty"
        return None

    def _closed(self, move: Pour) -> str | None:
        """Why the rules close one of the tubes to the move; None if they don't."""
        (source, target), rules = move, self.rules.tubes
        for place in move:
            if rules[place].lock is not None:
                return f"tube {place + 1} is locked until {self._opens(rules[place])}"
            if self._is_corked(place):
                return f"tube {place + 1} is complete and corked"
        if not rules[source].gives:
            return f"nothing may be taken from tube {source + 1}"
        return None if rules[target].takes else f"nothing may be put into tube {target + 1}"

    # -- symmetry and prunings ----------------------------------------------------------------

    def canonical(self) -> Self:
        """The position with tubes of equal rules sorted, and without covers that make no difference."""
        if self.is_plain:
            return type(self)(tuple(sorted(self.tubes)), self.capacity, self.goal, self.palette)
        covers = self.covers if self.stops_at_covers else (0,) * len(self.tubes)
        pairs = list(zip(self.tubes, covers, strict=True))
        for places in self.rules.classes:
            if len(places) > 1:
                for place, pair in zip(places, sorted([pairs[place] for place in places]), strict=True):
                    pairs[place] = pair
        tubes, covers = zip(*pairs, strict=True)
        return self._with_tubes(tubes, self.rules, covers)

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """Legal moves that survive the named rules (see instances/README.md for why each is safe).

        * ``finished``: don't touch a tube that holds every ball of its colour, and that the goal accepts. With rules
          only if all tubes have equal ones, not at the goal ``wanted``, and not where balls go anywhere or leave at the
          bottom.
        * ``whole-tube``: don't move a one-colour tube into an empty one of equal rules, see `keeps_uniform`.
        * ``one-empty``: of several empty targets of equal rules, use the first.
        """
        tubes, rules = self.tubes, self.rules.tubes or (None,) * len(self.tubes)
        finished = {*self._finished()} if "finished" in prunings else ()
        whole = "whole-tube" in prunings and self.keeps_uniform
        covers = self.covers if self.stops_at_covers else ()
        first_empty: dict[TubeRule | None, int] = {}
        for place, tube in enumerate(tubes):
            if not tube:
                first_empty.setdefault(rules[place], place)
        for move in self.legal_moves():
            source, target = move
            if source in finished:
                continue
            if not tubes[target]:
                rule = rules[target]
                bare = not (covers and covers[source])
                if whole and bare and rules[source] == rule and top_run(tubes[source]) == len(tubes[source]):
                    continue
                if "one-empty" in prunings and target != first_empty[rule]:
                    continue
            yield move

    @property
    def keeps_uniform(self) -> bool:
        """Whether a one-colour tube never needs to move into an empty one of equal rules.

        In water sort that is an exchange of two tubes. In ball sort the argument takes single balls from one and the
        other, and isn't made where there are corks, or balls go anywhere or leave at the bottom.
        """
        return self.whole_run or not (self.rules.cork or self.rules.anywhere or self.rules.drain)

    def _finished(self) -> Iterator[int]:
        """The tubes that the pruning ``finished`` doesn't touch."""
        tubes, rules, goal = self.tubes, self.rules, self.goal
        if self.is_plain:
            for place, tube in enumerate(tubes):
                if top_run(tube) == self.capacity == sum(other.count(tube[0]) for other in tubes):
                    yield place
        elif rules.tubes_alike and goal != "wanted" and not rules.anywhere and not rules.drain:
            for place, tube in enumerate(tubes):
                if tube and rules.is_sorted(tube, place, goal) and len(tube) == rules.counts[tube[0]]:
                    yield place

    # -- goal and lower bound -------------------------------------------------------------------

    def is_goal(self) -> bool:
        """Whether every tube is sorted as the goal asks, or as many as are wanted. False while cells are unknown."""
        if self.goal == "wanted":
            return not any(self._missing()) and not self.is_hidden
        return next(self._unsorted(), None) is None

    def _unsorted(self) -> Iterator[int]:
        """The tubes that aren't empty or of one colour, and as full as the goal asks."""
        rules, goal = self.rules, self.goal
        for place, tube in enumerate(self.tubes):
            if rules.tubes:
                if not rules.is_sorted(tube, place, goal):
                    yield place
            elif tube and (bottom_run(tube) < len(tube) or (goal == "full" and len(tube) < self.capacity)):
                yield place

    def _missing(self) -> list[int]:
        """At the goal ``wanted``, by colour how many more tubes are to be full of it."""
        missing = list(self.rules.wanted)
        for place, tube in enumerate(self.tubes):
            if self.rules.is_complete(tube, place, "wanted") and missing[tube[0]]:
                missing[tube[0]] -= 1
        return missing

    def unfinished(self) -> str:
        """Which tubes aren't sorted yet, what is wanted besides, or how many cells aren't known; empty at a goal."""
        if self.is_hidden:
            number = len(self.unknown)
            return f"{quantity(number, 'cell')} of it {'are' if number > 1 else 'is'} not known"
        if self.goal == "wanted":
            return "" if self.is_goal() else f"full tubes are missing: {self._in_words(self._missing())}"
        wrong = [str(place + 1) for place in self._unsorted()]
        if not wrong:
            return ""
        wanted = {
            "full": "one colour and full",
            "monochrome": "one colour",
            "gathered": "one colour, with all of its balls",
            "coloured": "the tube's own colour, or empty",
        }[self.goal]
        return f"tube{'s' if len(wrong) > 1 else ''} {', '.join(wrong)} should be {wanted}"

    def misreading(self) -> tuple[str, Self] | None:
        """On boards of the plain form, the position with each tube upside down: the two orders are easily mixed up."""
        tubes = tuple(tube[::-1] for tube in self.tubes)
        if not self.is_plain or tubes == self.tubes:
            return None
        return "with its tubes read top-down", self._with_tubes(tubes, self.rules, self.covers)

    def lower_bound(self) -> int:
        if self.is_plain:
            return self._plain_bound()
        if self.is_hidden:
            return self._bound_of_known_borders()
        if self.goal == "wanted":
            moves = sum(self._arrivals(colour, tubes) for colour, tubes in enumerate(self.rules.wanted) if tubes)
            return moves or (0 if self.is_goal() else 1)
        single = self.rules.anywhere and not self.rules.drain and not self.whole_run
        if single and max(most_homes(self.rules, self.goal), default=0) == 1:
            return sum(map(len, self.tubes)) + moves_of_homes(self.tubes, self._homes()) or (0 if self.is_goal() else 1)
        worth: dict[int, list[int]] = {}
        work = 0
        for place, tube in enumerate(self._from_kept_end()):
            if tube:
                work += block_count(tube) if self.whole_run else len(tube)
                if self._may_keep(place, tube):
                    worth.setdefault(tube[0], []).append(1 if self.whole_run else bottom_run(tube))
        most = most_homes(self.rules, self.goal)
        for colour, values in worth.items():
            work -= sum(sorted(values, reverse=True)[: most[colour]])
        return work or (0 if self.is_goal() else 1)

    @abstractmethod
    def _plain_bound(self) -> int:
        """An admissible and consistent bound for boards of the plain form."""

    def _from_kept_end(self) -> tuple[bytes, ...]:
        """The tubes from the end at which balls may stay: the bottom, or the top where balls leave at the bottom."""
        return tuple(tube[::-1] for tube in self.tubes) if self.rules.drain else self.tubes

    def _may_keep(self, place: int, tube: bytes) -> bool:
        """Whether the first run of a non-empty tube, from the kept end, may stay there until the goal without moving.

        A tube that doesn't let its colour in must already hold what the goal asks for: it is full of it at ``full``; at
        ``gathered`` this run has every ball of the colour.
        """
        if may_end_in(self.rules, self.goal)[place][tube[0]]:
            return True
        if self.goal == "coloured":
            return self.rules.tubes[place].colour == tube[0]
        run = bottom_run(tube)
        if self.goal == "full":
            return run == self.rules.tubes[place].capacity
        return self.goal == "monochrome" or run == self.rules.counts[tube[0]]

    def _homes(self) -> dict[int, dict[int, int]]:
        """For each colour the tubes that may end with it, each with the balls that stay there; for colours with any."""
        ends = may_end_in(self.rules, self.goal)
        homes: dict[int, dict[int, int]] = {}
        for place, tube in enumerate(self.tubes):
            kept = tube[0] if tube and self._may_keep(place, tube) else None
            for colour, ends_here in enumerate(ends[place]):
                if colour == kept or ends_here:
                    homes.setdefault(colour, {})[place] = bottom_run(tube) if colour == kept else 0
        return homes

    def _arrivals(self, colour: int, tubes: int) -> int:
        """A lower bound on the moves that put balls of a colour into the tubes that end full of it."""
        pairs = zip(self._from_kept_end(), self.rules.tubes, strict=True)
        needs = (moves_to_fill(tube, rule, colour, whole_run=self.whole_run) for tube, rule in pairs)
        return sum(sorted(need for need in needs if need is not None)[:tubes])

    def _bound_of_known_borders(self) -> int:
        """A bound for every filling, at least one."""
        work = 0
        for tube in self.tubes:
            borders = [
                level
                for level, (lower, upper) in enumerate(pairwise(tube), start=1)
                if lower != upper and UNKNOWN not in (lower, upper)
            ]
            if borders:
                work += len(borders) if self.whole_run else len(tube) - borders[0]
        return max(1, work)

    def _most_that_stays(self, worth: Sequence[int]) -> int:
        """On a plain board the largest total ``worth`` of bottom runs, one a tube, that the goal lets stay."""
        if self.goal == "monochrome":
            return sum(value for tube, value in zip(self.tubes, worth, strict=True) if tube)
        at_bottom: dict[int, list[int]] = {}
        for tube, value in zip(self.tubes, worth, strict=True):
            if tube:
                at_bottom.setdefault(tube[0], []).append(value)
        kept = 0
        for colour, values in at_bottom.items():
            if len(values) > 1:
                values.sort(reverse=True)
                kept += sum(values[: self.home_tubes(colour)])
            else:
                kept += values[0]
        return kept


def is_hidden(puzzle: AnyPuzzle) -> TypeGuard[SortPuzzle]:
    """Whether a position of any puzzle has balls of unknown colour."""
    return isinstance(puzzle, SortPuzzle) and puzzle.is_hidden
