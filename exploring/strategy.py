"""Strategies for boards with hidden cells: what to do, whatever is seen.

In JSON a strategy is a tree. Each node has ``moves``, one after the other, and where what comes then depends on what is
seen, ``then``: a list of nodes, each with ``see``, a list of ``[tube, level, colour]`` (counted from 0, levels from the
bottom) and where they count ``opened``, tubes whose locks have opened, ``corked``, and ``solved``. Of several nodes
that agree with what shows, the one that says most counts: a run of two balls shows a run of one as well. A node without
``then`` ends with the board solved. `check_strategy` is the only judge: it plays every filling by the rules alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bsp_sat.instances.errors import BspSatError, IllegalMove, PlanError
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import HiddenSort, Pour, RuledSort
from bsp_sat.instances.text.words import short


class NotSolved(BspSatError):
    """A strategy that doesn't do what it claims."""


@dataclass(frozen=True)
class Strategy:
    """What to do from some state of knowledge on.

    Attributes:
        moves: these first.
        then: and then one of these, by what is seen; empty where the board is solved.
    """

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
        """Reads what `to_json` wrote.

        Raises:
            PlanError: it isn't that.
        """
        if not isinstance(value, dict) or not isinstance(value.get("moves"), list):
            raise PlanError('expected a strategy, an object with a list of "moves"')
        moves = []
        for move in value["moves"]:
            if not (isinstance(move, list) and len(move) == 2 and all(type(tube) is int for tube in move)):
                raise PlanError(f"expected [from, to] with two tube numbers, found {short(repr(move))}")
            moves.append(Pour(*move))
        then = value.get("then", [])
        if not isinstance(then, list):
            raise PlanError('expected a list under "then"')
        return cls(tuple(moves), tuple(map(Branch.from_json, then)))


@dataclass(frozen=True)
class Branch:
    """What to do where something is seen.

    Attributes:
        see: tube, level and colour of cells; all of them are uncovered.
        opened: tubes whose locks have opened.
        corked: tubes that are complete, which a cork shows.
        solved: whether the board is seen to be solved.
        strategy: what to do then.
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
        """Reads what `to_json` wrote.

        Raises:
            PlanError: it isn't that.
        """
        see = value.get("see") if isinstance(value, dict) else None
        if not isinstance(see, list) or not all(
            isinstance(cell, list) and len(cell) == 3 and type(cell[0]) is int and type(cell[1]) is int for cell in see
        ):
            raise PlanError('expected "see", a list of [tube, level, colour]')
        opened, corked = value.get("opened", []), value.get("corked", [])
        for key, tubes in (("opened", opened), ("corked", corked)):
            if not isinstance(tubes, list) or not all(type(tube) is int for tube in tubes):
                raise PlanError(f'expected tube numbers under "{key}"')
        cells = tuple((cell[0], cell[1], cell[2]) for cell in see)
        return cls(cells, tuple(opened), tuple(corked), value.get("solved") is True, Strategy.from_json(value))

    @property
    def says(self) -> tuple[int, bool, int, int]:
        """How much it says: of branches that agree with what shows, the one that says most counts."""
        return len(self.see), self.solved, len(self.opened), len(self.corked)

    def agrees(self, position: RuledSort) -> bool:
        """Whether a position, all of whose balls are known, shows this."""
        for place, level, colour in self.see:
            tube = position.tubes[place] if 0 <= place < len(position.tubes) else b""
            if not 0 <= level < len(tube) or position.covers[place] >> level & 1:
                return False
            if position.palette[tube[level]] != colour:
                return False
        if not all(0 <= place < len(position.tubes) for place in (*self.opened, *self.corked)):
            return False
        rules = position.rules
        opened = all(place not in rules.locked for place in self.opened)
        corked = all(
            rules.cork and rules.is_complete(position.tubes[place], place, position.goal) for place in self.corked
        )
        return opened and corked and (not self.solved or position.is_goal())


@dataclass(frozen=True)
class Checked:
    """What a strategy does.

    Attributes:
        fillings: how many it was played for.
        worst: most moves.
        total: moves of all fillings together.
        passed_over: fillings without any plan, which it needn't solve.
    """

    fillings: int
    worst: int
    total: int
    passed_over: int

    @property
    def mean(self) -> float:
        """Moves on average."""
        return self.total / self.fillings


def first_of(board: RuledSort) -> RuledSort:
    """The position before the first move."""
    return board.settled().uncovered()


def play(strategy: Strategy, position: RuledSort) -> int:
    """Plays a strategy from a position whose balls are all known, and returns the moves it took.

    Raises:
        NotSolved: it makes no provision for what shows, two for the same, or ends unsolved.
        IllegalMove: one of its moves.
    """
    made = 0
    while True:
        for move in strategy.moves:
            made += 1
            reason = position.refusal(move)
            if reason is not None:
                raise IllegalMove(made, position.describe(move), reason)
            position = position.apply(move)
        if not strategy.then:
            if not position.is_goal():
                raise NotSolved(f"after {made} moves the board is not solved: {position.unfinished()}")
            return made
        agreeing = [branch for branch in strategy.then if branch.agrees(position)]
        most = max((branch.says for branch in agreeing), default=None)
        chosen = [branch for branch in agreeing if branch.says == most]
        if len(chosen) != 1:
            found = "nothing" if not chosen else "several things"
            raise NotSolved(f"after {made} moves the strategy says {found} to do for what shows")
        strategy = chosen[0].strategy


def check_strategy(board: HiddenSort, strategy: Strategy, unsolvable: Sequence[bytes] = ()) -> Checked:
    """Plays a strategy for every filling of a board.

    Args:
        board: what is known at the start.
        strategy: what to do.
        unsolvable: fillings for which nobody asks for a plan; that they have none is for others to show.

    Raises:
        NotSolved: see `play`.
        IllegalMove: one of its moves, for some filling.
    """
    worst = total = number = passed_over = 0
    for filling in board.fillings():
        if filling in unsolvable:
            passed_over += 1
            continue
        moves = play(strategy, first_of(board.filled(filling)))
        worst, total, number = max(worst, moves), total + moves, number + 1
    if number == 0:
        raise NotSolved("no filling has a plan")
    return Checked(number, worst, total, passed_over)
