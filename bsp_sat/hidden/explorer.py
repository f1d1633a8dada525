"""Advice for playing a board with hidden cells, move by move, from all that was seen.

**What is seen** after a move: the revealed cells, and the effects of the position: the locks that have opened, the
tubes that are corked, and whether the board is solved (`bsp_sat.hidden.unseen`). The player is asked about an effect
if the remaining fillings differ in it; if all agree it is known. So no advised move is illegal for some filling: what
may be corked has been asked about. What is seen rules out fillings.

The **policy** is hindsight optimisation. Fillings are drawn from those that agree with all that is known (or all of
them are taken if they are few), and kept until something new is seen. For each move and every filling, the exact length
of the rest is found, as if the player knew the filling; the move with the least mean is made. A filling that can't be
solved any more counts with the cost of a new attempt.

**Ways.** A way to a cell is a sequence of moves after which, for every filling, an unknown cell is revealed or the
board is solved, with no position before it in which fillings differ. A way to a question leads to a position in which
they do: a lock may have opened, a tube be corked, the board be solved, or a known top reveal a cell of its colour below
it. Two rules keep the game going:

* the policy chooses no position twice before something new is seen. After `PATIENCE` positions it chooses only moves
  that lower the mean; if there is none, a shortest way to a cell or a question is followed, move by move. So an attempt
  without news ends: chosen positions are finite in number, and between them a way gets shorter with each move;
* until an attempt has revealed a cell, a move is made only if a way leads on from there: one to a cell if there is any,
  else one to a question. The attempt is given up only if there is none.

**The game ends.** Take any filling that agrees with all that is known, and a plan for it. Its moves up to the first
revealed cell, or the first question, are known moves between known positions, so they are a way; and if there is
neither, the plan solves the board for all fillings. So if no way leads on from the start, no filling has a plan:
`Advice.hopeless`, proved. Otherwise each attempt that follows the advice reveals a cell or answers a question, which
rules out a filling, because the remaining fillings differ in the answer. Both happen a finite number of times. Ways are
searched among `MOST_POSITIONS` positions, and beyond them found from plans for drawn fillings; if both fail the game
ends without a proof, `Advice.stuck`.

**How many attempts** a solvable board with H unknown cells takes, unless it ends like that. A tube without a lock shows
its top, and everything above an unknown cell is known; until the cell is revealed the ball right above it stays. So
every question about an open tube is whether its highest unknown cell has the colour of that ball: by a known top that
may be revealed with it (reveal rule ``run``), by a cork, or by the board being solved, which takes a yes for all of
them. After a yes the cell is known. After a no, nothing is asked about the tube until the cell has been revealed.

* **2 H + 1 without locks.** Say no way leads to a cell. Then the plan for the true filling leads to a yes. Before the
  answer is yes there is at most one no for each other tube, and one more where it is the board that isn't solved. So of
  the attempts that show no cell there is at most one for each cell: that of its no, or the one more before its yes.
* **H + 1 without locks and corks by the reveal rule** ``cell``. All that is asked is whether the board is solved. If no
  way leads to a cell the true filling is solved without seeing another one, and says yes.
* **2 H + F with locks**, for F fillings that agree with the start. An answer about locks rules out at least one.

Figures from drawn fillings are **estimates**, such as ``alive in 27 of 100``.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf
from random import Random

from bsp_sat.backends.kernel import Distances
from bsp_sat.hidden.board import Cells, arrangements, fillings_of
from bsp_sat.hidden.exact import moves_of
from bsp_sat.hidden.looking import shown
from bsp_sat.hidden.sampling import sample_fillings
from bsp_sat.hidden.unseen import NO_EFFECTS, NOTHING, Cases, Effects, Observation, Possible, may_have_effects
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import NEW_COLOUR, UNKNOWN, Filling, Place, Pour, SortPuzzle

SAMPLES = 100
FEW = 60  # up to this many arrangements are all examined
AGAIN = 1.5  # cost of a failed attempt, in lengths of a new one
PATIENCE = 20  # positions since something new was seen, before moves have to gain something
MOST_POSITIONS = 20_000  # examined for a way to an unknown cell


class Contradiction(BspSatError):
    """What was seen contradicts what was entered before."""


@dataclass(frozen=True)
class Advice:
    """What to do next.

    Attributes:
        move: the move to make; None if there is none now.
        restart: whether to start a new attempt instead; what was seen stays known.
        solved: whether the board is solved.
        hopeless: whether the board is proved unsolvable, whatever is still hidden.
        stuck: whether no way to learn more was found, though there may be one.
        known: whether everything that matters is known, so that a shortest plan remains.
        left: remaining moves: exact if all is known, else the mean over the fillings, an estimate if they were drawn.
        alive: the number of fillings that can still be solved, after the move if there is one.
        fillings: the number of fillings examined.
        drawn: whether they are a sample of more.
    """

    move: Pour | None = None
    restart: bool = False
    solved: bool = False
    hopeless: bool = False
    stuck: bool = False
    known: bool = False
    left: float = 0.0
    alive: int = 0
    fillings: int = 0
    drawn: bool = False


class Reach(IntEnum):
    """What a way leads to."""

    NOTHING = 0
    QUESTION = 1
    CELL = 2


@dataclass(frozen=True)
class Way:
    """A shortest way.

    Attributes:
        reach: what it leads to.
        moves: its moves; empty if there is no way.
        complete: whether there is provably no better one, even beyond the limit on positions.
    """

    reach: Reach
    moves: tuple[Pour, ...]
    complete: bool = True


class Explorer:
    r"""Keeps what has been seen, and advises what to do.

    Call in turns: `next_move`; after making its move in the game, `made`; while `looking` isn't empty, `saw` with what
    these tubes show; while `asking` isn't empty, `noticed` with the effects that have happened. After an advice to
    restart, call `restarted`.

    If the only question is whether the board is solved, it may be left open: then nothing is assumed, the question
    isn't asked again at that position, and `stuck` replaces `hopeless` from then on.

    Args:
        board: what is known at the start.
        seed: seed for drawing fillings.
        samples: how many fillings to draw.

    Attributes:
        start: the position at the start, with everything known by now.
        position: the current position, as far as it is known.
        looking: tubes that show cells which aren't known yet.
        asking: locks that may have opened, tubes that may be corked, and whether the board may be solved; None if that
            is known.
        solved: whether the board is solved.
        attempts: the number of attempts started.
        moves: moves of this attempt.
        all_moves: moves of all attempts.

    >>> from bsp_sat.instances.sorting import WaterSort
    >>> board = WaterSort.from_text("?ab|?ba|-\ncolours a3 b3")
    >>> explorer = Explorer(board)
    >>> explorer.next_move().move
    Pour(source=0, target=2)
    """

    def __init__(self, board: SortPuzzle, *, seed: int = 0, samples: int = SAMPLES) -> None:
        if board.is_plain:
            raise Unsupported("this board has no hidden cells; solve it")
        board.check()
        self._chance = Random(seed)
        self._samples = samples
        self._first = board
        self._cells = Cells.of(board) if board.is_hidden else Cells(())
        self._learnt: dict[Place, int] = {}
        self._observations: tuple[Observation, ...] = ()
        self._differing: dict[Place, int] = {}
        self._possible: dict[object, Possible] = {}
        self._left_open: set[object] = set()
        self.attempts = 1
        self.moves: list[Pour] = []
        self.all_moves = 0
        self._prepared = False
        self._distances: Distances | None = None
        self._fillings: list[Filling] = []
        self._drawn = False
        self._lengths: dict[Filling, int | None] = {}
        self._found_something = False
        self._seen_positions: set[object] = set()
        self.start: SortPuzzle = board
        self.position: SortPuzzle = board
        self.looking: tuple[int, ...] = ()
        self.asking: Effects | None = None
        self.solved = False
        self._look_around()

    # -- what is seen ------------------------------------------------------------------------------------

    def made(self, move: Pour) -> None:
        """Records a move made in the game, advised or not.

        Raises:
            ValueError: it is illegal, or what is seen has to be entered first.
        """
        self._check_all_is_entered()
        if (reason := self.position.refusal(move)) is not None:
            raise ValueError(reason)
        self._leave_open()
        locked = self.position.rules.locked
        self.position = self.position.apply(move)
        self.moves.append(move)
        self.all_moves += 1
        self._seen_positions.add(self._key(self.position))
        self._look_around([move.source, *(place for place in locked if place not in self.position.rules.locked)])

    def saw(self, colours: Mapping[int, Sequence[Colour]]) -> None:
        """Records what the tubes in `looking` show.

        Args:
            colours: by tube, the colours of newly revealed cells from the top down; empty if nothing new is revealed.
                `NEW_COLOUR` is a colour that hasn't shown before, not even in an earlier tube of this answer. It gets
                the first free name of the palette; use this name if a later tube shows the same colour.

        Raises:
            Contradiction: it contradicts the numbers of balls or what was seen before; nothing is recorded.
        """
        board = self.position
        if not board.is_hidden:
            return
        entered: dict[Place, int] = {}
        unseen = [board.palette[colour] for colour in board.unseen]
        for place in self.looking:
            unknown = [cell for cell in reversed(board.unknown) if cell[0] == place]
            shows = colours.get(place, ())
            if NEW_COLOUR in shows and NEW_COLOUR not in board.palette and unseen:
                shows = [unseen[0] if colour == NEW_COLOUR else colour for colour in shows]
            unseen = [colour for colour in unseen if colour not in shows]
            given = [board.colour_named(colour) for colour in shows]
            if len(given) > len(unknown):
                raise Contradiction(
                    f"tube {place + 1} has {len(unknown)} unknown cells, {len(given)} colours were given"
                )
            entered.update(zip(unknown, given, strict=False))
        missing = list(board.missing)
        for (place, _), colour in entered.items():
            missing[colour] -= 1
            if missing[colour] < 0:
                name = board.palette[colour]
                raise Contradiction(f"tube {place + 1} can't show {name}: all balls of that colour are known already")
        if set(board.to_see) - entered.keys():
            raise Contradiction(f"tube {board.to_see[0][0] + 1} shows a cell whose colour is missing")
        if tuple(sorted(entered.items())) != shown(board, {**dict.fromkeys(board.unknown, UNKNOWN), **entered}):
            raise Contradiction("cells revealed together must be a whole run of one colour")
        self._learn(board, entered, self._observations)

    def noticed(self, effects: Effects) -> None:
        """Records which of the effects in `asking` have happened.

        Raises:
            Contradiction: it contradicts what was seen before; nothing is recorded.
        """
        board, asking = self.position, self.asking
        if asking is None or not board.is_hidden:
            return
        if not effects.within(asking):
            raise Contradiction("that is known already, or can't have happened")
        sure = self._effects(board).sure
        opened, corked = ({*there, *said} for there, said in zip(sure[:2], effects[:2], strict=True))
        seen = Effects(tuple(sorted(opened)), tuple(sorted(corked)), sure.solved or effects.solved)
        self._learn(board, {}, (*self._observations, Observation(board, seen)))

    def _learn(self, board: SortPuzzle, entered: Mapping[Place, int], observations: tuple[Observation, ...]) -> None:
        """Records cells, or one more observation, and what follows.

        Raises:
            Contradiction: no filling agrees; nothing is recorded.
        """
        learnt = {**self._learnt, **entered}
        while True:
            known, start = _with_cells(board, learnt), _with_cells(self._first, learnt)
            opened = [place for place in board.rules.locked if place not in known.rules.locked]
            differing = {**self._differing, **_differing(known, opened)}
            cases = Cases(start, differing, observations)
            if cases.possible == []:
                raise Contradiction("no way to distribute the missing balls agrees with all that was seen")
            if not (follows := cases.follows()):
                break
            learnt.update(follows)
        is_news = len(observations) > len(self._observations) or len(learnt) > len(self._learnt)
        self._found_something |= len(learnt) > len(self._learnt)
        self._learnt, self._observations, self.position, self.start = learnt, observations, known, start
        if is_news:
            self._possible.clear()
            self._seen_positions.clear()
            self._seen_positions.add(self._key(known))
            self._prepared = False
        self._look_around(opened)

    def _look_around(self, exposed: Collection[int] = ()) -> None:
        """Finds what has to be asked about the position, and records the effects that are certain.

        Args:
            exposed: tubes whose tops have just been uncovered.
        """
        board = self.position
        self.looking, self.asking, self.solved = (), None, board.is_goal()
        if not board.is_hidden:
            return
        tops = {place for place, _ in board.to_see} | {*board.covered_tops}
        tops |= {place for place, _ in self._may_show(board) if place in exposed}
        self.looking = tuple(sorted(tops))
        self._rule_out(_differing(board, self.looking))
        if self.looking:
            return
        possible = self._effects(board)
        self.asking = possible.in_doubt
        if self.asking is None:
            self.solved = possible.sure.solved
            if possible.sure.opened:
                self.position = board.open_locks(possible.sure.opened)
                self._look_around(possible.sure.opened)

    def _rule_out(self, differing: Mapping[Place, int]) -> None:
        """Records that cells don't have a colour, and drops the fillings that disagree."""
        if differing.items() <= self._differing.items():
            return
        self._differing.update(differing)
        numbers = {place: number for number, place in enumerate(self._cells.places)}
        self._fillings = [
            filling
            for filling in self._fillings
            if all(filling[numbers[cell]] != colour for cell, colour in differing.items())
        ]
        self._prepared &= bool(self._fillings)

    def _may_show(self, board: SortPuzzle) -> list[Place]:
        """The unknown cells below the run of a known top that may have its colour."""
        missing = board.missing
        differing = board.looked().differing().items()
        return [cell for cell, colour in differing if missing[colour] and self._differing.get(cell) != colour]

    def _effects(self, board: SortPuzzle) -> Possible:
        """The effects that a position may have."""
        if not may_have_effects(board):
            return NO_EFFECTS
        key = self._key(board)
        if key not in self._possible:
            differing = {**self._differing, **board.differing()}
            self._possible[key] = Cases(self.start, differing, self._observations).effects(board)
        return self._possible[key]

    @property
    def is_waiting(self) -> bool:
        """Whether something seen has to be entered before the next move."""
        return bool(self.looking) or bool(self.asking and (self.asking.opened or self.asking.corked))

    def _leave_open(self) -> None:
        if self.asking:
            self._left_open.add(self._key(self.position))

    def _check_all_is_entered(self) -> None:
        if self.is_waiting:
            raise ValueError("first say what shows")

    # -- attempts --------------------------------------------------------------------------------------------

    def restarted(self) -> None:
        """Starts a new attempt: the covers are back, what was seen stays known."""
        self._leave_open()
        self.attempts += 1
        self.moves = []
        self._found_something = False
        self._seen_positions.clear()
        self.position = self.start
        self._prepared = False
        self._look_around()

    # -- advice ----------------------------------------------------------------------------------------------

    def next_move(self) -> Advice:
        """What to do now.

        Raises:
            ValueError: something seen has to be entered first.
        """
        self._check_all_is_entered()
        board = self.position
        if self.solved:
            return Advice(solved=True, known=not board.is_hidden)
        self._prepare()
        return self._by_fillings(board) if board.is_hidden else self._by_plan(board)

    def _prepare(self) -> None:
        """Draws fillings for what is known now, and prepares their distances."""
        if self._prepared:
            return
        self._prepared = True
        board, start = self.position, self.start
        if not board.is_hidden or not start.is_hidden:
            self._distances = Distances([board, start])
            return
        cases = Cases(start, self._differing, self._observations)
        self._drawn = arrangements(board) > FEW
        if self._drawn:
            here = sample_fillings(board, self._samples, self._chance, cases)
        else:
            here = [filling for filling in fillings_of(board) if cases.agree_with(board.unknown, filling)]
        known = {(place, level): start.tubes[place][level] for place, level in self._cells.places}
        wholes = [{**known, **dict(zip(board.unknown, filling, strict=True))} for filling in here]
        self._fillings = [bytes(whole[cell] for cell in self._cells.places) for whole in wholes]
        if not self._fillings:
            return
        starts = [self._cells.filled(start, filling) for filling in self._fillings]
        heres = [self._cells.filled(board, filling) for filling in self._fillings]
        self._distances = Distances([*heres, *starts])
        self._lengths = dict(zip(self._fillings, map(self._distances.length, starts), strict=True))

    def _by_plan(self, board: SortPuzzle) -> Advice:
        """The next move of a shortest plan, once all is known."""
        assert self._distances is not None
        left = self._distances.length(board)
        if left is None:
            if self._distances.length(self.start) is not None:
                return Advice(restart=True, known=True)
            return Advice(hopeless=True, known=True)
        for move in moves_of(board):
            after = self._distances.length(board.apply(move))
            if after is not None and after < left:
                return Advice(move, known=True, left=left, alive=1, fillings=1)
        raise AssertionError("no move shortens the way")

    def _by_fillings(self, board: SortPuzzle) -> Advice:
        """The move with the least mean of remaining moves, among those that keep the game going."""
        fillings = self._fillings
        about = Advice(fillings=len(fillings), drawn=self._drawn)
        if not self._drawn and all(self._lengths[filling] is None for filling in fillings):
            return Advice(hopeless=True, fillings=len(fillings))
        alive = sum(not self._is_dead(board, filling) for filling in fillings)
        if not alive and self._found_something and self.moves:
            return replace(about, restart=True)
        move = self._best_move(board) if alive else None
        if move is None:
            way = self._way(board)
            if way.moves:
                move = way.moves[0]
            elif not way.complete and alive:
                move = self._move_of_a_plan(board)
            elif self.moves:
                return replace(about, restart=True, alive=alive)
            else:
                proved = way.complete and not self._left_open and self.asking is None
                return replace(about, hopeless=proved, stuck=not proved)
        after = board.apply(move)
        lengths = [length for filling in fillings if (length := self._length(after, filling)) is not None]
        left = sum(lengths) / len(lengths) + 1 if lengths else 0.0
        return replace(about, move=move, left=left, alive=len(lengths))

    def _best_move(self, board: SortPuzzle) -> Pour | None:
        """The move with the least mean, to a position not visited since something new was seen.

        Until the attempt has revealed a cell, only among moves from which a way to a cell leads on, or else to a
        question. After `PATIENCE` positions only among moves that lower the mean: fillings may call for different
        moves, and going about among positions of equal means could take thousands of moves.
        """
        costs = {filling: self._left(board, filling) for filling in self._fillings}
        now = sum(costs.values())
        most = now if len(self._seen_positions) > PATIENCE else inf
        best: dict[Reach, tuple[float, Pour]] = {}
        for move, after in self._candidates(board):
            total = now - len(costs)  # a move shortens each by one at most
            for filling, cost in costs.items():
                total += self._left(after, filling) - (cost - 1)
                if total >= (best[Reach.CELL][0] if Reach.CELL in best else most):
                    break
            else:
                reach = Reach.CELL if self._found_something else self._reach(after)
                if reach and (reach not in best or total < best[reach][0]):
                    best[reach] = total, move
        return best[max(best)][1] if best else None

    def _candidates(self, board: SortPuzzle) -> list[tuple[Pour, SortPuzzle]]:
        """The moves to positions not visited since something new was seen, promising ones first."""
        found = []
        for move in moves_of(board):
            after = board.apply(move)
            if self._key(after) not in self._seen_positions:
                probe = sum(self._left(after, filling) for filling in self._fillings[:3])
                found.append((probe, move, after))
        found.sort(key=lambda entry: entry[:2])
        return [(move, after) for _, move, after in found]

    def _move_of_a_plan(self, board: SortPuzzle) -> Pour:
        """The first move of a shortest plan for a filling that can be solved."""
        filling = next(filling for filling in self._fillings if not self._is_dead(board, filling))

        def length_after(move: Pour) -> float:
            length = self._length(board.apply(move), filling)
            return inf if length is None else length

        return min(moves_of(board), key=length_after)

    def _length(self, board: SortPuzzle, filling: Filling) -> int | None:
        """The remaining moves for a player who knows the filling."""
        assert self._distances is not None
        return self._distances.length_filled(board, self._cells.places, filling)

    def _is_dead(self, board: SortPuzzle, filling: Filling) -> bool:
        return self._length(board, filling) is None

    def _left(self, board: SortPuzzle, filling: Filling) -> float:
        """The remaining moves for a filling; if it is dead, those of a new attempt."""
        length = self._length(board, filling)
        if length is not None:
            return length
        whole = self._lengths[filling]
        return 0.0 if whole is None else AGAIN * whole

    # -- ways ------------------------------------------------------------------------------------------------

    @staticmethod
    def _key(board: SortPuzzle) -> object:
        board = board.looked() if board.is_hidden else board.canonical()
        return board.tubes, board.covers, board.rules

    def _unless_revealed(self, board: SortPuzzle) -> tuple[Reach, SortPuzzle | None]:
        """What a position may reveal, and what is known of it if it reveals nothing; None if it certainly does."""
        if board.to_see:
            return Reach.CELL, None
        board = board.looked()
        possible = self._effects(board)
        if possible.in_doubt is None and possible.sure.solved:
            return Reach.CELL, None
        if possible.in_doubt is None and possible.sure.opened:
            return self._unless_revealed(board.open_locks(possible.sure.opened))
        may_reveal = len(possible.some) > 1 and self._key(board) not in self._left_open
        is_question = may_reveal or bool(self._may_show(board))
        may_be_silent = possible.in_doubt is None or not possible.complete or NOTHING in possible.some
        return Reach.QUESTION if is_question else Reach.NOTHING, board if may_be_silent else None

    def _reach(self, board: SortPuzzle) -> Reach:
        """What ways from a position lead to, including the position itself."""
        reach, silent = self._unless_revealed(board)
        if reach is Reach.CELL or silent is None:
            return reach
        way = self._way(silent)
        if not way.complete and any(not self._is_dead(board, filling) for filling in self._fillings):
            reach = max(reach, Reach.QUESTION)  # a plan leads there
        return max(reach, way.reach)

    def _way(self, board: SortPuzzle) -> Way:
        """A shortest way to a cell, or to a question if there is none."""
        way_to: dict[object, tuple[Pour, ...]] = {self._key(board): ()}
        queue = deque([board])
        question: tuple[Pour, ...] = ()
        while queue and len(way_to) < MOST_POSITIONS:
            position = queue.popleft()
            way = way_to[self._key(position)]
            for move in moves_of(position):
                reach, after = self._unless_revealed(position.apply(move))
                if reach is Reach.CELL:
                    return Way(reach, (*way, move))
                question = question or ((*way, move) if reach is Reach.QUESTION else ())
                if after is not None and (key := self._key(after)) not in way_to:
                    way_to[key] = (*way, move)
                    queue.append(after)
        return Way(Reach.QUESTION if question else Reach.NOTHING, question, complete=not queue)


def _with_cells(board: SortPuzzle, colours: Mapping[Place, int]) -> SortPuzzle:
    """The board with more cells known; some of them may be known or moved already."""
    if not board.is_hidden:
        return board
    unknown = {*board.unknown}
    return board.with_cells({cell: colour for cell, colour in colours.items() if cell in unknown})


def _differing(board: SortPuzzle, looking: Collection[int]) -> dict[Place, int]:
    """The unknown cells known not to have a colour, except in tubes that have to be looked at."""
    if not board.is_hidden:
        return {}
    return {cell: colour for cell, colour in board.differing().items() if cell[0] not in looking}
