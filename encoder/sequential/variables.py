"""The literals of the sequential encoding for each state and each move.

The table in `bsp_sat.encoder.sequential.formula` explains them.
"""

from dataclasses import dataclass

from bsp_sat.encoder.formula import Literal


@dataclass(frozen=True)
class StateVariables:
    """The literals of one state, with the indices of that table. ``same[i][0]`` is ``fill[i][0]``."""

    fill: list[list[Literal]]
    cell: list[list[list[Literal]]]
    top: list[list[Literal]]
    same: list[list[Literal]]
    uniform: list[Literal]


@dataclass(frozen=True)
class MoveVariables:
    """The literals of one move."""

    source: list[Literal]
    target: list[Literal]
    colour: list[Literal]
    to_empty: Literal
