"""A redundant budget for the sequential encoding: the remaining work never exceeds the remaining moves.

The goal state determines the colour each tube ends with, its **home** colour. In ball sort a ball is at
home when it and all balls below it have the home colour of their tube; every other ball has to move at
least once. In water sort the same is counted in blocks: each block has to be poured at least once, except
bottom blocks that are at home. Both counts are the **work** of a state, 0 at the goal. A move
    advances   reduces work by one: a ball lands at home (ball); a whole run is poured onto its own colour or
               into an empty tube that is its home (water);
    retreats   adds one: a ball leaves its home (ball); a tube whose bottom block is at home is emptied (water).
So work(r) ≤ r in every state with r moves to go. Without the counters, the solver could infer this only by
trying the moves; with them, unit propagation finds it, and shows early which homes cost too much. It is the
lower bound of the searches, for the homes that the plan ends with.

Variables
    stays(r, i)    the bottom ball of tube i has the tube's home colour            n a state
    work(r, k)     the work of state r is at least k, 1 ≤ k ≤ r                    r a state
    loss(i, w)     bottom runs of tubes 0 to i that don't stay have w balls or more (blocks in water sort)

Only "at least" is defined: a model that overstates the work gains nothing. The clauses hold in every plan, so they
never exclude one.
"""

from bsp_sat.encoder.formula import Formula, Literal
from bsp_sat.encoder.sequential.variables import MoveVariables, StateVariables
from bsp_sat.instances.sorting import SortPuzzle, WaterSort, block_count, bottom_run


class WorkCounters:
    """The work counters of one sequential formula."""

    def __init__(self, formula: Formula, puzzle: SortPuzzle, goal: StateVariables) -> None:
        self.formula = formula
        self.puzzle = puzzle
        self.water = isinstance(puzzle, WaterSort)
        self.home = [places[0] for places in goal.cell]
        self.work: list[list[Literal]] = [[]]
        self.stays = [self._stays(0, goal)]
        if puzzle.goal == "full" and puzzle.is_plain:
            self._count_homes()
        self.loss, self.fixed = self._loss()

    def add_step(self, state: StateVariables, move: MoveVariables, after: StateVariables) -> None:
        """Adds the counter of the next state in front of the others."""
        formula, left = self.formula, len(self.work)
        stays, stays_after = self._stays(left, state), self.stays[-1]
        self.stays.append(stays)
        advances = formula.variable("advances", left)
        retreats = formula.variable("retreats", left)
        for i, (source, target) in enumerate(zip(move.source, move.target, strict=True)):
            if self.water:
                # A whole run is poured if and only if its tube is empty afterwards or has another colour on top.
                emptied = -after.fill[i][0]
                for c, top in enumerate(after.top[i]):
                    formula.add(-advances, -source, -move.colour[c], -top)
                formula.add(-advances, -target, -move.to_empty, stays_after[i])
                formula.add(-source, -state.uniform[i], -stays[i], -emptied, retreats)
            else:
                formula.add(-advances, -target, stays_after[i])
                formula.add(-advances, -target, after.uniform[i])
                formula.add(-source, -state.uniform[i], -stays[i], retreats)
        self._count(left, advances, retreats)

    def add_start(self, start: Literal, horizon: int) -> None:
        """The work of the board, as state ``horizon``, follows from the bottom runs that don't stay."""
        work = self.work[horizon]
        for loss in range(len(self.loss) + 1):
            dearer = [] if loss == 0 else [-self.loss[loss - 1]]
            total = self.fixed + loss
            if total > horizon:
                self.formula.add(-start, *dearer)
            elif total:
                self.formula.add(-start, *dearer, work[total - 1])

    def _stays(self, left: int, state: StateVariables) -> list[Literal]:
        stays = self.formula.variables(len(state.fill), "stays", left)
        for i, home in enumerate(self.home):
            self.formula.add(-stays[i], state.fill[i][0])
            for c, bottom in enumerate(state.cell[i][0]):
                self.formula.add(-bottom, -home[c], stays[i])
                self.formula.add(-bottom, home[c], -stays[i])
        return stays

    def _count(self, left: int, advances: Literal, retreats: Literal) -> None:
        """work(left) follows from work(left − 1) and the move; it can't be more than ``left``."""
        formula = self.formula
        now = formula.variables(left, "work", left)
        then = self.work[-1]

        def after_at_least(amount: int) -> list[Literal]:
            """The literal that the work after the move is at least ``amount``; none if it can't be."""
            return [then[amount - 1]] if amount <= len(then) else []

        for amount in range(1, left + 1):
            more = -now[amount - 1]
            if amount > 1:
                formula.add(more, now[amount - 2])
                formula.add(more, *after_at_least(amount - 1))
            formula.add(more, advances, *after_at_least(amount))
            formula.add(more, -retreats, *after_at_least(amount))
            formula.add(more, -retreats, advances, *after_at_least(amount + 1))
        self.work.append(now)

    def _count_homes(self) -> None:
        """For the goal ``full``, a colour has exactly as many homes as tubes that it fills."""
        for c in range(len(self.puzzle.palette)):
            homes = [home[c] for home in self.home]
            wanted = self.puzzle.home_tubes(c)
            self.formula.at_most(wanted, homes, "homes", c)
            self.formula.at_most(len(homes) - wanted, [-home for home in homes], "no-homes", c)

    def _loss(self) -> tuple[list[Literal], int]:
        """The unary sum of bottom runs that don't stay, and the board's work if all of them stayed."""
        tubes = self.puzzle.tubes
        worth = [1 if self.water else bottom_run(tube) for tube in tubes]
        total = sum(map(block_count if self.water else len, tubes))
        sums: list[Literal] = []
        for i, tube in enumerate(tubes):
            if not tube:
                continue
            goes = -self.home[i][tube[0]]
            before = sums
            sums = self.formula.variables(len(before) + worth[i], "loss", i)
            for w, at_least in enumerate(sums, start=1):
                if w <= len(before):
                    self.formula.add(-before[w - 1], at_least)
                if w <= worth[i]:
                    self.formula.add(-goes, at_least)
                elif w - worth[i] <= len(before):
                    self.formula.add(-goes, -before[w - worth[i] - 1], at_least)
        kept = sum(value for tube, value in zip(tubes, worth, strict=True) if tube)
        return sums, total - kept
