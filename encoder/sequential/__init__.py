"""The sequential encoding: one move a step.

Read `formula` first (variables, clauses, devices, options, what UNSAT means), then `work_counters` for the work budget.
"""
