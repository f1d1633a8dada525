"""Balls that go anywhere, one tube a colour and one in reserve: A* on the cells of Althaus and others (SoCS 2025).

    python benchmarks/anywhere.py

A cell 4x8 has boards of capacity 4 with 8 tubes, one of them empty; all balls are shuffled and cut into tubes. The
cells are those that others have run A* on (github.com/lea-shmil/ballsort-hog2), and larger ones of the paper.
"""

from itertools import islice
from statistics import median
from time import process_time

import click

from bsp_sat import BallSort, random_boards
from bsp_sat.backends.result import Findings
from bsp_sat.backends.search.astar import AStar

CELLS = (
    "4x3 5x3 6x3 7x3 8x3 9x3 10x3 11x3 12x3 13x3 3x4 4x4 5x4 6x4 7x4 3x5 4x5 2x5 2x6 3x6 2x7 2x8 "
    "5x5 4x6 3x7 5x6 4x7 3x8 2x10 4x8"
)


@click.command()
@click.argument("cells", nargs=-1)
@click.option("--boards", default=10, show_default=True, help="Boards of each cell.")
@click.option("--max-states", default=100_000, show_default=True, help="Give up when there are more states.")
def main(cells: tuple[str, ...], boards: int, max_states: int) -> None:
    """Print a row for each cell: boards solved, medians of moves, extra moves, expansions and processor seconds."""
    print(f"{'cell':>5} {'solved':>6} {'moves':>6} {'extra':>6} {'expansions':>10} {'seconds':>8}")
    for cell in cells or CELLS.split():
        height, tubes = map(int, cell.split("x"))
        runs = []
        for board in islice(random_boards(BallSort, tubes - 1, height, 1, placement="any", goal="coloured"), boards):
            backend = AStar(max_states=max_states)
            findings = Findings(board.puzzle, backend.name)
            begin = process_time()
            result = findings.result(backend.run(board.puzzle, findings))
            if result.plan is not None:
                extra = len(result.plan) - board.puzzle.lower_bound()
                runs.append((len(result.plan), extra, result.stats["expansions"], process_time() - begin))
        moves, extra, expansions, seconds = map(median, zip(*runs, strict=True)) if runs else [0.0] * 4
        print(f"{cell:>5} {len(runs):>6} {moves:>6g} {extra:>6g} {expansions:>10g} {seconds:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
