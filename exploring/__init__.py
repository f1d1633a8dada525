"""Boards with hidden cells: what can be proved about them, and how to play them (docs/variants.md).

looking.py     what a move brings to light, and the fillings that agree with it
strategy.py    strategies as trees, their JSON, and their only judge
exact.py       the best strategies, by AND-OR search
study.py       everything that can be said about one board
drawing.py     fillings drawn at random
unseen.py      what locks, corks and the end of the game tell of cells that stay covered
explorer.py    playing along: the next move, what was seen, and so on
    game.py        the game's part, for trials
"""
