"""SAT: solves a CNF encoding for one horizon after the other, with python-sat's solvers or external programs."""

DEFAULT_SOLVER = "cadical195"

SOLVERS = ("cadical153", "cadical195", "glucose4", "glucose42", "minisat22")
"""Those of python-sat that are worth comparing, by python-sat's names (benchmarks/measurements.md)."""
