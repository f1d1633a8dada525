"""The sequential encoding: one move a step.

Read `formula` first (variables, clauses, devices, what UNSAT means), then `progress` for the work budget.
"""
