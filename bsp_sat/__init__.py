"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.load("level-80"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 38)
"""

__version__ = "0.1.0"

_PUBLIC = {
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
    "grading.registry": ("MEASURES",),
    "hidden.explorer": ("Explorer",),
    "hidden.effects": ("Effects",),
    "instances.errors": (
        "BackendError", "BoardError", "BspSatError", "CertificateError", "GoalNotReached", "IllegalMove",
        "PictureError", "PlanError", "Unsupported",
    ),
    "instances.files": ("Instance", "load", "load_instance", "load_instances"),
    "instances.generators": ("random_boards",),
    "instances.plan": ("Plan",),
    "instances.puzzle": ("AnyPuzzle", "Cell", "Move", "Picture", "Puzzle"),
    "instances.registry": ("PUZZLES",),
    "instances.scope": ("Scope",),
    "instances.shot": ("Knock", "Shot"),
    "instances.sorting": ("BallSort", "Pour", "WaterSort"),
    "instances.text.fields": ("BoardFields",),
    "instances.tiles": ("Click", "Tiles"),
    "screenshots.board": ("PictureBoard",),
    "screenshots.reading": ("read_picture",),
}  # fmt: skip
"""The public names, by the module that defines them; `__init__.pyi` tells type checkers the same."""

_MODULES = {name: f"{__name__}.{module}" for module, names in _PUBLIC.items() for name in names}

__all__ = [*_MODULES]


def __getattr__(name: str) -> object:
    """Imports what is asked for: a process that runs one backend starts twice as fast without all the others."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    import_module(f"{__name__}.drawing.notebook")  # boards and results then show themselves in notebooks
    globals()[name] = value = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    """The public names, imported or not."""
    return [*globals(), *_MODULES]
