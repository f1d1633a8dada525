"""The child process that refutes one CNF file and traces the proof.

CaDiCaL writes LRAT while it solves: each learned clause with the clauses that it follows from, which it knows
anyway. python-sat turns tracing on before options can be set, and would get DRAT. So this module connects the tracer
itself, with the same call as python-sat, after setting the option. The trace is written to disk as it grows; none of it
is kept in memory.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bsp_sat.backends.system import die_with_parent
from bsp_sat.encoder.export.dimacs import read_dimacs
from bsp_sat.encoder.formula import Literal

SATISFIABLE, REFUTED = 10, 20
"""Exit codes, as in the SAT competitions."""


def trace_refutation(clauses: Sequence[Sequence[Literal]], trace: Path) -> bool:
    """Solves with CaDiCaL 1.9.5; False if there is a model.

    Args:
        clauses: the CNF.
        trace: receives the proof as LRAT text, with the solver's own numbers of clauses (see
            `bsp_sat.backends.proofs.trim`).
    """
    # Imported here: only a process that solves needs it.
    import pysolvers
    from pysat.solvers import Cadical195

    solver = Cadical195()
    solver.configure({"lrat": 1, "binary": 0})
    with trace.open("w+b") as stream:  # the mode that the solver opens it with once more
        pointer = pysolvers.cadical195_tracepr(solver.cadical, stream)
        for clause in clauses:
            solver.add_clause(clause)
        satisfiable: bool = solver.solve()
        pysolvers.flushpr(pointer)
        solver.delete()
    return not satisfiable


def main(parent: int) -> int:
    """Reads a CNF file, writes a trace file, and returns the answer; the arguments name the files."""
    die_with_parent(parent)
    cnf, trace = map(Path, sys.argv[1:])
    with cnf.open(encoding="ascii", errors="replace") as lines:
        clauses = read_dimacs(lines).clauses
    return REFUTED if trace_refutation(clauses, trace) else SATISFIABLE
