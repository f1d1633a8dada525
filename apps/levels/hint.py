"""`hint`: whether a position is solvable, what each move costs, and which move to make.

It runs in the calling process, ends after a given time, or else after so many positions, and can be cancelled. Figures
that aren't known by then are intervals. Both ends are proved: the lower one by the search's bound, the upper one by a
plan.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any

from bsp_sat.apps.levels.scope import HINTS, check_board
from bsp_sat.backends.kernel import Search
from bsp_sat.backends.result import Status
from bsp_sat.instances.errors import Unsupported, printable
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle, Move, Picture
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import quantity

EFFORT = 50_000_000  # expansions times tubes² of all searches, without a time limit: some tenths of a second
FIRST_BUDGET = 200  # expansions
LAST_BUDGET = 20_000  # expansions: 10 to 20 ms, the longest delay before a cancellation is noticed
MEMORY_MB = 400.0


@dataclass(frozen=True)
class MoveCost:
    """The cost of a legal move: the increase of the length of a shortest plan through it, from ``low`` to ``high``.

    ``lost``: whether no goal can be reached after it; None if unknown. ``high`` is None if that isn't excluded.
    """

    move: Move
    lost: bool | None
    low: int | None
    high: int | None

    def in_words(self) -> str:
        """``+0``, ``lost``, ``+1 to +3``, or ``+1 or more``."""
        if self.lost:
            return "lost"
        if self.low == self.high:
            return f"+{self.low}"
        if self.high is not None:
            return f"+{self.low} to +{self.high}"
        return f"+{self.low} or more, or lost"

    def to_json(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """``move``, ``lost`` (null if unknown) and ``cost`` as ``[low, high]``, which is null if the move is lost."""
        cost = None if self.lost else [self.low, self.high]
        return {"move": puzzle.move_to_json(self.move), "lost": self.lost, "cost": cost}


@dataclass(frozen=True)
class Hint:
    """What is known about a position: from ``low`` to ``high`` moves are left; low is None if the game is lost.

    ``status`` is optimal if ``plan`` is a shortest one, feasible if it may not be, unsolvable if the game is lost. In a
    lost game ``take_back`` says how many moves to take back; None if the board itself is unsolvable, or it isn't known.
    """

    position: AnyPuzzle
    status: Status
    low: int | None
    high: int | None
    moves: tuple[MoveCost, ...]
    recommended: Move | None
    plan: Plan | None
    take_back: int | None

    @property
    def summary(self) -> str:
        """What is known, such as "Solvable: 12 moves left; no plan is shorter."."""
        match self.status:
            case Status.UNSOLVABLE if self.take_back is None:
                return "Lost: the board can't be solved."
            case Status.UNSOLVABLE:
                return f"Lost: take back {quantity(self.take_back, 'move')}."
            case Status.OPTIMAL:
                return f"Solvable: {quantity(self.high, 'move')} left; no plan is shorter."
            case Status.FEASIBLE:
                return f"Solvable: {self.low} to {quantity(self.high, 'move')} left."
            case _:
                return f"Unknown: at least {quantity(self.low, 'move')} left, if it can be solved."

    @property
    def next_move(self) -> str:
        """The summary, and the move to make."""
        if self.recommended is None:
            return self.summary
        return f"{self.summary}\nNext: {printable(self.position.describe(self.recommended))}"

    @property
    def picture(self) -> Picture:
        """The position, with an arrow for the move to make."""
        picture = self.position.picture()
        return picture if self.recommended is None else picture.with_arrow(*map(int, self.recommended))

    def __str__(self) -> str:
        """The summary, the move to make, and the position with an arrow for it."""
        return f"{self.next_move}\n\n{self.picture}"

    def to_json(self) -> dict[str, Any]:
        """The hint as a JSON object; moves as in plans."""
        to_json = self.position.move_to_json
        return {
            "status": str(self.status),
            "length": self.high,
            "lower_bound": self.low,
            "moves": [each.to_json(self.position) for each in self.moves],
            "recommended": None if self.recommended is None else to_json(self.recommended),
            "plan": None if self.plan is None else self.plan.to_json(self.position),
            "take_back": self.take_back,
        }


def hint(
    board: Board, played: Sequence[Move] | str = (), *, seconds: float | None = None, stop: Event | None = None
) -> Hint:
    """Says what each next move costs in the position after some moves, as far as the limit allows, and which to make.

    Args:
        board: a ball-sort or water-sort board without hidden cells; tubes may have rules.
        played: the moves made so far, also as text, ``1→4 2→4``, which counts from 1.
        seconds: time limit; the call may take a few hundredths of a second more. None: it ends after a number of
            positions, some tenths of a second, and says the same each time.
        stop: ends the work early when set, as if the time had run out.

    Raises `BoardError` if the parts of a board made in Python don't fit together, `Unsupported` for another puzzle,
    hidden cells, or a board too large for compiled code, `IllegalMove` and `PlanError`.

    >>> from bsp_sat.instances.sorting import BallSort
    >>> hint(BallSort.from_tubes([["a", "b"], ["b", "a"], []], capacity=2)).high
    3
    """
    puzzle = position_of(board)
    puzzle.check()
    if HIDDEN in puzzle.features():
        raise Unsupported("hints need a board without hidden cells; `bsp-sat play` guides you through this one")
    check_board(puzzle, "hint", HINTS)
    assert isinstance(puzzle, SortPuzzle)
    game = list(puzzle.positions(Plan.from_text(puzzle, played) if isinstance(played, str) else played))
    position = game[-1]
    begin = partial(Search, origin=puzzle, memory_mb=MEMORY_MB)
    limit = _Limit(seconds, EFFORT // len(puzzle.tubes) ** 2, stop or Event())
    here = begin(position)
    while not (here.ended or limit.is_reached()):
        limit.advance(here)
    if here.dead:
        moves = tuple(MoveCost(move, True, None, None) for move in position.legal_moves())
        return Hint(position, Status.UNSOLVABLE, None, None, moves, None, None, _take_back(game, begin, limit))
    if position.is_goal():
        return Hint(position, Status.OPTIMAL, 0, 0, (), None, Plan(()), None)
    moves = _costs(position, here, begin, limit)
    plan = here.plan
    recommended = None if plan is None else plan[0]
    status = Status.OPTIMAL if here.settled else Status.UNKNOWN if plan is None else Status.FEASIBLE
    return Hint(position, status, here.bound, None if plan is None else len(plan), moves, recommended, plan, None)


class _Limit:
    """Ends all searches of a hint: at a time, or else after a number of expansions, or when it is stopped."""

    def __init__(self, seconds: float | None, expansions: int, stop: Event) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._left, self._stop = expansions, stop

    def is_reached(self) -> bool:
        over = self._left <= 0 if self._end is None else time.monotonic() >= self._end
        return over or self._stop.is_set()

    def advance(self, search: Search) -> None:
        """Doubles the number of expansions so far, within limits."""
        before = search.expansions
        search.advance(min(max(FIRST_BUDGET, before), LAST_BUDGET))
        self._left -= max(1, search.expansions - before)


Begin = Callable[..., Search]
"""Starts the search of a position of the game, optionally with a lower bound that is already proved."""


def _costs(position: SortPuzzle, here: Search, begin: Begin, limit: _Limit) -> tuple[MoveCost, ...]:
    """The cost of each legal move; moves that lead to the same position are searched once."""
    moves = list(position.legal_moves())
    afters = [position.after_legal(move) for move in moves]
    searches: dict[SortPuzzle, Search] = {}
    for move, after in zip(moves, afters, strict=True):
        if after.canonical() not in searches:
            searches[after.canonical()] = begin(after, bound=here.bound - 1)
        if here.plan is not None and here.plan[0] == move:
            searches[after.canonical()].take(Plan(here.plan.moves[1:]))
    waiting = [search for search in searches.values() if not search.ended]
    while waiting and not limit.is_reached():
        for search in waiting:
            if not limit.is_reached():
                limit.advance(search)
        waiting = [search for search in waiting if not search.ended]
    return tuple(_cost(move, searches[after.canonical()], here) for move, after in zip(moves, afters, strict=True))


def _cost(move: Move, after: Search, here: Search) -> MoveCost:
    if after.dead:
        return MoveCost(move, True, None, None)
    low = 0 if here.plan is None else max(0, after.bound + 1 - len(here.plan))
    high = None if after.plan is None else max(low, len(after.plan) + 1 - here.bound)
    return MoveCost(move, None if high is None else False, low, high)


def _take_back(game: Sequence[SortPuzzle], begin: Begin, limit: _Limit) -> int | None:
    """How many moves of a lost game to take back; a binary search, as a lost game stays lost."""
    safe, lost = -1, len(game) - 1
    while lost - safe > 1:
        middle = (safe + lost) // 2
        search = begin(game[middle])
        while search.plan is None and not search.ended and not limit.is_reached():
            limit.advance(search)
        if search.dead:
            lost = middle
        elif search.plan is not None:
            safe = middle
        else:
            return None
    return None if safe < 0 else len(game) - 1 - safe
