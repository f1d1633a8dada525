"""`--backend`: one word for a backend with its choices, and the options that stand for parts of it."""

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.sat.backend import Sat


def backend_from_options(specification: str, encoding: str | None, solver: str | None) -> Backend:
    """The backend that ``--backend``, ``--encoding`` and ``--solver`` name; an encoding or a solver alone means SAT.

    Raises:
        Unsupported: one of them names nothing, or the backend has no such choice.
    """
    if specification == Auto.name and (encoding or solver):
        specification = Sat.name
    return make_backend(":".join([specification, *(word for word in (encoding, solver) if word is not None)]))
