"""The layered model of ball sort for CP-SAT: many moves a layer, and balls are counted in integers.

A ball only ever lands on its own colour or in an empty tube. So a tube always holds a **residue**, the balls that have
never moved, and balls of one colour on top of it. Once the residue is gone, the tube is **emptied** and may hold any
one colour. Residues shrink block by block (a block is a maximal one-colour run of the start). Emptied tubes are
interchangeable, and each colour needs at most one that is partly filled. In one layer every tube only gives or only
receives. The moves of a layer are legal in any order: every place that receives exists before the layer, and no tube
that the layer empties is used within it.

The size of the model depends on the number of blocks and colours, not on the number of balls. That is an advantage for
large tubes and few colours (docs/three-partition.md).

Variables; state 0 is the board
    dug[t][b]      block b has left its place
    added[t][b]    number of other balls that lie on block b            0 … h − height(b)
    loose[t][c]    balls of colour c in emptied tubes                   0 … balls of c
    uses[t][c]     emptied tubes of colour c before or after layer t    0 … ⌈balls of c / h⌉
    moved[t][…]    balls that have moved before and leave their place in layer t

Moves = balls dug + balls moved again. With a horizon, infeasible means that no plan has that many moves or fewer;
without one, and with enough layers, that **the board is unsolvable**.

**How many layers are enough.** Between two consecutive digs only balls that have moved before move again. Replace these
moves by their net change. That takes two layers: first the colours that end with no more emptied tubes than they had
(the tubes in use before suffice), then the others (the tubes in use afterwards suffice). Each ball moves directly to
its last place, so no moves are added. So with B blocks at most 3·B + 2 layers are needed. Each layer without a dig
moves some ball again, so a plan with e moves above the lower bound needs at most B + e.

**Whole blocks.** We may assume that a block leaves in one layer. Suppose that some of its balls leave early, one of
them to a place p. If no ball of the colour lands on the rest of the block afterwards, let the early ball wait: its
departure exposed nothing, and p has gained room since. Otherwise let the early ball stay, and send the ball that
would land there to p (or to the place where the early ball is by then). No move is added.

Two devices, which can be switched off (``break_symmetry``), exclude no plan length:

* *Alike*: of tubes with the same start, the first loses its top block first; renaming tubes makes it so.
* *Idle*: layers that change nothing come first.

Source: parallel plans, Kautz and Selman 1996.
"""

from dataclasses import dataclass
from itertools import chain, count, groupby, pairwise
from math import inf

from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

from bsp_sat.backends.backend import Report
from bsp_sat.backends.cpsat.solver import Solver
from bsp_sat.backends.search.weighted_astar import report_within
from bsp_sat.encoder.blocks import Block, blocks_of
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort, Pour

FEW_LAYERS_EFFORT = 20.0  # CP-SAT's deterministic time, roughly seconds


def enough_layers(blocks: int, extra: int | None = None) -> int:
    """Layers that plans need at most, with ``extra`` moves above the lower bound if that is given."""
    most = 3 * blocks + 2
    return most if extra is None else min(blocks + extra, most)


@dataclass(frozen=True)
class _State:
    """The variables of one state."""

    dug: list[IntVar]
    added: list[IntVar]
    loose: list[IntVar]

    @property
    def counts(self) -> list[IntVar]:
        """The number of moved balls at each place."""
        return [*self.added, *self.loose]


class LayeredModel:
    """A CP-SAT model whose solutions are plans of at most ``layers`` layers and ``horizon`` moves."""

    def __init__(
        self, puzzle: BallSort, layers: int, horizon: int | None = None, *, break_symmetry: bool = True
    ) -> None:
        self.puzzle = puzzle
        self.model = CpModel()
        self._true = self.model.new_constant(1)
        self.blocks = blocks_of(puzzle)
        self.balls = [sum(tube.count(c) for tube in puzzle.tubes) for c in range(len(puzzle.palette))]
        self.states = [self._state() for _ in range(layers + 1)]
        for dug in self.states[0].dug:
            self.model.add(dug == 0)
        self._goal(self.states[-1])
        moved = [self._layer(before, after) for before, after in pairwise(self.states)]
        if horizon is not None:
            sizes = [block.size for block in self.blocks]
            first = LinearExpr.weighted_sum(self.states[-1].dug, sizes)
            self.model.add(first + LinearExpr.sum([*chain(*moved)]) <= horizon)
        if break_symmetry:
            self._alike()
            self._idle_first(moved)

    def decode(self, solver: CpSolver) -> Plan:
        """Decodes a solution into a plan."""
        states = []
        for state in self.states:
            added, loose = ([*map(solver.value, numbers)] for numbers in (state.added, state.loose))
            states.append(([*map(solver.boolean_value, state.dug)], added, loose))
        return Player(self.puzzle, self.blocks).play(states)

    def _state(self) -> _State:
        """Blocks leave from the top, moved balls lie on exposed blocks only, and no ball gets lost."""
        model = self.model
        state = _State(
            [model.new_bool_var("") for _ in self.blocks],
            [model.new_int_var(0, block.room, "") for block in self.blocks],
            [model.new_int_var(0, balls, "") for balls in self.balls],
        )
        for block in self.blocks:
            dug = state.dug[block.index]
            model.add(state.added[block.index] <= block.room * (self._exposed(state, block) - dug))
            if block.above is not None:
                model.add_implication(dug, state.dug[block.above])
        for c, loose in enumerate(state.loose):
            own = [block for block in self.blocks if block.colour == c]
            dug_out = LinearExpr.weighted_sum([state.dug[b.index] for b in own], [b.size for b in own])
            model.add(dug_out == loose + LinearExpr.sum([state.added[b.index] for b in own]))
        return state

    def _exposed(self, state: _State, block: Block) -> IntVar:
        return self._true if block.above is None else state.dug[block.above]

    def _goal(self, state: _State) -> None:
        """Only bottom blocks are left; for the goal ``full``, every tube is full or empty."""
        full = self.puzzle.goal == "full"
        for block in self.blocks:
            if block.level:
                self.model.add(state.dug[block.index] == 1)
            elif full:
                self.model.add(state.added[block.index] == block.room * (1 - state.dug[block.index]))
        if full:
            for c, loose in enumerate(state.loose):
                tubes = self.model.new_int_var(0, self.puzzle.home_tubes(c), "")
                self.model.add(loose == self.puzzle.capacity * tubes)

    def _layer(self, before: _State, after: _State) -> list[IntVar]:
        """Dug blocks stay dug, blocks that receive were exposed before, and there are enough tubes.

        Returns for each place the number of balls there that move again.
        """
        model, capacity = self.model, self.puzzle.capacity
        for block in self.blocks:
            model.add_implication(before.dug[block.index], after.dug[block.index])
            model.add(after.added[block.index] <= block.room * self._exposed(before, block))
        used = []
        for balls, loose, loose_after in zip(self.balls, before.loose, after.loose, strict=True):
            tubes = model.new_int_var(0, -(-balls // capacity), "")
            model.add(loose <= capacity * tubes)
            model.add(loose_after <= capacity * tubes)
            used.append(tubes)
        standing = [~before.dug[block.index] for block in self.blocks if block.level == 0]
        model.add(LinearExpr.sum([*standing, *used]) <= len(self.puzzle.tubes))
        moved = []
        for had, has in zip(before.counts, after.counts, strict=True):
            again = model.new_int_var(0, max(self.balls), "")
            model.add(again >= had - has)
            moved.append(again)
        return moved

    def _alike(self) -> None:
        """Of tubes with the same start, the first loses its top block first."""
        exposed = (block for block in self.blocks if block.above is None)
        tops = sorted(exposed, key=lambda block: self.puzzle.tubes[block.tube])
        for _, alike in groupby(tops, key=lambda block: self.puzzle.tubes[block.tube]):
            for first, second in pairwise(alike):
                for state in self.states:
                    self.model.add_implication(state.dug[second.index], state.dug[first.index])

    def _idle_first(self, moved: list[list[IntVar]]) -> None:
        """Once a layer has changed something, so does each that follows."""
        acts = [self.model.new_bool_var("") for _ in moved]
        for act, again, (before, after) in zip(acts, moved, pairwise(self.states), strict=True):
            change = LinearExpr.sum([*after.dug, *again]) - LinearExpr.sum(before.dug)
            self.model.add(change >= act)
            self.model.add(change == 0).only_enforce_if(~act)
        for earlier, later in pairwise(acts):
            self.model.add_implication(earlier, later)


@dataclass
class LayeredLoop:
    """Raises the horizon of the layered model, from the lower bound until there is a plan."""

    puzzle: BallSort
    solver: Solver
    report: Report
    break_symmetry: bool

    def run(self, max_steps: int | None, *, solvable: bool) -> str:
        """Finds a shortest plan, or proves that none has ``max_steps`` moves or fewer, or that there is none.

        Where no plan is known, one of any length is asked for first. Returns why it stopped, if that isn't settled.
        """
        blocks = len(blocks_of(self.puzzle))
        lowest = self.puzzle.lower_bound()
        for horizon in count(lowest):
            self.report.lower_bound(horizon)
            if max_steps is not None and horizon > max_steps:
                break
            found = None if solvable else self._plan(blocks // 3, horizon, FEW_LAYERS_EFFORT)
            found = found or self._plan(enough_layers(blocks, horizon - lowest), horizon)
            if found is not None:
                self.report.plan(found)
                break
            if not solvable:
                plan = self._plan(enough_layers(blocks), None)
                if plan is None:
                    self.report.unsolvable("infeasible without a bound on the length")
                    return ""
                max_steps, solvable = report_within(self.report, plan, max_steps), True
        return ""

    def _plan(self, layers: int, horizon: int | None, effort: float = inf) -> Plan | None:
        """A plan within these layers and moves; None if there is none, or none is found with ``effort``.

        Only a search of limited effort may have too few layers for all plans of that many moves.
        """
        limited = effort < inf
        model = LayeredModel(self.puzzle, layers, horizon, break_symmetry=self.break_symmetry)
        # The linear relaxation helps to find plans (8 triples of sum 40: 5 s with it, 46 s without it), but slows
        # refutations down (a board of 5 colours: over 15 s with it, 0.4 s without it).
        self.solver.cp.parameters.linearization_level = 1 if limited else 0
        self.report.stats(horizon=horizon, layers=layers)
        found = self.solver.ask(model.model, horizon, layers=layers, exact=limited, effort=effort)
        return model.decode(self.solver.cp) if found else None


StateValues = tuple[list[bool], list[int], list[int]]
"""One state of a solution: which blocks are dug, how many balls are added on each block, loose balls of each colour."""


class Player:
    """Turns one sequence of states into single moves. Use each instance once.

    A layer determines how many balls each place gives or receives. Places that receive exist before the layer, so the
    tubes may give in any order, each from the top down.
    """

    def __init__(self, puzzle: BallSort, blocks: list[Block]) -> None:
        self.capacity = puzzle.capacity
        self.blocks = blocks
        self.tubes = [bytearray(tube) for tube in puzzle.tubes]
        self.emptied = {i for i, tube in enumerate(puzzle.tubes) if not tube}
        self.moves: list[Pour] = []

    def play(self, states: list[StateValues]) -> Plan:
        """The moves that lead through ``states``, from the start to the goal."""
        for before, after in pairwise(states):
            self._play_layer(before, after)
        return Plan(tuple(self.moves))

    def _play_layer(self, before: StateValues, after: StateValues) -> None:
        dug_before, added_before, loose_before = before
        dug, added, loose = after
        wanted = {b.tube: added[b.index] - added_before[b.index] for b in self.blocks if not dug[b.index]}
        wanted = {tube: balls for tube, balls in wanted.items() if balls > 0}
        for block in reversed(self.blocks):  # from the top of each tube
            if not dug_before[block.index]:
                leaves = added_before[block.index] - added[block.index] + (block.size if dug[block.index] else 0)
                for _ in range(leaves):
                    self._move_top_ball(block.tube, wanted)
                if dug[block.index] and block.level == 0:
                    self.emptied.add(block.tube)
        for c, (had, has) in enumerate(zip(loose_before, loose, strict=True)):
            for _ in range(had - has):
                fewest = min((i for i in self.emptied if self._top_colour(i) == c), key=lambda i: len(self.tubes[i]))
                self._move_top_ball(fewest, wanted)

    def _move_top_ball(self, source: int, wanted: dict[int, int]) -> None:
        """Moves the top ball of ``source`` onto a block that still receives balls, or else into an emptied tube."""
        colour = self.tubes[source].pop()
        target = next((i for i, balls in wanted.items() if balls and self._top_colour(i) == colour), -1)
        if target >= 0:
            wanted[target] -= 1
        else:
            with_room = [i for i in self.emptied if i != source and len(self.tubes[i]) < self.capacity]
            own = [i for i in with_room if self._top_colour(i) == colour]
            target = own[0] if own else next(i for i in with_room if not self.tubes[i])
        self.tubes[target].append(colour)
        self.moves.append(Pour(source, target))

    def _top_colour(self, tube: int) -> int | None:
        return self.tubes[tube][-1] if self.tubes[tube] else None
