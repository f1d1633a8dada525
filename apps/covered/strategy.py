"""Strategies for boards with hidden cells: plans that branch on what is revealed.

In JSON a strategy is a tree. Each node has ``moves`` and, if the rest depends on what is seen, ``then``: a list of
nodes, each with ``see``, a list of ``[tube, level, colour]`` (counted from 0, levels from the bottom), and if relevant
``opened`` (tubes whose locks have opened), ``corked`` and ``solved``. A node lists everything new that shows. Of
several nodes that agree with what is seen, the most specific one applies: a revealed run of two balls also agrees with
a run of one. If the board is seen to be solved, a node with ``solved`` applies. After a node without ``then`` the board
is solved. `check_strategy` checks strategies by playing every filling by the rules alone.

A nameless colour is whichever first shows where a branch expects it; below this branch the name stays the same. So what
a strategy does for one filling it does for all that differ only in the names of such colours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bsp_sat.apps.covered.board import filled, fillings_of
from bsp_sat.instances.errors import BspSatError, IllegalMove, PlanError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import Pour, SortPuzzle
from bsp_sat.instances.text.words import quantity

Names = Mapping[Colour, Colour]
"""What a strategy calls the nameless colours that have shown."""


class NotSolved(BspSatError):
    """A strategy that doesn't do what it claims."""


@dataclass(frozen=True)
class Strategy:
    """What to do from some state of knowledge: moves, then branches by what is seen; none if the board is solved."""

    moves: tuple[Pour, ...]
    then: tuple["Branch", ...] = ()

    def to_json(self) -> dict[str, Any]:
        """See the module."""
        fields: dict[str, Any] = {"moves": [list(move) for move in self.moves]}
        if self.then:
            fields["then"] = [branch.to_json() for branch in self.then]
        return fields

    @classmethod
    def from_json(cls, value: Any) -> "Strategy":
        """Reads what `to_json` wrote. PlanError if it isn't that."""
        if not isinstance(value, dict) or not isinstance(value.get("moves"), list):
            raise PlanError('expected a strategy, an object with a list of "moves"')
        moves, then = tuple(map(SortPuzzle.move_from_json, value["moves"])), value.get("then", [])
        if not isinstance(then, list):
            raise PlanError("then: expected a list")
        return cls(moves, tuple(map(Branch.from_json, then)))


@dataclass(frozen=True)
class Branch:
    """What to do if something is seen: tube, level and colour of all cells that show and weren't known before.

    ``corked`` has all tubes that are corked and had unknown cells before.
    """

    see: tuple[tuple[int, int, Colour], ...]
    opened: tuple[int, ...]
    corked: tuple[int, ...]
    solved: bool
    strategy: Strategy

    def to_json(self) -> dict[str, Any]:
        """See the module."""
        fields: dict[str, Any] = {"see": [list(cell) for cell in self.see]}
        if self.opened:
            fields["opened"] = list(self.opened)
        if self.corked:
            fields["corked"] = list(self.corked)
        if self.solved:
            fields["solved"] = True
        return {**fields, **self.strategy.to_json()}

    @classmethod
    def from_json(cls, value: Any) -> "Branch":
        """Reads what `to_json` wrote. PlanError if it isn't that."""
        see = value.get("see") if isinstance(value, dict) else None
        if not isinstance(see, list) or not all(
            isinstance(cell, list) and len(cell) == 3 and type(cell[0]) is int and type(cell[1]) is int for cell in see
        ):
            raise PlanError('then: expected "see", a list of [tube, level, colour], in each entry')
        opened, corked = value.get("opened", []), value.get("corked", [])
        for key, tubes in (("opened", opened), ("corked", corked)):
            if not isinstance(tubes, list) or not all(type(tube) is int for tube in tubes):
                raise PlanError(f'then: expected a list of tube numbers under "{key}"')
        cells = tuple((cell[0], cell[1], cell[2]) for cell in see)
        return cls(cells, tuple(opened), tuple(corked), value.get("solved") is True, Strategy.from_json(value))

    @property
    def says(self) -> tuple[bool, int, int, int]:
        """How specific it is: of branches that agree with what is seen, the most specific one applies.

        That of a solved board comes first: others may list cells that show as well.
        """
        return self.solved, len(self.see), len(self.opened), len(self.corked)

    def agrees(self, position: SortPuzzle, names: Names) -> Names | None:
        """The names of nameless colours, by those on the position, if it agrees with one of known balls; or None."""
        nameless = position.palette[len(position.palette) - position.rules.nameless :]
        named = dict(names)
        for place, level, colour in self.see:
            tube = position.tubes[place] if 0 <= place < len(position.tubes) else b""
            if not 0 <= level < len(tube) or position.covers[place] >> level & 1:
                return None
            there = position.palette[tube[level]]
            if there in nameless and there not in named:
                if colour not in nameless or colour in named.values():
                    return None
                named[there] = colour
            if named.get(there, there) != colour:
                return None
        if not all(0 <= place < len(position.tubes) for place in (*self.opened, *self.corked)):
            return None
        rules = position.rules
        opened = all(place not in rules.locked for place in self.opened)
        corked = all(
            rules.cork and rules.is_complete(position.tubes[place], place, position.goal) for place in self.corked
        )
        return named if opened and corked and (not self.solved or position.is_goal()) else None


@dataclass(frozen=True)
class StrategyResult:
    """The result of playing a strategy. Fillings without a plan, which it needn't solve, are ``passed_over``."""

    fillings: int
    worst: int
    total: int
    passed_over: int

    @property
    def mean(self) -> float:
        """Moves on average."""
        return self.total / self.fillings


def first_of(board: SortPuzzle) -> SortPuzzle:
    """The position before the first move."""
    return board.settled().uncovered()


def play(strategy: Strategy, position: SortPuzzle) -> int:
    """Plays a strategy from a position whose balls are all known, and returns the moves it took.

    Raises `NotSolved` if it has no branch for what is seen, or several, or ends unsolved; `IllegalMove`.
    """
    made = 0
    names: Names = {}
    while True:
        for move in strategy.moves:
            made += 1
            reason = position.refusal(move)
            if reason is not None:
                raise IllegalMove(made, position.describe(move), reason)
            position = position.after_legal(move)
        if not strategy.then:
            if not position.is_goal():
                raise NotSolved(f"after {quantity(made, 'move')} the board is not solved: {position.unfinished()}")
            return made
        named = ((branch, branch.agrees(position, names)) for branch in strategy.then)
        agreeing = [(branch, found) for branch, found in named if found is not None]
        most = max((branch.says for branch, _ in agreeing), default=None)
        chosen = [(branch, found) for branch, found in agreeing if branch.says == most]
        if len(chosen) != 1:
            said = "nothing" if not chosen else "several things"
            raise NotSolved(f"after {quantity(made, 'move')} the strategy says {said} to do for what shows")
        [(branch, names)] = chosen
        strategy = branch.strategy


def check_strategy(board: SortPuzzle, strategy: Strategy, unsolvable: Sequence[bytes] = ()) -> StrategyResult:
    """Plays a strategy for every filling but ``unsolvable`` ones, which aren't checked; raises what `play` raises."""
    worst = total = number = passed_over = 0
    for filling in fillings_of(board):
        if filling in unsolvable:
            passed_over += 1
            continue
        moves = play(strategy, first_of(filled(board, filling)))
        worst, total, number = max(worst, moves), total + moves, number + 1
    if number == 0:
        raise NotSolved("no filling has a plan")
    return StrategyResult(number, worst, total, passed_over)
