"""The border argument, see `bsp_sat.backends.search.borders`, for boards in which each colour fills one tube."""

from bsp_sat.backends.kernel.census.arrays import EMPTIES, STAMP, AllBoards
from bsp_sat.backends.kernel.native.compiling import compiled


@compiled
def read_borders(boards: AllBoards) -> None:
    """Writes down the borders of the board in work, and what lies above them."""
    word, heights, borders, above = boards.word, boards.heights, boards.borders, boards.above
    colours = len(boards.used)
    capacity = len(word) // colours
    boards.radix[0] = 1
    for tube in range(colours):
        number = 0
        heights[tube, 0] = 0
        for height in range(1, capacity):
            if word[tube * capacity + height] != word[tube * capacity + height - 1]:
                number += 1
                heights[tube, number] = height
        borders[tube] = number
        boards.radix[tube + 1] = boards.radix[tube] * (number + 1)
        for level in range(number + 1):
            row = above[tube * capacity + level]
            for colour in range(colours):
                row[colour] = 0
            for height in range(heights[tube, level], capacity):
                row[word[tube * capacity + height]] += 1


@compiled
def look_at(boards: AllBoards) -> int:
    """Counts, for the table in work, each colour's balls above borders less its places.

    Returns:
        The empty tubes, and those without borders, less the colours that need one: negative if there are too few.
    """
    word, heights, above, table, left = boards.word, boards.heights, boards.above, boards.table, boards.left
    colours = len(boards.used)
    capacity = len(word) // colours
    for colour in range(colours):
        left[colour] = 0
    free = int(boards.figures[EMPTIES])
    for tube in range(colours):
        level = table[tube]
        row = above[tube * capacity + level]
        for colour in range(colours):
            left[colour] += row[colour]
        if level:
            height = heights[tube, level]
            left[word[tube * capacity + height]] -= capacity - height
        else:
            free += 1
    for colour in range(colours):
        if left[colour] > 0:
            free -= 1
    return free


@compiled
def may_go(boards: AllBoards, tube: int, free: int) -> bool:
    """Whether the border of ``tube`` in the table in work may go, where `look_at` has returned ``free``."""
    capacity = len(boards.word) // len(boards.used)
    height = boards.heights[tube, boards.table[tube]]
    return border_may_go(free, boards.left[boards.word[tube * capacity + height]], capacity - height)


@compiled
def border_may_go(free: int, missing: int, places: int) -> bool:
    """Whether a border may go.

    Args:
        free: what `look_at` returns for its table.
        missing: of the colour right above it, the balls above borders less its places.
        places: those above it, which this colour loses, and may need a tube for that.
    """
    return bool(free > 0 or (free == 0 and (missing > 0 or missing + places <= 0)))


@compiled
def has_way_out(boards: AllBoards) -> bool:
    """Whether a path of tables leads from the first one to the one without borders."""
    borders, radix, table, seen, stack = boards.borders, boards.radix, boards.table, boards.seen, boards.stack
    colours = len(boards.used)
    boards.figures[STAMP] += 1
    stamp = boards.figures[STAMP]
    stack[0] = radix[colours] - 1
    seen[stack[0]] = stamp
    size = 1
    while size:
        size -= 1
        number = rest = stack[size]
        open_tubes = boards.figures[EMPTIES]
        for tube in range(colours):
            table[tube] = rest % (borders[tube] + 1)
            rest //= borders[tube] + 1
            open_tubes += table[tube] == 0
        if open_tubes >= colours:  # a tube for each colour: from here on every border may go
            return True
        free = look_at(boards)
        for tube in range(colours):
            following = number - radix[tube]
            if table[tube] and seen[following] != stamp and may_go(boards, tube, free):
                seen[following] = stamp
                stack[size] = following
                size += 1
    return False


@compiled
def weigh(boards: AllBoards) -> int:
    """Writes the number of paths from the first table of ``word`` to the one without borders to the first of ``ways``.

    It is 0 if the board can't be solved.
    """
    read_borders(boards)
    borders, radix, table, ways = boards.borders, boards.radix, boards.table, boards.ways
    colours = len(boards.used)
    number = radix[colours] - 1
    for other in range(number):
        ways[other] = 0.0
    ways[number] = 1.0
    for tube in range(colours):
        table[tube] = borders[tube]
    while number:
        if ways[number] > 0.0:
            free = look_at(boards)
            for tube in range(colours):
                if table[tube] and may_go(boards, tube, free):
                    ways[number - radix[tube]] += ways[number]
        number -= 1
        tube = 0
        while table[tube] == 0:  # the table with the number before
            table[tube] = borders[tube]
            tube += 1
        table[tube] -= 1
    return 0
