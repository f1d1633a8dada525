"""The contents of a plain board's tubes, numbered and looked up: `bsp_sat.backends.kernel.contents` says which.

They are numbered in this order: the empty tube, 0; contents of one colour in tubes that were empty, the last colour
first and full tubes first; then those of the board's tubes, the last tube first: what a tube holds, that with more
balls on top, that with fewer down to one ball of the top run (but not where a step takes whole runs), and then what
lies beneath the run in the same way. What has a number keeps it.
"""

import numpy as np

from bsp_sat.backends.kernel.arrays import (
    BY_HOMES,
    CAPACITY,
    COLOURS,
    CONTENTS,
    FLAGS,
    LOADS,
    MIXED,
    MONOCHROME,
    NODES,
    TEMPORARY,
    TUBES,
    UNIFORM,
    WATER,
    Bytes,
    Contents,
    Ints,
    Longs,
    Trie,
)
from bsp_sat.backends.kernel.compiled.arena import (
    AT_CONTENTS,
    AT_SHAPE,
    AT_TABLE,
    AT_TRIE,
    fits,
    lay,
    read_contents,
    read_table,
    read_trie,
)
from bsp_sat.backends.kernel.compiled.packing import ONE, compiled


@compiled
def byte(boards: Bytes, place: int) -> int:
    """A byte as a signed number: what is reckoned with unsigned ones may become a float."""
    return int(np.int64(boards[place]))


@compiled
def number_contents(arena: Longs, boards: Bytes, board: int, further: int) -> bool:
    """Numbers the contents that the tubes of a board can have; False where the arena is too small.

    Args:
        arena: gets a `Trie` and its figures.
        boards: bytes of boards.
        board: the first byte of this one.
        further: number of tubes behind the board, packed like its own, that it may have in other positions.
    """
    by_homes = byte(boards, board + FLAGS) & BY_HOMES != 0
    capacity, colours = byte(boards, board + CAPACITY), byte(boards, board + COLOURS)
    tubes = byte(boards, board + TUBES)
    behind = after_tubes(boards, board + LOADS, tubes)
    end = after_tubes(boards, behind, further)
    nodes = colours + tubes + further  # at most
    for at in range(board + LOADS, end - 1):
        nodes += boards[at] != boards[at + 1]
    lay_trie(arena, nodes, capacity)
    if not fits(arena):
        return False
    trie = read_trie(arena)
    arena[NODES] = colours
    arena[CONTENTS] = 1 + colours * capacity
    for colour in range(colours):
        add_node(trie, colour, colour, -1, 0)
        if not by_homes:
            for load in range(1, capacity + 1):
                trie.number[colour, load] = first_number(colours, capacity, colour, load)
    number_tubes(arena, trie, boards, behind, further, end, by_homes)
    number_tubes(arena, trie, boards, board + LOADS, tubes, behind, by_homes)
    return True


@compiled
def after_tubes(boards: Bytes, loads: int, tubes: int) -> int:
    """The place behind tubes whose loads begin at ``loads``."""
    behind = loads + tubes
    for tube in range(tubes):
        behind += byte(boards, loads + tube)
    return behind


@compiled
def lay_trie(arena: Longs, nodes: int, capacity: int) -> None:
    """Lays out a trie."""
    lay(arena, AT_TRIE.colour, nodes, 1, 4)
    lay(arena, AT_TRIE.beneath, nodes, 1, 4)
    lay(arena, AT_TRIE.height, nodes, 1, 4)
    lay(arena, AT_TRIE.child, nodes, 1, 4)
    lay(arena, AT_TRIE.sibling, nodes, 1, 4)
    lay(arena, AT_TRIE.bottom, nodes, 1, 4)
    lay(arena, AT_TRIE.stays, nodes, 1, 4)
    lay(arena, AT_TRIE.alike, nodes, 1, 4)
    lay(arena, AT_TRIE.runs, nodes, 1, 4)
    lay(arena, AT_TRIE.number, nodes, capacity + 1, 4)


@compiled
def first_number(colours: int, capacity: int, colour: int, load: int) -> int:
    """The number of balls of one colour in a tube that was empty."""
    return 1 + (colours - 1 - colour) * capacity + capacity - load


@compiled
def add_node(trie: Trie, node: int, colour: int, beneath: int, height: int) -> None:
    """Adds a run of a colour above another one, with ``height`` balls beneath it."""
    trie.colour[node] = colour
    trie.beneath[node] = beneath
    trie.height[node] = height
    trie.child[node] = trie.sibling[node] = -1
    for load in range(len(trie.number[node])):
        trie.number[node, load] = -1
    if beneath < 0:
        trie.bottom[node] = colour
        trie.stays[node] = trie.alike[node] = 0
        trie.runs[node] = 1
    else:
        trie.sibling[node] = trie.child[beneath]
        trie.child[beneath] = node
        bottom = trie.bottom[beneath]
        trie.bottom[node] = bottom
        trie.stays[node] = trie.stays[beneath] if trie.stays[beneath] else height
        trie.alike[node] = trie.alike[beneath]
        if trie.colour[beneath] == bottom:
            trie.alike[node] += height - trie.height[beneath]
        trie.runs[node] = trie.runs[beneath] + 1


@compiled
def node_of(arena: Longs, trie: Trie, boards: Bytes, at: int, load: int) -> int:
    """The node of a tube with ``load`` balls, of which the first is at ``at``; made where there is room for one more.

    -1 where there is none.
    """
    node = byte(boards, at)
    height = 1
    while True:
        while height < load and boards[at + height] == trie.colour[node]:
            height += 1
        if height == load:
            return node
        colour = byte(boards, at + height)
        above = trie.child[node]
        while above >= 0 and (trie.height[above] != height or trie.colour[above] != colour):
            above = trie.sibling[above]
        if above < 0:
            above = arena[NODES]
            if above == len(trie.colour):
                return -1
            arena[NODES] += 1
            add_node(trie, above, colour, node, height)
        node = above


@compiled
def number_tubes(arena: Longs, trie: Trie, boards: Bytes, loads: int, tubes: int, behind: int, by_homes: bool) -> None:
    """Numbers the contents of tubes, the last one first; ``behind`` is the place behind their balls."""
    at = behind
    for backwards in range(tubes):
        load = byte(boards, loads + tubes - 1 - backwards)
        at -= load
        node = node_of(arena, trie, boards, at, load) if load else -1
        while node >= 0 and trie.number[node, load] < 0:
            beneath, height = trie.beneath[node], trie.height[node]
            most = load if by_homes and beneath < 0 else len(trie.number[node]) - 1
            number = arena[CONTENTS]
            more = load
            while more <= most and trie.number[node, more] < 0:
                trie.number[node, more] = number
                number += 1
                more += 1
            if not by_homes:
                for less in range(load - 1, height, -1):
                    trie.number[node, less] = number
                    number += 1
            arena[CONTENTS] = number
            node, load = beneath, height


@compiled
def make_tables(arena: Longs, boards: Bytes, board: int) -> bool:
    """Makes `Contents`, `Shape` and `Table` of a board whose contents have numbers; False where there is no room."""
    flags = byte(boards, board + FLAGS)
    by_homes, water, full = flags & BY_HOMES != 0, flags & WATER != 0, flags & MONOCHROME == 0
    capacity, colours = byte(boards, board + CAPACITY), byte(boards, board + COLOURS)
    tubes, contents_number = byte(boards, board + TUBES), arena[CONTENTS]
    trie = read_trie(arena)

    # How many balls of each colour there are decides on the other tables.
    lay(arena, AT_CONTENTS.homes, colours, 1, 4)
    lay(arena, AT_CONTENTS.counts, colours, 1, 4)
    if not fits(arena):
        return False
    contents = read_contents(arena)
    first, behind = board + LOADS + tubes, after_tubes(boards, board + LOADS, tubes)
    for colour in range(colours):
        contents.counts[colour] = 0
    for at in range(first, behind):
        contents.counts[boards[at]] += 1
    one_home_each = True
    for colour in range(colours):
        contents.homes[colour] = contents.counts[colour] // capacity if full else 0
        one_home_each &= contents.homes[colour] == 1
    counts_blocks = water and not one_home_each

    lay_tables(arena, contents_number, colours, capacity, contents_number if counts_blocks else 1)
    lay(arena, AT_TABLE.numbers, tubes, 1, 4)
    lay(arena, AT_TABLE.after, tubes, 1, 4)
    lay(arena, AT_TABLE.decided, tubes, 1, 4)
    lay(arena, AT_TABLE.sorted, tubes, 1, 4)
    if not fits(arena):
        return False
    fill_tables(read_contents(arena), trie, arena[NODES], capacity, by_homes, water, full, counts_blocks)

    bits = 1
    while contents_number >> bits:
        bits += 1
    per_word = 64 // bits
    arena[AT_SHAPE.tubes] = tubes
    arena[AT_SHAPE.bits] = bits
    arena[AT_SHAPE.per_word] = per_word
    arena[AT_SHAPE.words] = (tubes + per_word - 1) // per_word + by_homes
    arena[AT_SHAPE.by_homes] = by_homes
    arena[AT_SHAPE.pruned] = 1
    arena[AT_SHAPE.one_ball] = not water
    arena[AT_SHAPE.rank_keeps] = not one_home_each
    arena[AT_SHAPE.cost_weight] = arena[AT_SHAPE.bound_weight] = 1
    arena[AT_SHAPE.ruled] = arena[AT_SHAPE.locked] = arena[AT_SHAPE.whole_pours] = 0
    look_up(arena, boards, board + LOADS, read_table(arena).numbers, by_homes)
    return True


@compiled
def look_up(arena: Longs, boards: Bytes, loads: int, numbers: Ints, by_homes: bool) -> bool:
    """Writes the numbers of tubes, whose loads begin at ``loads``, see `Table`; says whether all of them have one."""
    trie = read_trie(arena)
    at = loads + len(numbers)
    known = True
    for tube in range(len(numbers)):
        load = byte(boards, loads + tube)
        numbers[tube] = 0
        if load:
            node = node_of(arena, trie, boards, at, load)
            if node < 0 or trie.number[node, load] < 0:
                known = False
            elif by_homes and load == len(trie.number[node]) - 1 and trie.beneath[node] < 0:
                numbers[tube] = -1 - node
            else:
                numbers[tube] = trie.number[node, load]
        at += load
    return known


@compiled
def lay_tables(arena: Longs, contents: int, colours: int, capacity: int, rows_of_blocks: int) -> None:
    """Lays out the tables of `Contents` but for those by colour alone, and nothing for those of tubes with rules."""
    lay(arena, AT_CONTENTS.top, contents, 1, 4)
    lay(arena, AT_CONTENTS.run, contents, 1, 4)
    lay(arena, AT_CONTENTS.room, contents, 1, 4)
    lay(arena, AT_CONTENTS.bottom, contents, 1, 4)
    lay(arena, AT_CONTENTS.work, contents, 1, 4)
    lay(arena, AT_CONTENTS.keep, contents, 1, 4)
    lay(arena, AT_CONTENTS.stays, contents, 1, 4)
    lay(arena, AT_CONTENTS.blocks, rows_of_blocks, colours, 4)
    lay(arena, AT_CONTENTS.kind, contents, 1, 4)
    lay(arena, AT_CONTENTS.less, contents, 1, 4)
    lay(arena, AT_CONTENTS.more, contents, 1, 4)
    lay(arena, AT_CONTENTS.colours, contents, 1, 8)
    lay(arena, AT_CONTENTS.done, contents, 1, 4)
    lay(arena, AT_CONTENTS.alone, contents, 1, 4)
    lay(arena, AT_CONTENTS.founded, colours, capacity + 1, 4)
    lay(arena, AT_CONTENTS.gives, 0, 1, 4)
    lay(arena, AT_CONTENTS.takes, 0, 1, 8)
    lay(arena, AT_CONTENTS.group, 0, 1, 4)
    lay(arena, AT_CONTENTS.opens, 0, 1, 4)
    lay(arena, AT_CONTENTS.lock_colour, 0, 1, 4)
    lay(arena, AT_CONTENTS.lock_tubes, 0, 1, 4)
    lay(arena, AT_CONTENTS.complete, 0, 1, 4)


@compiled
def fill_tables(
    contents: Contents, trie: Trie, nodes: int, capacity: int, by_homes: bool, water: bool, full: bool, blocks: bool
) -> None:
    """Fills the tables; ``blocks`` says whether the bound needs those of each colour."""
    colours = len(contents.homes)
    contents.top[0] = contents.bottom[0] = -1
    contents.run[0] = contents.work[0] = contents.keep[0] = contents.stays[0] = contents.kind[0] = 0
    contents.room[0], contents.done[0], contents.alone[0] = capacity, 1, 0
    contents.less[0], contents.more[0], contents.colours[0] = 0, 0, np.uint64(0)
    for colour in range(colours):
        contents.blocks[0, colour] = 0
        contents.founded[colour, 0] = 0
        for load in range(1, capacity + 1):
            number = first_number(colours, capacity, colour, load)
            contents.founded[colour, load] = number
            if by_homes:
                contents.top[number] = contents.bottom[number] = colour
                contents.run[number] = contents.work[number] = contents.stays[number] = load
                contents.room[number] = capacity - load
                contents.keep[number], contents.kind[number] = 0, TEMPORARY
                contents.less[number] = 0
                contents.more[number] = number - 1 if load < capacity else 0
                contents.colours[number] = ONE << np.uint64(colour)
                contents.done[number] = not full or load == capacity
                contents.alone[number] = 0
    for node in range(nodes):
        colour, beneath, height = trie.colour[node], trie.beneath[node], trie.height[node]
        bottom = trie.bottom[node]
        under = trie.number[beneath, height] if beneath >= 0 else 0
        for load in range(height + 1, capacity + 1):
            number = trie.number[node, load]
            if number < 0:
                continue
            uniform = beneath < 0
            run = load - height
            stays = load if uniform else trie.stays[node]
            contents.top[number], contents.bottom[number] = colour, bottom
            contents.run[number], contents.room[number] = run, capacity - load
            contents.work[number] = trie.runs[node] if water else load
            contents.stays[number] = stays
            if water:
                contents.keep[number] = 1
            elif by_homes:
                contents.keep[number] = 2 * stays - trie.alike[node] - (run if colour == bottom else 0)
            else:
                contents.keep[number] = stays
            contents.kind[number] = UNIFORM if uniform else MIXED
            contents.less[number] = under if by_homes or run == 1 else trie.number[node, load - 1]
            grows = load < capacity and not (by_homes and uniform)
            contents.more[number] = trie.number[node, load + 1] if grows else 0
            contents.colours[number] = contents.colours[under] | ONE << np.uint64(colour)
            contents.done[number] = uniform and (not full or load == capacity)
            contents.alone[number] = uniform and load == capacity and contents.counts[bottom] == capacity
            if blocks:
                for other in range(colours):
                    contents.blocks[number, other] = contents.blocks[under, other] + (other == colour)
