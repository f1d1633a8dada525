"""What to do next: the policy.

Fillings are drawn from those that agree with all that is known (or all of them are taken if they are few), and kept
until something new is seen. The policy follows a **route** (`bsp_sat.apps.covered.routes`) to the next place where
something is learnt: the one whose moves, and the mean of what is left after it, are fewest. What is left for a filling
is the exact length of a shortest plan, as if the player knew the filling from there on; for one that can't be solved
any more it is the cost of a new attempt.

A route is followed to its end. So between two things that are learnt no position comes twice: of two equal positions on
a route the second would be nearer to its end, and what lies between them could be left out. A player who makes another
move gets a route from where that leads.

Until an attempt has revealed a cell, its routes lead to a cell if any does, else to a question, and the attempt is
given up only if there is no route. Later it is also given up if no filling could be solved after the route.

Figures from drawn fillings are **estimates**, such as ``57 of 100``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from bsp_sat.apps.covered.exact import shortest_plan
from bsp_sat.apps.covered.hindsight import Hindsight
from bsp_sat.apps.covered.knowledge import View
from bsp_sat.apps.covered.routes import MOST_BEFORE_PLANS, Reach, Route, Routes
from bsp_sat.instances.sorting import Filling, Pour, SortPuzzle


@dataclass(frozen=True)
class Advice:
    """What to do next.

    ``route`` has known moves to the next place where something is learnt, or to the end if all is known; the first is
    the move to make. Where it surely ``shows`` no cell, it tells something else, such as that a tube isn't corked. Else
    ``restart`` says whether to start a new attempt; what was seen stays known. The player is ``stuck`` if no way to
    learn more was found, though there may be one. ``known``: all that matters is, so that a shortest plan remains.

    ``left`` moves remain after the route: their mean over the fillings that can be solved, for a player who sees
    everything from there on; an estimate if fillings were ``drawn``.
    """

    route: tuple[Pour, ...] = ()
    shows: bool = False
    restart: bool = False
    solved: bool = False
    hopeless: bool = False
    stuck: bool = False
    known: bool = False
    left: float = 0.0
    alive: int = 0
    fillings: int = 0
    drawn: bool = False

    @property
    def move(self) -> Pour | None:
        """The move to make; None if there is none now."""
        return self.route[0] if self.route else None


@dataclass
class Attempt:
    """One attempt at the board. ``has_shown``: whether it has revealed a cell."""

    moves: list[Pour] = field(default_factory=list)
    has_shown: bool = False
    route: Route | None = None

    def make(self, move: Pour) -> None:
        """Adds a move. Another one than that of the route ends following it."""
        route = self.route
        follows = route is not None and route.moves[:1] == (move,)
        self.route = replace(route, moves=route.moves[1:]) if route is not None and follows else None
        self.moves.append(move)


def by_plan(hindsight: Hindsight, start: SortPuzzle, board: SortPuzzle) -> Advice:
    """A shortest plan, once all is known."""
    if hindsight.length(board) is None:
        restart = hindsight.length(start) is not None
        return Advice(restart=restart, hopeless=not restart, known=True)
    return Advice(tuple(shortest_plan(board, hindsight.length)), known=True, alive=1, fillings=1)


def by_route(view: View, attempt: Attempt, hindsight: Hindsight, routes: Routes) -> Advice:
    """The route to follow at a position with unknown cells: the attempt's, or a new one if it has none."""
    about = Advice(fillings=len(hindsight.fillings), drawn=hindsight.drawn)
    route = attempt.route
    if route is None or not route.moves:
        alive = hindsight.alive(view.position)
        if not (alive or hindsight.drawn or any(map(hindsight.from_start, hindsight.fillings))):
            return replace(about, hopeless=True)
        if not alive and attempt.has_shown:
            return replace(about, restart=True)
        route = attempt.route = _new_route(view.position, attempt, alive, routes)
        if not route.moves and attempt.moves:
            return replace(about, restart=True, alive=len(alive))
        if not route.moves:
            proved = route.complete and not routes.left_open and view.asking is None
            return replace(about, hopeless=proved, stuck=not proved)
    lengths = [length for each in hindsight.fillings if (length := hindsight.length(route.end, each)) is not None]
    if not lengths and attempt.has_shown:
        return replace(about, restart=True)
    left, shows = fmean(lengths) if lengths else 0.0, route.reach is Reach.CELL
    return replace(about, route=route.moves, shows=shows, left=left, alive=len(lengths))


def _new_route(board: SortPuzzle, attempt: Attempt, alive: Sequence[Filling], routes: Routes) -> Route:
    """The cheapest route that was found, else a shortest one, else one by a plan; without moves if there is none."""
    if alive:
        for least in (Reach.QUESTION,) if attempt.has_shown else (Reach.CELL, Reach.QUESTION):
            route = routes.cheapest(board, least)
            if route.moves:
                return route
            if not route.complete:
                break
    if not alive:
        return routes.shortest(board)
    route = routes.shortest(board, MOST_BEFORE_PLANS)
    return route if route.moves or route.complete else routes.by_plan(board, alive[0])
