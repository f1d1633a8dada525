"""What predicts how hard a board is: features from its whole state space, beside what solvers do on it.

    python benchmarks/difficulty.py --games 200

All positions that can be reached are enumerated (tubes in any order count as one position), with the moves between
them. Then, for each board:

* optimal length: the fewest moves from the board to a goal;
* dead-end density: positions from which no goal can be reached, as a share of all positions;
* wrong-move share: at each position on some shortest plan, the share of different next positions that lie on no
  shortest plan; the mean over those positions.

Printed are Spearman's rank correlations with what solvers needed. Unsolvable boards are left out.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import correlation, mean, median

import click

from bsp_sat import BallSort, Result, random_boards
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.baselines.heuristic import Heuristic
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Findings
from bsp_sat.instances.sorting import SortPuzzle


@dataclass(frozen=True)
class Landscape:
    """The features of one board; see above."""

    positions: int
    optimal_length: int
    dead_end_density: float
    wrong_move_share: float


def landscape(puzzle: SortPuzzle) -> Landscape | None:
    """Explores everything that can be reached from a board; None where that holds no goal."""
    states = [puzzle.canonical()]
    numbers = {states[0]: 0}
    after: list[list[int]] = []
    for state in states:  # grows
        following = dict.fromkeys(state.apply(move).canonical() for move in state.legal_moves())
        for child in following:
            if child not in numbers:
                numbers[child] = len(states)
                states.append(child)
        after.append([numbers[child] for child in following])
    before: list[list[int]] = [[] for _ in states]
    for number, following_numbers in enumerate(after):
        for child_number in following_numbers:
            before[child_number].append(number)
    to_goal = _distances([number for number, state in enumerate(states) if state.is_goal()], before)
    if 0 not in to_goal:
        return None
    from_start = _distances([0], after)
    optimum = to_goal[0]
    shares = []
    for number, distance in to_goal.items():
        if distance and from_start[number] + distance == optimum:
            right = sum(to_goal.get(child, -1) == distance - 1 for child in after[number])
            shares.append(1 - right / len(after[number]))
    return Landscape(len(states), optimum, 1 - len(to_goal) / len(states), mean(shares) if shares else 0.0)


def _distances(sources: list[int], edges: list[list[int]]) -> dict[int, int]:
    """Fewest steps from any of ``sources`` along ``edges``."""
    found = dict.fromkeys(sources, 0)
    queue = list(sources)
    for number in queue:  # grows
        for child in edges[number]:
            if child not in found:
                found[child] = found[number] + 1
                queue.append(child)
    return found


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's coefficient, equal values sharing their mean rank; 0 where one side doesn't vary."""
    if min(first) == max(first) or min(second) == max(second):
        return 0.0
    return correlation(_ranks(first), _ranks(second))


def _ranks(values: Sequence[float]) -> list[float]:
    counts = Counter(values)
    ranks, passed = {}, 0
    for value in sorted(counts):
        ranks[value] = passed + (counts[value] + 1) / 2
        passed += counts[value]
    return [ranks[value] for value in values]


def solve_here(backend: Backend, puzzle: SortPuzzle) -> Result:
    """Runs a backend in this process."""
    findings = Findings(puzzle, backend.name, claims_bounds=backend.claims_bounds)
    return findings.result(backend.run(puzzle, findings, None))


FEATURES: dict[str, Callable[[Landscape], float]] = {
    "optimal length": lambda land: land.optimal_length,
    "dead-end density": lambda land: land.dead_end_density,
    "wrong-move share": lambda land: land.wrong_move_share,
    "positions": lambda land: land.positions,
}

EFFORTS: dict[str, tuple[Backend, Callable[[Result, Landscape], float]]] = {
    "states of A* (exact)": (BACKENDS["astar"](), lambda result, _: result.stats["expansions"]),
    "states of astar:misplaced": (Heuristic("misplaced"), lambda result, _: result.stats["expansions"]),
    "states of astar:unique-length": (Heuristic(), lambda result, _: result.stats["expansions"]),
    "states of dfs-sorted": (BACKENDS["dfs-sorted"](), lambda result, _: result.stats["expansions"]),
    "excess of astar:misplaced": (Heuristic("misplaced"), lambda result, land: _excess(result, land)),
    "excess of astar:unique-length": (Heuristic(), lambda result, land: _excess(result, land)),
}


def _excess(result: Result, land: Landscape) -> int:
    assert result.length is not None
    return result.length - land.optimal_length


@click.command()
@click.option("--games", default=200, show_default=True)
@click.option("--colours", default=7, show_default=True)
@click.option("--capacity", default=4, show_default=True)
@click.option("--empty", default=2, show_default=True)
def main(games: int, colours: int, capacity: int, empty: int) -> None:
    """Print the features' ranges and their correlations, as Markdown."""
    boards = (instance.puzzle for instance in islice(random_boards(BallSort, colours, capacity, empty), games))
    pairs = [(b, land) for b in boards if isinstance(b, SortPuzzle) and (land := landscape(b)) is not None]
    print(f"({colours},{capacity},{empty}): {len(pairs)} of {games} boards are solvable.\n")
    print("| feature | least | median | most |\n|---|---|---|---|")
    for name, feature in FEATURES.items():
        values = [feature(land) for _, land in pairs]
        print(f"| {name} | {min(values):.4g} | {median(values):.4g} | {max(values):.4g} |")
    print(f"\n| rank correlation with | {' | '.join(FEATURES)} |\n|---{'|---' * len(FEATURES)}|")
    for name, (backend, effort) in EFFORTS.items():
        needed = [effort(solve_here(backend, board), land) for board, land in pairs]
        cells = [rank_correlation([feature(land) for _, land in pairs], needed) for feature in FEATURES.values()]
        print(f"| {name} | {' | '.join(f'{cell:+.2f}' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    main()
