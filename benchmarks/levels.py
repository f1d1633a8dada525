"""The packs of levels that are shipped with the page, by `bsp-sat generate levels`.

    python benchmarks/levels.py --out apps/page/data/levels.json

docs/page.md describes the file. The same version of the program writes the same file.
"""

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

import click

from bsp_sat.instances.registry import SORT_PUZZLES

MEASURE = "greedy_success"
SEED = 2026


class Pack(NamedTuple):
    """The levels of one difficulty.

    Its boards have these colours in equal parts. The range ``wanted`` of `MEASURE`, the more of it the easier, is such
    that the page's words for how hard a board is (core/measures.js) are those of the packs.
    """

    colours: tuple[int, ...]
    wanted: tuple[str, str]
    levels: int = 100


SUCCESS = "--greedy-success"
PACKS = {
    "easy": Pack((5, 6), (SUCCESS, "50..%")),
    "medium": Pack((7, 8), (SUCCESS, "0.15..0.49")),
    "hard": Pack((9, 10), (SUCCESS, "0.02..0.14")),
    "expert": Pack((12,), (SUCCESS, "..25%")),
}
TRICKY = Pack((6,), ("--trap-share", "0.1.."), 10)


def levels(puzzle: str, pack: Pack) -> list[str]:
    """The levels of a pack in short, smaller boards first, and of one size the easiest first."""
    return list(chain.from_iterable(_of_size(puzzle, colours, pack) for colours in pack.colours))


def _of_size(puzzle: str, colours: int, pack: Pack) -> list[str]:
    options = {
        "puzzle": puzzle,
        "colours": colours,
        "count": pack.levels // len(pack.colours),
        "seed": SEED,
    }
    words = chain.from_iterable((f"--{name}", str(value)) for name, value in options.items())
    command = [sys.executable, "-m", "bsp_sat", "generate", "levels", *words, *pack.wanted]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [_short(line) for line in sorted(map(json.loads, run.stdout.splitlines()), key=_easiest_first)]


def _easiest_first(line: dict[str, Any]) -> tuple[int, int]:
    return _harder_than(line), _optimum(line)


def _optimum(line: dict[str, Any]) -> int:
    moves = line["optimal"][line["puzzle"]]
    assert isinstance(moves, int)
    return moves


def _harder_than(line: dict[str, Any]) -> int:
    """How many of 100 boards of its size are easier."""
    return 100 - round(line["grades"][MEASURE]["percentile"])


def _short(line: dict[str, Any]) -> str:
    letters = "".join(ascii_lowercase[ball] for tube in line["tubes"] for ball in tube)
    return f"{letters} {_optimum(line)} {_harder_than(line)}"


@click.command()
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("apps/page/data/levels.json"))
def main(out: Path) -> None:
    """Write the file."""
    packs = {puzzle: {name: levels(puzzle, pack) for name, pack in PACKS.items()} for puzzle in SORT_PUZZLES}
    tricky = {puzzle: levels(puzzle, TRICKY) for puzzle in SORT_PUZZLES}
    file = {"made_by": "python benchmarks/levels.py", "capacity": 4, "empty": 2, "packs": packs, "tricky": tricky}
    text = json.dumps(file, indent=0, separators=(",", ":"))
    out.write_text(text + "\n", encoding="utf-8")
    click.echo(f"{out}: {len(text):,} bytes")


if __name__ == "__main__":
    main()
