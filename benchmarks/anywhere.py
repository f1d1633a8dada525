"""Balls that go anywhere, one tube a colour and one in reserve, on the boards that others have published figures for.

    python benchmarks/anywhere.py

A cell 4x8 has boards of capacity 4 with 8 tubes, one of them empty. Boards and cells are those of
https://github.com/lea-shmil/ballsort-hog2, made by its published recipe: `std::shuffle` of libstdc++ by `std::mt19937`,
seeded from the cell and the board's number; solved draws are drawn again. By default its 22 cells with 30 boards each.
"""

import random
from collections.abc import Iterator
from contextlib import closing
from statistics import median
from time import process_time

import click

from bsp_sat.backends.engine import PAUSED
from bsp_sat.backends.kernel.anywhere.search import AnywhereSearch
from bsp_sat.backends.kernel.search.search import NO_LIMIT
from bsp_sat.instances.sorting import BallSort

CELLS = "4x3 5x3 6x3 7x3 8x3 9x3 10x3 11x3 12x3 13x3 3x4 4x4 5x4 6x4 7x4 3x5 4x5 2x5 2x6 3x6 2x7 2x8"
SEEDS = (20250726, 20250727, 20250728)
TURN = 10_000_000
WORD, LONG = (1 << 32) - 1, (1 << 64) - 1


@click.command()
@click.argument("cells", nargs=-1)
@click.option("--boards", default=10, show_default=True, help="Boards of each cell and seed.")
@click.option("--seconds", default=60.0, show_default=True, help="Give up after this many seconds of the processor.")
def main(cells: tuple[str, ...], boards: int, seconds: float) -> None:
    """Print a row for each cell: boards solved, medians, most states and megabytes, processor seconds, slowest."""
    print(f"{'cell':>5} {'solved':>7} {'moves':>6} {'expansions':>10} {'states':>10} {'MB':>6} {'seconds':>8}  slowest")
    total = 0.0
    for cell in cells or CELLS.split():
        height, tubes = map(int, cell.split("x"))
        rows = [solved(board, seconds) for seed in SEEDS for board in drawn(height, tubes, seed, boards)]
        moves, expansions, states, megabytes, times = zip(*rows, strict=True)
        lengths = [length for length in moves if length is not None]
        middle = f"{median(lengths) if lengths else '-':>6} {median(expansions):>10g}"
        most = f"{max(states):>10} {max(megabytes):>6.0f}"
        print(
            f"{cell:>5} {len(lengths):>3}/{len(rows):<3} {middle} {most} {sum(times):>8.2f} {max(times):>8.2f}",
            flush=True,
        )
        total += sum(times)
    print(f"{total:.2f} s")


def solved(board: BallSort, seconds: float) -> tuple[int | None, int, int, float, float]:
    """The length of a shortest plan, expansions, states, megabytes and seconds."""
    begin = process_time()
    with closing(AnywhereSearch(board)) as search:
        outcome = PAUSED
        while outcome == PAUSED and process_time() - begin < seconds:
            outcome = search.advance(NO_LIMIT, TURN)
        length = None if outcome == PAUSED else len(search.plan())
        return length, search.expansions, search.states, search._facts.bytes / 1e6, process_time() - begin


def drawn(height: int, tubes: int, seed: int, number: int) -> Iterator[BallSort]:
    """The published boards."""
    colours = tubes - 1
    for index in range(number):
        for attempt in range(1 << 20):
            mixed = mix(seed)
            mixed = mix(mixed ^ (height * 0x100000001B3 & LONG))
            mixed = mix(mixed ^ (tubes * 0xFF51AFD7ED558CCD & LONG))
            mixed = mix(mixed ^ index + attempt * 1_000_003)
            balls = [colour for colour in range(colours) for _ in range(height)]
            home = list(balls)
            shuffle(balls, mersenne(mixed & WORD))
            if balls != home:
                break
        dealt = [balls[start : start + height] for start in range(0, len(balls), height)]
        own = [*range(colours), None]
        yield BallSort.from_json(
            {"capacity": height, "tubes": [*dealt, []], "goal": "coloured", "tube_colours": own, "placement": "any"}
        )


def mix(value: int) -> int:
    """A step of splitmix64."""
    value = value + 0x9E3779B97F4A7C15 & LONG
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & LONG
    value = (value ^ value >> 27) * 0x94D049BB133111EB & LONG
    return value ^ value >> 31


def mersenne(seed: int) -> random.Random:
    """``std::mt19937``, whose numbers ``getrandbits(32)`` gives."""
    state = [seed]
    for number in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + number & WORD)
    chance = random.Random()
    chance.setstate((3, (*state, 624), None))
    return chance


def below(most: int, chance: random.Random) -> int:
    """``std::uniform_int_distribution``, by Lemire's method."""
    product = chance.getrandbits(32) * most
    while product & WORD < (1 << 32) % most:
        product = chance.getrandbits(32) * most
    return product >> 32


def shuffle(items: list[int], chance: random.Random) -> None:
    """``std::shuffle``, which draws two places by one number."""
    at = 1
    if len(items) % 2 == 0:
        other = below(2, chance)
        items[at], items[other] = items[other], items[at]
        at += 1
    while at < len(items):
        pair = divmod(below((at + 1) * (at + 2), chance), at + 2)
        for other in pair:
            items[at], items[other] = items[other], items[at]
            at += 1


if __name__ == "__main__":
    main()
