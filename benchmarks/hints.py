"""How long hints take on positions of published levels.

    python benchmarks/hints.py LEVELS --positions 200

LEVELS is a folder of board files. A position is a level after some moves of a player who makes any legal ones; hints
are given as long as they take, up to 10 s, and also within their own limit, a number of positions.
"""

import time
from itertools import cycle
from pathlib import Path
from random import Random

import click

from bsp_sat import Hint, Unsupported, hint
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import load_instances
from bsp_sat.instances.sorting import SortPuzzle

PHONE_TUBES = 18  # on a screen
PHONE_CAPACITY = 6


def positions(folder: Path, number: int) -> list[SortPuzzle]:
    """Positions to ask about, level after level."""
    boards: list[SortPuzzle] = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            found = [instance.puzzle for instance in load_instances(path)]
        except BoardError as error:
            print(f"passed over: {error}")
            continue
        boards += [
            each
            for each in found
            if isinstance(each, SortPuzzle) and len(each.tubes) <= PHONE_TUBES and each.capacity <= PHONE_CAPACITY
        ]
    chance = Random(0)
    reached: list[SortPuzzle] = []
    for board in cycle(boards):
        for _ in range(chance.randrange(12)):
            moves = list(board.legal_moves())
            if not moves or board.is_goal():
                break
            board = board.apply(chance.choice(moves))
        if not board.is_goal():
            reached.append(board)
        if len(reached) == number:
            break
    return reached


def share(values: list[float], percent: float) -> float:
    """The value that a given number of 100 don't exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def is_whole(found: Hint) -> bool:
    """Whether each move's cost is known."""
    return all(each.lost or each.low == each.high for each in found.moves)


@click.command()
@click.argument("levels", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--positions", "number", default=200, show_default=True)
@click.option("--seconds", default=10.0, show_default=True)
def main(levels: Path, number: int, seconds: float) -> None:
    """Print a line of figures."""
    taken, limited, whole, enough = [], [], 0, 0
    lost = 0
    for position in positions(levels, number):
        try:
            began = time.monotonic()
            found = hint(position, seconds=seconds)
            taken.append(time.monotonic() - began)
            began = time.monotonic()
            short = hint(position)
            limited.append(time.monotonic() - began)
        except Unsupported as error:
            print(f"passed over: {error}")
            continue
        lost += found.low is None
        whole += is_whole(found)
        enough += is_whole(short)
    print(f"{len(taken)} positions, {lost} of them lost; whole within {seconds:g} s: {whole}")
    print(f"whole hints: median {share(taken, 50):.3f} s, 95 % {share(taken, 95):.3f} s, longest {max(taken):.3f} s")
    print(f"with their own limit {enough} are whole: 95 % {share(limited, 95):.3f} s, longest {max(limited):.3f} s")


if __name__ == "__main__":
    main()
