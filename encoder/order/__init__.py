"""The order encoding: which block is dug before which.

Read `formula` first (variables, clauses, what UNSAT means), then `ball` or `water` for what a plan costs. `events` has
the order of the digs, `plan` turns a solution into moves, `encoding` has the choices.
"""
