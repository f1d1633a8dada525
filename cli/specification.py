"""`--backend`, and the options `--encoding` and `--solver` that set parts of it."""

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import make_backend


def backend_from_options(specification: str, encoding: str | None, solver: str | None) -> Backend:
    """The backend for ``--backend``, ``--encoding`` and ``--solver``. An encoding or a solver alone means SAT.

    Raises:
        Unsupported: a name is unknown, or the backend has no such choice.
    """
    if specification == Auto.name and (encoding or solver):
        specification = "sat"
    return make_backend(":".join([specification, *(word for word in (encoding, solver) if word is not None)]))
