"""The layered encoding of ball sort as clauses: many moves a layer, and a budget for the moves.

A ball only ever lands on its own colour or in an empty tube. So a tube always holds a **residue**, the balls that have
never moved, and balls of one colour on top of it. Once the residue is gone, the tube is **emptied** and may hold any
one colour. Residues shrink block by block (a block is a maximal one-colour run of the start): moving a part of a block
early gains nothing, as its balls are interchangeable and can move with the rest. Emptied tubes are interchangeable,
and each colour needs at most one that is partly filled.

Layers are numbered by the layers that are left, state 0 is a goal, layer t leads from state t to state t − 1, and
the start is an assumption, as in `bsp_sat.encoder.sequential`. In one layer every tube only gives or only receives.

Variables (h capacity, n tubes)
    dug(t, b)        block b has left its place                                     1 a block and state
    added(t, b, k)   more than k other balls lie on block b                         h − height(b)
    loose(t, c, k)   more than k balls of colour c are in emptied tubes             balls of c
    out(t, c, ·)     sums: balls of c dug out, and balls of c lying elsewhere       see `_conserve`
    uses(t, c, j)    colour c has more than j emptied tubes before or after layer t 1 a tube c may fill
    moved(t, …)      a ball that has moved before leaves its place in layer t       1 an added or loose
    acts(t)          layer t changes something                                      1

Clause groups
    `_state`         blocks go from the top; balls lie on exposed blocks only       O(blocks·h)
    `_conserve`      balls of c dug out = added + loose, in unary                   O(balls of c ²) a colour
    `_goal`          only bottom blocks are left; for the goal ``full``, no tube is partly filled
    `_layer`         dug blocks stay dug; a block that receives was exposed before  O(blocks)
    `_tubes`         residues before the layer, and emptied tubes before or after it, are at most n   O(n²)
    `_moved`         a ball that moves again costs one                              O(balls·budget)
    `_no_idle_gap`   idle layers come first

The moves of a layer are legal in any order: every place that receives exists before the layer, and no tube that the
layer empties is used within it.

**Cost.** Moves = balls dug + balls moved again. The number of balls dug is known, except for bottom runs, which may
stay (`loss`, as in `bsp_sat.encoder.sequential.work_counters`). ``at_horizon(h)`` asks for a plan of at most h moves.

**How many layers are enough.** Between two consecutive digs only balls that have moved before move again. Replace these
moves by their net change. That takes two layers: first the colours that end with no more emptied tubes than they had
(the tubes in use before suffice), then the others (the tubes in use afterwards suffice). Each ball moves directly to
its last place, so no moves are added. So with B blocks at most 3·B + 2 layers are needed. Each layer without a dig
moves some ball again, so a plan with e moves above the lower bound needs at most B + e. The formula uses the smaller
number. UNSAT of ``at_horizon(h)`` means that no plan has h moves or fewer, UNSAT of ``at_any_length()`` that **the
board is unsolvable**.

**Whole blocks.** We may assume that a block leaves in one layer. Suppose that some of its balls leave early, one of
them to a place p. If no ball of the colour lands on the rest of the block afterwards, let the early ball wait: its
departure exposed nothing, and p has more room meanwhile. Otherwise let the early ball stay, and send the ball that
would land there to p (or to the place where the early ball is by then). No move is added.

Source: parallel plans, Kautz and Selman 1996.
"""

from dataclasses import dataclass
from itertools import pairwise

from bsp_sat.encoder.blocks import blocks_of
from bsp_sat.encoder.counters import Totalizer, Unary, equate, unary_sum
from bsp_sat.encoder.encoding import PlanFormula
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.encoder.layered.plan import Player
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort


def enough_layers(blocks: int, extra: int | None = None) -> int:
    """Layers that plans need at most, with ``extra`` moves above the lower bound if that is given."""
    most = 3 * blocks + 2
    return most if extra is None else min(blocks + extra, most)


@dataclass(frozen=True)
class LayerState:
    """The literals of one state."""

    dug: list[Literal]
    added: list[Unary]
    loose: list[Unary]


class LayeredFormula(PlanFormula):
    """The layered encoding of one board, for any number of layers and moves."""

    def __init__(self, puzzle: BallSort) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.blocks = blocks_of(puzzle)
        self.bottoms = [block for block in self.blocks if block.level == 0]
        self.balls = [sum(tube.count(c) for tube in puzzle.tubes) for c in range(len(puzzle.palette))]
        self.lower_bound = puzzle.lower_bound()
        self.states: list[LayerState] = []
        self.acts: list[Literal] = []
        self.starts: dict[int, Literal] = {}
        self._raise()
        self.costs = [Totalizer(self, self._loss(), ("loss",))]

    # -- assumptions ------------------------------------------------------------------------------

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Assumptions that ask for a plan of at most ``horizon`` moves; below the lower bound, a contradiction."""
        extra = horizon - self.lower_bound
        if extra < 0:
            below = self.variable("below-the-lower-bound", horizon)
            self.add(-below)
            return [below]
        layers = enough_layers(len(self.blocks), extra)
        return [self._start(layers), *self.costs[layers].at_most(extra)]

    def at_any_length(self) -> list[Literal]:
        """Assumptions that ask for any plan at all."""
        return [self._start(enough_layers(len(self.blocks)))]

    def extra_moves(self) -> list[Literal]:
        """Literals for balls of bottom runs that don't stay, and for balls moved again."""
        layers = enough_layers(len(self.blocks))
        self._start(layers)
        return self.costs[layers].inputs()

    # -- clauses ----------------------------------------------------------------------------------

    def _raise(self) -> None:
        """Adds one more state in front of the others, and the layer after it."""
        left = len(self.states)
        state = self._state(left)
        self._conserve(left, state)
        self.states.append(state)
        if left == 0:
            self._goal(state)
            return
        after = self.states[-2]
        self._layer(state, after)
        self._tubes(left, state, after)
        moved = self._moved(left, state, after)
        self._no_idle_gap(left, state, after, moved)
        again = Totalizer(self, moved, ("again", left))
        self.costs.append(Totalizer(self, [self.costs[-1], again], ("extra", left)))

    def _start(self, layers: int) -> Literal:
        """A literal that makes state ``layers`` the board: no block is dug, so no ball has moved."""
        while len(self.states) <= layers:
            self._raise()
        if layers not in self.starts:
            self.starts[layers] = start = self.variable("start", layers)
            for dug in self.states[layers].dug:
                self.add(-start, -dug)
        return self.starts[layers]

    def _state(self, left: int) -> LayerState:
        """Blocks leave from the top; balls that have moved lie on an exposed block or in emptied tubes."""
        dug = self.variables(len(self.blocks), "dug", left)
        added = [self.variables(block.room, "added", left, block.index) for block in self.blocks]
        loose = [self.variables(balls, "loose", left, c) for c, balls in enumerate(self.balls)]
        for block in self.blocks:
            if block.above is not None:
                self.add(-dug[block.index], dug[block.above])
            for on_it in added[block.index][:1]:
                self.add(-on_it, -dug[block.index])
                if block.above is not None:
                    self.add(-on_it, dug[block.above])
        for number in (*added, *loose):
            for less, more in pairwise(number):
                self.add(-more, less)
        return LayerState(dug, added, loose)

    def _conserve(self, left: int, state: LayerState) -> None:
        """All dug balls lie on blocks or in emptied tubes."""
        for c in range(len(self.balls)):
            own = [block for block in self.blocks if block.colour == c]
            dug = unary_sum(self, [[state.dug[b.index]] * b.size for b in own], ("out", left, c, 0))
            put = unary_sum(self, [*(state.added[b.index] for b in own), state.loose[c]], ("out", left, c, 1))
            equate(self, dug, put)

    def _goal(self, state: LayerState) -> None:
        """Only bottom blocks are left; for the goal ``full``, every tube is full or empty."""
        for block in self.blocks:
            if block.level:
                self.add(state.dug[block.index])
            elif self.puzzle.goal == "full":
                for added in state.added[block.index]:
                    self.add(state.dug[block.index], added)
        if self.puzzle.goal == "full":
            for loose in state.loose:
                for k, (less, more) in enumerate(pairwise(loose), start=1):
                    if k % self.puzzle.capacity:
                        self.add(-less, more)

    def _layer(self, state: LayerState, after: LayerState) -> None:
        """Dug blocks stay dug; a block that receives balls was exposed before the layer."""
        for block in self.blocks:
            self.add(-state.dug[block.index], after.dug[block.index])
            if block.above is not None:
                for added in after.added[block.index][:1]:
                    self.add(-added, state.dug[block.above])

    def _tubes(self, left: int, state: LayerState, after: LayerState) -> None:
        """Tubes with a residue before the layer, and emptied tubes before or after it, are at most n."""
        used = [-state.dug[block.index] for block in self.bottoms]
        for c, balls in enumerate(self.balls):
            uses = self.variables(-(-balls // self.puzzle.capacity), "uses", left, c)
            for j, literal in enumerate(uses):
                for loose in (state.loose[c], after.loose[c]):
                    self.add(-loose[j * self.puzzle.capacity], literal)
            used += uses
        for literal in Totalizer(self, used, ("used", left)).at_most(len(self.puzzle.tubes)):
            self.add(literal)

    def _moved(self, left: int, state: LayerState, after: LayerState) -> list[Literal]:
        """Literals that count the balls that move in this layer and have moved before."""
        moved = []
        for kind, before, then in (("added", state.added, after.added), ("loose", state.loose, after.loose)):
            for i, (number, number_after) in enumerate(zip(before, then, strict=True)):
                for k, (had, has) in enumerate(zip(number, number_after, strict=True)):
                    again = self.variable("moved", left, kind, i, k)
                    self.add(-had, has, again)
                    moved.append(again)
        return moved

    def _no_idle_gap(self, left: int, state: LayerState, after: LayerState, moved: list[Literal]) -> None:
        """Layers that change nothing come before all others."""
        acts = self.variable("acts", left)
        changes = list(moved)
        for block in self.blocks:
            digs = self.variable("digs", left, block.index)
            self.add(state.dug[block.index], -after.dug[block.index], digs)
            self.add(-digs, -state.dug[block.index])
            self.add(-digs, after.dug[block.index])
            self.add(-digs, acts)
            changes.append(digs)
        for again in moved:
            self.add(-again, acts)
        self.add(-acts, *changes)
        if self.acts:
            self.add(-acts, self.acts[-1])
        self.acts.append(acts)

    def _loss(self) -> list[Literal]:
        """Literals that count the dug balls of bottom runs, beyond those that must be dug."""
        loss: list[Literal] = []
        for c, balls in enumerate(self.balls):
            runs = [block for block in self.bottoms if block.colour == c]
            sizes = sorted((block.size for block in runs), reverse=True)
            stay = sum(sizes[: balls // self.puzzle.capacity] if self.puzzle.goal == "full" else sizes)
            dug = unary_sum(self, [[self.states[0].dug[b.index]] * b.size for b in runs], ("loss", c))
            loss += dug[sum(sizes) - stay :]
        return loss

    # -- models -----------------------------------------------------------------------------------

    def decode(self, model: Model, horizon: int) -> Plan:
        """Decodes a model into a plan; under ``at_horizon(horizon)`` it has at most ``horizon`` moves."""

        def number(literals: Unary) -> int:
            return sum(model[literal - 1] > 0 for literal in literals)

        layers = max(left for left, start in self.starts.items() if start <= len(model) and model[start - 1] > 0)
        return Player(self.puzzle, self.blocks).play(
            [
                (
                    [model[literal - 1] > 0 for literal in state.dug],
                    [number(added) for added in state.added],
                    [number(loose) for loose in state.loose],
                )
                for state in reversed(self.states[: layers + 1])
            ]
        )
