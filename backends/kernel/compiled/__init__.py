"""What numba compiles: the search itself, in the subset of Python that it takes."""
