"""What `auto` knows of boards of all kinds after some seconds of processor time.

    python benchmarks/gaps.py OUT [SECONDS…]

Writes a line of JSON for each board to OUT.jsonl: for each moment whether the board is settled, the length of its best
plan and its bound. Boards are left out that lines from before have settled or have until the last moment; so a second
run with more seconds goes on with the open ones. Then writes a row for each kind to OUT.md: how many boards are
settled, how many have a plan, and the mean of (plan - bound) over those that have one and aren't settled.

With an older bsp_sat on PYTHONPATH, kinds that it doesn't read are left out.
"""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Ended, Relay
from bsp_sat.backends.result import Findings
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.instance import Instance
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import BallSort
from bsp_sat.instances.three_partition import partition_tubes, random_numbers

MANY, SOME, FEW, OPEN = 18, 10, 5, 2  # boards of a kind; few of those that stay open for a minute
BALL, WATER, TILES, SHOT = "ball-sort", "water-sort", "tiles", "shot"
MIXED, LOCKED, TOPS = {"capacities": "3,4,5"}, {"locked": 2}, {"hide": "tops"}
ANY = {"placement": "any"}
KINDS: list[tuple[int, str, tuple[int, ...], dict[str, Any], dict[str, Any]]] = [
    *((MANY, BALL, numbers, {}, {}) for numbers in ((7, 4, 2), (9, 4, 2), (12, 4, 2), (12, 4, 3))),
    *((SOME, BALL, numbers, {}, {}) for numbers in ((9, 4, 1), (9, 5, 2), (14, 4, 2), (16, 4, 3), (20, 4, 3))),
    *((FEW, BALL, numbers, {}, {}) for numbers in ((20, 4, 5), (24, 4, 2), (8, 8, 3))),
    *((OPEN, BALL, numbers, {}, {}) for numbers in ((24, 4, 3), (30, 4, 3), (60, 4, 4), (20, 5, 3), (12, 8, 4))),
    *((OPEN, BALL, numbers, {}, {}) for numbers in ((40, 4, 3), (20, 8, 4))),
    *((MANY, WATER, numbers, {}, {}) for numbers in ((9, 4, 2), (12, 4, 2))),
    *((SOME, WATER, numbers, {}, {}) for numbers in ((9, 4, 1), (20, 4, 3))),
    *((OPEN, WATER, numbers, {}, {}) for numbers in ((20, 5, 2), (30, 4, 3), (40, 4, 3), (20, 8, 4))),
    *((MANY, rule, (8, 4, 2), MIXED, {}) for rule in (BALL, WATER)),
    (OPEN, BALL, (20, 4, 3), MIXED, {}),
    *((MANY, rule, (8, 4, 2), LOCKED, {}) for rule in (BALL, WATER)),
    (OPEN, BALL, (20, 4, 3), LOCKED, {}),
    *((MANY, BALL, numbers, {}, ANY) for numbers in ((5, 4, 1), (6, 4, 2))),
    (SOME, WATER, (6, 4, 2), {}, ANY),
    (OPEN, BALL, (12, 5, 2), {}, ANY),
    *((SOME, rule, (7, 4, 2), TOPS, {}) for rule in (BALL, WATER)),
    *((SOME, BALL, (7, 4, 2), {}, keys) for keys in ({"cork": True}, {"drain": True}, {"no_in": [0], "no_out": [8]})),
    *((SOME, BALL, (7, 4, 2), {}, keys) for keys in ({"accepts": {"7": [0, 1, 2]}}, {"any_in": [7]})),
    *((SOME, BALL, (7, 4, 2), {}, {"goal": goal}) for goal in ("monochrome", "gathered")),
    (SOME, BALL, (7, 4, 2), {}, {"goal": "wanted", "wanted": {"0": 1}}),
    (SOME, WATER, (7, 4, 2), {}, {"partial": False}),
    (MANY, TILES, (5, 5, 4), {}, {}),
    (SOME, TILES, (8, 8, 4), {}, {}),
    (OPEN, TILES, (15, 15, 5), {}, {}),
    (SOME, SHOT, (14,), {}, {}),
]


class Watch(Relay):
    """Notes what is known at each moment, and ends the backend at the last one."""

    def __init__(self, found: Findings, moments: list[float]) -> None:
        super().__init__(found)
        self.found, self.left = found, list(moments)
        self.known: list[tuple[bool, int | None, int]] = []
        self.before: tuple[bool, int | None, int] = (False, None, 0)
        self.began = time.process_time()

    def after_fact(self) -> None:
        """Notes what was known before this fact, if a moment has come since."""
        while self.left and time.process_time() - self.began >= self.left[0]:
            self.known.append(self.before)
            self.left.pop(0)
        if not self.left:
            raise Ended
        best = self.found.best
        self.before = self.found.settled, None if best is None else len(best), self.found.bound


def known_after(puzzle: AnyPuzzle, moments: list[float]) -> list[tuple[bool, int | None, int]]:
    """What is known at each moment."""
    watch = Watch(Findings(puzzle, "auto"), moments)
    with suppress(Ended):
        Auto().run(puzzle, watch)
    return watch.known + [watch.before] * len(watch.left)


def covered(board: Instance) -> dict[str, Any]:
    """A board as JSON; where cells are hidden with the balls that they hold."""
    fields = {**board.puzzle.to_json()}
    if "contents" in (about := board.to_json()):
        fields["hidden"] = [[ball is None for ball in tube] for tube in fields["tubes"]]
        fields["tubes"] = about["contents"]
    return fields


def boards() -> Iterator[tuple[str, int, AnyPuzzle]]:
    """All boards, with the names of their kinds."""
    for count, kind, numbers, options, keys in KINDS:
        rule = PUZZLES[kind]
        about = [*options.items(), *keys.items()]
        name = " ".join([f"{kind} ({','.join(map(str, numbers))})", *(f"{key} {value}" for key, value in about)])
        try:
            for number, board in enumerate(islice(random_boards(rule, *numbers, seed=1, **options), count)):
                yield name, number, rule.from_json({**covered(board), **keys})
        except BspSatError as error:
            click.echo(f"{name}: {error}", err=True)
    for triples in range(3, 9):
        numbers_of = [random_numbers(triples, 100, Random(seed)) for seed in range(OPEN)]
        for number, shares in enumerate(numbers_of):
            tubes = partition_tubes(shares, 100)
            yield f"3-Partition ({triples},100)", number, BallSort.from_json({"capacity": 100, "tubes": tubes})


def at(moment: str, known: dict[str, Any]) -> tuple[bool, int | None, int] | None:
    """What is known of a board at a moment, which nothing changes once it is settled; None if it wasn't measured."""
    return known.get(moment) or next((last for last in known.values() if last[0]), None)


def table(known_of: dict[tuple[str, int], dict[str, Any]]) -> str:
    """A row for each kind."""
    moments = list(dict.fromkeys(moment for known in known_of.values() for moment in known))
    columns = [f"at {moment} s: boards | settled | no plan | gap" for moment in moments]
    rows = [f"| kind | {' | '.join(columns)} |", "|---" * (1 + 4 * len(moments)) + "|"]
    for each in [*dict.fromkeys(kind for kind, _ in known_of), "all"]:
        cells: list[object] = []
        for moment in moments:
            some = [at(moment, known) for (kind, _), known in known_of.items() if each in (kind, "all")]
            found = [known for known in some if known is not None]
            open_ones = [(plan, bound) for settled, plan, bound in found if not settled]
            gaps = [plan - bound for plan, bound in open_ones if plan is not None]
            settled = len(found) - len(open_ones)
            cells += [len(found), settled, len(open_ones) - len(gaps), f"{fmean(gaps):.1f}" if gaps else ""]
        rows.append(f"| {each} | {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


@click.command(help=__doc__.split("\n")[0])
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("moments", nargs=-1)
def main(out: Path, moments: tuple[str, ...]) -> None:
    """Measures, and writes."""
    moments = moments or ("1", "10", "60")
    path = out.with_suffix(".jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known_of = {(line["kind"], line["board"]): line["known"] for line in lines}
    with path.open("a") as file:
        for kind, number, puzzle in boards():
            if at(moments[-1], known_of.get((kind, number), {})) is None:
                known = dict(zip(moments, known_after(puzzle, list(map(float, moments))), strict=True))
                known_of[kind, number] = known
                file.write(json.dumps({"kind": kind, "board": number, "known": known}) + "\n")
                file.flush()
    out.with_suffix(".md").write_text(f"# What is known of boards of all kinds\n\n{table(known_of)}\n")


if __name__ == "__main__":
    main()
