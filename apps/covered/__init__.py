"""Boards with hidden cells: what can be proved about them, and how to play them (docs/variants.md).

board.py       fillings of a board
looking.py     what a move reveals, and the fillings that agree with it
effects.py     what a player sees besides cells: locks, corks and the end of the game
cases.py       what these imply for covered cells
sampling.py    fillings drawn at random

strategy.py    strategies as trees, their JSON, and checking them
exact.py       the best strategies, by AND-OR search
regardless.py  what is so for all fillings, without examining each
study.py       everything known about one board

knowledge.py   what a player knows and faces, from all that was seen
hindsight.py   fillings that agree with it, and how long the rest is
routes.py      known moves to the next place where something is learnt
policy.py      which route to follow
explorer.py    these together: advice for playing
game.py        simulates the game, for tests, measurements and the page
"""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("explorer", "game", "study"))

COMMANDS = {"play": ("Solve", "Play a board with hidden cells, step by step.")}

PARTS = {"covered": "commands.solve_hidden:COVERED"}

NAMES = {"Advice": "policy", "Contradiction": "knowledge", "Effects": "effects", "Explorer": "explorer"}
