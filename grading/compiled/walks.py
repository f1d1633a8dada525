"""Walks through positions, and what is known of all of them afterwards: distances, shortest plans.

Nothing is allocated in here; a walk ends where an array is full, and `bsp_sat.grading.ground` sees to that.
"""

import numpy as np

from bsp_sat.backends.kernel.arrays import Scratch, Shape
from bsp_sat.backends.kernel.compiled.bounds import bound_by_fills, bound_of_moves
from bsp_sat.backends.kernel.compiled.loops import is_goal
from bsp_sat.backends.kernel.compiled.packing import compiled, pack, unpack
from bsp_sat.backends.kernel.compiled.states import found
from bsp_sat.backends.kernel.contents import Contents
from bsp_sat.grading.arrays import COMPLETE, EDGES, FAR, LIMBS, POSITIONS, SPARE, TOO_MANY, Ground
from bsp_sat.grading.compiled.nexts import copy_words, list_nexts


@compiled
def bound_of(contents: Contents, shape: Shape, scratch: Scratch) -> int:
    """A lower bound on the moves from ``scratch.child`` to a goal, that of the search in the space of moves."""
    if shape.rank_keeps and not shape.one_ball:
        return bound_by_fills(contents, scratch)
    return bound_of_moves(contents, shape, scratch)


@compiled
def walk(contents: Contents, shape: Shape, scratch: Scratch, ground: Ground, limit: int) -> int:
    """Lists positions breadth first from ``scratch.state``, with the moves between them; says how it ended.

    With ``limit`` below `FAR` only such as may be on plans of at most so many moves. No game goes on from a goal.
    """
    tallies = ground.tallies
    tallies[POSITIONS] = 1
    tallies[EDGES] = 0
    pack(shape, scratch.state, np.uint64(0), ground.keys[0])
    ground.depth[0] = 0
    ground.table[found(ground.table, ground.keys, ground.keys[0])] = 0
    position = 0
    while position < tallies[POSITIONS]:
        unpack(shape, ground.keys[position], scratch.state)
        depth = ground.depth[position] + 1
        ground.first[position] = tallies[EDGES]
        ground.goal[position] = is_goal(contents, shape, scratch.state)
        nexts = 0
        if not ground.goal[position] and depth <= limit:
            nexts = list_nexts(contents, shape, scratch, ground, tallies[SPARE] != 0)
        ground.nexts[position] = nexts
        for number in range(nexts):
            key = ground.next_keys[number]
            place = found(ground.table, ground.keys, key)
            target = ground.table[place]
            if target < 0:
                if limit < FAR:
                    unpack(shape, key, scratch.child)
                    if depth + bound_of(contents, shape, scratch) > limit:
                        continue
                target = tallies[POSITIONS]
                if target == len(ground.keys):
                    return TOO_MANY
                tallies[POSITIONS] += 1
                copy_words(key, ground.keys[target])
                ground.depth[target] = depth
                ground.table[place] = target
            edge = tallies[EDGES]
            if edge == len(ground.target):
                return TOO_MANY
            ground.target[edge] = target
            ground.times[edge] = ground.next_times[number]
            tallies[EDGES] += 1
        position += 1
    ground.first[position] = tallies[EDGES]
    return COMPLETE


@compiled
def measure(ground: Ground) -> int:
    """Finds the distance of every position to a goal, after a complete walk without limit.

    Most moves lead to positions that were met later, so few rounds are needed.
    """
    positions = ground.tallies[POSITIONS]
    for position in range(positions):
        ground.distance[position] = 0 if ground.goal[position] else FAR
    changed = True
    while changed:
        changed = False
        for backwards in range(positions):
            position = positions - 1 - backwards
            best = ground.distance[position]
            for edge in range(ground.first[position], ground.first[position + 1]):
                best = min(best, ground.distance[ground.target[edge]] + 1)
            if best < ground.distance[position]:
                ground.distance[position] = best
                changed = True
    return 0


@compiled
def count(ground: Ground, length: int) -> int:
    """Counts the shortest plans through every position, after a complete walk with their length as its limit.

    A plan is a sequence of moves, as `bsp_sat.backends.count` has it. 1 where an exact number has too many digits.
    """
    positions = ground.tallies[POSITIONS]
    for backwards in range(positions):
        position = positions - 1 - backwards
        depth = ground.depth[position]
        ends = ground.goal[position] and depth == length
        for limb in range(LIMBS):
            ground.plans[position, limb] = 0
        ground.plans[position, 0] = ends
        ground.after[position] = ends
        ground.before[position] = 0
        ground.good[position] = 0
        for edge in range(ground.first[position], ground.first[position + 1]):
            target = ground.target[edge]
            if ground.depth[target] == depth + 1 and ground.after[target] > 0:
                ground.good[position] += 1
                ground.after[position] += ground.times[edge] * ground.after[target]
                for _ in range(ground.times[edge]):
                    if add(ground, position, target):
                        return 1
    ground.before[0] = 1
    for position in range(positions):
        for edge in range(ground.first[position], ground.first[position + 1]):
            target = ground.target[edge]
            if ground.depth[target] == ground.depth[position] + 1:
                ground.before[target] += ground.times[edge] * ground.before[position]
    return 0


@compiled
def add(ground: Ground, position: int, other: int) -> bool:
    """Adds the plans of another position; says whether they have become too many."""
    carry = np.uint64(0)
    for limb in range(LIMBS):
        term = ground.plans[other, limb]
        partly = ground.plans[position, limb] + term
        whole = partly + carry
        carry = np.uint64(partly < term) + np.uint64(whole < partly)
        ground.plans[position, limb] = whole
    return bool(carry)
