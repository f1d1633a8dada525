"""SAT: a CNF encoding is solved at one horizon after the other, by python-sat's solvers or external programs."""
