"""Simulated players: they make moves that aren't pointless until the board is solved, or they have had enough.

A move is pointless where one of the prunings of docs/search.md leaves it out, so that these are the moves of
`SortPuzzle.pruned_moves`. A player of style `ANY` takes any of the rest with equal chance. `GREEDY` prefers one that
completes a tube, then one that puts balls on balls, takes its last move back only where there is nothing else, and
takes any of the best kind with equal chance.
"""

from typing import Any

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import UNIFORM
from bsp_sat.backends.kernel.contents.compiled.packing import copy, pack, sort
from bsp_sat.backends.kernel.graph.arrays import ANY, PLAYS, STYLE, Graph, Walk
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.search.compiled.loops import is_goal
from bsp_sat.backends.kernel.search.compiled.moves import pour


@compiled
def drawn(graph: Graph, most: int) -> np.int64:
    """A whole number from 0 to below ``most``, by SplitMix64 (Steele, Lea and Flood 2014)."""
    graph.chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = graph.chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.int64(mixed >> np.uint64(11)) % most


@compiled
def choose(walk: Walk, style: int, last: int) -> int:
    """A move of the player from ``scratch.state``, as source · tubes + target; -1 where there is none.

    ``last`` is the last move, turned round.
    """
    contents, shape, scratch, graph = walk
    numbers, fullest, most_room, opens = scratch.state, scratch.fullest, scratch.most_room, scratch.targets
    tubes = shape.tubes
    for colour in range(len(fullest)):
        fullest[colour] = -1
        most_room[colour] = 0
    open_tubes = 0
    empty = False
    for place in range(tubes):
        number = numbers[place]
        if number and contents.kind[number] == UNIFORM and contents.room[number]:
            colour = contents.top[number]
            if fullest[colour] < 0 or contents.room[number] < contents.room[fullest[colour]]:
                fullest[colour] = number
            most_room[colour] = max(most_room[colour], contents.room[number])
        if contents.room[number] and (number or not empty):
            empty |= number == 0
            opens[open_tubes] = place
            open_tubes += 1
    found = 0
    best = -1
    for source in range(tubes):
        number = numbers[source]
        if number == 0 or contents.alone[number]:
            continue
        colour = contents.top[number]
        uniform = contents.kind[number] == UNIFORM
        if shape.one_ball and uniform and contents.room[number] < most_room[colour]:
            continue
        for place in range(open_tubes):
            target = opens[place]
            other = numbers[target]
            if target == source:
                continue
            if other == 0:
                if uniform or (shape.one_ball and fullest[colour] >= 0):
                    continue
            elif contents.top[other] != colour or (
                shape.one_ball and contents.kind[other] == UNIFORM and other != fullest[colour]
            ):
                continue
            move = source * tubes + target
            worth = 0
            if style != ANY:
                amount = 1 if shape.one_ball else contents.run[number]
                if move == last:
                    worth = -1
                elif (other == 0 or contents.kind[other] == UNIFORM) and amount >= contents.room[other]:
                    worth = 2
                elif other:
                    worth = 1
            if worth > best:
                best = worth
                found = 0
            if worth == best:
                graph.choices[found] = move
                found += 1
    return graph.choices[drawn(graph, found)] if found else -1


@compiled
def play(walk: Walk, most: int) -> int:
    """The plays, of ``tallies[PLAYS]`` from ``scratch.kept``, that solve the board within ``most`` moves."""
    solved = 0
    for _ in range(walk.graph.tallies[PLAYS]):
        solved += go(walk, most, walk.graph.tallies[STYLE])
    return solved


@compiled
def wander(walk: Walk, most: int) -> int:
    """Writes where each of ``tallies[PLAYS]`` plays from ``scratch.kept`` is after 1 to ``most`` moves into the keys.

    Each number of moves has the same chance. Where a play ends before, it stays.
    """
    _, shape, scratch, graph = walk
    for number in range(graph.tallies[PLAYS]):
        go(walk, drawn(graph, most) + 1, ANY)
        sort(scratch.state)
        pack(shape, scratch.state, np.uint64(0), graph.keys[number])
    return 0


@compiled
def go(walk: Walk, most: Any, style: int) -> int:
    """Plays from ``scratch.kept`` in ``scratch.state``; 1 where that solves the board."""
    contents, shape, scratch, _ = walk
    copy(scratch.kept, scratch.state)
    last = -1
    for _ in range(most):
        if is_goal(contents, shape, scratch.state):
            return 1
        move = choose(walk, style, last)
        if move < 0:
            return 0
        last = move % shape.tubes * shape.tubes + move // shape.tubes
        pour(contents, shape, scratch.state, move // shape.tubes, move % shape.tubes)
    return 1 if is_goal(contents, shape, scratch.state) else 0
