"""Puzzles as formulas: a puzzle and a number of moves become clauses, a model becomes a plan."""
