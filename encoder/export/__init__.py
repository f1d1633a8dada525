"""Boards as input for other solvers."""
