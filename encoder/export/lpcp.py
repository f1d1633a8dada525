"""The board text of the LP/CP Programming Contest 2021: ``F E``, then the balls of each full tube, bottom first."""

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting import SortPuzzle


def lpcp_text(puzzle: SortPuzzle) -> str:
    """Writes a board of full and empty tubes, else BoardError; colours become 1, 2, … in order of appearance."""
    for number, tube in enumerate(puzzle.tubes):
        if 0 < len(tube) < puzzle.capacity:
            raise BoardError(f"tubes[{number}]", "the contest's format has no partly filled tubes")
    full = [tube for tube in puzzle.tubes if tube]
    lines = [f"{len(full)} {len(puzzle.tubes) - len(full)}"]
    lines += [" ".join(str(ball + 1) for ball in tube) for tube in full]
    return "\n".join(lines) + "\n"
