"""What to do next: the policy, and what keeps the game going.

The **policy** is hindsight optimisation. Fillings are drawn from those that agree with all that is known (or all of
them are taken if they are few), and kept until something new is seen. For each move and every filling, the exact length
of the rest is found, as if the player knew the filling; the move with the least mean is made. A filling that can't be
solved any more counts with the cost of a new attempt.

Two rules keep the game going, by ways to something new (`bsp_sat.hidden.ways`):

* the policy chooses no position twice before something new is seen. After `PATIENCE` positions it chooses only moves
  that lower the mean; if there is none, a shortest way to a cell or a question is followed, move by move. So an attempt
  without news ends: chosen positions are finite in number, and between them a way gets shorter with each move;
* until an attempt has revealed a cell, a move is made only if a way leads on from there: one to a cell if there is any,
  else one to a question. The attempt is given up only if there is none.

Figures from drawn fillings are **estimates**, such as ``alive in 27 of 100``.
"""

from dataclasses import dataclass, field, replace
from math import inf

from bsp_sat.hidden.exact import moves_of
from bsp_sat.hidden.hindsight import Hindsight
from bsp_sat.hidden.knowledge import View, key_of
from bsp_sat.hidden.ways import Reach, Ways
from bsp_sat.instances.sorting import Pour, SortPuzzle

PATIENCE = 20  # positions since something new was seen, before moves have to gain something


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


@dataclass
class Attempt:
    """One attempt at the board.

    Attributes:
        moves: its moves.
        has_shown: whether it has revealed a cell.
        visited: keys of the positions since something new was seen.
    """

    moves: list[Pour] = field(default_factory=list)
    has_shown: bool = False
    visited: set[object] = field(default_factory=set)


def by_plan(hindsight: Hindsight, start: SortPuzzle, board: SortPuzzle) -> Advice:
    """The next move of a shortest plan, once all is known."""
    left = hindsight.length(board)
    if left is None:
        restart = hindsight.length(start) is not None
        return Advice(restart=restart, hopeless=not restart, known=True)
    for move in moves_of(board):
        after = hindsight.length(board.apply(move))
        if after is not None and after < left:
            return Advice(move, known=True, left=left, alive=1, fillings=1)
    raise AssertionError("no move shortens the way")


@dataclass(frozen=True)
class Policy:
    """The policy at a position with unknown cells.

    Attributes:
        view: what the player faces.
        attempt: the attempt.
        hindsight: fillings.
        ways: ways to something new.
    """

    view: View
    attempt: Attempt
    hindsight: Hindsight
    ways: Ways

    @property
    def board(self) -> SortPuzzle:
        """The position."""
        return self.view.position

    def advice(self) -> Advice:
        """The move with the least mean of remaining moves, among those that keep the game going."""
        hindsight, board = self.hindsight, self.board
        about = Advice(fillings=len(hindsight.fillings), drawn=hindsight.drawn)
        if not hindsight.drawn and all(hindsight.from_start[filling] is None for filling in hindsight.fillings):
            return replace(about, hopeless=True)
        alive = hindsight.alive(board)
        if not alive and self.attempt.has_shown and self.attempt.moves:
            return replace(about, restart=True)
        move = self._best_move() if alive else None
        if move is None:
            way = self.ways.shortest(board)
            if way.moves:
                move = way.moves[0]
            elif not way.complete and alive:
                move = self._move_of_a_plan(alive[0])
            elif self.attempt.moves:
                return replace(about, restart=True, alive=len(alive))
            else:
                proved = way.complete and not self.ways.left_open and self.view.asking is None
                return replace(about, hopeless=proved, stuck=not proved)
        after = board.apply(move)
        lengths = [length for each in hindsight.fillings if (length := hindsight.length(after, each)) is not None]
        left = sum(lengths) / len(lengths) + 1 if lengths else 0.0
        return replace(about, move=move, left=left, alive=len(lengths))

    def _best_move(self) -> Pour | None:
        """The move with the least mean, to a position not visited since something new was seen.

        Until the attempt has revealed a cell, only among moves from which a way to a cell leads on, or else to a
        question. After `PATIENCE` positions only among moves that lower the mean: fillings may call for different
        moves, and going about among positions of equal means could take thousands of moves.
        """
        left = self.hindsight.left
        costs = {filling: left(self.board, filling) for filling in self.hindsight.fillings}
        now = sum(costs.values())
        most = now if len(self.attempt.visited) > PATIENCE else inf
        best: dict[Reach, tuple[float, Pour]] = {}
        for move, after in self._candidates():
            total = now - len(costs)  # a move shortens each by one at most
            for filling, cost in costs.items():
                total += left(after, filling) - (cost - 1)
                if total >= (best[Reach.CELL][0] if Reach.CELL in best else most):
                    break
            else:
                reach = Reach.CELL if self.attempt.has_shown else self.ways.reach(after)
                if reach and (reach not in best or total < best[reach][0]):
                    best[reach] = total, move
        return best[max(best)][1] if best else None

    def _candidates(self) -> list[tuple[Pour, SortPuzzle]]:
        """The moves to positions not visited since something new was seen, promising ones first."""
        found = []
        for move in moves_of(self.board):
            after = self.board.apply(move)
            if key_of(after) not in self.attempt.visited:
                probe = sum(self.hindsight.left(after, filling) for filling in self.hindsight.fillings[:3])
                found.append((probe, move, after))
        found.sort(key=lambda entry: entry[:2])
        return [(move, after) for _, move, after in found]

    def _move_of_a_plan(self, filling: bytes) -> Pour:
        """The first move of a shortest plan for a filling that can be solved."""

        def length_after(move: Pour) -> float:
            length = self.hindsight.length(self.board.apply(move), filling)
            return inf if length is None else length

        return min(moves_of(self.board), key=length_after)
