"""Counts the shortest plans of a board.

A plan is a sequence of moves; equal moves with two names (the puzzle's `renamings`) count once. The ways to reach each
position are counted, layer by layer. Symmetric positions are merged, as their moves correspond; positions whose lower
bound exceeds the moves left are dropped. Memory grows with the number of positions, not with the number of plans.
"""

from collections import Counter

from bsp_sat.instances.puzzle import AnyPuzzle


def count_plans(puzzle: AnyPuzzle, length: int) -> int:
    """The number of plans of ``length`` moves, which must be the length of a shortest plan."""
    ways = Counter({puzzle.canonical(): 1})
    for left in reversed(range(length)):
        following: Counter[AnyPuzzle] = Counter()
        for position, number in ways.items():
            for move in position.pruned_moves(position.renamings):
                after = position.after_legal(move).canonical()
                if after.lower_bound() <= left:
                    following[after] += number
        ways = following
    return sum(number for position, number in ways.items() if position.is_goal())
