"""Boards written in the habits of public programs: how many are read right, asked about, refused, or read wrong.

    python benchmarks/spellings.py --cases 100000 --seed 1

tests/support/meant_boards.py makes each text and knows what it means. A reading of another board without a question is
wrong, except where only the top end of the tubes differs and the reader names the other end too. Exit code 1 if any is
wrong.
"""

import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.meant_boards import FAULTS, Case, meant, outcome

IN_MEMORY = Path("/dev/shm")
"""Where Linux has files in memory: elsewhere opening a file takes longer than reading a board."""


@click.command(help=__doc__.split("\n")[0])
@click.option("--cases", default=10_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--show", default=3, show_default=True, help="Print this many examples of each outcome but right.")
@click.option("--family", help="Only spellings of this family.")
def main(cases: int, seed: int, show: int, family: str | None) -> None:
    """Prints a table by family, and examples."""
    chance = random.Random(seed)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], list[tuple[Case, str]]] = defaultdict(list)
    began = time.process_time()
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        for _ in range(cases):
            case = meant(chance)
            if family and case.family != family:
                continue
            try:
                found, said = outcome(case, Path(folder))
            except Exception as error:
                found, said = "traceback", repr(error)
            name = case.family + (", damaged" if case.damaged else ", with a rule" if case.rule else "")
            counts[name][found] += 1
            kept = examples[found, case.family]
            if len(kept) < show:
                kept.append((case, said))
    total: Counter[str] = sum(counts.values(), Counter())
    outcomes = sorted(total, key=lambda each: -total[each])
    print(f"{'':45}" + "".join(f"{each:>12.12}" for each in outcomes))
    for name in [*sorted(counts), "all"]:
        row = total if name == "all" else counts[name]
        print(f"{name:45}" + "".join(f"{row[each]:12,}" for each in outcomes))
    print(f"{sum(total.values()):,} cases, {time.process_time() - began:.0f} s of processor time")
    for (found, _), kept in sorted(examples.items()):
        for case, said in kept if found != "right" else []:
            print(f"\n== {found}: {case.family} ({case.ending}; {', '.join(case.marks)}): {said[:300]}")
            encoding = "utf-16" if case.data[:1] in (b"\xff", b"\xfe") else "utf-8"
            print(f"{case.data.decode(encoding)[:600]}\n-> {case.boards[0]}")
    sys.exit(1 if any(total[each] for each in (*FAULTS, "traceback")) else 0)


if __name__ == "__main__":
    main()
