"""What can be said of all fillings of a board at once, without examining each.

**No filling can be solved.** `positions_if_none_is_solved` goes through all that a player may come to know: positions
with their known cells, where a cell that is uncovered may show any colour of which a ball is missing, and with the
reveal rule ``run`` the run that shows may go on below. If the search ends, and none of them can be solved, no filling
has a plan. For take a filling and a plan for it that keeps to the moves of `moves_of`; there is one if there is any, as
what these leave out depends on known tubes alone, and the filled board leaves it out as well. By induction the search
meets each position of the plan, with some cells unknown: while no tube with unknown cells can be complete (where that
matters, see `Cases`), a legal move and what it moves depend on known cells alone, as a covered cell moves only after it
has shown, and a run that has shown ends above a cell of another colour. What shows then is one of the colours that are
tried. So the search would meet the last position of the plan, which is solved. It gives up at a position that may be
solved or may have a corked tube, and on boards with locks. It may try what no single play can show: that makes it give
up more often, and never proves too much.

**One plan solves every filling.** `plan_for_all` gives each unknown cell a colour of its own. In ball sort such a ball
goes only into an empty tube. So a move of that board is legal whatever the cell holds: a ball goes on its own colour or
into an empty tube, and one of a colour of its own into no tube that accepts only some. A tube of one colour there is of
one colour for each filling, which is all that the goal ``monochrome`` asks for. (At the other goals tubes have to be
full, or hold all of a colour; where several fillings are possible, no plan ends so for all of them.) Corks and locks
depend on the colours, so they are left out, as is water sort, where two unknown balls may be poured together.
"""

from collections.abc import Callable, Iterator
from itertools import count

from bsp_sat.apps.covered.cases import NO_EFFECTS, Cases
from bsp_sat.apps.covered.exact import moves_of
from bsp_sat.apps.covered.knowledge import key_up_to_exchange
from bsp_sat.backends.solve import solve_shortly
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import UNKNOWN, BallSort, SortPuzzle, below_top_run

MOST_POSITIONS = 30_000
"""That are searched for one that may be solved; some seconds."""


def positions_if_none_is_solved(
    board: SortPuzzle, interrupt: Callable[[], None] = lambda: None, most: int = MOST_POSITIONS
) -> int | None:
    """How many positions can be reached whatever is hidden, if that proves that no filling has a plan, else None.

    Up to ``most`` are tried; ``interrupt`` is called at each, and may raise an exception to end the search.
    """
    if board.rules.locked:
        return None
    waiting = [board]
    for place in dict.fromkeys((*(place for place, _ in board.to_see), *board.covered_tops)):
        waiting = [shown for each in waiting for shown in _shown(each, place)]
    waiting = [each.looked() for each in waiting if each.looked().has_filling()]
    met = {key_up_to_exchange(each) for each in waiting}
    while waiting:
        interrupt()
        here = waiting.pop()
        if len(met) > most or _may_be_solved(here):
            return None
        for after in filter(SortPuzzle.has_filling, _after(here)):
            if (key := key_up_to_exchange(after)) not in met:
                met.add(key)
                waiting.append(after)
    return len(met)


def _may_be_solved(board: SortPuzzle) -> bool:
    """Whether a position is solved, or may be if some cells hold the right colours, or may have a corked tube then."""
    if not board.is_hidden:
        return board.is_goal()
    return Cases(board, board.differing()).effects(board) != NO_EFFECTS


def _after(board: SortPuzzle) -> Iterator[SortPuzzle]:
    """All that may be known after a move, and after looking at what it uncovers."""
    for move in moves_of(board):
        after = board.after_legal(move)
        left = after.tubes[move.source]
        if left and left[-1] != board.tubes[move.source][-1]:
            yield from _shown(after, move.source)
        else:  # what is left of a run that has shown
            yield after


def _shown(board: SortPuzzle, place: int) -> Iterator[SortPuzzle]:
    """All that may be known after looking at a tube whose top has just been uncovered."""
    tube = board.tubes[place]
    if tube[-1] == UNKNOWN:
        for colour, missing in enumerate(board.missing):
            if missing:
                yield from _runs_on(board.with_cells({(place, len(tube) - 1): colour}), place)
    else:
        yield from _runs_on(board.looked(), place)


def _runs_on(board: SortPuzzle, place: int) -> Iterator[SortPuzzle]:
    """A board, and if the run at the top of a tube shows as a whole, all in which it goes on in unknown cells."""
    yield board
    tube = board.tubes[place]
    level = below_top_run(tube)
    if board.is_hidden and board.shows_runs and level >= 0 and tube[level] == UNKNOWN and board.missing[tube[-1]]:
        yield from _runs_on(board.with_cells({(place, level): tube[-1]}), place)


def plan_for_all(board: SortPuzzle) -> Plan | None:
    """A plan that solves every filling; None if a short search finds none."""
    if not isinstance(board, BallSort) or board.goal != "monochrome" or board.rules.cork or board.rules.locked:
        return None
    fields, number = board.to_json(), count()
    tubes = [[f"?{next(number)}" if ball is None else ball for ball in tube] for tube in fields["tubes"]]
    known = {key: value for key, value in fields.items() if key not in ("hidden", "colours", "reveal")}
    try:
        each_its_own = BallSort.from_json({**known, "tubes": tubes})
    except BoardError:  # the tubes can't keep so many colours apart
        return None
    result = solve_shortly(each_its_own)
    return None if result is None else result.plan
