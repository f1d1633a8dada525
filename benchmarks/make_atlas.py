"""The atlas: boards with proved answers, for others to compare with, as JSON Lines with a checksum.

    python benchmarks/make_atlas.py --out instances/data/atlas-1.jsonl

docs/campaigns.md describes the file. The same version of the program writes the same file.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from bsp_sat.backends.solve import solve
from bsp_sat.instances.files import load_instances, load_shipped, shipped_names

ROOT = Path(__file__).parents[1]
REFERENCE = ("small", "medium", "large", "grids")  # files of tests/data, whose answers other programs have found


def boards() -> Iterator[dict[str, Any]]:
    """The boards in order, each with its name, its collection and its answers."""
    for collection in REFERENCE:
        for instance in load_instances(ROOT / "tests" / "data" / f"{collection}.jsonl"):
            if instance.known_answer != "unknown":
                yield _board(collection, instance.name, instance.puzzle.to_json(), instance.about["optimal"])
    yield from _levels()
    for name in shipped_names():
        instance = load_shipped(name)
        optimal = instance.about.get("optimal") or solve(instance.puzzle).length
        yield _board("shipped", name, instance.puzzle.to_json(), optimal)


def _levels() -> Iterator[dict[str, Any]]:
    """The levels of the page."""
    data = json.loads((ROOT / "bsp_sat" / "web" / "data" / "levels.json").read_text(encoding="utf-8"))
    capacity, empty = data["capacity"], data["empty"]
    for kind, packs in data["packs"].items():
        for pack, levels in packs.items():
            for number, level in enumerate(levels, start=1):
                cells, optimum, _ = level.split()
                tubes = [list(cells[start : start + capacity]) for start in range(0, len(cells), capacity)]
                tubes += [[] for _ in range(empty)]
                fields = {"puzzle": kind, "capacity": capacity, "tubes": tubes}
                yield _board("levels", f"{kind}-{pack}-{number}", fields, {kind: int(optimum)})


def _board(collection: str, name: str, fields: dict[str, Any], optimal: Any) -> dict[str, Any]:
    if isinstance(optimal, dict):
        optimal = {kind: answer for kind, answer in optimal.items() if answer != "unknown"}
    return {"name": name, "collection": collection, **fields, "optimal": optimal}


def written() -> str:
    """The text of the file."""
    return "".join(json.dumps(board, separators=(",", ":")) + "\n" for board in boards())


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write.")
def main(out: Path) -> None:
    """Write the atlas, and its checksum in a file next to it."""
    text = written()
    out.write_text(text, encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    out.with_suffix(".sha256").write_text(f"{digest}  {out.name}\n", encoding="utf-8")
    print(f"{text.count(chr(10))} boards")


if __name__ == "__main__":
    main()
