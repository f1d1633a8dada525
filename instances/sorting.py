"""Ball sort and water sort: tubes of coloured balls, moved top to top.

A move takes balls from the top of one tube to another tube that is not full and is empty or shows
the same colour on top. Ball sort moves one ball; water sort pours the whole top run, as much of it as
fits. Either costs one move. The goal ``full`` asks that each tube is empty or holds a full load of
one colour, ``monochrome`` only that no tube mixes colours.

Rules and complexity: Ito et al., *Sorting Balls and Water: Equivalence and Computational
Complexity*, FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.puzzle import Cell, Colour, Picture
from bsp_sat.instances.symbols import symbols_for
from bsp_sat.instances.words import parse_number, short

Goal = Literal["full", "monochrome"]
GOALS: tuple[Goal, ...] = get_args(Goal)

MONOCHROME = "the goal monochrome"
SEVERAL_HOMES = "colours that fill several tubes"
"""Features of boards, see `Puzzle.features`."""

MAX_CAPACITY = 10_000  # far above any game; keeps a mistyped number from filling the memory
MAX_COLOURS = 256  # a tube is a byte string


class Pour(NamedTuple):
    """A move from the top of tube ``source`` to the top of tube ``target``, both counted from 0."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class SortPuzzle(ABC):
    """What ball sort and water sort share.

    Attributes:
        tubes: one byte string a tube, one byte a ball, bottom first; a byte is an index into ``palette``.
        capacity: balls that fit into a tube.
        goal: ``full`` or ``monochrome``.
        palette: the colours as the user named them.
    """

    tubes: tuple[bytes, ...]
    capacity: int
    goal: Goal
    palette: tuple[Colour, ...]

    kind: ClassVar[str]
    move_key: ClassVar[str] = "FROM → TO, tubes counted from 1, left to right (from 0 in --json)"
    prunings: ClassVar[frozenset[str]] = frozenset({"finished", "whole-tube", "one-empty"})
    renamings: ClassVar[frozenset[str]] = frozenset()

    def __hash__(self) -> int:
        return hash(self.tubes)

    @classmethod
    def from_tubes(cls, tubes: Sequence[Sequence[Colour]], capacity: int, goal: Goal = "full") -> Self:
        """Builds a board from tubes of colours, bottom first.

        Raises:
            BoardError: the board breaks a rule of the format or cannot satisfy its goal.

        >>> BallSort.from_tubes([["red", "blue"], ["blue", "red"], []], capacity=2).summary()
        'ball-sort, 2 colours, 3 tubes of 2'
        """
        palette = tuple(dict.fromkeys(chain.from_iterable(tubes)))
        _check(tubes, capacity, goal, palette)
        index = {colour: number for number, colour in enumerate(palette)}
        return cls(tuple(bytes(index[ball] for ball in tube) for tube in tubes), capacity, goal, palette)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads a board in text notation, see `bsp_sat.instances.notation`.

        Raises:
            BoardError: naming the line, or as `from_tubes`.
        """
        # Imported here because the notation imports this module.
        from bsp_sat.instances.notation import parse_tubes

        fields = parse_tubes(text)
        return cls.from_tubes(fields["tubes"], fields["capacity"], fields["goal"])

    def features(self) -> frozenset[str]:
        """`MONOCHROME`, or `SEVERAL_HOMES` at the goal ``full``."""
        if self.goal == "monochrome":
            return frozenset({MONOCHROME})
        several = any(self.home_tubes(colour) > 1 for colour in range(len(self.palette)))
        return frozenset({SEVERAL_HOMES}) if several else frozenset()

    # -- rules --------------------------------------------------------------------------------

    def legal_moves(self) -> Iterator[Pour]:
        """Every legal move, by source and then by target."""
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

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """Legal moves that survive the named rules (see docs/search.md for why each is safe).

        * ``finished``: leave a tube alone that holds every ball of its colour.
        * ``whole-tube``: don't move a one-colour tube into an empty one.
        * ``one-empty``: of several empty targets, use the first.
        """
        tubes = self.tubes
        kept_sources = [not ("finished" in prunings and tube and self._is_finished(tube)) for tube in tubes]
        uniform = [bool(tube) and top_run(tube) == len(tube) for tube in tubes]
        first_empty = next((i for i, tube in enumerate(tubes) if not tube), -1)
        for move in self.legal_moves():
            source, target = move
            if not kept_sources[source]:
                continue
            if not tubes[target]:
                if "whole-tube" in prunings and uniform[source]:
                    continue
                if "one-empty" in prunings and target != first_empty:
                    continue
            yield move

    def _is_finished(self, tube: bytes) -> bool:
        """Whether ``tube`` holds every ball of its one colour, as many as a tube takes."""
        colour = tube[:1]
        return (
            len(tube) == self.capacity
            and tube.count(colour) == self.capacity
            and sum(other.count(colour) for other in self.tubes) == self.capacity
        )

    @abstractmethod
    def amount(self, source: bytes, target: bytes) -> int:
        """How many balls a legal move between these two tubes takes along."""

    def apply(self, move: Pour) -> Self:
        """The board after a legal move."""
        source, target = self.tubes[move.source], self.tubes[move.target]
        amount = self.amount(source, target)
        tubes = list(self.tubes)
        tubes[move.source] = source[:-amount]
        tubes[move.target] = target + source[-amount:]
        return type(self)(tuple(tubes), self.capacity, self.goal, self.palette)

    def refusal(self, move: Pour) -> str | None:
        """Why ``move`` is illegal here, None where it is legal."""
        source, target = move
        for tube in move:
            if not 0 <= tube < len(self.tubes):
                return f"there is no tube {tube + 1}, the board has {len(self.tubes)}"
        if source == target:
            return "source and target are the same tube"
        if not self.tubes[source]:
            return f"tube {source + 1} is empty"
        if len(self.tubes[target]) >= self.capacity:
            return f"tube {target + 1} is full"
        if self.tubes[target] and self.tubes[target][-1] != self.tubes[source][-1]:
            taken, there = (self.palette[self.tubes[tube][-1]] for tube in move)
            return f"{taken} cannot go on {there}"
        return None

    def is_goal(self) -> bool:
        """Whether every tube is empty or sorted, and full where the goal asks for it."""
        return all(self._is_sorted(tube) for tube in self.tubes)

    def _is_sorted(self, tube: bytes) -> bool:
        if not tube:
            return True
        return bottom_run(tube) == len(tube) and (self.goal == "monochrome" or len(tube) == self.capacity)

    def canonical(self) -> Self:
        """The board with its tubes in order: where a tube stands makes no difference to any plan."""
        return type(self)(tuple(sorted(self.tubes)), self.capacity, self.goal, self.palette)

    @abstractmethod
    def lower_bound(self) -> int:
        """An admissible and consistent bound on the number of moves."""

    def home_tubes(self, colour: int) -> int:
        """How many tubes ``colour`` fills at the goal ``full``."""
        return sum(tube.count(colour) for tube in self.tubes) // self.capacity

    # -- files and people -----------------------------------------------------------------------

    def unfinished(self) -> str:
        """Which tubes are not sorted yet."""
        wrong = [str(number) for number, tube in enumerate(self.tubes, 1) if not self._is_sorted(tube)]
        if not wrong:
            return ""
        wanted = "one colour and full" if self.goal == "full" else "one colour"
        return f"tube{'s' if len(wrong) > 1 else ''} {', '.join(wrong)} should be {wanted}"

    def misreading(self) -> tuple[str, Self] | None:
        """The board with each tube turned over: the two orders are easily mixed up."""
        turned = replace(self, tubes=tuple(tube[::-1] for tube in self.tubes))
        return None if turned == self else ("with its tubes read top-down", turned)

    def coloured_tubes(self) -> list[list[Colour]]:
        """The tubes as lists of the user's colours, bottom first."""
        return [[self.palette[ball] for ball in tube] for tube in self.tubes]

    def to_json(self) -> dict[str, Any]:
        """``puzzle``, ``capacity``, ``tubes`` and, where it is not the default, ``goal``."""
        fields: dict[str, Any] = {
            "puzzle": self.kind,
            "capacity": self.capacity,
            "tubes": self.coloured_tubes(),
        }
        if self.goal != "full":
            fields["goal"] = self.goal
        return fields

    def to_text(self) -> str:
        """One line a tube, with the settings that a reader could not guess on top."""
        # Imported here because the notation imports this module.
        from bsp_sat.instances.notation import format_tubes

        return format_tubes(self)

    @classmethod
    def move_from_json(cls, value: Any) -> Pour:
        """Reads ``[from, to]``, counted from 0."""
        if not (isinstance(value, list) and len(value) == 2 and all(type(tube) is int for tube in value)):
            raise PlanError(f"expected [from, to] with two tube numbers, found {short(repr(value))}")
        return Pour(*value)

    @classmethod
    def move_from_text(cls, words: list[str]) -> Pour:
        """Reads ``FROM TO``, counted from 1; anything after that, such as the colour, is ignored.

        Also an action of `bsp_sat.encoder.export.pddl`, such as ``(move-4-0 tube-9 tube-10 colour-2)``.
        """
        if words[0].startswith("("):
            words = [word.rstrip(")").removeprefix("tube-") for word in words if word.startswith("tube-")]
        source, target = (parse_number(word) for word in (*words, "", "")[:2])
        if source is None or target is None:
            raise PlanError(f"expected two tube numbers, FROM TO, found {short(' '.join(words))!r}")
        if not source or not target:
            raise PlanError("tube 0: plans in text count tubes from 1 (plans in JSON count from 0)")
        return Pour(source - 1, target - 1)

    @staticmethod
    def move_to_json(move: Pour) -> list[int]:
        """``[from, to]``, counted from 0."""
        return list(move)

    def describe(self, move: Pour) -> str:
        """Source and target, counted from 1, and the colour that moves."""
        known = 0 <= move.source < len(self.tubes) and self.tubes[move.source]
        colour = f"  {self.palette[self.tubes[move.source][-1]]}" if known else ""
        return f"{move.source + 1} → {move.target + 1}{colour}"

    def summary(self) -> str:
        """For example ``ball-sort, 9 colours, 11 tubes of 4``."""
        goal = "" if self.goal == "full" else f", goal {self.goal}"
        colours = f"{len(self.palette)} colour{'s' if len(self.palette) != 1 else ''}"
        return f"{self.kind}, {colours}, {len(self.tubes)} tubes of {self.capacity}{goal}"

    def picture(self) -> Picture:
        """Tubes as columns, with a symbol a ball and ``·`` for room."""
        symbols = symbols_for(self.palette)
        rows = tuple(
            tuple(
                Cell(symbols[tube[level]], self.palette[tube[level]]) if level < len(tube) else Cell("·")
                for tube in self.tubes
            )
            for level in reversed(range(self.capacity))
        )
        header = tuple(str(number) for number in range(1, len(self.tubes) + 1))
        return Picture(rows, header, tuple(zip(symbols, self.palette, strict=True)))


class BallSort(SortPuzzle):
    """One ball a move."""

    __slots__ = ()

    kind = "ball-sort"
    prunings = SortPuzzle.prunings | {"uneven"}

    def pruned_moves(self, prunings: frozenset[str]) -> Iterator[Pour]:
        """As for every sort puzzle, and one rule more.

        * ``uneven``: of the tubes with nothing but one colour, balls leave the one with the fewest, and go to the one
          with the most that has room, not to an empty tube.
        """
        moves = super().pruned_moves(prunings)
        return filter(self._is_uneven, moves) if "uneven" in prunings else moves

    def _is_uneven(self, move: Pour) -> bool:
        source, target = (self.tubes[place] for place in move)
        ball = source[-1:]
        loads = sorted(len(tube) for tube in self.tubes if tube[:1] == ball and top_run(tube) == len(tube))
        if ball * len(source) == source:
            if len(source) > loads[0]:
                return False
            loads.remove(len(source))
        if ball * len(target) != target:
            return True
        roomy = [load for load in loads if load < self.capacity]
        return not roomy or len(target) == roomy[-1]

    def amount(self, source: bytes, target: bytes) -> int:
        """Always one."""
        return 1

    def lower_bound(self) -> int:
        """Balls that cannot stay where they are.

        At the goal ``full`` a colour that fills m tubes keeps at most its m longest one-colour bottom
        runs, and every other ball moves at least once. At ``monochrome`` every bottom run may stay.
        """
        return sum(map(len, self.tubes)) - _kept(self, [bottom_run(tube) for tube in self.tubes])


class WaterSort(SortPuzzle):
    """The whole top run a move, as much of it as fits."""

    __slots__ = ()

    kind = "water-sort"

    def amount(self, source: bytes, target: bytes) -> int:
        """The top run of the source or the room of the target, whichever is less."""
        return min(top_run(source), self.capacity - len(target))

    def lower_bound(self) -> int:
        """Blocks, less the bottom blocks that may stay, or by colour the tubes it has yet to fill.

        A pour lowers the number of blocks of its colour by one, or founds one tube that stays, at most. A colour that
        fills m tubes keeps at most m bottom blocks at the goal ``full``, each of them at ``monochrome``. And each of
        the m that isn't full yet is poured into, which counts for more where the colour has many of them.
        """
        blocks = sum(map(block_count, self.tubes)) - _kept(self, [1] * len(self.tubes))
        one_tube_each = sum(map(len, self.tubes)) <= self.capacity * len(self.palette)
        return blocks if self.goal == "monochrome" or one_tube_each else blocks + self._further_fills()

    def _further_fills(self) -> int:
        """By how many the pours that fill tubes exceed those that join blocks, summed over the colours."""
        excess = 0
        for colour in range(len(self.palette)):
            blocks = sum(colour_blocks(tube, colour) for tube in self.tubes)
            bottoms = sum(tube[:1] == bytes([colour]) for tube in self.tubes)
            full = sum(tube == bytes([colour]) * self.capacity for tube in self.tubes)
            homes = self.home_tubes(colour)
            excess += max(0, homes - full - blocks + min(homes, bottoms))
        return excess


def _kept(puzzle: SortPuzzle, worth: Sequence[int]) -> int:
    """The largest total ``worth`` of bottom runs (one a tube) that the goal lets stay."""
    if puzzle.goal == "monochrome":
        return sum(value for tube, value in zip(puzzle.tubes, worth, strict=True) if tube)
    at_bottom: dict[int, list[int]] = {}
    for tube, value in zip(puzzle.tubes, worth, strict=True):
        if tube:
            at_bottom.setdefault(tube[0], []).append(value)
    kept = 0
    for colour, values in at_bottom.items():
        if len(values) > 1:
            values.sort(reverse=True)
            kept += sum(values[: puzzle.home_tubes(colour)])
        else:
            kept += values[0]
    return kept


def top_run(tube: bytes) -> int:
    """Number of balls of one colour on top of a tube, 0 for an empty one.

    >>> top_run(b"abb")
    2
    """
    return len(tube) - len(tube.rstrip(tube[-1:]))


def bottom_run(tube: bytes) -> int:
    """Number of balls of one colour at the bottom of a tube, 0 for an empty one."""
    return len(tube) - len(tube.lstrip(tube[:1]))


@lru_cache(maxsize=1 << 16)
def block_count(tube: bytes) -> int:
    """Number of maximal one-colour runs in a tube.

    >>> block_count(b"abba")
    3
    """
    return len(tube) and 1 + sum(lower != upper for lower, upper in pairwise(tube))


@lru_cache(maxsize=1 << 16)
def colour_blocks(tube: bytes, colour: int) -> int:
    """Number of maximal runs of one colour in a tube.

    >>> colour_blocks(b"abba", ord("a"))
    2
    """
    return sum(run[0] == colour for run in groupby(tube))


def _check(tubes: Sequence[Sequence[Colour]], capacity: int, goal: str, palette: Sequence[Colour]) -> None:
    """Refuses a board that no rule allows, naming the place."""
    if not 1 <= capacity <= MAX_CAPACITY:
        raise BoardError("capacity", f"expected 1 to {MAX_CAPACITY}, found {capacity}")
    if goal not in GOALS:
        raise BoardError("goal", f"expected {' or '.join(GOALS)}, found {goal!r}")
    if not tubes:
        raise BoardError("tubes", "expected at least one tube, found none")
    for number, tube in enumerate(tubes):
        if len(tube) > capacity:
            raise BoardError(f"tubes[{number}]", f"expected at most {capacity} balls (the capacity), found {len(tube)}")
    if len(palette) > MAX_COLOURS:
        raise BoardError("tubes", f"expected at most {MAX_COLOURS} colours, found {len(palette)}")
    _check_counts(Counter(chain.from_iterable(tubes)), capacity, goal, len(tubes))


def _check_counts(counts: Counter[Colour], capacity: int, goal: str, tubes: int) -> None:
    """Refuses colour counts that no plan can bring to the goal."""
    if goal == "full":
        for colour, count in counts.items():
            if count % capacity:
                raise BoardError(
                    "tubes",
                    f"{count} of colour {colour!r} cannot fill whole tubes of {capacity}; expected a multiple of "
                    'the capacity, or "goal": "monochrome"',
                )
    needed = sum(-(-count // capacity) for count in counts.values())
    if needed > tubes:
        raise BoardError("tubes", f"the colours need {needed} tubes to be apart, found {tubes}")
