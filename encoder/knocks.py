"""Shot as one formula: every plan for n balls has n − 1 moves, so there is no horizon to raise.

A knock removes one ball, and each place ahead of it in its row or column takes over the contents of the next place
(`bsp_sat.instances.shot`). No ball ever lands outside the smallest rectangle around the balls, so only that rectangle
is encoded. Move t leads from state t to state t + 1; state 0 is the board.

Variables (a rectangle of w×h places)
    ball(t, x, y)        a ball is at column x, row y of the rectangle         w·h a state
    column(t, x), row(t, y), left(t), right(t), up(t), down(t)
                         which ball is sent, and in which direction            w + h + 4 a move
    ahead(t, x, left)    the ball sent is in column x or right of it; likewise for the other directions
                                                                               2w + 2h
    shift(t, x, y, left) the place takes over the contents of the place on its left   4w·h

Clause groups
    `_choice`            one ball and one direction
    `_legal`             the ball exists, the next place is free, and a ball lies beyond   O(w·h) a move
    `_effect`            shifted places take over, all others stay             O(w·h) a move
    `_order_commuting`   a device: of two consecutive knocks along rows, the one in the higher row comes first; of two
                         along columns, the one farther left                   O(w² + h²) a move

The last state has one ball. UNSAT means that no plan exists: knocks along different rows don't affect each other, so
consecutive ones can be sorted, and so can knocks along columns. Without the device all variables follow from the
moves, and models and plans correspond one to one.

Source: bounded planning as satisfiability, Kautz and Selman, ECAI 1992.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import ClassVar

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.encoder.formula import Literal, Model, chosen, clause_group
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.shot import DIRECTIONS, Knock, Shot


@dataclass(frozen=True)
class Knocks(Encoding):
    """The encoding of shot. ``order_commuting``: allow only one order of two knocks that could be swapped."""

    order_commuting: bool = True

    name = "knocks"
    scope = Scope((Shot.kind,), frozenset())
    unsat = Unsat.UP_TO
    any_length = True

    def formula_of(self, puzzle: AnyPuzzle) -> "KnocksFormula":
        """A formula that gets its clauses when a horizon of n − 1 moves is asked for."""
        assert isinstance(puzzle, Shot)
        return KnocksFormula(puzzle, self)


@dataclass(frozen=True)
class KnockVariables:
    """The literals of one move: which ball is sent, and in which direction."""

    column: list[Literal]
    row: list[Literal]
    direction: dict[str, Literal]


class KnocksFormula(PlanFormula):
    """The formula of one board."""

    meanings: ClassVar[Mapping[str, str]] = {
        "ball(t,x,y)": "a ball is at column {x}, row {y} in state {t}",
        "column(t,x)": "move {t} sends a ball of column {x}",
        "row(t,y)": "move {t} sends a ball of row {y}",
        **{f"{direction}(t)": f"move {{t}} goes {direction}" for direction in DIRECTIONS},
        "ahead(t,i,d)": "the ball of move {t} stands at or before column or row {i}, going {d}",
        "shift(t,x,y,d)": "move {t} puts at column {x}, row {y} what was at the next place {d} of it",
    }

    def __init__(self, puzzle: Shot, devices: Knocks) -> None:
        super().__init__()
        self.devices = devices
        self.length = len(puzzle.balls) - 1
        self.left_edge = min(x for x, _ in puzzle.balls)
        self.top_edge = min(y for _, y in puzzle.balls)
        self.balls = {(x - self.left_edge, y - self.top_edge) for x, y in puzzle.balls}
        self.columns = range(max(x for x, _ in self.balls) + 1)
        self.rows = range(max(y for _, y in self.balls) + 1)
        self.places = [(x, y) for y in self.rows for x in self.columns]
        self.moves: list[KnockVariables] = []
        self.too_few = self.variable("too-few-moves")
        self.add(-self.too_few)

    def numbering(self) -> list[str]:
        return [
            "state 0 is the board, and move t leads from state t to state t + 1",
            f"column 0 is column {self.left_edge} of the board, row 0 is row {self.top_edge}",
        ]

    def at_horizon(self, horizon: int) -> list[Literal]:
        """The assumptions that ask for a plan of ``horizon`` moves or fewer; no plan has fewer than n − 1."""
        return [self.too_few] if horizon < self.length else self.at_any_length()

    def at_any_length(self) -> list[Literal]:
        """No assumptions: the formula is satisfiable if and only if there is a plan."""
        if len(self.moves) < self.length:
            state = self._state(0)
            for place, ball in state.items():
                self.add(ball if place in self.balls else -ball)
            for step in range(self.length):
                after = self._state(step + 1)
                self.moves.append(self._move(step, state, after))
                state = after
            self.exactly_one(list(state.values()))  # follows from the number of moves, and makes UNSAT much easier
            if self.devices.order_commuting:
                for first, second in pairwise(self.moves):
                    self._order_commuting(first, second)
        return []

    def decode(self, model: Model, horizon: int) -> Plan:
        """Decodes a model into a plan."""
        return Plan(
            tuple(
                Knock(
                    self.left_edge + chosen(move.column, model),
                    self.top_edge + chosen(move.row, model),
                    list(DIRECTIONS)[chosen(list(move.direction.values()), model)],
                )
                for move in self.moves
            )
        )

    def _state(self, step: int) -> dict[tuple[int, int], Literal]:
        return {(x, y): self.variable("ball", step, x, y) for x, y in self.places}

    def _move(
        self, step: int, before: dict[tuple[int, int], Literal], after: dict[tuple[int, int], Literal]
    ) -> KnockVariables:
        move = KnockVariables(
            self.variables(len(self.columns), "column", step),
            self.variables(len(self.rows), "row", step),
            {direction: self.variable(direction, step) for direction in DIRECTIONS},
        )
        for choice in (move.column, move.row, list(move.direction.values())):
            self.exactly_one(choice)
        for direction in DIRECTIONS:
            self._legal(move, direction, before)
        self._effect(step, move, before, after)
        return move

    @clause_group
    def _legal(self, move: KnockVariables, direction: str, before: dict[tuple[int, int], Literal]) -> None:
        """The ball sent exists, and strikes a ball that isn't adjacent."""
        dx, dy = DIRECTIONS[direction]
        for x, y in self.places:
            otherwise = [-move.column[x], -move.row[y], -move.direction[direction]]
            ahead = [before[place] for place in self._places_to_edge(x, y, dx, dy)]
            self.add(*otherwise, before[x, y])
            if ahead:
                self.add(*otherwise, -ahead[0])
            self.add(*otherwise, *ahead[1:])

    def _places_to_edge(self, x: int, y: int, dx: int, dy: int) -> list[tuple[int, int]]:
        """The places from (x, y) to the edge, nearest first."""
        places = []
        while (x := x + dx) in self.columns and (y := y + dy) in self.rows:
            places.append((x, y))
        return places

    @clause_group
    def _effect(
        self,
        step: int,
        move: KnockVariables,
        before: dict[tuple[int, int], Literal],
        after: dict[tuple[int, int], Literal],
    ) -> None:
        """Places ahead of the ball sent take over the contents of the next place; all others stay as they are."""
        columns, rows = move.column, move.row
        up_to = {
            "right": [self.define_or(("ahead", step, x, "right"), columns[: x + 1]) for x in self.columns],
            "left": [self.define_or(("ahead", step, x, "left"), columns[x:]) for x in self.columns],
            "down": [self.define_or(("ahead", step, y, "down"), rows[: y + 1]) for y in self.rows],
            "up": [self.define_or(("ahead", step, y, "up"), rows[y:]) for y in self.rows],
        }
        for x, y in self.places:
            shifts = []
            for direction, (dx, dy) in DIRECTIONS.items():
                line, ahead = (rows[y], up_to[direction][x]) if dx else (columns[x], up_to[direction][y])
                name = ("shift", step, x, y, direction)
                shift = self.define_and(name, [move.direction[direction], line, ahead])
                shifts.append(shift)
                source = before.get((x + dx, y + dy))
                if source is None:  # the edge: nothing comes from there
                    self.add(-shift, -after[x, y])
                else:
                    self.add(-shift, -source, after[x, y])
                    self.add(-shift, source, -after[x, y])
            self.add(*shifts, -before[x, y], after[x, y])
            self.add(*shifts, before[x, y], -after[x, y])

    @clause_group
    def _order_commuting(self, first: KnockVariables, second: KnockVariables) -> None:
        """Of two moves along rows the one in the higher row comes first, of two along columns the one farther left."""
        for ways, before, after in (
            (("left", "right"), first.row, second.row),
            (("up", "down"), first.column, second.column),
        ):
            for one, other in product(ways, repeat=2):
                for (_, lesser), (greater, _) in combinations(zip(before, after, strict=True), 2):
                    self.add(-first.direction[one], -second.direction[other], -greater, -lesser)


KNOCKS = Knocks()
