"""Classes that a theorem decides: those with at least n − 1 empty tubes, and those of capacity 2 and less.

**Theorem.** With n ≥ 2 colours and n − 1 empty tubes, every board of capacity h can be solved if and only if h < nⁿ.
With n empty tubes or more, every board can be solved. With two empty tubes or more, every board of capacity 2 can be
solved; boards of capacity 1 are solved already.

Coq has checked the proof, without axioms: `formal/every_board/EveryBoard.v` has the statements. The README.md
beside it tells the proof in words.
"""

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.instances.sorting import BallSort


def always_solvable(of: BoardClass) -> bool | None:
    """Whether every board of a class can be solved; None where the theorem doesn't say."""
    if of.empty >= of.colours or of.colours == 1 or of.capacity == 1 or (of.capacity == 2 and of.empty >= 2):
        return True
    few = of.empty + 1
    if few >= 2 and of.capacity >= few**few:
        return False
    return True if of.colours == few else None


def unsolvable_board(of: BoardClass) -> BallSort:
    """The board of the theorem for k + 1 colours and capacity (k + 1)ᵏ⁺¹ or more; complete tubes for the others."""
    n, capacity = of.empty + 1, of.capacity
    upper = bytes([0, *(colour for colour in range(n - 1, -1, -1) for _ in range(n**colour))])
    left = b"".join(bytes([colour]) * (capacity - n * upper.count(colour)) for colour in range(n))
    lower = capacity - len(upper)
    complete = b"".join(bytes([colour]) * capacity for colour in range(n, of.colours))
    return of.board(b"".join(left[tube * lower : (tube + 1) * lower] + upper for tube in range(n)) + complete)
