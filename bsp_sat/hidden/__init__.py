"""Boards with hidden cells: what can be proved about them, and how to play them (docs/variants.md).

looking.py     what a move reveals, and the fillings that agree with it
strategy.py    strategies as trees, their JSON, and checking them
exact.py       the best strategies, by AND-OR search
study.py       everything known about one board
sampling.py    fillings drawn at random
unseen.py      what locks, corks and the end of the game imply for covered cells
explorer.py    advice for playing: the next move, from all that was seen
game.py        simulates the game, for tests and measurements
"""
