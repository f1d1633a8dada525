"""All boards of a class, one of those that differ by names of colours and the order of tubes.

A board is written as a word, tube by tube, each bottom first, with the colours named in order of appearance. Of all
orders of its tubes, the one with the first word in alphabetical order counts. If the first tubes of a word could be put
into an order with a smaller word, then so could the whole. So the walk fills places one by one, and goes back where the
tubes so far aren't in their first order.
"""

from bsp_sat.backends.kernel.census.arrays import COUNTED, LENGTH, LISTED, PLACE, AllBoards
from bsp_sat.backends.kernel.census.compiled.border_tables import has_way_out, read_borders
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, PAUSED


@compiled
def list_boards(boards: AllBoards, only_unsolvable: int, begin: int, budget: int) -> int:
    """Goes on to list the words that begin with the places before ``begin``.

    Args:
        boards: the walk.
        only_unsolvable: whether only whole boards that can't be solved are listed.
        begin: the first place that is tried.
        budget: how many places to fill before a pause.

    Returns:
        `EXHAUSTED` when there are no more; `PAUSED` when the budget is used up, or ``rows`` is full.
    """
    figures, word = boards.figures, boards.word
    capacity = len(word) // len(boards.used)
    end = figures[LENGTH]
    room = len(boards.rows) // end
    place = figures[PLACE]
    for _ in range(budget):
        if figures[LISTED] == room:
            break
        if place == end:  # go on after the board that was found last
            place -= 1
        if not put_next(boards, place, capacity):
            place -= 1
            if place < begin:
                figures[PLACE] = place
                return EXHAUSTED
            continue
        if (place + 1) % capacity == 0 and not is_first(boards, (place + 1) // capacity, capacity):
            continue
        place += 1
        if place < end:
            word[place] = -1
            continue
        figures[COUNTED] += 1
        if only_unsolvable:
            read_borders(boards)
            if has_way_out(boards):
                continue
        for at in range(end):
            boards.rows[figures[LISTED] * end + at] = word[at]
        figures[LISTED] += 1
    figures[PLACE] = place
    return PAUSED


@compiled
def put_next(boards: AllBoards, place: int, capacity: int) -> bool:
    """Puts the next colour at a place, in turn; False after the last, with which the place is empty again."""
    word, used, named = boards.word, boards.used, boards.named
    colour = word[place]
    if colour >= 0:
        used[colour] -= 1
    known = named[place]
    for following in range(colour + 1, min(known + 1, len(used))):
        if used[following] < capacity:
            word[place] = following
            used[following] += 1
            named[place + 1] = max(known, following + 1)
            return True
    word[place] = -1
    return False


@compiled
def is_first(boards: AllBoards, tubes: int, capacity: int) -> bool:
    """Whether no order of the first ``tubes`` tubes has a smaller word."""
    order, taken, names = boards.order, boards.taken, boards.names
    for tube in range(tubes):
        taken[tube] = 0
    for colour in range(len(boards.used)):
        names[0, colour] = -1
    level = 0
    order[0] = -1
    while level >= 0:
        if order[level] >= 0:
            taken[order[level]] = 0
        tube = order[level] + 1
        while tube < tubes:
            if not taken[tube] and not is_tried(boards, tube, capacity):
                difference = compared(boards, level, tube, capacity)
                if difference < 0:
                    return False
                if difference == 0:
                    break
            tube += 1
        if tube == tubes:
            level -= 1
            continue
        order[level] = tube
        taken[tube] = 1
        if level + 1 < tubes:
            level += 1
            order[level] = -1
    return True


@compiled
def is_tried(boards: AllBoards, tube: int, capacity: int) -> bool:
    """Whether a tube with the same balls, which isn't in the order so far, comes before."""
    word = boards.word
    for other in range(tube):
        if not boards.taken[other]:
            same = True
            for at in range(capacity):
                if word[other * capacity + at] != word[tube * capacity + at]:
                    same = False
                    break
            if same:
                return True
    return False


@compiled
def compared(boards: AllBoards, level: int, tube: int, capacity: int) -> int:
    """Whether ``tube`` as the next one gives a smaller word (-1), the same (0), or a larger one (1).

    Writes the names after it.
    """
    word, names = boards.word, boards.names
    known = 0
    for colour in range(len(boards.used)):
        name = names[level, colour]
        names[level + 1, colour] = name
        known = max(known, name + 1)
    for at in range(capacity):
        colour = word[tube * capacity + at]
        name = names[level + 1, colour]
        if name < 0:
            name = known
            names[level + 1, colour] = name
            known += 1
        present = word[level * capacity + at]
        if name != present:
            return -1 if name < present else 1
    return 0
