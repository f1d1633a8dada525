"""Steps in the space of moves where tubes have rules, see `bsp_sat.backends.kernel.contents.ruled`."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import UNIFORM, Contents
from bsp_sat.backends.kernel.contents.compiled.packing import clear_all, copy, is_in
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.search.arrays import Scratch, Search
from bsp_sat.backends.kernel.search.compiled.states import emit


@compiled
def open_locks(contents: Contents, scratch: Scratch) -> None:
    """Opens the locks whose conditions ``scratch.child`` meets."""
    in_place = scratch.best
    clear_all(in_place)
    complete = 0
    for number in scratch.child:
        if contents.complete[number]:
            complete += 1
            in_place[contents.top[number]] += contents.complete[number]
    for place in range(len(scratch.child)):
        number = scratch.child[place]
        if contents.opens[number] >= 0:
            colour, tubes = contents.lock_colour[number], contents.lock_tubes[number]
            if (in_place[colour] == contents.counts[colour]) if colour >= 0 else (complete >= tubes):
                scratch.child[place] = contents.opens[number]


@compiled
def expand_ruled(search: Search, state: int, limit: int) -> bool:
    """Enters all states that one move leads to, but dominated ones if they are pruned; False where an array is full."""
    contents, shape, scratch, store = search
    numbers, child = scratch.state, scratch.child
    cost = store.cost[state] + 1
    tubes = shape.tubes
    colours = len(contents.counts)
    last = -1
    for source in range(tubes):
        number = numbers[source]
        if number == last or not contents.gives[number] or (shape.pruned and contents.alone[number]):
            continue
        last = number
        colour = contents.top[number]
        before = -1
        for target in range(tubes):
            other = numbers[target]
            if target == source or other == before:
                continue
            before = other
            if not is_in(colour, contents.takes[other]):
                continue
            empty = contents.bottom[other] < 0
            same_rule = contents.group[number] == contents.group[other]
            if shape.pruned and empty and same_rule and contents.kind[number] == UNIFORM:
                continue
            amount = 1 if shape.one_ball else min(contents.run[number], contents.room[other])
            if shape.whole_pours and not shape.one_ball and contents.run[number] > contents.room[other]:
                continue
            copy(numbers, child)
            for _ in range(amount):
                child[source] = contents.less[child[source]]
            if empty:
                child[target] = contents.founded[contents.group[other] * colours + colour, amount]
            else:
                for _ in range(amount):
                    child[target] = contents.more[child[target]]
            if shape.locked:
                open_locks(contents, scratch)
            if not emit(search, np.uint64(0), cost, state, limit):
                return False
    return True
