"""Policies on boards with hidden cells against who knows what is hidden: a table, a picture, a JSON line a game.

    python benchmarks/hidden.py -o docs/measurements/hidden

With ``--draw`` table and picture are made anew from the lines that are there.

Random boards have all below the top runs hidden. A file of levels has what is in the tubes in truth, and under
``hidden`` what the game covers.
"""

import json
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import click

from bsp_sat.exploring.explorer import Advice, Explorer
from bsp_sat.exploring.game import Game, play_out
from bsp_sat.exploring.oracle import Oracle
from bsp_sat.instances.files import load_instances
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import HiddenSort, RuledSort, SortPuzzle, WaterSort

MOST_ATTEMPTS = 60
NORMAL = 1.96


class NearestLook(Explorer):
    """What bots play: the fewest known moves to the next unknown cell, and a shortest plan when all is known."""

    def next_move(self) -> Advice:
        """The first move on the way to the nearest unknown cell."""
        board = self.position
        if not isinstance(board, HiddenSort):
            return super().next_move()
        way = self._way_to_a_look(board)
        return Advice(way[0]) if way else Advice(restart=True)


class Timed(Explorer):
    """The policy, with the seconds of each decision."""

    def __init__(self, board: SortPuzzle) -> None:
        super().__init__(board)
        self.seconds: list[float] = []

    def next_move(self) -> Advice:
        """See `Explorer.next_move`."""
        began = time.perf_counter()
        advice = super().next_move()
        self.seconds.append(time.perf_counter() - began)
        return advice


def random_games(colours: int, boards: int, seed: int) -> Iterator[tuple[str, Game]]:
    """Games of random boards of capacity 4 with two empty tubes."""
    made = random_boards(WaterSort, colours, seed=seed, hide="tops")
    for _, instance in zip(range(boards), made, strict=False):
        yield f"random, {colours} colours", Game.of(instance)


def level_games(path: Path) -> Iterator[tuple[str, Game]]:
    """Games of the levels in a file of which something is hidden, as the game shows them at the start."""
    for instance in load_instances(path):
        if isinstance(instance.puzzle, RuledSort):
            game = Game(instance.puzzle)
            if isinstance(game.view(), HiddenSort):
                yield path.stem, game


def lines(chosen: Iterable[tuple[str, Game]]) -> Iterator[dict[str, Any]]:
    """One for each solvable board and policy."""
    for number, (group, game) in enumerate(chosen):
        optimum = Oracle([game.position]).length(game.position)
        if optimum >= Oracle.ENDLESS:
            continue
        start = game.position
        for name, policy in (("least mean", Timed), ("nearest look", NearestLook)):
            game.position = start
            explorer = policy(game.view())
            played = play_out(explorer, game, MOST_ATTEMPTS)
            line = {"board": number, "group": group, "policy": name, "optimum": optimum, "solved": played.solved}
            line |= {"restarts": played.attempts - 1, "moves": played.moves}
            if isinstance(explorer, Timed):
                line["decision_seconds"] = round(median(explorer.seconds), 4)
            yield line


def wilson(successes: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    share, z = successes / number, NORMAL**2 / number
    middle, half = share + z / 2, NORMAL * sqrt(share * (1 - share) / number + z / number / 4)
    return (middle - half) / (1 + z), (middle + half) / (1 + z)


def table(found: list[dict[str, Any]]) -> str:
    """A row for each group of boards and policy."""
    rows = ["| boards | games | policy | without restart | restarts | moves over the optimum | decision, median s |"]
    rows.append("|---|---|---|---|---|---|---|")
    for group in dict.fromkeys(line["group"] for line in found):
        for policy in dict.fromkeys(line["policy"] for line in found):
            some = [line for line in found if (line["group"], line["policy"]) == (group, policy)]
            at_once = sum(line["restarts"] == 0 and line["solved"] for line in some)
            low, high = wilson(at_once, len(some))
            ratios = [line["moves"] / line["optimum"] for line in some]
            half = NORMAL * stdev(ratios) / sqrt(len(some)) if len(some) > 1 else 0.0
            seconds = [line["decision_seconds"] for line in some if "decision_seconds" in line]
            rows.append(
                f"| {group} | {len(some)} | {policy} | {at_once / len(some):.2f} ({low:.2f} to {high:.2f}) | "
                f"{mean(line['restarts'] for line in some):.2f} | {mean(ratios):.2f} ± {half:.2f} | "
                f"{f'{median(seconds):.3f}' if seconds else ''} |"
            )
    return "\n".join(rows)


def draw(found: list[dict[str, Any]], out: Path) -> None:
    """Moves over the optimum, board by board, for both policies, sorted."""
    import matplotlib.pyplot as plt

    groups = list(dict.fromkeys(line["group"] for line in found))
    figure, axes = plt.subplots(1, len(groups), figsize=(3.2 * len(groups), 3.2), sharey=True, squeeze=False)
    for axis, group in zip(axes[0], groups, strict=True):
        for policy, style in (("least mean", "-"), ("nearest look", "--")):
            some = sorted(
                line["moves"] / line["optimum"] for line in found if (line["group"], line["policy"]) == (group, policy)
            )
            axis.plot([(n + 0.5) / len(some) for n in range(len(some))], some, style, label=policy)
        axis.set_title(group)
        axis.set_xlabel("share of boards")
    axes[0][0].set_ylabel("moves of all attempts / optimum")
    axes[0][0].legend()
    figure.tight_layout()
    for kind in ("png", "svg"):
        figure.savefig(out.with_suffix(f".{kind}"), dpi=100, metadata={"Date": None} if kind == "svg" else None)


@click.command(help=__doc__)
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="Path of the files, less the ending.")
@click.option("--colours", default="5,7,9", show_default=True, help="Of random boards, with commas; empty for none.")
@click.option("--boards", default=50, show_default=True, help="Random boards for each number of colours.")
@click.option("--seed", default=0, show_default=True)
@click.option("--levels", type=click.Path(path_type=Path, exists=True), multiple=True, help="A file of levels.")
@click.option("--more", is_flag=True, help="Add to the lines that are there.")
@click.option("--draw", "only_draw", is_flag=True, help="Play nothing.")
def main(
    out: Path, colours: str, boards: int, seed: int, levels: tuple[Path, ...], more: bool, only_draw: bool
) -> None:
    """Plays, or reads the lines of before; prints the table and draws the picture."""
    path = out.with_suffix(".jsonl")
    if not only_draw:
        numbers = [int(number) for number in colours.split(",") if number]
        chosen = chain(
            *(random_games(number, boards, seed) for number in numbers), *(level_games(file) for file in levels)
        )
        with path.open("a" if more else "w", encoding="utf-8") as file:
            for line in lines(chosen):
                file.write(json.dumps(line) + "\n")
                file.flush()
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    click.echo(table(found))
    draw(found, out)


if __name__ == "__main__":
    main()
