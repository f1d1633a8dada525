"""The interface of encodings."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import ClassVar

from bsp_sat.encoder.formula import Formula, Literal, Model, VariableKind
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Colour
from bsp_sat.instances.scope import Scope


class Unsat(Enum):
    """What it says about plans that a formula has no model at a horizon (without its ``exact`` assumptions)."""

    UP_TO = "no plan has {horizon} moves or fewer"
    AFTER_ALL_BEFORE = "together with all lesser horizons from the puzzle's lower bound on: " + UP_TO

    def meaning(self, horizon: int | str = "h") -> str:
        """The meaning as text, for one horizon.

        >>> Unsat.UP_TO.meaning(38)
        'no plan has 38 moves or fewer'
        """
        return self.value.format(horizon=horizon)


class PlanFormula(Formula, ABC):
    """The CNF of one board, which grows with the plan length asked for; earlier clauses stay true.

    ``exact``: assumptions under which models are plans. Refutations count only without them. Usually empty: every model
    is a plan.
    """

    leaps: ClassVar[bool] = False
    """Whether horizons may be asked for in any order, and the last refutation usually takes longer than all others
    together. Then, once a plan is known, some horizons are skipped: see `bsp_sat.backends.sat.horizon_loop`."""

    exactly: ClassVar[bool] = False
    """Whether `at_horizon` asks for plans of exactly the given number of moves, not of at most that many."""

    meanings: ClassVar[Mapping[str, str]] = {}
    """What variables mean, by names such as ``visit(b,j,y)``: part of a sentence, with the arguments in braces."""

    kinds: ClassVar[Mapping[str, VariableKind]] = {}
    """The kinds of variables that `meanings` declares, by the first word of the variables' names."""

    def __init_subclass__(cls) -> None:
        names = {name.removesuffix(")").partition("("): text for name, text in cls.meanings.items()}
        cls.kinds = {kind: VariableKind(tuple(of.split(",")), text) for (kind, _, of), text in names.items()}

    def __init__(self) -> None:
        super().__init__()
        self.exact: list[Literal] = []

    def numbering(self) -> list[str]:
        """What the numbers in the declared variables' names mean for this board, line by line."""
        return []

    @abstractmethod
    def at_horizon(self, horizon: int) -> list[Literal]:
        """Extends the formula to plans of ``horizon`` moves, and returns the assumptions that ask for one.

        Horizons are asked for in ascending order, unless the formula `leaps`. If all smaller ones, from the puzzle's
        lower bound, are refuted, the formula is satisfiable under these assumptions if and only if ``horizon`` is the
        length of a shortest plan. `Encoding.unsat` is what a single refutation means.
        """

    def at_any_length(self) -> list[Literal] | None:
        """The assumptions that ask for any plan at all, so that UNSAT under them means unsolvable.

        None if the encoding can only express plans up to some length: see `Encoding.any_length`.
        """
        return None

    def extra_moves(self) -> list[Literal]:
        """Literals that count the moves above the lower bound in models of ``at_any_length()``.

        In each model at least as many of them are true as the plan has such moves; for each plan, some model has
        exactly as many. None if plans of any length can't be asked for, and if no plan exceeds the lower bound.
        """
        return []

    def likely(self, plan: Plan) -> list[Literal]:
        """Literals that are likely to hold in some model at the current horizon, as a plan of any length suggests."""
        return []

    @abstractmethod
    def decode(self, model: Model, horizon: int) -> Plan:
        """Decodes a model under ``at_horizon(horizon)`` or ``at_any_length()`` into a plan."""


class Encoding(ABC):
    """An encoding with its options; immutable, usually a frozen dataclass.

    Class attributes declare its name and abilities. Their defaults claim as little as possible.
    """

    name: ClassVar[str]
    """Its name on the command line and in results."""

    scope: ClassVar[Scope] = Scope()
    """Which boards it takes."""

    unsat: ClassVar[Unsat] = Unsat.AFTER_ALL_BEFORE
    """What one refuted horizon means."""

    any_length: ClassVar[bool] = False
    """Whether plans of any length can be asked for, so that it can prove a board unsolvable."""

    always_solvable: ClassVar[bool] = False
    """Whether every board that it takes has a plan."""

    @property
    def certifies_lengths(self) -> bool:
        """Whether a single unsatisfiable formula proves a length."""
        return self.unsat is Unsat.UP_TO

    @property
    def certifies(self) -> bool:
        """Whether a single unsatisfiable formula proves any answer, a length or ``unsolvable``."""
        return self.certifies_lengths and (self.any_length or self.always_solvable)

    def suits(self, puzzle: AnyPuzzle) -> bool:
        """Whether it proves lengths faster than other encodings on boards like ``puzzle``, which it takes.

        If no encoding claims that, the first one that takes the board is used.
        """
        return False

    def for_any_length(self) -> "Encoding":
        """The encoding to ask whether a board has a plan at all; by default this one."""
        return self

    def check(self, puzzle: AnyPuzzle) -> None:
        """Refuses boards outside `scope`, as Unsupported; `bsp_sat.encoder.registry.check_encoding` names others."""
        self.scope.check(f"the {self.name} encoding", puzzle)

    def encode(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of ``puzzle``, before any horizon is asked for. Unsupported as in `check`."""
        self.check(puzzle)
        return self.formula_of(puzzle)

    @abstractmethod
    def formula_of(self, puzzle: AnyPuzzle) -> PlanFormula:
        """The formula of a board that `check` has passed; callers use `encode`."""


def numbers_of_colours(palette: Iterable[Colour]) -> list[str]:
    """Which colour each number means, line by line."""
    return [f"colour {number} is {json.dumps(colour)}" for number, colour in enumerate(palette)]
