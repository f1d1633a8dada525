"""The homes encoding: a step opens a home, clears a block or empties a temporary; all other moves are implied.

Read `formula` first (variables, clauses, what UNSAT means), then `rules` (symmetry breaking among plans of equal
length) and `exactly_one` (how a step's event is chosen). `plan` turns events into moves, `encoding` declares options.
"""
