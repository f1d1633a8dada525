"""Advice for playing a board with hidden cells, move by move, from all that was seen.

What is seen goes into `Knowledge` (`bsp_sat.apps.covered.knowledge`), and the next move is that of the policy
(`bsp_sat.apps.covered.policy`). No advised move is illegal for some filling: what may be corked has been asked about.

**The game ends.** Take any filling that agrees with all that is known, and a plan for it. Its moves up to the first
revealed cell, or the first question, are known moves between known positions, so they are a route
(`bsp_sat.apps.covered.routes`); and if there is neither, the plan solves the board for all fillings. So if no route
leads on from the start, no filling has a plan: `Advice.hopeless`, proved. Otherwise each attempt that follows the
advice reveals a cell or answers a question, which rules out a filling, because the remaining fillings differ in the
answer. Both happen a finite number of times. Routes are searched among `MOST_POSITIONS` positions, and beyond them
found from plans for drawn fillings; if both fail the game ends without a proof, `Advice.stuck`.

**How many attempts** a solvable board with H unknown cells takes, unless it ends like that. A tube without a lock shows
its top, and everything above an unknown cell is known; until the cell is revealed the ball right above it stays. So
every question about an open tube is whether its highest unknown cell has the colour of that ball: by a known top that
may be revealed with it (reveal rule ``run``), by a cork, or by the board being solved, which takes a yes for all of
them. After a yes the cell is known. After a no, nothing is asked about the tube until the cell has been revealed.

* **2 H + 1 without locks.** Say no route leads to a cell. Then the plan for the true filling leads to a yes. Before the
  answer is yes there is at most one no for each other tube, and one more where it is the board that isn't solved. So of
  the attempts that show no cell there is at most one for each cell: that of its no, or the one more before its yes.
* **H + 1 without locks and corks by the reveal rule** ``cell``. All that is asked is whether the board is solved. If no
  route leads to a cell the true filling is solved without seeing another one, and says yes.
* **2 H + F with locks**, for F fillings that agree with the start. An answer about locks rules out at least one.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.hindsight import Hindsight
from bsp_sat.apps.covered.knowledge import Knowledge, View, key_up_to_exchange, look_around, opened
from bsp_sat.apps.covered.policy import Advice, Attempt, by_plan, by_route
from bsp_sat.apps.covered.routes import Routes
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Board, position_of
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import Pour, SortPuzzle
from bsp_sat.instances.text.words import short

SAMPLES = 100


class Explorer:
    r"""Keeps what has been seen, and advises what to do.

    Call in turns: `next_move`; after making its move in the game, `record_move`; while `looking` isn't empty,
    `record_colours` with what these tubes show; while `asking` isn't empty, `record_effects` with the effects that
    have happened. After an advice to restart, call `record_restart`. `all_moves` counts those of all attempts.

    If the only question is whether the board is solved, it may be left open: then nothing is assumed, the question
    isn't asked again at that position, and `Advice.stuck` replaces `Advice.hopeless` from then on.

    >>> explorer = Explorer("?ab|?ba|-\ncolours a3 b3")
    >>> explorer.next_move().move
    Pour(source=1, target=2)
    """

    def __init__(self, board: Board, *, seed: int = 0, samples: int = SAMPLES) -> None:
        board = position_of(board)
        if not isinstance(board, SortPuzzle) or board.is_plain:
            raise Unsupported("this board has no hidden cells; solve it")
        board.check()
        self._seed = seed
        self._samples = samples
        self._knowledge = Knowledge(board, board)
        self._view = View(board)
        self._attempt = Attempt()
        self._hindsight: Hindsight | None = None  # drawn when it is needed
        self._left_open: set[object] = set()
        self.attempts = 1
        self.all_moves = 0
        self._look_around(board)

    # -- what is known ---------------------------------------------------------------------------------------

    @property
    def start(self) -> SortPuzzle:
        """The position at the start, with everything known by now."""
        return self._knowledge.start

    @property
    def position(self) -> SortPuzzle:
        """The current position, as far as it is known."""
        return self._view.position

    @property
    def looking(self) -> tuple[int, ...]:
        """Tubes that show cells which aren't known yet."""
        return self._view.looking

    @property
    def asking(self) -> Effects | None:
        """Locks that may have opened, tubes that may be corked, and whether the board may be solved; None if known."""
        return self._view.asking

    @property
    def solved(self) -> bool:
        """Whether the board is solved."""
        return self._view.solved

    @property
    def is_waiting(self) -> bool:
        """Whether something seen has to be entered before the next move."""
        return self._view.is_waiting

    @property
    def moves(self) -> list[Pour]:
        """Moves of this attempt."""
        return self._attempt.moves

    # -- what happens ----------------------------------------------------------------------------------------

    def next_move(self) -> Advice:
        """What to do now. ValueError if something seen has to be entered first."""
        self._check_all_is_entered()
        knowledge, board = self._knowledge, self.position
        if self.solved:
            return Advice(solved=True, known=not board.is_hidden)
        if self._hindsight is None:  # drawn by what is known, so that the same history gives the same advice
            seed = f"{self._seed} {self.attempts} {sorted(knowledge.learnt)} {len(knowledge.observations)}"
            self._hindsight = Hindsight.of(knowledge, board, self._samples, Random(seed))
        hindsight = self._hindsight
        if not board.is_hidden:
            return by_plan(hindsight, knowledge.start, board)
        return by_route(self._view, self._attempt, hindsight, Routes(knowledge, hindsight, self._left_open))

    def record_move(self, move: Pour) -> None:
        """Records a move made in the game, advised or not.

        Raises `TypeError` if it is no `Pour`, `ValueError` if it is illegal, or what is seen has to be entered first.
        """
        if not isinstance(move, Pour):
            raise TypeError(f"expected a move, such as Pour(2, 3), found {short(repr(move))}")
        self._check_all_is_entered()
        before = self.position
        if (reason := before.refusal(move)) is not None:
            raise ValueError(reason)
        self._leave_open()
        after = before.after_legal(move)
        self._attempt.make(move)
        self.all_moves += 1
        self._look_around(after, [move.source, *opened(before, after)])

    def record_colours(self, colours: Mapping[int, Sequence[Colour]]) -> None:
        """Records the colours of cells that the tubes in `looking` newly reveal, from the top down; empty if none.

        `NEW_COLOUR` is a colour that hasn't shown before, not even in an earlier tube of this answer. It gets the first
        free name of the palette, such as ``new colour 1``; use that if a later tube shows it too.

        Raises `TypeError` for colours given as one string, `ValueError` for a tube that isn't in `looking`, and
        `Contradiction` if they contradict the numbers of balls or what was seen before; then nothing is recorded.
        """
        for tube, shows in colours.items():
            if isinstance(shows, str):
                raise TypeError(f"expected a list of colours for tube {tube}, found {short(repr(shows))}")
            if tube not in self.looking:
                raise ValueError(f"expected a tube of which `looking` asks, {self.looking}; found {short(repr(tube))}")
        if self.looking:
            cells = self._view.cells_shown(colours)
            self._learn(*self._knowledge.learning(self.position, cells))

    def record_effects(self, effects: Effects) -> None:
        """Records which effects in `asking` have happened; Contradiction, and nothing recorded, if that can't be."""
        if self.asking is not None or any(effects):
            observation = self._view.observation(effects, self._knowledge.effects(self.position).sure)
            self._learn(*self._knowledge.learning(self.position, {}, observation))

    def record_restart(self) -> None:
        """Starts a new attempt: the covers are back, what was seen stays known."""
        self._leave_open()
        self.attempts += 1
        self._attempt = Attempt()
        self._hindsight = None
        self._look_around(self.start)

    # -- what follows ----------------------------------------------------------------------------------------

    def _learn(self, knowledge: Knowledge, position: SortPuzzle) -> None:
        """Takes over what was learnt of the position."""
        before, self._knowledge = self._knowledge, knowledge
        if len(knowledge.learnt) > len(before.learnt):
            self._attempt.has_shown = True
        if knowledge.is_news_after(before):
            self._attempt.route = None
            self._hindsight = None
        self._look_around(position, opened(self.position, position))

    def _look_around(self, position: SortPuzzle, exposed: Collection[int] = ()) -> None:
        """Finds what the player faces at a position. What was ruled out goes from the fillings."""
        before = self._knowledge
        self._knowledge, self._view = look_around(before, position, exposed)
        if self._knowledge is not before and self._hindsight is not None:
            self._hindsight = self._hindsight.without(self._knowledge.differing)

    def _leave_open(self) -> None:
        if self.asking is not None:
            self._left_open.add(key_up_to_exchange(self.position))

    def _check_all_is_entered(self) -> None:
        if self.is_waiting:
            raise ValueError("expected first what the tubes show, or what was noticed: see `looking` and `asking`")
