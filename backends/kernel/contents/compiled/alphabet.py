"""The contents of a plain board's tubes, numbered, looked up: `bsp_sat.backends.kernel.contents.alphabet` says which.

They are numbered in this order: the empty tube, 0; contents of one colour in tubes that were empty, the last colour
first and full tubes first; then those of the board's tubes, the last tube first: what a tube holds, that with more
balls on top, that with fewer down to one ball of the top run (but not where a step takes whole runs), and then what
lies beneath the run in the same way. What has a number keeps it.
"""

import numpy as np

from bsp_sat.backends.kernel.contents import arrays
from bsp_sat.backends.kernel.contents.arrays import AT, Boards, Contents, Trie
from bsp_sat.backends.kernel.contents.compiled.arena import fits, lay, lay_ints, numbered_in
from bsp_sat.backends.kernel.contents.compiled.packing import ONE
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Bytes, Ints, Longs


@compiled
def number_board(boards: Boards, further: int) -> int:
    """Makes the tables of the first board, with ``further`` tubes behind it that it may have in other positions.

    Returns:
        The number of contents; 0 where the arena is too small.
    """
    arena = boards.arena
    arena[arrays.CURSOR] = arena[arrays.BASE]
    if number_contents(arena, boards.boards, 0, further) and make_tables(arena, boards.boards, 0):
        return int(arena[arrays.CONTENTS])
    return 0


@compiled
def look_up_tubes(boards: Boards, by_homes: int) -> int:
    """Writes the numbers of the tubes that ``boards`` begins with; says whether all of them have one."""
    return int(look_up(boards.arena, boards.boards, 0, boards.numbers, by_homes != 0))


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
    by_homes = byte(boards, board + arrays.FLAGS) & arrays.BY_HOMES != 0
    capacity, colours = byte(boards, board + arrays.CAPACITY), byte(boards, board + arrays.COLOURS)
    tubes = byte(boards, board + arrays.TUBES)
    behind = after_tubes(boards, board + arrays.LOADS, tubes)
    end = after_tubes(boards, behind, further)
    nodes = colours + tubes + further  # at most
    for at in range(board + arrays.LOADS, end - 1):
        nodes += boards[at] != boards[at + 1]
    at = AT.trie
    lay_ints(
        arena, (at.colour, at.beneath, at.height, at.child, at.sibling, at.bottom, at.stays, at.alike, at.runs), nodes
    )
    lay(arena, at.number, nodes, capacity + 1, 4)
    if not fits(arena):
        return False
    trie = numbered_in(arena).trie
    arena[arrays.NODES] = colours
    arena[arrays.CONTENTS] = 1 + colours * capacity
    for colour in range(colours):
        add_node(trie, colour, colour, -1, 0)
        if not by_homes:
            for load in range(1, capacity + 1):
                trie.number[colour, load] = first_number(colours, capacity, colour, load)
    number_tubes(arena, trie, boards, behind, further, end, by_homes)
    number_tubes(arena, trie, boards, board + arrays.LOADS, tubes, behind, by_homes)
    return True


@compiled
def after_tubes(boards: Bytes, loads: int, tubes: int) -> int:
    """The place behind tubes whose loads begin at ``loads``."""
    behind = loads + tubes
    for tube in range(tubes):
        behind += byte(boards, loads + tube)
    return behind


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
            above = arena[arrays.NODES]
            if above == len(trie.colour):
                return -1
            arena[arrays.NODES] += 1
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
            number = arena[arrays.CONTENTS]
            more = load
            while more <= most and trie.number[node, more] < 0:
                trie.number[node, more] = number
                number += 1
                more += 1
            if not by_homes:
                for less in range(load - 1, height, -1):
                    trie.number[node, less] = number
                    number += 1
            arena[arrays.CONTENTS] = number
            node, load = beneath, height


@compiled
def make_tables(arena: Longs, boards: Bytes, board: int) -> bool:
    """Makes `Contents`, `Shape` and `Table` of a board whose contents have numbers; False where there is no room."""
    flags = byte(boards, board + arrays.FLAGS)
    by_homes, water, full = flags & arrays.BY_HOMES != 0, flags & arrays.WATER != 0, flags & arrays.MONOCHROME == 0
    capacity, colours = byte(boards, board + arrays.CAPACITY), byte(boards, board + arrays.COLOURS)
    tubes, contents_number = byte(boards, board + arrays.TUBES), arena[arrays.CONTENTS]
    trie = numbered_in(arena).trie

    # How many balls of each colour there are decides on the other tables.
    lay(arena, AT.contents.homes, colours, 1, 4)
    lay(arena, AT.contents.counts, colours, 1, 4)
    if not fits(arena):
        return False
    contents = numbered_in(arena).contents
    first, behind = board + arrays.LOADS + tubes, after_tubes(boards, board + arrays.LOADS, tubes)
    for colour in range(colours):
        contents.counts[colour] = 0
    for at in range(first, behind):
        contents.counts[boards[at]] += 1
    one_home_each = True
    for colour in range(colours):
        contents.homes[colour] = contents.counts[colour] // capacity if full else 0
        one_home_each &= contents.homes[colour] == 1
    counts_blocks = water and not one_home_each

    at = AT.contents  # all but the tables of tubes with rules, which stay empty
    lay_ints(
        arena,
        (at.top, at.run, at.room, at.bottom, at.work, at.keep, at.stays, at.kind, at.less, at.more, at.done, at.alone),
        contents_number,
    )
    lay(arena, at.blocks, contents_number if counts_blocks else 1, colours, 4)
    lay(arena, at.colours, contents_number, 1, 8)
    lay(arena, at.founded, colours, capacity + 1, 4)
    lay_ints(arena, (AT.table.numbers, AT.table.after, AT.table.decided, AT.table.sorted), tubes)
    if not fits(arena):
        return False
    fill_tables(numbered_in(arena).contents, trie, arena[arrays.NODES], capacity, by_homes, water, full, counts_blocks)

    bits = 1
    while contents_number >> bits:
        bits += 1
    per_word = 64 // bits
    arena[AT.shape.tubes] = tubes
    arena[AT.shape.bits] = bits
    arena[AT.shape.per_word] = per_word
    arena[AT.shape.words] = (tubes + per_word - 1) // per_word + by_homes
    arena[AT.shape.by_homes] = by_homes
    arena[AT.shape.pruned] = 1
    arena[AT.shape.one_ball] = not water
    arena[AT.shape.rank_keeps] = not one_home_each
    arena[AT.shape.cost_weight] = arena[AT.shape.bound_weight] = 1
    arena[AT.shape.ruled] = arena[AT.shape.locked] = arena[AT.shape.whole_pours] = 0
    look_up(arena, boards, board + arrays.LOADS, numbered_in(arena).table.numbers, by_homes)
    return True


@compiled
def look_up(arena: Longs, boards: Bytes, loads: int, numbers: Ints, by_homes: bool) -> bool:
    """Writes the numbers of tubes, whose loads begin at ``loads``, see `Table`; says whether all of them have one."""
    trie = numbered_in(arena).trie
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
                contents.keep[number], contents.kind[number] = 0, arrays.TEMPORARY
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
            contents.kind[number] = arrays.UNIFORM if uniform else arrays.MIXED
            contents.less[number] = under if by_homes or run == 1 else trie.number[node, load - 1]
            grows = load < capacity and not (by_homes and uniform)
            contents.more[number] = trie.number[node, load + 1] if grows else 0
            contents.colours[number] = contents.colours[under] | ONE << np.uint64(colour)
            contents.done[number] = uniform and (not full or load == capacity)
            contents.alone[number] = uniform and load == capacity and contents.counts[bottom] == capacity
            if blocks:
                for other in range(colours):
                    contents.blocks[number, other] = contents.blocks[under, other] + (other == colour)
