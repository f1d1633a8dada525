"""The child process that refutes one CNF file and traces the proof.

CaDiCaL writes LRAT while it solves: each learned clause with the clauses that it follows from, which it knows
at no cost. python-sat switches tracing on for itself before options can be set, and then it would be DRAT;
so the tracer is connected here, by the same call that python-sat makes, after the option. The trace goes to
disk as it grows; none of it is kept in memory.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bsp_sat.backends.process.system import die_with_parent
from bsp_sat.encoder.export.dimacs import read_dimacs
from bsp_sat.encoder.formula import Literal

SATISFIABLE, REFUTED = 10, 20
"""Exit codes, as in the SAT competitions."""


def trace_refutation(clauses: Sequence[Sequence[Literal]], trace: Path) -> bool:
    """Solves with CaDiCaL 1.9.5; False where there is a model.

    Args:
        clauses: the CNF.
        trace: gets the proof as LRAT text, with the solver's own numbers of clauses (see
        `bsp_sat.backends.proofs.trim`).
    """
    # Imported here: only a process that solves pays for it.
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
