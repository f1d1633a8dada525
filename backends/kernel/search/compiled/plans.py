"""From the states of a search to a plan, move by move.

A state tells what tubes hold, not where they stand. So moves are made on a `Table`, where tubes stand in their order,
and for each state those are found that lead there.
"""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import UNIFORM, Contents, Shape, Table
from bsp_sat.backends.kernel.contents.compiled.packing import MULTIPLIER, ONE, copy, is_in, sort, unpack
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Bytes, Ints
from bsp_sat.backends.kernel.search.arrays import FOUND, PlanOf, Scratch
from bsp_sat.backends.kernel.search.compiled.moves import pour

MANY = 1 << 30  # moves: more than any plan has


@compiled
def write_plan(plan: PlanOf, first: int) -> int:
    """Writes down the plan to the goal that a search has found.

    Args:
        plan: the search, and room for its plan.
        first: the place of the first move.

    Returns:
        The place behind the last move; -1 where a state can't be reached from the one before.
    """
    contents, shape, scratch, store = plan.search
    table, moves = plan.table, plan.moves
    start = turned(store.parent, store.counters[FOUND])
    place = first
    state = start
    homes = unpack(shape, store.keys[state], scratch.state)
    while place >= 0 and store.parent[state] >= 0:
        before = state
        state = store.parent[state]
        opened = unpack(shape, store.keys[state], scratch.state)
        if shape.by_homes:
            most = place + store.cost[state] - store.cost[before]
            place = step_by_homes(plan, homes, opened, place, most)
        else:
            place = step_by_move(contents, shape, scratch.state, table, moves, place)
        homes = opened
    turned(store.parent, start)
    return place


@compiled
def turned(parent: Ints, state: int) -> int:
    """Turns the way from a state to the one without a parent round, and returns that one."""
    before = -1
    while state >= 0:
        after = parent[state]
        parent[state] = before
        before = state
        state = after
    return before


@compiled
def write(moves: Bytes, place: int, source: int, target: int) -> None:
    """Writes a move down, if there is room."""
    if 2 * place + 1 < len(moves):
        moves[2 * place] = source
        moves[2 * place + 1] = target


@compiled
def is_at(table: Table, numbers: Ints, state: Ints, homes: np.uint64) -> bool:
    """Whether tubes are those of a state."""
    open_homes = np.uint64(0)
    for place in range(len(numbers)):
        number = numbers[place]
        if number < 0:
            open_homes |= ONE << np.uint64(-1 - number)
        table.sorted[place] = max(0, number)
    if open_homes != homes:
        return False
    sort(table.sorted)
    for place in range(len(state)):  # noqa: SIM110 - numba compiles no generators
        if table.sorted[place] != state[place]:
            return False
    return True


# -- the space of moves --------------------------------------------------------------------------------------


@compiled
def mixed(number: int) -> np.uint64:
    """Bits of a number; sums of them tell quickly that tubes aren't those of a state."""
    bits = np.uint64(number + 1) * MULTIPLIER
    return (bits ^ bits >> np.uint64(29)) * MULTIPLIER


@compiled
def step_by_move(contents: Contents, shape: Shape, state: Ints, table: Table, moves: Bytes, place: int) -> int:
    """Makes the first legal move that leads to a state, and returns the place behind it; -1 where there is none."""
    numbers = table.numbers
    wanted = np.uint64(0)
    for tube in range(len(numbers)):
        wanted += mixed(state[tube]) - mixed(numbers[tube])
    for source in range(len(numbers)):
        number = numbers[source]
        if number == 0:
            continue
        for target in range(len(numbers)):
            other = numbers[target]
            if target == source:
                continue
            if other and (contents.top[other] != contents.top[number] or contents.room[other] == 0):
                continue
            pour(contents, shape, numbers, source, target)
            change = mixed(numbers[source]) + mixed(numbers[target]) - mixed(number) - mixed(other)
            if change == wanted and is_at(table, numbers, state, np.uint64(0)):
                write(moves, place, source, target)
                return place + 1
            numbers[source], numbers[target] = number, other
    return -1


# -- the space of homes --------------------------------------------------------------------------------------


@compiled
def go_home(contents: Contents, numbers: Ints, moves: Bytes, place: int) -> int:
    """Moves all balls home that can go there, and returns the place behind the moves."""
    homes = open_homes(numbers)
    for source in range(len(numbers)):
        number = numbers[source]
        while number > 0 and is_in(contents.top[number], homes):
            target = 0
            while numbers[target] != -1 - contents.top[number]:
                target += 1
            for _ in range(contents.run[number]):
                write(moves, place, source, target)
                place += 1
            number = contents.less[number]
        numbers[source] = number
    return place


@compiled
def open_homes(numbers: Ints) -> np.uint64:
    """The set of the colours whose homes are open."""
    homes = np.uint64(0)
    for number in numbers:
        if number < 0:
            homes |= ONE << np.uint64(-1 - number)
    return homes


@compiled
def count_of(numbers: Ints, number: int) -> int:
    """How many tubes have a number."""
    found = 0
    for other in numbers:
        found += other == number
    return found


@compiled
def step_by_homes(plan: PlanOf, before: np.uint64, after: np.uint64, place: int, most: int) -> int:
    """Makes the moves of a step to ``scratch.state``, up to the place ``most`` where such are found, else the fewest.

    Args:
        plan: its table is where the step begins, and then where it has led.
        before: open homes before the step.
        after: those after it.
        place: of the first move.
        most: place behind the last one; the costs of the two states say where that is, or further on.

    Returns:
        The place behind the last of them; -1 where no step leads there.
    """
    while True:
        fewest = try_steps(plan, before, after, place, most)
        if fewest <= most:
            return fewest
        if fewest == MANY:
            return -1
        most = fewest


@compiled
def try_steps(plan: PlanOf, before: np.uint64, after: np.uint64, place: int, most: int) -> int:
    """Tries all steps that may lead to ``scratch.state`` up to one whose moves end at ``most`` or sooner, and makes it.

    Arguments as for `step_by_homes`.

    Returns:
        The place behind its moves. Where there is no such step, the least place that is possible, `MANY` for none.
    """
    contents, _, scratch, _ = plan.search
    table, moves = plan.table, plan.moves
    numbers, child = table.numbers, table.after
    tubes, colours = len(numbers), len(contents.homes)
    opened = after & ~before
    undecided = False
    free = -1
    for tube in range(tubes):
        if numbers[tube] == 0 and free < 0:
            free = tube
        undecided |= numbers[tube] > 0 and contents.kind[numbers[tube]] == UNIFORM
    fewest = MANY
    # Step 0 decides on what is there; the next ones open the home of a colour each, those after clear a tube each.
    for step in range(1 + colours + tubes):
        source = step - 1 - colours
        places = 0
        if undecided != (step == 0):
            continue
        if 0 < step <= colours:
            if free < 0 or not is_in(step - 1, opened) or not is_on_top(contents, numbers, step - 1):
                continue
        elif source >= 0:
            if not may_be_cleared(contents, numbers, scratch.state, source, opened):
                continue
            places = share_out(contents, scratch, numbers, source, free)
            if places == 0:
                continue
        more = True
        while more:
            copy(numbers, child)
            behind = place
            if 0 < step <= colours:
                child[free] = -step
                behind = go_home(contents, child, moves, behind)
            elif source >= 0:
                behind = clear_tube(contents, scratch, child, source, places, moves, behind)
                behind = go_home(contents, child, moves, behind)
            behind = decide(plan, after, behind, most)
            if behind <= most:
                return behind
            fewest = min(fewest, behind)
            more = source >= 0 and share_otherwise(contents, scratch, numbers, places)
    return fewest


@compiled
def is_on_top(contents: Contents, numbers: Ints, colour: int) -> bool:
    """Whether a ball of a colour can be taken from some tube that isn't its home."""
    for number in numbers:  # noqa: SIM110 - numba compiles no generators
        if number > 0 and contents.top[number] == colour:
            return True
    return False


@compiled
def may_be_cleared(contents: Contents, numbers: Ints, state: Ints, source: int, opened: np.uint64) -> bool:
    """Whether the tube at ``source`` may have been cleared on the way to ``state``, on which homes ``opened`` opened.

    A clearing can open a home only in the tube itself, when its colour is all that is left in it. Where none opened no
    other tube loses a ball. Then there are as many tubes as before of what was in this one only if another one, of the
    same top colour, has come to hold the same.
    """
    number = numbers[source]
    if number <= 0:
        return False
    if opened:
        return is_in(contents.bottom[number], opened)
    if count_of(state, number) < count_of(numbers, number):
        return True
    for tube in range(len(numbers)):
        if tube != source and numbers[tube] > 0 and contents.top[numbers[tube]] == contents.top[number]:
            return True
    return False


@compiled
def share_out(contents: Contents, scratch: Scratch, numbers: Ints, source: int, free: int) -> int:
    """Shares the top run at ``source`` out to where it may go but home: the first way, see `share_otherwise`.

    Writes places and numbers of balls into ``scratch``.

    Returns:
        The number of places; 0 where there is no room for all of it.
    """
    targets, number = scratch.targets, numbers[source]
    places = 0
    for tube in range(len(numbers)):
        if tube != source and numbers[tube] > 0 and contents.top[numbers[tube]] == contents.top[number]:
            targets[places] = tube
            places += 1
    if free >= 0:
        targets[places] = free
        places += 1
    left = fill_from_behind(contents, scratch, numbers, 0, places, contents.run[number])
    return 0 if left else places


@compiled
def fill_from_behind(contents: Contents, scratch: Scratch, numbers: Ints, first: int, places: int, balls: int) -> int:
    """Shares balls out to the places from ``first`` on, the last ones before others; returns those without a place."""
    for place in range(places - 1, first - 1, -1):
        amount = min(balls, contents.room[numbers[scratch.targets[place]]])
        scratch.amounts[place] = amount
        balls -= amount
    return balls


@compiled
def share_otherwise(contents: Contents, scratch: Scratch, numbers: Ints, places: int) -> bool:
    """Shares the balls out in the next way, in lexicographic order of what places get; False after the last one."""
    amounts = scratch.amounts
    behind = amounts[places - 1]
    for place in range(places - 2, -1, -1):
        if behind and amounts[place] < contents.room[numbers[scratch.targets[place]]]:
            amounts[place] += 1
            fill_from_behind(contents, scratch, numbers, place + 1, places, behind - 1)
            return True
        behind += amounts[place]
    return False


@compiled
def clear_tube(
    contents: Contents, scratch: Scratch, numbers: Ints, source: int, places: int, moves: Bytes, place: int
) -> int:
    """Moves the top run at ``source`` as it was shared out, and returns the place behind the moves."""
    colour = contents.top[numbers[source]]
    for at in range(places):
        target, amount = scratch.targets[at], scratch.amounts[at]
        for _ in range(amount):
            write(moves, place, source, target)
            place += 1
        if amount and numbers[target] == 0:
            numbers[target] = contents.founded[colour, amount]
        else:
            for _ in range(amount):
                numbers[target] = contents.more[numbers[target]]
    numbers[source] = contents.less[numbers[source]]
    return place


@compiled
def decide(plan: PlanOf, after: np.uint64, place: int, most: int) -> int:
    """Decides on the tubes with one colour in ``table.after`` so that they come to ``scratch.state``.

    Neither a decision nor a ball that goes home changes what another such tube holds, so that the state tells which of
    them are temporaries by then. At most one of the others has become its colour's home.

    Args:
        plan: ``table.numbers`` gets the tubes where the moves end at ``most`` or sooner.
        after: open homes of the state.
        place: of the first move.
        most: see `step_by_homes`.

    Returns:
        The least place behind the moves of a decision, `MANY` where none leads there.
    """
    contents, _, scratch, _ = plan.search
    table, moves = plan.table, plan.moves
    child, kept, state = table.after, table.decided, scratch.state
    undecided = False
    for tube in range(len(child)):
        number = child[tube]
        if number > 0 and contents.kind[number] == UNIFORM:
            temporary = contents.founded[contents.top[number], contents.run[number]]
            if count_of(state, temporary) > count_of(child, temporary):
                child[tube] = temporary
            undecided |= child[tube] == number
    fewest = MANY
    for home in range(-1, len(child) if undecided else 0):
        copy(child, kept)
        behind = place
        if home >= 0:
            number = child[home]
            if number <= 0 or contents.kind[number] != UNIFORM or not is_in(contents.top[number], after):
                continue
            kept[home] = -1 - contents.top[number]
            behind = go_home(contents, kept, moves, behind)
        if behind < fewest and is_at(table, kept, state, after):
            fewest = behind
            if behind <= most:
                copy(kept, table.numbers)
                break
    return fewest
