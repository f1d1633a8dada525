"""What numba compiles for grading: walks through positions, counts of plans, simulated players."""
