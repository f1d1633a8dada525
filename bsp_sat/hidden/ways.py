"""Ways to something new, whatever the fillings are.

A way to a cell is a sequence of moves after which, for every filling, an unknown cell is revealed or the board is
solved, with no position before it in which fillings differ. A way to a question leads to a position in which they do: a
lock may have opened, a tube be corked, the board be solved, or a known top reveal a cell of its colour below it.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum

from bsp_sat.hidden.effects import NOTHING
from bsp_sat.hidden.exact import moves_of
from bsp_sat.hidden.hindsight import Hindsight
from bsp_sat.hidden.knowledge import Knowledge, key_of
from bsp_sat.instances.sorting import Pour, SortPuzzle

MOST_POSITIONS = 20_000  # examined for a way to an unknown cell


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


@dataclass(frozen=True)
class Ways:
    """The search for ways.

    Attributes:
        knowledge: what is known.
        hindsight: fillings, whose plans tell where a way goes on beyond the limit on positions.
        left_open: keys of positions whose questions aren't asked again.
    """

    knowledge: Knowledge
    hindsight: Hindsight
    left_open: Collection[object]

    def shortest(self, board: SortPuzzle) -> Way:
        """A shortest way to a cell, or to a question if there is none."""
        way_to: dict[object, tuple[Pour, ...]] = {key_of(board): ()}
        queue = deque([board])
        question: tuple[Pour, ...] = ()
        while queue and len(way_to) < MOST_POSITIONS:
            position = queue.popleft()
            way = way_to[key_of(position)]
            for move in moves_of(position):
                reach, after = self._unless_revealed(position.apply(move))
                if reach is Reach.CELL:
                    return Way(reach, (*way, move))
                question = question or ((*way, move) if reach is Reach.QUESTION else ())
                if after is not None and (key := key_of(after)) not in way_to:
                    way_to[key] = (*way, move)
                    queue.append(after)
        return Way(Reach.QUESTION if question else Reach.NOTHING, question, complete=not queue)

    def reach(self, board: SortPuzzle) -> Reach:
        """What ways from a position lead to, including the position itself."""
        reach, silent = self._unless_revealed(board)
        if reach is Reach.CELL or silent is None:
            return reach
        way = self.shortest(silent)
        if not way.complete and self.hindsight.alive(board):
            reach = max(reach, Reach.QUESTION)  # a plan leads there
        return max(reach, way.reach)

    def _unless_revealed(self, board: SortPuzzle) -> tuple[Reach, SortPuzzle | None]:
        """What a position may reveal, and what is known of it if it reveals nothing; None if it certainly does."""
        if board.to_see:
            return Reach.CELL, None
        board = board.looked()
        possible = self.knowledge.effects(board)
        if possible.in_doubt is None and possible.sure.solved:
            return Reach.CELL, None
        if possible.in_doubt is None and possible.sure.opened:
            return self._unless_revealed(board.open_locks(possible.sure.opened))
        may_reveal = len(possible.some) > 1 and key_of(board) not in self.left_open
        is_question = may_reveal or bool(self.knowledge.may_show(board))
        may_be_silent = possible.in_doubt is None or not possible.complete or NOTHING in possible.some
        return Reach.QUESTION if is_question else Reach.NOTHING, board if may_be_silent else None
