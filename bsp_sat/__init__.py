"""Sort puzzles solved to proven optimality.

>>> import bsp_sat
>>> result = bsp_sat.solve(bsp_sat.load("level-80"))
>>> result.status, result.length
(<Status.OPTIMAL: 'optimal'>, 38)
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PLACES = {
    "BACKENDS": "bsp_sat.backends.registry",
    "BackendError": "bsp_sat.backends.result",
    "BallSort": "bsp_sat.instances.sorting",
    "BoardError": "bsp_sat.instances.errors",
    "BspSatError": "bsp_sat.instances.errors",
    "CertificateError": "bsp_sat.backends.proofs.certificate",
    "Click": "bsp_sat.instances.tiles",
    "ENCODINGS": "bsp_sat.encoder.registry",
    "Effects": "bsp_sat.exploring.unseen",
    "Explorer": "bsp_sat.exploring.explorer",
    "Failure": "bsp_sat.backends.campaign.pool",
    "GoalNotReached": "bsp_sat.instances.errors",
    "Grade": "bsp_sat.grading.grade",
    "Grades": "bsp_sat.grading.grade",
    "Hint": "bsp_sat.grading.hint",
    "IllegalMove": "bsp_sat.instances.errors",
    "Instance": "bsp_sat.instances.files",
    "Knock": "bsp_sat.instances.shot",
    "Limits": "bsp_sat.backends.solve",
    "Move": "bsp_sat.instances.puzzle",
    "MEASURES": "bsp_sat.grading.registry",
    "PUZZLES": "bsp_sat.instances.registry",
    "PictureBoard": "bsp_sat.pictures.board",
    "PictureError": "bsp_sat.pictures.loading",
    "Plan": "bsp_sat.instances.plan",
    "PlanError": "bsp_sat.instances.errors",
    "Pour": "bsp_sat.instances.sorting",
    "Progress": "bsp_sat.backends.solve",
    "Puzzle": "bsp_sat.instances.puzzle",
    "Result": "bsp_sat.backends.result",
    "Shot": "bsp_sat.instances.shot",
    "Status": "bsp_sat.backends.result",
    "Tiles": "bsp_sat.instances.tiles",
    "Unsupported": "bsp_sat.instances.errors",
    "WaterSort": "bsp_sat.instances.sorting",
    "draw": "bsp_sat.drawing.draw",
    "grade": "bsp_sat.grading.grade",
    "hint": "bsp_sat.grading.hint",
    "load": "bsp_sat.instances.files:load_puzzle",
    "load_instance": "bsp_sat.instances.files",
    "load_instances": "bsp_sat.instances.files",
    "make_backend": "bsp_sat.backends.registry",
    "random_boards": "bsp_sat.instances.generators",
    "read_picture": "bsp_sat.pictures.reading",
    "solve": "bsp_sat.backends.solve",
    "solve_many": "bsp_sat.backends.campaign.many",
    "verify_certificate": "bsp_sat.backends.proofs.certificate",
    "write_certificate": "bsp_sat.backends.proofs.certificate",
}
"""Where each public name is defined, behind a colon its name there; `__init__.pyi` says the same to type checkers."""

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    """Imports what is asked for: a process that runs one backend starts twice as fast without all the others."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, own_name = _PLACES[name].partition(":")
    globals()[name] = value = getattr(import_module(module), own_name or name)
    return value


def __dir__() -> list[str]:
    """The public names, imported or not."""
    return [*globals(), *_PLACES]
