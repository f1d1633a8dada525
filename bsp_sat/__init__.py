"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.BallSort("caac|bbac|bbac|-"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 12)

docs/python.md has examples; ``help(bsp_sat.solve)`` and so on say more.

Boards
    BallSort, WaterSort, Tiles, Shot    made of text, lists or fields; each is a position with its rules
    load, load_instance, load_instances    boards from files, with what the file says about them: Instance
    board, random_boards, read_picture  any spelling; random boards; a screenshot, as a PictureBoard
    Reading, ReadingChoices             what a doubtful text may be, and what you say beforehand
    Pour, Click, Knock, Move, Plan      moves and plans
    Cell, Picture                       a position as rows of characters

Answers
    solve, solve_many                   find a shortest plan, or prove that there is none
    Limits, Progress                    what ends a run, and how far it is
    Result, Status, Failure             what comes back
    write_certificate, verify_certificate    proofs for others
    hint, Hint                          what each next move costs
    grade, Grade, Grades, MEASURES      how hard a board is
    draw                                pictures of boards and plans

Hidden cells
    Explorer, Advice, Effects, NEW_COLOUR, Contradiction

To extend it
    PUZZLES, Puzzle, AnyPuzzle, BoardFields, Scope      puzzles
    ENCODINGS, Encoding, PlanFormula, Unsat             encodings
    BACKENDS, make_backend, Backend, Choice, Report     backends

Errors
    BspSatError: BoardError, AmbiguousBoard, PictureError, PlanError, IllegalMove, GoalNotReached, Unsupported,
    CertificateError, BackendError
"""

import sys

# Where this is the program, nothing needs cleaning up before its commands are loaded, and from here on Ctrl-C shows no
# traceback. While `python -m` looks for it, its name is "-m". The module `signal` would load more than this one.
if sys.argv[:1] == ["-m"] or "".join(sys.argv[:1]).endswith(("bsp-sat", "bsp-sat.exe")):
    from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]

    signal(SIGINT, SIG_DFL)

from bsp_sat.on_demand import OnDemand, declared, imported

__version__ = "0.1.0"

_import = OnDemand(__name__, has_stub=True)


class _Names(list[str]):
    """The names that ``import *`` brings; `help` asks which of them to write out in full: none, the docstring has them.

    Only ``in`` differs from a list.
    """

    def __contains__(self, name: object) -> bool:
        return False


__all__ = _Names(_import.places)


def __getattr__(name: str) -> object:
    """Imports what is asked for; boards and results then show themselves in notebooks."""
    value = _import(name)
    if (notebooks := declared("PARTS").get("notebooks")) is not None:
        imported(".".join(notebooks))
    return value


def __dir__() -> list[str]:
    """The public names, imported or not, and those of every module."""
    return [*(name for name in globals() if name.startswith("__")), *_import.places]
