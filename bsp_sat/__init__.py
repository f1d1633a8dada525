"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve("abba|bcca|cabc|-")
>>> print(result)
Optimal: 12 moves. No plan is shorter.
>>> print(result.plan)
1→4 2→4 3→2 3→1 3→4 2→3 2→3 2→3 1→2 1→2 1→2 1→4

docs/python.md has examples; ``help(bsp_sat.solve)`` and so on say more.

Boards
    board, load                         a board from a text, lists or a data frame; from a file, or a shipped one
    BallSort, WaterSort, Tiles, Shot    what they give: a position with its rules, which you can also make directly
    load_instance, load_instances       with what the file says about a board: Instance
    random_boards, read_picture         random boards; a screenshot, as a PictureBoard
    Reading, ReadingChoices             what a doubtful text may be, and what you say beforehand
    Pour, Click, Knock, Move, Plan      moves and plans
    Cell, Picture                       a position as rows of characters

Answers
    solve, solve_many                   find a shortest plan, or prove that there is none
    Limits, Progress                    what ends a run, and how far it is
    Result, Status, Failure             what comes back
    write_certificate, verify_certificate    proofs for others
    hint, Hint                          what each next move costs
    grade, Grade, Grades, MEASURES      how hard a board is; measure, Figure for measures of your own
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
    from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]  # typeshed lacks it

    signal(SIGINT, SIG_DFL)

from bsp_sat.on_demand import OnDemand, declared, imported

__version__ = "0.1.0"

NAMES = {
    "backends.backend": "Backend Choice Report",
    "backends.proofs.certificate": "verify_certificate write_certificate",
    "backends.registry": "BACKENDS make_backend",
    "backends.result": "Result Status",
    "backends.run": "Failure",
    "backends.solve": "Limits Progress solve",
    "backends.solve_many": "solve_many",
    "encoder.encoding": "Encoding PlanFormula Unsat",
    "encoder.registry": "ENCODINGS",
    "instances.choices": "Reading ReadingChoices",
    "instances.errors": "AmbiguousBoard BackendError BoardError BspSatError CertificateError "
    "GoalNotReached IllegalMove PictureError PlanError Unsupported",
    "instances.files": "Instance board load load_instance load_instances",
    "instances.generators": "random_boards",
    "instances.plan": "Plan",
    "instances.puzzle": "AnyPuzzle Cell Move Picture Puzzle",
    "instances.registry": "PUZZLES",
    "instances.scope": "Scope",
    "instances.shot": "Knock Shot",
    "instances.sorting": "NEW_COLOUR BallSort Pour WaterSort",
    "instances.text.reading": "BoardFields",
    "instances.tiles": "Click Tiles",
}

_import = OnDemand(__name__, names=NAMES)


class _Names(list[str]):
    """The names that ``import *`` brings; `help` asks which of them to write out in full: none, the docstring has them.

    Only ``in`` differs from a list.
    """

    def __contains__(self, name: object) -> bool:
        return False


def __getattr__(name: str) -> object:
    """Imports what is asked for, of an app too; boards and results then show themselves in notebooks."""
    if name == "__all__":
        return _Names(_public())
    if name not in _import.places and (of_app := declared("NAMES").get(name)) is not None:
        package, module = of_app
        _import.places[name] = f"{package}.{module}:{name}"
    value = _import(name)
    if (notebooks := declared("PARTS").get("notebooks")) is not None:
        imported(".".join(notebooks))
    return value


def _public() -> list[str]:
    """The public names, those of apps too, imported or not."""
    return sorted({*_import.places, *declared("NAMES")})


def __dir__() -> list[str]:
    """The public names, and those of every module."""
    return [*(name for name in globals() if name.startswith("__")), *_public()]
