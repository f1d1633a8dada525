"""The compiled search: A* over packed states, in numba."""
