"""The order encoding: which block is dug before which.

Read `formula` first (variables, clauses, what UNSAT means), then `ball` or `water` for the cost of a plan. `events` has
the order of the digs, `plan` turns a solution into moves, `encoding` declares the options.
"""
