"""Playing along on a board with hidden cells: the next move, what was seen, and so on to the end.

The **policy** is hindsight optimisation. Fillings are drawn from those that agree with all that is known (all of them
are taken where they are few), and kept until something new is seen. For each move the exact length of what remains is
found for every filling, as if the player knew it; the move with the least mean is made. A filling for which nothing
leads to the goal any more counts with what a new attempt costs. Two things keep it going:

* no position comes twice before something new is seen;
* **each attempt brings to light an unknown cell**: as long as it hasn't, no move is made from which none can be reached
  over known positions, and no attempt is given up. On a solvable board there is always a way to one: of a plan for the
  true filling the moves before its first look are known moves. So a solvable board with H unknown cells is solved
  in H + 1 attempts at the latest: in the last one everything is known, and the plan is a shortest one.

What fillings that were drawn say is an **estimate** and called so: ``alive in 27 of 100``.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bsp_sat.backends.kernel import Distances
from bsp_sat.exploring.drawing import draw
from bsp_sat.exploring.exact import moves_of
from bsp_sat.exploring.looking import shown
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import UNKNOWN, Filling, HiddenSort, Place, Pour, RuledSort, SortPuzzle
from bsp_sat.instances.sorting.cells import Cells

SAMPLES = 100
FEW = 60  # arrangements that are all looked at
AGAIN = 1.5  # what an attempt that has failed costs, in lengths of a new one
MOST_POSITIONS = 20_000  # that are looked at for a way to an unknown cell


class Contradiction(BspSatError):
    """What was seen can't be, by all that was said before."""


@dataclass(frozen=True)
class Advice:
    """What to do next.

    Attributes:
        move: the move to make; None where there is none to make now.
        restart: whether to begin a new attempt instead; what was seen stays known.
        solved: whether the board is solved.
        hopeless: whether it is proved that nothing solves the board, whatever is hidden.
        known: whether everything that matters is known, so that what remains is a shortest plan.
        left: moves that remain: exact where all is known, else the mean over the fillings, an estimate where they were
            drawn.
        alive: for how many of the fillings the board can still be solved after the move.
        fillings: how many fillings that is of.
        drawn: whether they were drawn from more of them.
    """

    move: Pour | None = None
    restart: bool = False
    solved: bool = False
    hopeless: bool = False
    known: bool = False
    left: float = 0.0
    alive: int = 0
    fillings: int = 0
    drawn: bool = False


class Explorer:
    r"""A player who knows what has been seen, and says what to do.

    Use it in turns: `next_move`; make the move it says, in the game and by `made`; look at the tubes in `looking`, and
    say by `saw` what is there. After an advice to restart call `restarted`.

    Args:
        board: what is known at the start.
        seed: for the fillings that are drawn.
        samples: how many of them.

    Attributes:
        position: what is known now.
        attempts: how many were begun.
        moves: moves of this attempt.
        all_moves: moves of all attempts.

    >>> from bsp_sat.instances.sorting import WaterSort
    >>> board = WaterSort.from_text("?ab|?ba|-\ncolours a3 b3")
    >>> explorer = Explorer(board)
    >>> explorer.next_move().move
    Pour(source=0, target=2)
    """

    def __init__(self, board: SortPuzzle, *, seed: int = 0, samples: int = SAMPLES) -> None:
        if not isinstance(board, RuledSort):
            raise Unsupported("nothing of this board is hidden, so that there is nothing to explore; solve it")
        self._chance = Random(seed)
        self._samples = samples
        self._first = board
        self._cells = Cells(board.unknown if isinstance(board, HiddenSort) else ())
        self._learnt: dict[Place, int] = {}
        self.attempts = 1
        self.moves: list[Pour] = []
        self.all_moves = 0
        self._distances: Distances | None = None
        self._fillings: list[Filling] = []
        self._drawn = False
        self._lengths: dict[Filling, int | None] = {}
        self._found_something = False
        self._seen_positions: set[object] = set()
        self.position: RuledSort = board
        self.looking: tuple[int, ...] = self._to_look(range(len(board.tubes)))

    # -- what is seen ------------------------------------------------------------------------------------

    def _to_look(self, tubes: Sequence[int]) -> tuple[int, ...]:
        """The tubes, of some whose tops are new, that may show unknown cells."""
        if not isinstance(self.position, HiddenSort):
            return ()
        unseen = {place for place, _ in self.position.to_see}
        maybe = {place for place, _ in self.position.differing()} & set(tubes) if self.moves else set()
        return tuple(sorted(unseen | maybe))

    def made(self, move: Pour) -> None:
        """Takes note of a move that was made in the game, advised or not.

        Raises:
            ValueError: it is illegal, or tubes have to be looked at first.
        """
        if self.looking:
            raise ValueError("first say what shows")
        if (reason := self.position.refusal(move)) is not None:
            raise ValueError(reason)
        locked = self.position.rules.locked
        self.position = self.position.apply(move)
        self.moves.append(move)
        self.all_moves += 1
        self._seen_positions.add(self._key(self.position))
        opened = [place for place in locked if place not in self.position.rules.locked]
        self.looking = self._to_look([move.source, *opened])

    def saw(self, colours: Mapping[int, Sequence[Colour]]) -> None:
        """Takes in what the tubes in `looking` show.

        Args:
            colours: by tube, the colours of the cells that weren't known and show now, from the top down; none where
                nothing new shows.

        Raises:
            Contradiction: it can't be, by the numbers of balls or by what was seen before; nothing is taken in.
        """
        board = self.position
        if not isinstance(board, HiddenSort):
            return
        told: dict[Place, int] = {}
        for place in self.looking:
            unknown = [cell for cell in reversed(board.unknown) if cell[0] == place]
            given = [board.colour_named(colour) for colour in colours.get(place, ())]
            if len(given) > len(unknown):
                raise Contradiction(
                    f"tube {place + 1} has {len(unknown)} unknown cells, {len(given)} colours were said"
                )
            told.update(zip(unknown, given, strict=False))
        self._take_in(board, told)

    def _take_in(self, board: HiddenSort, told: Mapping[Place, int]) -> None:
        missing = list(board.missing)
        for (place, _), colour in told.items():
            missing[colour] -= 1
            if missing[colour] < 0:
                name = board.palette[colour]
                raise Contradiction(f"tube {place + 1} can't show {name}: all balls of that colour are known already")
        if set(board.to_see) - told.keys():
            raise Contradiction(f"tube {board.to_see[0][0] + 1} shows a cell that nobody named")
        if tuple(sorted(told.items())) != shown(board, {**dict.fromkeys(board.unknown, UNKNOWN), **told}):
            raise Contradiction("what shows together is a run of one colour, and all of it shows")
        known = board.told(told)
        assert isinstance(known, RuledSort)
        learnt = {**self._learnt, **told}
        first = self._first.told(learnt) if isinstance(self._first, HiddenSort) else self._first
        if isinstance(known, HiddenSort) and not known.has_filling():
            raise Contradiction("no way to deal out the missing balls agrees with all that was seen")
        assert isinstance(first, RuledSort)
        self._learnt = learnt
        self.position = known
        self.looking = ()
        if isinstance(known, HiddenSort) and known.to_see:
            self.looking = self._to_look(range(len(known.tubes)))
        if told:
            self._found_something = True
            self._seen_positions.clear()
            self._seen_positions.add(self._key(known))
            self._distances = None

    # -- attempts --------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._found_something = False
        self._seen_positions.clear()

    @property
    def start(self) -> RuledSort:
        """The position at the start, with all that is known by now."""
        if not isinstance(self._first, HiddenSort):
            return self._first
        start = self._first.told(self._learnt)
        assert isinstance(start, RuledSort)
        return start

    def restarted(self) -> None:
        """Begins a new attempt: the covers are back, what was seen stays known."""
        self.attempts += 1
        self.moves = []
        self._begin()
        self.position = self.start
        self.looking = ()
        self._distances = None

    # -- advice ----------------------------------------------------------------------------------------------

    def next_move(self) -> Advice:
        """What to do now.

        Raises:
            ValueError: tubes have to be looked at first.
        """
        if self.looking:
            raise ValueError("first say what shows")
        if self.position.is_goal():
            return Advice(solved=True, known=True)
        self._prepare()
        if not isinstance(self.position, HiddenSort):
            return self._by_plan(self.position)
        return self._by_fillings(self.position)

    def _prepare(self) -> None:
        """Draws fillings for what is known now, and numbers the contents of tubes under all of them."""
        if self._distances is not None:
            return
        board, start = self.position, self.start
        if not isinstance(board, HiddenSort):
            self._distances = Distances([board, start] if not isinstance(start, HiddenSort) else [board])
            return
        self._drawn = board.arrangements() > FEW
        here = draw(board, self._samples, self._chance) if self._drawn else list(board.fillings())
        start_balls = {(place, level): start.tubes[place][level] for place, level in self._cells.places}
        self._fillings = [
            bytes(
                {**start_balls, **dict(zip(board.unknown, filling, strict=True))}[cell] for cell in self._cells.places
            )
            for filling in here
        ]
        boards = [self._cells.filled(start, f) if isinstance(start, HiddenSort) else start for f in self._fillings]
        self._distances = Distances([*(self._cells.filled(board, f) for f in self._fillings), *boards])
        self._lengths = {
            filling: self._distances.length(whole) for filling, whole in zip(self._fillings, boards, strict=True)
        }

    def _by_plan(self, board: RuledSort) -> Advice:
        """The next move of a shortest plan, as all is known."""
        assert self._distances is not None
        left = self._distances.length(board)
        if left is None:
            start = self.start
            if isinstance(start, HiddenSort) or self._distances.length(start) is not None:
                return Advice(restart=True, known=True)
            return Advice(hopeless=True, known=True)
        for move in moves_of(board):
            after = self._distances.length(board.apply(move))
            if after is not None and after < left:
                return Advice(move, known=True, left=left, alive=1, fillings=1)
        raise AssertionError("no move shortens the way")

    def _by_fillings(self, board: HiddenSort) -> Advice:
        """The move with the least mean of what remains."""
        assert self._distances is not None
        fillings = self._fillings
        if not self._drawn and all(self._lengths[filling] is None for filling in fillings):
            return Advice(hopeless=True, fillings=len(fillings))
        costs = {filling: self._left(board, filling) for filling in fillings}
        dead = sum(self._is_dead(board, filling) for filling in fillings)
        if dead == len(fillings) and self._found_something:
            return Advice(restart=True, fillings=len(fillings), drawn=self._drawn)
        best: tuple[float, Pour] | None = None
        if dead < len(fillings):
            for move, after in self._candidates(board):
                total = sum(costs.values()) - len(fillings)  # a move shortens each by one at most
                for filling in fillings:
                    total += self._left(after, filling) - (costs[filling] - 1)
                    if best is not None and total >= best[0]:
                        break
                else:
                    if self._found_something or self._leads_to_a_look(after):
                        best = total, move
        if best is None:
            way = self._way_to_a_look(board)
            if not way:
                return Advice(restart=True, fillings=len(fillings), drawn=self._drawn)
            best = 0.0, way[0]
        after = board.apply(best[1])
        alive = [length for filling in fillings if (length := self._length(after, filling)) is not None]
        left = sum(alive) / len(alive) + 1 if alive else 0.0
        return Advice(best[1], left=left, alive=len(alive), fillings=len(fillings), drawn=self._drawn)

    def _candidates(self, board: HiddenSort) -> list[tuple[Pour, RuledSort]]:
        """The moves to positions that haven't been since something new was seen, likely ones first."""
        found = []
        for move in moves_of(board):
            after = board.apply(move)
            if self._key(after) not in self._seen_positions:
                probe = sum(self._left(after, filling) for filling in self._fillings[:3])
                found.append((probe, move, after))
        found.sort(key=lambda entry: entry[:2])
        return [(move, after) for _, move, after in found]

    def _length(self, board: RuledSort, filling: Filling) -> int | None:
        """Moves that remain for a player who knows a filling; what a look would show is known, too."""
        assert self._distances is not None
        return self._distances.length_filled(board, self._cells, filling)

    def _is_dead(self, board: RuledSort, filling: Filling) -> bool:
        return self._length(board, filling) is None

    def _left(self, board: RuledSort, filling: Filling) -> float:
        """What remains for a filling, where it is dead with a new attempt."""
        length = self._length(board, filling)
        if length is not None:
            return length
        whole = self._lengths[filling]
        return 0.0 if whole is None else AGAIN * whole

    # -- the way to an unknown cell -----------------------------------------------------------------------

    @staticmethod
    def _key(board: RuledSort) -> object:
        return board.canonical() if not isinstance(board, HiddenSort) else (board.tubes, board.covers, board.rules)

    @staticmethod
    def _shows_something(board: RuledSort) -> bool:
        return not isinstance(board, HiddenSort) or bool(board.to_see)

    def _leads_to_a_look(self, board: RuledSort) -> bool:
        return self._shows_something(board) or bool(self._way_to_a_look(board))

    def _way_to_a_look(self, board: RuledSort) -> list[Pour]:
        """The fewest known moves after which an unknown cell shows; none where there is no way, or it is too long."""
        way_to: dict[object, list[Pour]] = {self._key(board): []}
        queue = deque([board])
        while queue and len(way_to) < MOST_POSITIONS:
            position = queue.popleft()
            way = way_to[self._key(position)]
            for move in moves_of(position):
                after = position.apply(move)
                if self._shows_something(after):
                    return [*way, move]
                key = self._key(after)
                if key not in way_to:
                    way_to[key] = [*way, move]
                    queue.append(after)
        return []
