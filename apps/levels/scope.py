"""The boards that grades and hints are for."""

from bsp_sat.backends.kernel import Kernel
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import MONOCHROME, SEVERAL_HOMES, TUBE_RULES, BallSort, WaterSort

GRADES = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES))
HINTS = Scope.of(BallSort, WaterSort, features=(MONOCHROME, SEVERAL_HOMES, *TUBE_RULES))


def check_board(puzzle: AnyPuzzle, who: str, scope: Scope) -> None:
    """Unsupported if a board is outside a scope, whose kind it names, or too large for the compiled search."""
    scope.check(who, puzzle)
    try:
        Kernel().check(puzzle)
    except Unsupported as error:
        reason = str(error).partition(";")[0]
        raise Unsupported(f"grades and hints need the compiled search, and {reason}") from None
