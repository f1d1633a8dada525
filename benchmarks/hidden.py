"""The study of hidden cells, in one command: its tables, and a JSON line for each game.

    python benchmarks/hidden.py --levels LEVELS.jsonl --by-cell LEVELS.jsonl

Policies play boards with hidden cells, and are compared with the optimum of a player who knows what is hidden; the best
strategies are found, and timed. Random boards of water sort and ball sort have all below the top runs hidden, and are
played under the reveal rules ``run`` and ``cell``. A file of levels has what is in the tubes in truth, and under
``hidden`` what the game covers; a player doesn't know which colours there are. Git keeps only
the tables.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import click

from bsp_sat.apps.covered.board import Cells, fillings_of
from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.exact import AndOr, BestStrategy
from bsp_sat.apps.covered.explorer import Explorer
from bsp_sat.apps.covered.game import Game, play_out
from bsp_sat.apps.covered.hindsight import Hindsight
from bsp_sat.apps.covered.knowledge import key_up_to_exchange
from bsp_sat.apps.covered.looking import seen_cases
from bsp_sat.apps.covered.policy import Advice
from bsp_sat.apps.covered.routes import Routes
from bsp_sat.backends.kernel import Distances
from bsp_sat.instances.files import instance_of
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import BallSort, Pour, SortPuzzle, WaterSort, is_hidden
from bsp_sat.instances.sorting.rules import Reveal

OUT = Path(__file__).parent / "results" / "hidden"
MOST_ATTEMPTS = 60
STRATEGIES = "strategies"
STRATEGY_COLOURS, STRATEGY_CELLS = 7, 6
NORMAL = 1.96
REVEALS: tuple[Reveal, ...] = ("run", "cell")


class Watched(Explorer):
    """The policy, with the time of its decisions and what comes of them between two places where something is learnt.

    ``waits`` are numbers of moves between two such places, while cells are hidden; ``repeats`` says how often a
    position came again between them, up to an exchange of known tubes.
    """

    def __init__(self, board: SortPuzzle) -> None:
        self.seconds: list[float] = []
        self.waits = [0]
        self.repeats = 0
        self._seen: set[object] = set()
        super().__init__(board)

    def next_move(self) -> Advice:
        """The advice, timed."""
        began = time.process_time()
        advice = super().next_move()
        self.seconds.append(time.process_time() - began)
        return advice

    def record_move(self, move: Pour) -> None:
        """Makes a move, and sees whether it leads back."""
        was_hidden = self.position.is_hidden
        self._seen.add(key_up_to_exchange(self.position))
        super().record_move(move)
        self.waits[-1] += was_hidden
        if self.position.is_hidden and not self.is_waiting:
            self.repeats += key_up_to_exchange(self.position) in self._seen

    def record_colours(self, colours: Mapping[int, Sequence[Colour]]) -> None:
        """Learns cells."""
        super().record_colours(colours)
        self._learns()

    def record_effects(self, effects: Effects) -> None:
        """Learns effects."""
        super().record_effects(effects)
        self._learns()

    def record_restart(self) -> None:
        """Begins again."""
        super().record_restart()
        self._learns()

    def _learns(self) -> None:
        self._seen.clear()
        self.waits.append(0)


class NearestLook(Watched):
    """What bots play: the fewest known moves to the next unknown cell, and a shortest plan when all is known."""

    def next_move(self) -> Advice:
        """The way to the nearest unknown cell."""
        board = self.position
        if self.solved or not is_hidden(board):
            return super().next_move()
        nothing = Hindsight(Cells.of(board), board)
        route = Routes(self._knowledge, nothing, self._left_open).shortest(board)
        return Advice(route.moves, restart=not route.moves)


def random_games(
    rule: type[SortPuzzle], colours: int, boards: int, seed: int, reveal: Reveal
) -> Iterator[tuple[str, Game]]:
    """Games of random boards of capacity 4 with two empty tubes."""
    made = random_boards(rule, colours, seed=seed, hide="tops")
    for _, instance in zip(range(boards), made, strict=False):
        masked = instance_of({**instance.to_json(), "reveal": reveal})
        yield f"{rule.kind}, {colours} colours, `{reveal}`", Game.of(masked)


def level_games(path: Path, reveal: Reveal) -> Iterator[tuple[str, Game]]:
    """Games of the levels in a file of which something is hidden, as the game shows them at the start.

    Colours that the start doesn't show are nameless.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        level = {**json.loads(line), "reveal": reveal}
        if isinstance(view := instance_of(level).puzzle, SortPuzzle) and any(view.covers):
            seen = view.uncovered()
            shown = [
                [None if cover >> place & 1 else ball for place, ball in enumerate(tube)]
                for tube, cover in zip(seen.coloured_tubes(), seen.covers, strict=True)
            ]
            masked = instance_of({**level, "tubes": shown, "contents": level["tubes"]})
            if is_hidden(masked.puzzle):
                yield f"{path.stem}, `{reveal}`", Game.of(masked)


def lines(chosen: Iterable[tuple[str, Game]]) -> Iterator[dict[str, Any]]:
    """One for each solvable board and policy."""
    for number, (group, game) in enumerate(chosen):
        optimum = Distances([game.position]).length(game.position)
        if optimum is None:
            continue
        start = game.position
        for name, policy in (("routes", Watched), ("nearest look", NearestLook)):
            game.position = start
            explorer, began = policy(game.view()), time.process_time()
            played = play_out(explorer, game, MOST_ATTEMPTS)
            waits = [wait for wait in explorer.waits if wait]
            line = {"board": number, "group": group, "policy": name, "optimum": optimum, "solved": played.solved}
            line |= {"attempts": played.attempts, "moves": played.moves, "repeats": explorer.repeats}
            line |= {"wait": round(mean(waits or [0]), 3), "longest_wait": max(waits, default=0)}
            spent = round(time.process_time() - began, 3)
            yield line | {"seconds": spent, "slowest": round(max(explorer.seconds), 4)}


def strategy_lines(boards: int) -> Iterator[dict[str, Any]]:
    """One for each random board with a few unknown cells: what its best strategies take, and the seconds."""
    made = random_boards(WaterSort, STRATEGY_COLOURS, hide="0.3")
    hidden = (board for board in (instance.puzzle for instance in made) if is_hidden(board))
    for board in islice((board for board in hidden if len(board.unknown) == STRATEGY_CELLS), boards):
        began = time.process_time()
        cells, fillings = Cells.of(board), tuple(fillings_of(board))
        whole = [cells.filled(board, filling) for filling in fillings]
        distances = Distances(whole)
        found = dict(zip(fillings, map(distances.length, whole), strict=True))
        length_of = {filling: length for filling, length in found.items() if length is not None}
        solvable = tuple(length_of)
        if not solvable:
            continue
        lengths = list(length_of.values())
        parts = seen_cases(board, cells, solvable)
        worst, average = BestStrategy(max(lengths)), BestStrategy(sum(lengths))
        AndOr(cells, distances, counts_all=False).best(parts, worst)
        seconds = [time.process_time() - began]
        AndOr(cells, distances, counts_all=True).best(parts, average)
        seconds.append(time.process_time() - began - seconds[0])
        line = {"group": STRATEGIES, "fillings": len(fillings), "solvable": len(solvable)}
        line |= {"longest": max(lengths), "worst": worst.value, "mean": mean(lengths)}
        line |= {"average": None if average.value is None else average.value / len(solvable)}
        yield line | {"worst_seconds": round(seconds[0], 3), "average_seconds": round(seconds[1], 3)}


def strategy_table(found: list[dict[str, Any]]) -> str:
    """What the best strategies take."""
    fillings = [line["fillings"] for line in found]
    rows = [f"| {len(found)} boards, {min(fillings)} to {max(fillings)} fillings | median | most |", "|---|---|---|"]
    more = [line["worst"] - line["longest"] for line in found if line["worst"] is not None]
    means = [line["average"] - line["mean"] for line in found if line["average"] is not None]
    for what, values in (
        ("worst case: processor seconds", [line["worst_seconds"] for line in found]),
        ("worst case: moves above the longest shortest plan", more),
        ("average: processor seconds", [line["average_seconds"] for line in found]),
        ("average: moves above the mean shortest plan", means),
    ):
        rows.append(f"| {what} | {median(values):.2f} | {max(values):.2f} |")
    return "\n".join(rows)


def table(found: list[dict[str, Any]]) -> str:
    """A row for each group of boards and policy; seconds are the processor's, ``slowest`` those of a decision."""
    rows = ["| boards | games | policy | attempts | moves ÷ optimum | to a look; most | repeats | s a game | slowest |"]
    rows.append("|---|---|---|---|---|---|---|---|---|")
    for group in dict.fromkeys(line["group"] for line in found):
        for policy in dict.fromkeys(line["policy"] for line in found):
            some = [line for line in found if (line["group"], line["policy"]) == (group, policy)]
            ratios = [line["moves"] / line["optimum"] for line in some]
            half = NORMAL * stdev(ratios) / sqrt(len(some)) if len(some) > 1 else 0.0
            rows.append(
                f"| {group} | {len(some)} | {policy} | {mean(line['attempts'] for line in some):.2f} | "
                f"{mean(ratios):.2f} ± {half:.2f} | {mean(line['wait'] for line in some):.2f}; "
                f"{max(line['longest_wait'] for line in some)} | {sum(line['repeats'] for line in some)} | "
                f"{mean(line['seconds'] for line in some):.2f} | {max(line['slowest'] for line in some):.2f} |"
            )
    return "\n".join(rows)


@click.command(help=__doc__)
@click.option("-o", "--out", type=click.Path(path_type=Path), default=OUT, help="Path of the files, less the ending.")
@click.option("--colours", default="5,7", show_default=True, help="Of random boards, with commas; empty for none.")
@click.option("--boards", default=100, show_default=True, help="Random boards for each number of colours.")
@click.option("--seed", default=0, show_default=True)
@click.option("--strategies", default=26, show_default=True, help="Boards whose best strategies are found.")
@click.option("--levels", type=click.Path(path_type=Path, exists=True), multiple=True, help="A file, played by run.")
@click.option("--by-cell", type=click.Path(path_type=Path, exists=True), multiple=True, help="A file, played by cell.")
def main(
    out: Path,
    colours: str,
    boards: int,
    seed: int,
    strategies: int,
    levels: tuple[Path, ...],
    by_cell: tuple[Path, ...],
) -> None:
    """Plays; prints the tables, and writes them."""
    path = out.with_suffix(".jsonl")
    numbers = [int(number) for number in colours.split(",") if number]
    chosen = chain(
        *(
            random_games(rule, number, boards, seed, reveal)
            for number in numbers
            for rule in (WaterSort, BallSort)
            for reveal in REVEALS
        ),
        *(level_games(file, "run") for file in levels),
        *(level_games(file, "cell") for file in by_cell),
    )
    with path.open("w", encoding="utf-8") as file:
        for line in chain(lines(chosen), strategy_lines(strategies)):
            file.write(json.dumps(line) + "\n")
            file.flush()
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    strategies_found = [line for line in found if line["group"] == STRATEGIES]
    games = [line for line in found if line["group"] != STRATEGIES]
    tables = [table(games), *([strategy_table(strategies_found)] if strategies_found else [])]
    click.echo("\n\n".join(tables))
    page = ["# Playing boards with hidden cells", *tables]
    out.with_suffix(".md").write_text("\n\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
