"""The boards of a class, case by case, each known only as far as deciding it takes; see `bsp_sat.census.cases`."""

import numpy as np

from bsp_sat.backends.kernel.census import arrays
from bsp_sat.backends.kernel.census.arrays import Cases, Distinction, Positions
from bsp_sat.backends.kernel.census.compiled.border_tables import border_may_go
from bsp_sat.backends.kernel.census.compiled.positions import add_tube, is_won
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, PAUSED

OPEN, SOLVABLE, DEAD = range(3)


@compiled
def go_through(distinction: Distinction, budget: int) -> int:
    """Goes on through the cases that the uncovered runs leave open.

    Args:
        distinction: the walk, and what is known of positions.
        budget: how many cases to look at before a pause.

    Returns:
        `EXHAUSTED` after the last case, `PAUSED` when the budget is used up or ``proof`` may be full.
    """
    cases, positions = distinction
    figures = cases.figures
    level = int(figures[arrays.CASE_LEVEL])
    fresh = bool(figures[arrays.CASE_FRESH])
    room = len(cases.proof) - len(cases.tube) - 1  # the proof of a case has at most a byte for each run, and one more
    while budget > 0 and level >= 0 and figures[arrays.CASE_WRITTEN] < room:
        if fresh:
            budget -= 1
            fresh = False
            if not is_possible(cases):
                level -= 1
                continue
            verdict = decide(cases, positions)
            if verdict == OPEN:
                tube = best_tube(cases, positions, level)
                write(cases, arrays.UNCOVER + tube)
                cases.tube[level], cases.colour[level], cases.length[level] = tube, -1, 0
            else:
                if verdict == SOLVABLE:
                    write_way(cases)
                count(cases, level, verdict == DEAD)
                level -= 1
        elif take_next_run(cases, level):
            level += 1
            fresh = True
        else:
            level -= 1
    figures[arrays.CASE_LEVEL] = level
    figures[arrays.CASE_FRESH] = fresh
    return PAUSED if level >= 0 else EXHAUSTED


@compiled
def best_tube(cases: Cases, positions: Positions, level: int) -> int:
    """The tube whose next run is to tell cases apart: the one that leaves the smallest share of them open.

    Among equals it is the one with the fewest covered balls, as it has the fewest cases.
    """
    candidates = int(cases.figures[arrays.CASE_OPEN])
    best, best_open, best_runs, best_end = -1, 0, 1, 0
    for tube in range(len(cases.rest)):
        if not candidates >> tube & 1:
            continue
        end = int(cases.run_ends[tube, cases.runs[tube] - 1])
        runs = still_open = 0
        cases.tube[level], cases.colour[level], cases.length[level] = tube, -1, 0
        while take_next_run(cases, level):
            runs += 1
            if is_possible(cases) and decide(cases, positions) == OPEN:
                still_open += 1
        lead = still_open * best_runs - best_open * runs
        if best < 0 or lead < 0 or (lead == 0 and end > best_end):
            best, best_open, best_runs, best_end = tube, still_open, max(runs, 1), end
    return best


@compiled
def write(cases: Cases, step: int) -> None:
    """Writes a step of the proof."""
    cases.proof[cases.figures[arrays.CASE_WRITTEN]] = step
    cases.figures[arrays.CASE_WRITTEN] += 1


@compiled
def write_way(cases: Cases) -> None:
    """Writes the way from the first table of the case in work to the one with a won position."""
    number = int(cases.figures[arrays.CASE_WON])
    steps = 0
    while number:
        tube = cases.gone[number]
        cases.stack[steps] = tube
        number -= cases.radix[tube]
        steps += 1
    while steps:
        steps -= 1
        write(cases, arrays.DIG + cases.stack[steps])
    write(cases, arrays.KNOWN)


@compiled
def count(cases: Cases, level: int, dead: bool) -> None:
    """Counts the boards of a case that is decided."""
    boards = cases.ways[level] * completions(cases)
    cases.figures[arrays.CASE_COUNT] += 1
    cases.totals[arrays.BOARDS_DECIDED] += boards
    if dead:
        if cases.figures[arrays.CASE_DEAD] == 0:
            write_example(cases)
        cases.figures[arrays.CASE_DEAD] += 1
        cases.totals[arrays.BOARDS_DEAD] += boards


@compiled
def write_example(cases: Cases) -> None:
    """Writes down what is known of the case in work."""
    capacity = int(cases.figures[arrays.CASE_FULL])
    for tube in range(len(cases.runs)):
        at = 0
        for run in range(cases.runs[tube]):
            while at < cases.run_ends[tube, run]:
                cases.example[tube * capacity + at] = cases.run_colours[tube, run]
                at += 1
        while at < capacity:
            cases.example[tube * capacity + at] = -1
            at += 1


@compiled
def take_next_run(cases: Cases, level: int) -> bool:
    """Puts the next run below a level's border, in place of the one before; False after the last."""
    tube, colour, length = cases.tube[level], cases.colour[level], cases.length[level]
    if length:
        cases.runs[tube] -= 1
        cases.rest[colour] += length
    capacity = int(cases.figures[arrays.CASE_FULL])
    run = cases.runs[tube]
    end, last = cases.run_ends[tube, run - 1], cases.run_colours[tube, run - 1]
    colours = len(cases.rest)
    used = cases.used[level]
    length += 1
    while colour < 0 or colour == last or length > min(capacity - end, cases.rest[colour]):
        colour += 1
        length = 1
        if colour == min(colours, used + 1):
            cases.length[level] = 0
            return False
    cases.colour[level], cases.length[level] = colour, length
    put_run(cases, tube, colour, length)
    cases.used[level + 1] = used
    cases.ways[level + 1] = cases.ways[level]
    if colour == used:  # any colour that hasn't been seen yet
        cases.used[level + 1] += 1
        cases.ways[level + 1] *= np.uint64(colours - used)
    return True


@compiled
def put_run(cases: Cases, tube: int, colour: int, length: int) -> None:
    """Puts a run below those of a tube that are uncovered."""
    capacity = int(cases.figures[arrays.CASE_FULL])
    run = cases.runs[tube]
    row = tube * capacity + run
    end = length
    for other in range(len(cases.rest)):
        cases.above[row, other] = cases.above[row - 1, other] if run else 0
    if run:
        end += cases.run_ends[tube, run - 1]
    cases.above[row, colour] += length
    cases.run_colours[tube, run] = colour
    cases.run_ends[tube, run] = end
    cases.runs[tube] = run + 1
    cases.rest[colour] -= length


@compiled
def is_possible(cases: Cases) -> bool:
    """Whether the covered balls can be such that each border is one: the ball below it has another colour.

    By Hall's theorem: tubes with the same colour above their borders need as many balls of other colours. Two tubes
    with different ones may take balls of any colour.
    """
    colours = len(cases.rest)
    covered = 0
    for colour in range(colours):
        covered += cases.rest[colour]
    for colour in range(colours):
        tubes = 0
        for tube in range(len(cases.runs)):
            run = cases.runs[tube] - 1
            if cases.run_ends[tube, run] < cases.figures[arrays.CASE_FULL] and cases.run_colours[tube, run] == colour:
                tubes += 1
        if tubes > covered - cases.rest[colour]:
            return False
    return True


@compiled
def completions(cases: Cases) -> np.uint64:
    """In how many ways the covered balls may lie, modulo 2⁶⁴, by inclusion and exclusion of vanishing borders."""
    tubes = len(cases.runs)
    total = np.uint64(0)
    for excluded in range(1 << tubes):
        negative = False
        possible = True
        for colour in range(len(cases.rest)):
            cases.taken[colour] = 0
        for tube in range(tubes):
            if excluded >> tube & 1:
                run = cases.runs[tube] - 1
                if cases.run_ends[tube, run] == cases.figures[arrays.CASE_FULL]:
                    possible = False
                    break
                cases.taken[cases.run_colours[tube, run]] += 1
                negative = not negative
        if not possible:
            continue
        orders = np.uint64(1)
        balls = 0
        for colour in range(len(cases.rest)):
            left = cases.rest[colour] - cases.taken[colour]
            if left < 0:
                possible = False
                break
            balls += left
            orders *= cases.binomials[balls, left]
        if possible:
            total = total - orders if negative else total + orders
    return total


@compiled
def decide(cases: Cases, positions: Positions) -> int:
    """Decides the case in work by the tables that its uncovered runs lead to.

    Returns:
        `SOLVABLE` if some table's position is won; `DEAD` if no border may go below which the next run is covered; else
        `OPEN`, and `CASE_OPEN` has the tubes of such borders.
    """
    colours = len(cases.rest)
    figures, table, radix, left = cases.figures, cases.table, cases.radix, cases.left
    capacity = int(figures[arrays.CASE_FULL])
    radix[0] = 1
    for tube in range(colours):
        radix[tube + 1] = radix[tube] * cases.runs[tube]
    figures[arrays.CASE_MARK] += 1
    mark = figures[arrays.CASE_MARK]
    cases.stack[0] = 0
    cases.seen[0] = mark
    size = 1
    candidates = 0
    while size:
        size -= 1
        number = rest = cases.stack[size]
        free = int(figures[arrays.CASE_EMPTIES])
        for colour in range(colours):
            left[colour] = 0
        for tube in range(colours):
            run = table[tube] = rest % cases.runs[tube]
            rest //= cases.runs[tube]
            for colour in range(colours):
                left[colour] += cases.above[tube * capacity + run, colour]
        write_position(cases, positions)
        for tube in range(colours):
            end = cases.run_ends[tube, table[tube]]
            if end < capacity:
                left[cases.run_colours[tube, table[tube]]] -= end
            else:
                free += 1
        for colour in range(colours):
            if left[colour] > 0:
                free -= 1
        if free < 0:
            continue
        if is_won(cases, positions, 0):
            figures[arrays.CASE_WON] = number
            return SOLVABLE
        for tube in range(colours):
            run = table[tube]
            end = cases.run_ends[tube, run]
            if end == capacity:
                continue
            if not border_may_go(free, left[cases.run_colours[tube, run]], end):
                continue
            if run + 1 == cases.runs[tube]:
                candidates |= 1 << tube
            elif cases.seen[number + radix[tube]] != mark:
                cases.seen[number + radix[tube]] = mark
                cases.gone[number + radix[tube]] = tube
                cases.stack[size] = number + radix[tube]
                size += 1
    figures[arrays.CASE_OPEN] = candidates
    return OPEN if candidates else DEAD


@compiled
def write_position(cases: Cases, positions: Positions) -> None:
    """Writes the position of the table in work, of which ``left`` has the balls above borders, to level 0."""
    tubes = 0
    for colour in range(len(cases.rest)):
        positions.exposed[0, colour] = cases.left[colour]
    for tube in range(len(cases.runs)):
        run = cases.table[tube]
        if cases.run_ends[tube, run] < cases.figures[arrays.CASE_FULL]:
            add_tube(positions, 0, tubes, cases.run_ends[tube, run], cases.run_colours[tube, run])
            tubes += 1
    positions.tubes[0] = tubes
