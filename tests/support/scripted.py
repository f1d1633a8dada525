"""An encoding of one board whose models are laid down, to see what solvers make of them."""

from dataclasses import dataclass, field

from bsp_sat import BallSort, Plan, Pour
from bsp_sat.encoder.formula import Formula, Literal, Model
from bsp_sat.instances.puzzle import AnyPuzzle
from tests.support.helpers import board

EASY = board(BallSort, "ab|ba|-", 2)
EASY_PLAN = Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2)))
"""A shortest one, of 3 moves; the lower bound of the board is 2."""

NEVER = 99


@dataclass(frozen=True)
class Scripted:
    """Formulas of `EASY` that may be too weak, or wrong."""

    plans_from: int = 3  # the least horizon with a model under ``exact``
    models_from: int = 3  # the least horizon with a model at all
    any_length: bool = True  # whether it can be asked for plans of any length
    uses_exact: bool = True
    extra: tuple[Literal, ...] = ()  # what `extra_moves` returns, of variables 1 to 3, of which one has to hold
    plan: Plan = EASY_PLAN  # what models are decoded to
    name: str = "scripted"
    certifies: bool = True
    certifies_lengths: bool = True

    def for_any_length(self) -> "Scripted":
        """Itself."""
        return self

    def suits(self, puzzle: AnyPuzzle) -> bool:
        """No board in particular."""
        return False

    def check(self, puzzle: AnyPuzzle) -> None:
        """Takes everything."""

    def encode(self, puzzle: AnyPuzzle) -> "ScriptedFormula":
        """The same formula for every board."""
        return ScriptedFormula(self)


@dataclass
class ScriptedFormula(Formula):
    """One literal a horizon, and one for ``exact``."""

    leaps = False
    exactly = False

    script: Scripted
    horizons: dict[int, Literal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.add(*self.variables(3, "choice"))
        self.exact = [self.variable("exact")] if self.script.uses_exact else []

    def likely(self, plan: Plan) -> list[Literal]:
        """Nothing in particular."""
        return []

    def at_horizon(self, horizon: int) -> list[Literal]:
        """Unsatisfiable below `Scripted.models_from`, and under ``exact`` below `Scripted.plans_from`."""
        if horizon not in self.horizons:
            asked = self.horizons[horizon] = self.variable("asked", horizon)
            if horizon < self.script.plans_from:
                self.add(-asked, *(-literal for literal in self.exact if horizon >= self.script.models_from))
        return [self.horizons[horizon]]

    def at_any_length(self) -> list[Literal] | None:
        """As for a very long horizon."""
        return self.at_horizon(NEVER - 1) if self.script.any_length else None

    def extra_moves(self) -> list[Literal]:
        """As laid down."""
        return list(self.script.extra)

    def decode(self, model: Model, horizon: int) -> Plan:
        """As laid down."""
        return self.script.plan
