"""Both checkers of labels side by side, and whether a claim is true, decided without either of them."""

import json
import shutil
import subprocess
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from bsp_sat.backends.proofs.certificate import BOARD, CLAIM
from bsp_sat.formal import check_labels as checker
from bsp_sat.instances.files import parse_instances
from tests.support import naive, naive_variants
from tests.support.helpers import solve_here

PATIENCE = 600.0  # seconds until an answer from the proved checker is given up
FORMAL = Path(__file__).parents[2] / "formal"
VERDICTS = {"Verified": 0, "Not verified": 1, "Unreadable": 2}
NOT_TAKEN = ("not covered by the proved checker", "too large for this checker")


@cache
def made(name: str) -> Path | None:
    """What formal/Makefile makes, from this checkout if it isn't there yet; None without coqc and an OCaml compiler."""
    if not all(map(shutil.which, ("coqc", "ocamlopt", "make"))):
        return None
    import fcntl  # which Windows lacks

    with (FORMAL / "Makefile").open("r+b") as lock:  # one of the processes that run tests builds
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-C", FORMAL, f"build/{name}"], check=True, capture_output=True)
    return FORMAL / "build" / name


def proved_checker() -> Path | None:
    """The proved checker; None where it can't be built."""
    return made("bsp-sat-verified")


def python_verdict(folder: Path) -> tuple[int, str]:
    """The exit code and the text of check_labels.py, the board left out."""
    try:
        return 0, str(checker.check_folder(folder))
    except checker.NotVerified as error:
        return 1, str(error)
    except checker.Unreadable as error:
        return 2, str(error)


def proved_verdicts(folders: list[Path]) -> list[tuple[int, str]]:
    """The exit codes and last lines of the proved checker."""
    found: list[tuple[int, str]] = []
    for first in range(0, len(folders), 1_000):
        command = [str(proved_checker()), *map(str, folders[first : first + 1_000])]
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        last = [line for line in run.stdout.splitlines() if line.partition(":")[0] in VERDICTS]
        found += [(VERDICTS[line.partition(":")[0]], line) for line in last]
        assert run.returncode == max(code for code, _ in found[first:]), run.stderr
    assert len(found) == len(folders)
    return found


def verdicts(folders: list[Path]) -> list[int]:
    """The exit codes of both checkers, which have to be the same where the proved one takes the board."""
    found = list(map(python_verdict, folders))
    if proved_checker() is not None:
        for folder, (code, text), (other, line) in zip(folders, found, proved_verdicts(folders), strict=True):
            if other == 2 and line.endswith(NOT_TAKEN):
                continue
            assert code == other, (folder, code, text, line)
            assert code != 0 or text.splitlines()[-1] == line, folder
    return [code for code, _ in found]


def truth(folder: Path) -> bool:
    """Whether the claim of a folder is true, by looking at all positions."""
    claim = json.loads((folder / CLAIM).read_bytes())
    return optimum((folder / BOARD).read_bytes()) == claim.get("length")


@lru_cache(10_000)
def optimum(text: bytes) -> int | None:
    """The moves of a shortest plan: of sort puzzles by the naive programs, of others by breadth-first search."""
    fields = json.loads(text)
    if "tubes" not in fields:
        return solve_here("bfs", parse_instances(text.decode())[0].puzzle).length
    plain = {"puzzle", "capacity", "tubes", "goal", "name", "source"} >= fields.keys()
    if not plain or fields.get("goal") in checker.OTHER_GOALS:
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
    if "wanted" in fields:
        colours = {str(ball): name(ball) for tube in fields["tubes"] for ball in tube}
        named["wanted"] = {colours[colour]: tubes for colour, tubes in fields["wanted"].items()}
    if "accepts" in fields:
        named["accepts"] = {tube: list(map(name, colours)) for tube, colours in fields["accepts"].items()}
    if "locked" in fields:
        named["locked"] = [
            lock if isinstance(until := lock["until"], int)
            else {**lock, "until": {**until, "colour": name(until["colour"])}} if "tubes" in until
            else {**lock, "until": name(until["colour"] if isinstance(until, dict) else until)}
            for lock in fields["locked"]
        ]  # fmt: skip
    return named
