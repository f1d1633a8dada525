"""Tiles with one click a step: which tiles are left, how deep they have fallen, and what each click reaches.

The tiles of a column keep their order; a tile's row is the number of tiles left below it. States are numbered by the
clicks that are left, as in `bsp_sat.encoder.sequential`: state 0 is the empty board, move r leads from state r to
state r − 1, and only ``start(h)`` says that state h is the board. So raising the horizon adds a state in front, and
learned clauses stay true.

Variables (n tiles in w columns; a pair are two tiles of one colour that may meet)
    tile(r, x, y)         the tile that started at column x, row y is left      n a state
    below(r, x, y, k)     k of the tiles that started below it are left         O(n·height)
    holds(r, x, c)        column x holds colour c
    begins(r, x, c)       column x holds colour c and column x − 1 doesn't
    click(r, x), idle(r)  the column clicked; no click                          w + 1 a move
    touch(r, x, …)        two tiles of one colour lie side by side, or one on the other    one a pair
    step(r, …), reach(r, x, y, d)      the click reaches the tile by d steps at most       O((n + pairs)·d)

Clause groups
    `_state`     rows are counts of tiles
    `_touch`     which tiles of one colour touch                                O(pairs·height) a move
    `_reach`     the clicked tile, then the tiles that touch a reached tile; d goes up to one less than the number
                 of tiles of the colour, so that the whole group is reached     O((n + pairs)·d) a move
    effect       reached tiles go, all others stay (`_raise_horizon`)
    idle         no clicks in the first moves if the plan is shorter than the horizon (`_raise_horizon`)

A click is in the bottom row, in the leftmost column where its group has a tile there. Two devices prune; without them
the models at the length of a shortest plan correspond one to one to the shortest plans.
    budget            there are no more runs of adjacent columns with a common colour than clicks left (the lower
                      bound of `bsp_sat.instances.tiles`, true of every plan)
    order_commuting   of two consecutive clicks whose groups are more than one column apart, the one farther left comes
                      first. Removing one group doesn't change the other, so the two clicks can be swapped. Of all plans
                      of one length, the one whose columns are lexicographically least obeys the rule.

UNSAT at horizon h means that no plan has h clicks or fewer, as idle moves may come first. Every board can be cleared.

Source: bounded planning as satisfiability, Kautz and Selman, ECAI 1992.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat, numbers_of_colours
from bsp_sat.encoder.formula import Literal, Model, clause_group
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.tiles import Click, Tiles

Place = tuple[int, int]
"""Where a tile started: column and row."""


@dataclass(frozen=True)
class Clicks(Encoding):
    """The encoding of tiles; ``order_commuting`` allows only one order of two clicks that could be swapped."""

    budget: bool = True
    order_commuting: bool = True

    name = "clicks"
    scope = Scope((Tiles.kind,), frozenset())
    unsat = Unsat.UP_TO
    always_solvable = True

    def formula_of(self, puzzle: AnyPuzzle) -> "ClicksFormula":
        assert isinstance(puzzle, Tiles)
        return ClicksFormula(puzzle, self)


@dataclass(frozen=True)
class TileVariables:
    """The literals of one state; ``start`` makes it the board."""

    start: Literal
    left: dict[Place, Literal]
    below: dict[Place, list[Literal]]


@dataclass(frozen=True)
class ClickVariables:
    """The literals of one move; ``taken`` says for each column whether the move removes tiles from it."""

    click: list[Literal]
    idle: Literal
    taken: list[Literal]


class ClicksFormula(PlanFormula):
    """The encoding of one board, for any number of horizons."""

    meanings: ClassVar[Mapping[str, str]] = {
        "tile(r,x,y)": "the tile that started at column {x}, row {y} is left in state {r}",
        "start(r)": "state {r} is the board",
        "below(r,x,y,k)": "{k} tiles are left in state {r} of those that started below column {x}, row {y}",
        "holds(r,x,c)": "column {x} holds colour {c} in state {r}",
        "begins(r,x,c)": "column {x} holds colour {c} in state {r}, and the one before doesn't",
        "runs(r,i,k)": "more than {k} of the first {i}+1 variables begins of state {r} hold",
        "click(r,x)": "move {r} is a click in column {x}",
        "idle(r)": "move {r} is none",
        "taken(r,x)": "move {r} removes tiles of column {x}",
        "near(r,x,u)": "move {r} removes tiles of column {x}, and the move after it tiles of column {u}",
        "touch(r,x,y,u,v)": "the tiles that started at {x},{y} and {u},{v} touch in state {r}",
        "reach(r,x,y,d)": "move {r} reaches the tile that started at {x},{y} by {d} steps",
        "step(r,x,y,u,v,d)": "step {d} of move {r} reaches the tile that started at {x},{y} from {u},{v}",
    }

    def __init__(self, puzzle: Tiles, devices: Clicks) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.devices = devices
        self.columns = range(len(puzzle.columns))
        self.colour = {(x, y): tile for x, column in enumerate(puzzle.columns) for y, tile in enumerate(column)}
        alike = ((a, b) for a, b in combinations(self.colour, 2) if self.colour[a] == self.colour[b])
        self.pairs = [(a, b) for a, b in alike if b[0] - a[0] <= 1]
        self.neighbours: dict[Place, list[Place]] = {place: [] for place in self.colour}
        for a, b in self.pairs:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        self.states = [self._state(0)]
        self.moves: list[ClickVariables] = []
        for tile in self.states[0].left.values():
            self.add(-tile)

    def numbering(self) -> list[str]:
        return [
            "move r leads from state r, with r moves to go, to state r - 1; in state 0 no tile is left",
            "columns, rows from the bottom, and colours count from 0",
            *numbers_of_colours(self.puzzle.palette),
        ]

    def at_horizon(self, horizon: int) -> list[Literal]:
        while len(self.states) <= horizon:
            self._raise_horizon()
        if horizon < 0:
            return [-self.states[0].start, self.states[0].start]
        return [self.states[horizon].start]

    def decode(self, model: Model, horizon: int) -> Plan:
        clicks = []
        for move in reversed(self.moves[:horizon]):
            clicks += [Click(x) for x, literal in enumerate(move.click) if model[literal - 1] > 0]
        return Plan(tuple(clicks))

    def _raise_horizon(self) -> None:
        after, left = self.states[-1], len(self.states)
        before = self._state(left)
        self.states.append(before)
        click, idle = self.variables(len(self.columns), "click", left), self.variable("idle", left)
        self.exactly_one([*click, idle])
        gone = self._reach(left, before, click)
        for place, tile in before.left.items():
            self.add(-after.left[place], tile)
            self.add(-tile, gone[place], after.left[place])
            self.add(-gone[place], -after.left[place])
            for x in range(place[0] + 1, len(self.columns)):  # the clicked column is the leftmost
                self.add(-click[x], -gone[place], -before.below[place][0])
        taken = [
            self.define_or(("taken", left, x), [literal for place, literal in gone.items() if place[0] == x])
            for x in self.columns
        ]
        move = ClickVariables(click, idle, taken)
        if self.moves:  # a move may be idle only if all moves before it are
            self.add(-self.moves[-1].idle, idle)
        if self.devices.order_commuting and self.moves:
            self._order_commuting(left, move, self.moves[-1])
        self.moves.append(move)

    @clause_group
    def _state(self, left: int) -> TileVariables:
        """A tile's row is the number of tiles left below it."""
        tiles = {place: self.variable("tile", left, *place) for place in self.colour}
        state = TileVariables(self.define_and(("start", left), list(tiles.values())), tiles, {})
        for x, y in self.colour:
            state.below[x, y] = self.variables(y + 1, "below", left, x, y)
            self.exactly_one(state.below[x, y])
            if y:
                for row, lower in enumerate(state.below[x, y - 1]):
                    self.add(-lower, state.left[x, y - 1], state.below[x, y][row])
                    self.add(-lower, -state.left[x, y - 1], state.below[x, y][row + 1])
        if self.devices.budget:
            self._budget(left, state)
        return state

    def _budget(self, left: int, state: TileVariables) -> None:
        """No more runs of columns that hold a colour than clicks are left."""
        begins = []
        before: dict[int, Literal] = {}
        for x in self.columns:
            tiles: dict[int, list[Literal]] = {}
            for place, colour in self.colour.items():
                if place[0] == x:
                    tiles.setdefault(colour, []).append(state.left[place])
            holds = {colour: self.define_or(("holds", left, x, colour), some) for colour, some in tiles.items()}
            for colour, literal in holds.items():
                start = [literal] if colour not in before else [literal, -before[colour]]
                begins.append(self.define_and(("begins", left, x, colour), start))
            before = holds
        self.at_most(left, begins, "runs", left)

    @clause_group
    def _reach(self, left: int, state: TileVariables, click: list[Literal]) -> dict[Place, Literal]:
        """For each tile, a literal that the click removes it, reaching it in fewer steps than its colour has tiles."""
        touch = {pair: self._touch(left, state, *pair) for pair in self.pairs}
        touch |= {(b, a): literal for (a, b), literal in touch.items()}
        reached = {
            place: self.define_and(("reach", left, *place, 0), [click[place[0]], tile, state.below[place][0]])
            for place, tile in state.left.items()
        }
        for x, literal in enumerate(click):
            self.add(-literal, *(reached[place] for place in self.colour if place[0] == x))
        counts = {colour: list(self.colour.values()).count(colour) for colour in set(self.colour.values())}
        for steps in range(1, max(counts.values(), default=0)):
            farther = {}
            for place, so_far in reached.items():
                if steps < counts[self.colour[place]]:
                    ways = [
                        self.define_and(("step", left, *place, *by, steps), [reached[by], touch[place, by]])
                        for by in self.neighbours[place]
                    ]
                    farther[place] = self.define_or(("reach", left, *place, steps), [so_far, *ways])
            reached |= farther
        for (a, b), literal in touch.items():
            self.add(-literal, -reached[a], reached[b])
        return reached

    def _touch(self, left: int, state: TileVariables, a: Place, b: Place) -> Literal:
        """A literal for two tiles of one colour touching; ``a`` is below or on the left."""
        touch = self.variable("touch", left, *a, *b)
        both = [-state.left[a], -state.left[b]]
        self.add(-touch, -both[0])
        self.add(-touch, -both[1])
        if a[0] == b[0]:
            between = [state.left[a[0], y] for y in range(a[1] + 1, b[1])]
            self.add(*both, *between, touch)
            for tile in between:
                self.add(-touch, -tile)
            return touch
        for low, high in ((a, b), (b, a)):
            for row, literal in enumerate(state.below[low]):
                self.add(-touch, -literal, *state.below[high][row : row + 1])
        for one, other in zip(state.below[a], state.below[b], strict=False):
            self.add(*both, -one, -other, touch)
        return touch

    @clause_group
    def _order_commuting(self, left: int, first: ClickVariables, second: ClickVariables) -> None:
        """If a click is farther left than the one before, their groups share a column or have adjacent columns."""
        near = [
            self.define_and(("near", left, a, b), [first.taken[a], second.taken[b]])
            for a, b in product(self.columns, repeat=2)
            if abs(a - b) <= 1
        ]
        for a, b in product(self.columns, repeat=2):
            if b < a:
                self.add(-first.click[a], -second.click[b], *near)


CLICKS = Clicks()
