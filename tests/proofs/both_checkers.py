"""Both checkers of labels side by side, and whether a claim is true, decided without either of them."""

import atexit
import json
import select
import shutil
import subprocess
import time
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from bsp_sat.backends.proofs import check_labels as checker
from bsp_sat.backends.proofs.certificate import BOARD, CLAIM
from bsp_sat.instances.files import parse_instances
from tests.support import naive, naive_variants
from tests.support.helpers import solve_here

SECONDS = 20.0  # of processor time for any one folder; hardly any takes one
PATIENCE = 600.0  # seconds until an answer from another process is given up
NODE = shutil.which("node")
DRIVER = """
import { checkFolder } from "MODULE";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const verdicts = [];
  for (const folder of JSON.parse(line)) verdicts.push(await checkFolder(folder));
  console.log(JSON.stringify(verdicts));
}
"""


def python_verdict(folder: Path) -> tuple[int, str]:
    """The exit code and the text of check_labels.py, the board left out."""
    started = time.process_time()
    try:
        verdict = 0, str(checker.check_folder(folder))
    except checker.NotVerified as error:
        verdict = 1, str(error)
    except checker.Unreadable as error:
        verdict = 2, str(error)
    assert time.process_time() - started < SECONDS, folder
    return verdict


@cache
def _node() -> subprocess.Popen[str]:
    """A process that checks folders to the end of the tests."""
    module = Path(checker.__file__).with_suffix(".mjs").as_uri()
    command = [str(NODE), "--input-type=module", "-e", DRIVER.replace("MODULE", module)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)  # the end of its input is its end
    return process


def node_verdicts(folders: list[Path]) -> list[tuple[int, str]]:
    """The exit codes and texts of check_labels.mjs."""
    process = _node()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(list(map(str, folders))) + "\n")
    process.stdin.flush()
    answered = select.select([process.stdout], [], [], PATIENCE)[0]
    line = process.stdout.readline() if answered else ""
    if not line:
        process.kill()
        _node.cache_clear()
    assert line, f"{folders}: no answer"
    return [(code, text) for code, text in json.loads(line)]


def verdicts(folders: list[Path]) -> list[int]:
    """The exit codes of both checkers, which have to be the same; if they accept, what they say has to be, too."""
    found = list(map(python_verdict, folders))
    if NODE is not None:
        for folder, (code, text), (other_code, other_text) in zip(folders, found, node_verdicts(folders), strict=True):
            assert code == other_code, (folder, code, text, other_code, other_text)
            assert code != 0 or text == other_text, folder
    return [code for code, _ in found]


def truth(folder: Path) -> bool:
    """Whether the claim of a folder is true, by looking at all positions."""
    claim = json.loads((folder / CLAIM).read_bytes())
    return optimum((folder / BOARD).read_bytes()) == claim.get("length")


def is_small(folder: Path) -> bool:
    """Whether `truth` looks at few positions."""
    fields = json.loads((folder / BOARD).read_bytes())
    stacks = fields.get("tubes", fields.get("columns", []))
    return len(stacks) <= 6 and sum(map(len, stacks)) <= 20 and len(fields.get("balls", [])) <= 8


@lru_cache(10_000)
def optimum(text: bytes) -> int | None:
    """The moves of a shortest plan: of sort puzzles by the naive programs, of others by breadth-first search."""
    fields = json.loads(text)
    if "tubes" not in fields:
        return solve_here("bfs", parse_instances(text.decode())[0].puzzle).length
    plain = {"puzzle", "capacity", "tubes", "goal", "name", "source"} >= fields.keys()
    if not plain or fields.get("goal") == "gathered":
        return naive_variants.Game(with_named_colours(fields)).optimum()
    codes: dict[object, int] = {}
    tubes = tuple(bytes(codes.setdefault(ball, len(codes)) for ball in tube) for tube in fields["tubes"])
    water = fields["puzzle"] == "water-sort"
    return naive.optimum(tubes, fields["capacity"], fields.get("goal", "full"), water=water)


def with_named_colours(fields: dict[str, Any]) -> dict[str, Any]:
    """A board whose colours are texts, and whose locks say so without {"colour": …}."""

    def name(colour: str | int) -> str:
        return f"{type(colour).__name__} {colour}"

    named = {**fields, "tubes": [[name(ball) for ball in tube] for tube in fields["tubes"]]}
    if "accepts" in fields:
        named["accepts"] = {tube: list(map(name, colours)) for tube, colours in fields["accepts"].items()}
    if "locked" in fields:
        named["locked"] = [
            lock if isinstance(until := lock["until"], int)
            else {**lock, "until": name(until["colour"] if isinstance(until, dict) else until)}
            for lock in fields["locked"]
        ]  # fmt: skip
    return named
