"""Walks through positions, and what is known of all of them afterwards: distances, shortest plans.

Nothing is allocated in here: a walk ends where an array is full, and `bsp_sat.backends.kernel.graph.position_graph`
makes longer ones.
"""

import numpy as np

from bsp_sat.backends.kernel.contents.compiled.packing import copy, pack, unpack
from bsp_sat.backends.kernel.graph.arrays import COMPLETE, EDGES, LIMBS, POSITIONS, SPARE, TOO_MANY, Graph, Walk
from bsp_sat.backends.kernel.graph.compiled.successors import list_successors
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.search.arrays import NO_LIMIT, UNREACHABLE
from bsp_sat.backends.kernel.search.compiled.bounds import bound_in_moves
from bsp_sat.backends.kernel.search.compiled.loops import is_goal
from bsp_sat.backends.kernel.search.compiled.states import found


@compiled
def walk(walk: Walk, limit: int) -> int:
    """Lists positions breadth first from ``scratch.state``, with the moves between them; says how it ended.

    With ``limit`` below `NO_LIMIT` only those that may be on plans of at most that many moves. No game goes on from a
    goal.
    """
    contents, shape, scratch, graph = walk
    tallies = graph.tallies
    tallies[POSITIONS] = 1
    tallies[EDGES] = 0
    pack(shape, scratch.state, np.uint64(0), graph.keys[0])
    graph.depth[0] = 0
    graph.table[found(graph.table, graph.keys, graph.keys[0])] = 0
    position = 0
    while position < tallies[POSITIONS]:
        unpack(shape, graph.keys[position], scratch.state)
        depth = graph.depth[position] + 1
        graph.first[position] = tallies[EDGES]
        graph.goal[position] = is_goal(contents, shape, scratch.state)
        number_of_successors = 0
        if not graph.goal[position] and depth <= limit:
            number_of_successors = list_successors(walk, tallies[SPARE] != 0)
        graph.successors[position] = number_of_successors
        for number in range(number_of_successors):
            key = graph.next_keys[number]
            place = found(graph.table, graph.keys, key)
            target = graph.table[place]
            if target < 0:
                if limit < NO_LIMIT:
                    unpack(shape, key, scratch.child)
                    if depth + bound_in_moves(contents, shape, scratch) > limit:
                        continue
                target = tallies[POSITIONS]
                if target == len(graph.keys):
                    return TOO_MANY
                tallies[POSITIONS] += 1
                copy(key, graph.keys[target])
                graph.depth[target] = depth
                graph.table[place] = target
            edge = tallies[EDGES]
            if edge == len(graph.target):
                return TOO_MANY
            graph.target[edge] = target
            graph.times[edge] = graph.next_times[number]
            tallies[EDGES] += 1
        position += 1
    graph.first[position] = tallies[EDGES]
    return COMPLETE


@compiled
def measure(walk: Walk) -> int:
    """Finds the distance of every position to a goal, after a complete walk without limit.

    Most moves lead to positions that were met later, so few rounds are needed.
    """
    graph = walk.graph
    positions = graph.tallies[POSITIONS]
    for position in range(positions):
        graph.distance[position] = 0 if graph.goal[position] else UNREACHABLE
    changed = True
    while changed:
        changed = False
        for backwards in range(positions):
            position = positions - 1 - backwards
            best = graph.distance[position]
            for edge in range(graph.first[position], graph.first[position + 1]):
                best = min(best, graph.distance[graph.target[edge]] + 1)
            if best < graph.distance[position]:
                graph.distance[position] = best
                changed = True
    return 0


@compiled
def count(walk: Walk, length: int) -> int:
    """Counts the shortest plans through every position, after a complete walk with their length as its limit.

    A plan is a sequence of moves, as `bsp_sat.backends.count` has it. 1 where an exact number has too many digits.
    """
    graph = walk.graph
    positions = graph.tallies[POSITIONS]
    for backwards in range(positions):
        position = positions - 1 - backwards
        depth = graph.depth[position]
        ends = graph.goal[position] and depth == length
        for limb in range(LIMBS):
            graph.plans[position, limb] = 0
        graph.plans[position, 0] = ends
        graph.after[position] = ends
        graph.before[position] = 0
        graph.good[position] = 0
        for edge in range(graph.first[position], graph.first[position + 1]):
            target = graph.target[edge]
            if graph.depth[target] == depth + 1 and graph.after[target] > 0:
                graph.good[position] += 1
                graph.after[position] += graph.times[edge] * graph.after[target]
                for _ in range(graph.times[edge]):
                    if add(graph, position, target):
                        return 1
    graph.before[0] = 1
    for position in range(positions):
        for edge in range(graph.first[position], graph.first[position + 1]):
            target = graph.target[edge]
            if graph.depth[target] == graph.depth[position] + 1:
                graph.before[target] += graph.times[edge] * graph.before[position]
    return 0


@compiled
def add(graph: Graph, position: int, other: int) -> bool:
    """Adds the plans of another position; says whether they have become too many."""
    carry = np.uint64(0)
    for limb in range(LIMBS):
        term = graph.plans[other, limb]
        partly = graph.plans[position, limb] + term
        whole = partly + carry
        carry = np.uint64(partly < term) + np.uint64(whole < partly)
        graph.plans[position, limb] = whole
    return bool(carry)
