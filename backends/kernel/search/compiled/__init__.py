"""What numba compiles of it, in the subset of Python that it takes."""
