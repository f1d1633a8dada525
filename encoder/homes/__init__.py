"""The homes encoding: a step opens a home, clears a block or empties a temporary; all other moves are implied.

Read `formula` first (variables, clauses, what UNSAT means), then `rules` (symmetry breaking), `plan` (events as moves).
"""
