"""The different next positions of a position: every legal move, none left out as dominated.

A position is a state of the space of moves (docs/search.md): its tubes' contents as numbers, sorted from high to low,
so that the order of tubes makes no difference. Several moves may lead to one next position; how many is counted. A
move that changes nothing but the order of tubes leads to no *different* position and is left out.
"""

import numpy as np

from bsp_sat.backends.kernel.contents.compiled.packing import copy, pack, sort, unpack
from bsp_sat.backends.kernel.graph.arrays import Graph, Walk
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Words
from bsp_sat.backends.kernel.search.compiled.moves import pour


@compiled
def same(key: Words, other: Words) -> bool:
    """Whether two packed positions are one."""
    for word in range(len(key)):  # noqa: SIM110 - numba compiles no generators
        if key[word] != other[word]:
            return False
    return True


@compiled
def note(graph: Graph, key: Words, ways: int, found: int) -> int:
    """Notes a next position, and returns how many different ones there are now."""
    if same(key, graph.here):
        return found
    for place in range(found):
        if same(key, graph.next_keys[place]):
            graph.next_times[place] += ways
            return found
    copy(key, graph.next_keys[found])
    graph.next_times[found] = ways
    return found + 1


@compiled
def list_successors(walk: Walk, spare: bool) -> int:
    """Writes the different next positions of ``scratch.state`` into ``graph``, and returns how many there are.

    With ``spare`` tubes are left alone that hold every ball of their colour, as many as a tube takes.
    """
    contents, shape, scratch, graph = walk
    numbers, child, key = scratch.state, scratch.child, scratch.key
    tubes = shape.tubes
    found = 0
    copy(numbers, child)
    pack(shape, child, np.uint64(0), graph.here)
    source = 0
    while source < tubes and numbers[source]:
        number = numbers[source]
        alike = 1
        while source + alike < tubes and numbers[source + alike] == number:
            alike += 1
        target = 0
        while target < tubes and not (spare and contents.alone[number]):
            other = numbers[target]
            others = 1
            while target + others < tubes and numbers[target + others] == other:
                others += 1
            place = target
            ways = alike * others
            if other == number:
                place = target + 1
                ways = alike * (alike - 1)
            fits = other == 0 or (contents.top[other] == contents.top[number] and contents.room[other] > 0)
            if ways and fits:
                copy(numbers, child)
                pour(contents, shape, child, source, place)
                sort(child)
                pack(shape, child, np.uint64(0), key)
                found = note(graph, key, ways, found)
            target += others
        source += alike
    return found


@compiled
def list_unpacked(walk: Walk) -> int:
    """Writes the numbers of all different next positions of ``scratch.state``, and returns how many there are."""
    _, shape, scratch, graph = walk
    found = list_successors(walk, False)
    for position in range(found):
        unpack(shape, graph.next_keys[position], scratch.child)
        for place in range(shape.tubes):
            graph.next_numbers[position * shape.tubes + place] = scratch.child[place]
    return found
