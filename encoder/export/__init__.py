"""Boards as input for other people's solvers."""
