"""Puzzles as formulas: a puzzle and a number of moves become clauses, a model becomes a plan.

    encoding.py    the interface of encodings
    registry.py    the encodings by name, and the best ones for a board
    formula.py     clauses under construction
    counters.py    counting with clauses
    blocks.py      the blocks of a sort board, which `order` and `homes` reason about
    order/, homes/, sequential/    the encodings of sort boards
    knocks.py, clicks.py           the encodings of shot and tiles
    export/        formulas and boards as files for other programs

docs/encodings.md compares the encodings, README.md explains how they work and how to add one.
"""
