"""What people would pick instead: processor seconds beside those of bsp-sat, for a cold command, a batch, hard boards.

    python benchmarks/peers.py

Seconds are user and system time, the median of --repeat runs, in brackets as a multiple of that of bsp-sat; "–": more
than --seconds, or not asked, as an easier board took more. The programs take turns. The A* in C++ (plain_astar.cpp)
needs ``g++``, Fast Downward the extra ``peers``. The published heuristics prove nothing.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import islice
from math import inf
from pathlib import Path
from statistics import median

import click

from bsp_sat import BallSort, Instance, random_boards
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.sorting import SortPuzzle

Command = Callable[[Path, Sequence[Instance]], list[str]]
"""The command that solves boards, whose files it writes to a folder."""


def bsp_sat(*options: str) -> Command:
    """This program."""

    def command(folder: Path, boards: Sequence[Instance]) -> list[str]:
        path = folder / "boards.jsonl"
        path.write_text("".join(f"{json.dumps(each.puzzle.to_json())}\n" for each in boards), encoding="utf-8")
        return [sys.executable, "-m", "bsp_sat", "solve", str(path), "--jobs", "1", *options]

    return command


def plain_astar(folder: Path, boards: Sequence[Instance]) -> list[str]:
    """The A* in C++, on boards as lines of numbers."""
    program, path = folder / "plain_astar", folder / "boards.txt"
    if not program.exists():
        source = Path(__file__).with_name("plain_astar.cpp")
        subprocess.run(["g++", "-std=c++17", "-O3", "-o", program, source], check=True)
    lines = []
    for each in boards:
        assert isinstance(each.puzzle, SortPuzzle)
        tubes = each.puzzle.tubes
        numbers = [number for tube in tubes for number in (len(tube), *(colour + 1 for colour in tube))]
        lines.append(" ".join(map(str, (len(tubes), each.puzzle.capacity, *numbers))))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["sh", "-c", f"'{program}' ball < '{path}'"]


def fast_downward(folder: Path, boards: Sequence[Instance]) -> list[str]:
    """Fast Downward on the exported PDDL, board by board."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise click.UsageError("up-fast-downward is not installed: pip install -e '.[peers]'")
    driver = Path(spec.origin).parent / "downward" / "fast-downward.py"
    call = f"cd '{folder}' && '{sys.executable}' '{driver}' --plan-file plan"
    for number, each in enumerate(boards):
        assert isinstance(each.puzzle, SortPuzzle)
        (folder / f"domain{number}.pddl").write_text(pddl_domain(each.puzzle), encoding="utf-8")
        (folder / f"problem{number}.pddl").write_text(pddl_problem(each.puzzle, each.name), encoding="utf-8")
    calls = [f"{call} domain{at}.pddl problem{at}.pddl --search 'astar(blind())'" for at in range(len(boards))]
    return ["sh", "-c", " && ".join(calls)]


PEERS: dict[str, tuple[Command, int]] = {
    "`bsp-sat`": (bsp_sat(), 200),
    "A\\* in C++": (plain_astar, 50),
    "A\\* in Python (`astar`)": (bsp_sat("--backend", "astar"), 5),
    "published heuristic, `unique-colours`": (bsp_sat("--backend", "heuristic:astar:unique-colours"), 5),
    "published heuristic, `unique-length`": (bsp_sat("--backend", "heuristic:astar:unique-length"), 5),
    "Fast Downward": (fast_downward, 1),
}
"""Command, and how many boards of the batch it gets."""


def boards(colours: int, empty: int, count: int = 1) -> list[Instance]:
    """Random boards of capacity 4."""
    return list(islice(random_boards(BallSort, colours, 4, empty), count))


COLUMNS: dict[str, list[Instance]] = {
    "a board of (9,4,2), of many": boards(9, 2, 200),
    "level-80": [load_instance("level-80")],
    "(16,4,3)": boards(16, 3),
    "(20,4,3)": boards(20, 3),
}


def processor_seconds(command: list[str], limit: float) -> float:
    """User and system time of a command and the processes below it; infinite if one of them exceeds the limit."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))

    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limited)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return inf if process.returncode else usage.ru_utime + usage.ru_stime


@click.command(context_settings={"show_default": True})
@click.option("--repeat", default=3, help="Runs of each.")
@click.option("--seconds", default=60.0, help="Limit of a run.")
def main(repeat: int, seconds: float) -> None:
    """Prints the table."""
    print(f"| program | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    taken: dict[str, list[tuple[float, float]]] = {}  # by program: for each column its time, and the ratio
    with tempfile.TemporaryDirectory() as name:
        for column, found in COLUMNS.items():
            runs: dict[str, list[float]] = {peer: [] for peer in PEERS}
            for _ in range(repeat):
                for peer, (command, most) in PEERS.items():
                    asked = all(before < inf for before, _ in taken.get(peer, [])) and inf not in runs[peer]
                    some = found[:most]
                    used = processor_seconds(command(Path(name), some), seconds) if asked else inf
                    runs[peer].append(used / len(some))
                    click.echo(f"{column}, {peer}: {runs[peer][-1]:.3g} s", err=True)
            own = runs["`bsp-sat`"]
            for peer, times in runs.items():
                ratio = median(one / other for one, other in zip(times, own, strict=True))
                taken.setdefault(peer, []).append((median(times), ratio))
    for peer, cells in taken.items():
        texts = [f"{used:.2g} ({ratio:.2g})" if used < inf else "–" for used, ratio in cells]
        print(f"| {peer} | {' | '.join(texts)} |")


if __name__ == "__main__":
    main()
