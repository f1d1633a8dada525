"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.load("level-80"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 38)
"""

from bsp_sat.on_demand import OnDemand, imported

__version__ = "0.1.0"

_import = OnDemand(__name__, {
    "backends.backend": ("Backend", "Choice", "Report"),
    "backends.proofs.certificate": ("verify_certificate", "write_certificate"),
    "backends.registry": ("BACKENDS", "make_backend"),
    "backends.result": ("Result", "Status"),
    "backends.run": ("Failure",),
    "backends.solve": ("Limits", "Progress", "solve"),
    "backends.solve_many": ("solve_many",),
    "drawing.draw": ("draw",),
    "encoder.encoding": ("Encoding", "PlanFormula", "Unsat"),
    "encoder.registry": ("ENCODINGS",),
    "grading.grade": ("Grade", "Grades", "grade"),
    "grading.hint": ("Hint", "hint"),
    "grading.measures": ("MEASURES",),
    "hidden.effects": ("Effects",),
    "hidden.explorer": ("Explorer",),
    "hidden.knowledge": ("Contradiction",),
    "hidden.policy": ("Advice",),
    "instances.choices": ("Reading", "ReadingChoices"),
    "instances.errors": (
        "AmbiguousBoard",
        "BackendError", "BoardError", "BspSatError", "CertificateError", "GoalNotReached", "IllegalMove",
        "PictureError", "PlanError", "Unsupported",
    ),
    "instances.files": ("Instance", "board", "load", "load_instance", "load_instances"),
    "instances.generators": ("random_boards",),
    "instances.plan": ("Plan",),
    "instances.puzzle": ("AnyPuzzle", "Cell", "Move", "Picture", "Puzzle"),
    "instances.registry": ("PUZZLES",),
    "instances.scope": ("Scope",),
    "instances.shot": ("Knock", "Shot"),
    "instances.sorting": ("NEW_COLOUR", "BallSort", "Pour", "WaterSort"),
    "instances.text.reading": ("BoardFields",),
    "instances.tiles": ("Click", "Tiles"),
    "screenshots.board": ("PictureBoard",),
    "screenshots.reading": ("read_picture",),
})  # fmt: skip
"""The public names; `__init__.pyi` tells type checkers the same."""

__all__ = [*_import.places]


def __getattr__(name: str) -> object:
    """Imports what is asked for; boards and results then show themselves in notebooks."""
    value = _import(name)
    imported("bsp_sat.drawing.notebook")
    return value


def __dir__() -> list[str]:
    """The public names, imported or not."""
    return [*globals(), *_import.places]
