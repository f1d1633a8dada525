"""The layered encoding: many moves a layer.

Read `formula` first (variables, clauses, what UNSAT means); `plan` turns layers into moves.
"""
