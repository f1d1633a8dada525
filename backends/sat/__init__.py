"""SAT: solves a CNF encoding for one horizon after the other, with python-sat's solvers or external programs."""
