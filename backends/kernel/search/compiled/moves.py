"""Steps in the space of moves."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import UNIFORM, Contents, Shape
from bsp_sat.backends.kernel.contents.compiled.packing import clear_all, copy
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Ints
from bsp_sat.backends.kernel.search.arrays import Search
from bsp_sat.backends.kernel.search.compiled.states import emit


@compiled
def pour(contents: Contents, shape: Shape, numbers: Ints, source: int, target: int) -> None:
    """Makes a legal move from one place to another."""
    number, other = numbers[source], numbers[target]
    colour = contents.top[number]
    amount = 1 if shape.one_ball else min(contents.run[number], contents.room[other])
    left = number
    for _ in range(amount):
        left = contents.less[left]
    numbers[source] = left
    if other == 0:
        numbers[target] = contents.founded[colour, amount]
    else:
        for _ in range(amount):
            other = contents.more[other]
        numbers[target] = other


@compiled
def expand_moves(search: Search, state: int, limit: int) -> bool:
    """Enters all states that one move leads to, but dominated ones if they are pruned; False where an array is full."""
    contents, shape, scratch, store = search
    numbers, child = scratch.state, scratch.child
    cost = store.cost[state] + 1
    tubes = shape.tubes
    # Of the tubes with nothing but one colour, balls leave the one with the least and go to the one with most.
    fullest, most_room = scratch.fullest, scratch.most_room
    for colour in range(len(fullest)):
        fullest[colour] = -1
    clear_all(most_room)
    for number in numbers:
        if contents.kind[number] == UNIFORM and contents.room[number]:
            colour = contents.top[number]
            if fullest[colour] < 0 or contents.room[number] < contents.room[fullest[colour]]:
                fullest[colour] = number
            most_room[colour] = max(most_room[colour], contents.room[number])
    last = -1
    for source in range(tubes):
        number = numbers[source]
        if number == 0:
            break
        if number == last or (shape.pruned and contents.alone[number]):
            continue
        last = number
        colour = contents.top[number]
        uniform = shape.pruned and contents.kind[number] == UNIFORM
        if shape.one_ball and uniform and contents.room[number] < most_room[colour]:
            continue
        sink = fullest[colour]
        before = -1
        for target in range(tubes):
            other = numbers[target]
            if target == source or other == before:
                continue
            before = other
            if other == 0:
                if uniform or (shape.pruned and shape.one_ball and sink >= 0):
                    continue
            elif (
                contents.top[other] != colour
                or contents.room[other] == 0
                or (shape.pruned and shape.one_ball and contents.kind[other] == UNIFORM and other != sink)
            ):
                continue
            copy(numbers, child)
            pour(contents, shape, child, source, target)
            if not emit(search, np.uint64(0), cost, state, limit):
                return False
    return True
