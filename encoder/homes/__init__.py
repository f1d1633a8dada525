"""The homes encoding: a step opens a home, clears a block or empties a temporary; the rest goes home by itself.

Read `formula` first (variables, clauses, what UNSAT means), then `rules` for which of several equally good plans to
take, and `choice` for how one event a step is chosen. `plan` turns events into moves, `encoding` has the choices.
"""
