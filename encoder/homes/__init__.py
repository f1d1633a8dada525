"""The homes encoding: a step opens a home, clears a block or empties a temporary; all other moves are implied.

Read `formula` first (variables, clauses, what UNSAT means), then `rules` (symmetry breaking among plans of equal
length). `plan` turns events into moves, `encoding` declares options.
"""
