"""What the commands that grade boards share: a request that stands in a line, and compiling what grading needs."""

from dataclasses import dataclass
from typing import Any

from bsp_sat.backends.result import Result
from bsp_sat.cli.batch import Request
from bsp_sat.cli.output.live import working
from bsp_sat.grading.answer import graded_json
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class GradeRequest(Request):
    """What boards are graded for.

    Attributes:
        measures: what is taken.
        what_if: whether it is said what would change a board.
    """

    measures: tuple[str, ...] = ()
    what_if: bool = False

    def of(self, puzzle: AnyPuzzle) -> dict[str, Any]:
        """See `Request.of`."""
        return {**super().of(puzzle), "measures": list(self.measures), "what_if": self.what_if}

    def answer(self, result: Result, puzzle: AnyPuzzle) -> dict[str, Any]:
        """The result with the grades beside it."""
        return graded_json(result, puzzle, what_if=self.what_if)


def make_ready() -> None:
    """Compiles what grading needs, where an installation hasn't done so yet, and says so on a terminal."""
    # Imported here: numpy and llvmlite.
    from bsp_sat.backends.kernel import code
    from bsp_sat.grading.compiled_code import GRADING

    for entry in (code.SEARCHING, GRADING):
        if code.file(entry) is None:
            with working("compiling, once per installation"):
                code.build(entry)
