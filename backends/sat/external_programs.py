"""SAT solvers that are separate programs on PATH: Kissat and CaDiCaL.

The program gets the formula as DIMACS through a pipe and answers as in the SAT competitions: exit code 10 and a model,
or exit code 20. A model is checked against the clauses here, and its plan is replayed like any other. The answer "no
model" is trusted, as with python-sat; certificates depend on neither.

The program is a child of the backend's process: it counts towards the memory limit, and ends with that process.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.formula import Literal, Model
from bsp_sat.instances.errors import BackendError, Unsupported

PROGRAMS = ("kissat", "cadical")
"""The supported programs; all of them read from a pipe and accept ``-q``."""

SATISFIABLE, REFUTED = 10, 20
"""Exit codes, as in the SAT competitions."""


def program_of(name: str) -> Path | None:
    """The file of a program, from absolute folders on PATH only.

    An empty or relative entry of PATH, such as ``.``, depends on the current folder, which may hold untrusted files
    that came with a board or a proof.
    """
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]
    found = shutil.which(name, path=os.pathsep.join(folders))
    return Path(found) if found is not None and Path(found).is_absolute() else None


def installed(name: str) -> Path:
    """The file of a solver. Unsupported if it isn't on PATH."""
    program = program_of(name)
    if program is None:
        raise Unsupported(f"the solver {name} is not on PATH")
    return program


def model_by(name: str, clauses: Sequence[Sequence[Literal]], variables: int) -> Model | None:
    """A model of ``clauses``, or None if the program answers that there is none.

    Raises Unsupported if it isn't on PATH, MemoryError if it was killed, most likely by the system, and BackendError if
    it ended in another way, or its model doesn't satisfy the clauses.
    """
    cnf = StringIO()
    write_dimacs(Dimacs(clauses, variables=variables), cnf)
    # Python starts first: it makes the process end with its parent, then becomes the program.
    start = (
        f"import os, sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.limits import die_with_parent;"
        f"die_with_parent({os.getpid()}); os.execv(sys.argv[1], sys.argv[1:])"
    )
    run = subprocess.run(
        [sys.executable, "-c", start, str(installed(name)), "-q"],
        input=cnf.getvalue(),
        capture_output=True,
        text=True,
        errors="replace",
        start_new_session=True,  # so that Ctrl-C in a terminal reaches only the command, which ends the program
    )
    lines = run.stdout.splitlines()
    if run.returncode == REFUTED and "s UNSATISFIABLE" in lines:
        return None
    if run.returncode == SATISFIABLE and "s SATISFIABLE" in lines:
        return _model(name, lines, clauses, variables)
    if run.returncode == -signal.SIGKILL:
        raise MemoryError(name)
    last_words = (run.stderr.strip() or run.stdout.strip()).splitlines()[-1:]
    raise BackendError(f"{name} ended with exit code {run.returncode}: {''.join(last_words) or 'no message'}")


def _model(name: str, lines: Sequence[str], clauses: Sequence[Sequence[Literal]], variables: int) -> Model:
    try:
        true = {int(word) for line in lines if line.startswith("v ") for word in line[2:].split()}
    except ValueError:
        true = set()
    model = [variable if variable in true else -variable for variable in range(1, variables + 1)]
    chosen = set(model)
    if all(any(literal in chosen for literal in clause) for clause in clauses):
        return model
    raise BackendError(f"{name} says that there is a model, and gives none of the formula")
