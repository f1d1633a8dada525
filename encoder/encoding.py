"""What an encoding is."""

from typing import Protocol

from bsp_sat.encoder.formula import Literal, Model, VariableName
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


class PlanFormula(Protocol):
    """The CNF of one board, which grows with the plan length asked for; earlier clauses stay true.

    Attributes:
        clauses: all clauses so far.
        names: the name of each variable so far; variable v is at index v − 1.
        exact: assumptions under which models are plans, and without which only refutations count.
    """

    clauses: list[list[Literal]]
    names: list[VariableName]
    exact: list[Literal]

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Extends the formula to plans of ``horizon`` moves, and returns the assumptions that ask for one.

        Horizons are asked for in rising order. Where all lesser ones, from the puzzle's lower bound, are refuted,
        the formula is satisfiable under these assumptions if and only if ``horizon`` is the length of a shortest
        plan.
        """

    def at_any_length(self) -> list[Literal] | None:
        """The assumptions that ask for any plan at all, so that UNSAT under them means unsolvable.

        None where the encoding can only speak of plans up to some length, for lack of a longest one, or because every
        board has a plan.
        """

    def extra_moves(self) -> list[Literal]:
        """Literals of which a model of ``at_any_length()`` makes one true for each move above the lower bound.

        More of them may be true than the plan has such moves; some model makes just so many true.
        """

    def decode(self, model: Model, horizon: int) -> Plan:
        """The plan that a model under ``at_horizon(horizon)``, or under ``at_any_length()``, stands for."""


class Encoding(Protocol):
    """A way to write boards as formulas: an immutable set of choices."""

    @property
    def name(self) -> str:
        """The encoding's name on the command line."""

    @property
    def certifies(self) -> bool:
        """Whether one refuted horizon speaks of all plans up to it, and plans of any length can be asked for.

        The latter may be missing where every board has a plan. Otherwise a refuted horizon counts only together with
        those before it.
        """

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses puzzles that this encoding can't express.

        Raises:
            Unsupported: naming what it is for.
        """

    def encode(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of ``puzzle``, before any horizon.

        Raises:
            Unsupported: see `check`.
        """
