"""Many boards in one process: where the time of `solve FILE` goes, in microseconds of the processor a board.

    python benchmarks/batches.py --boards 1000

Medians over the runs: reading the file, lengths alone and plans by `solve_boards`, checking the plans, writing JSON.
What is missing to the whole command (`benchmarks/commands.py`) is the program's start and the way to the workers.
"""

import json
import time
from collections.abc import Callable
from itertools import islice
from statistics import median
from typing import Any

import click

from bsp_sat import BallSort, Limits, WaterSort, random_boards
from bsp_sat.backends.kernel import solve_boards
from bsp_sat.cli.batch import Request
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.text.writing import json_text

CLASSES = ((BallSort, 9, 4, 2), (BallSort, 12, 4, 2), (WaterSort, 9, 4, 2), (WaterSort, 12, 4, 2))


@click.command()
@click.option("--boards", default=400, show_default=True)
@click.option("--runs", default=5, show_default=True)
def main(boards: int, runs: int) -> None:
    """Print a table."""

    def microseconds(step: Callable[[], Any]) -> int:
        seconds = []
        for _ in range(runs):
            began = time.process_time()
            step()
            seconds.append(time.process_time() - began)
        return round(median(seconds) / boards * 1e6)

    request = Request("auto", Limits())
    print("| boards | expansions | read | lengths | plans | replay | JSON |")
    print("| ------ | ---------- | ---- | ------- | ----- | ------ | ---- |")
    for rule, *size in CLASSES:
        made = islice(random_boards(rule, *size, seed=1), boards)
        text = "".join(f"{json.dumps(instance.to_json())}\n" for instance in made)
        puzzles = [instance.puzzle for instance in parse_instances(text)]
        answers = list(solve_boards(puzzles))
        solved = [(puzzle, answer.plan) for puzzle, answer in zip(puzzles, answers, strict=True) if answer.plan]
        steps: list[Callable[[], Any]] = [
            lambda text=text: parse_instances(text),
            lambda puzzles=puzzles: list(solve_boards(puzzles, plans=False)),
            lambda puzzles=puzzles: list(solve_boards(puzzles)),
            lambda solved=solved: [plan.replay(puzzle) for puzzle, plan in solved],
            lambda solved=solved: [
                json_text({"plan": plan.to_json(puzzle), "asked": request.of(puzzle)}) for puzzle, plan in solved
            ],
        ]
        expansions = round(sum(answer.expansions for answer in answers) / boards)
        cells = [f"{rule.kind} ({', '.join(map(str, size))})", expansions, *map(microseconds, steps)]
        print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
