"""Every published level of a folder: solved, certified, and the certificate verified, under the level's own rule.

    python benchmarks/atlas.py LEVELS --out atlas.jsonl > atlas.md

A line of --out is one level; what is there already isn't done again. The table has a row for each file. A level's rule
is the one that its published optimum is for; else ball sort where the source has "ball" in its name, else water sort.
Where the proved checker is built (`make -C formal`), it has to accept every certificate, too.
Times are wall times in one process; one worker process solves all boards.
"""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import click

from bsp_sat import Instance, Limits
from bsp_sat.backends.proofs.certificate import verify_certificate
from bsp_sat.backends.proofs.verified import VERIFIED, verified_program
from bsp_sat.backends.proofs.writing import certify
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import solve_with
from bsp_sat.instances.errors import BoardError, BspSatError
from bsp_sat.instances.files import parse_instances


def levels(path: Path) -> Iterator[tuple[str, Instance | BoardError]]:
    """The levels of a file with their names, under their rules."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        optimal = fields.get("optimal")
        rule = "ball-sort" if "ball" in str(fields.get("source")) else "water-sort"
        if isinstance(optimal, dict) and len(optimal) == 1:
            (rule,) = optimal
        try:
            yield str(fields.get("name")), parse_instances(line, puzzle=fields.get("puzzle", rule))[0]
        except BoardError as error:
            yield str(fields.get("name")), error


def study(worker: Process, instance: Instance, seconds: float) -> dict[str, Any]:
    """What becomes of one level."""
    puzzle = instance.puzzle
    claimed = instance.known_answer if instance.known_answer is not None else instance.about.get("claimed")
    facts: dict[str, Any] = {"rule": puzzle.kind, "claimed": claimed}
    started = time.perf_counter()
    result = solve_with(worker, puzzle, limits=Limits(seconds=seconds))
    facts |= {"status": str(result.status), "length": result.length, "bound": result.lower_bound}
    facts["solve"] = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = certify(worker, Path(folder), puzzle, result, limits=Limits(seconds=2 * seconds))
            facts |= {"kind": made.kind, "bytes": made.bytes, "positions": made.positions, "certify": made.seconds}
            started = time.perf_counter()
            verify_certificate(Path(folder))
            facts["verify"] = time.perf_counter() - started
            if verified_program() is not None:
                started = time.perf_counter()
                verify_certificate(Path(folder), VERIFIED)
                facts["proved"] = time.perf_counter() - started
        except BspSatError as error:
            facts["error"] = str(error)
    return facts


def row(name: str, facts: list[dict[str, Any]]) -> str:
    """One row of the table."""

    def middle_and_most(values: list[float], digits: int) -> str:
        return f"{median(values):,.{digits}f}; {max(values):,.{digits}f}" if values else "–"

    answers = [fact["length"] if fact.get("status") == "optimal" else fact.get("status", "refused") for fact in facts]
    published = [(fact["claimed"], answer) for fact, answer in zip(facts, answers, strict=True) if fact.get("claimed")]
    kinds = Counter(fact["kind"] for fact in facts if "verify" in fact)
    verified = [fact for fact in facts if "verify" in fact]
    cells = [
        name,
        ", ".join(sorted({fact["rule"] for fact in facts if "rule" in fact})),
        len(facts),
        sum(isinstance(answer, int) for answer in answers),
        answers.count("unsolvable"),
        len(facts) - sum(isinstance(answer, int) or answer == "unsolvable" for answer in answers),
        f"{len(published)}; {sum(claimed != answer for claimed, answer in published)}",
        ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "–",
        middle_and_most([fact["bytes"] / 1000 for fact in verified], 1),
        middle_and_most([fact["solve"] for fact in verified], 2),
        middle_and_most([fact["certify"] for fact in verified], 2),
        middle_and_most([fact["verify"] for fact in verified], 2),
        middle_and_most([fact["proved"] for fact in verified if "proved" in fact], 2),
    ]
    return f"| {' | '.join(map(str, cells))} |"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Results, one a line.")
@click.option("--seconds", default=60.0, show_default=True, help="For solving a level; twice that for its certificate.")
def main(folder: Path, out: Path, seconds: float) -> None:
    """Print the table."""
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    known = {(fact["file"], fact["name"]): fact for fact in map(json.loads, lines)}
    heads = ["collection", "rule", "levels", "optimal", "unsolvable", "open", "published; disagree", "verified"]
    heads += ["kB", "solve, s", "certify, s", "verify, s", "by the proved checker, s"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|", flush=True)
    with Process() as worker, out.open("a", encoding="utf-8") as stream:
        for path in sorted(folder.glob("*.jsonl")):
            facts = []
            for name, level in levels(path):
                fact = known.get((path.stem, name))
                if fact is None:
                    worker.start()
                    about = {"error": str(level)} if isinstance(level, BoardError) else study(worker, level, seconds)
                    fact = {"file": path.stem, "name": name, **about}
                    stream.write(json.dumps(fact) + "\n")
                    stream.flush()
                facts.append(fact)
            print(row(path.stem, facts), flush=True)


if __name__ == "__main__":
    main()
