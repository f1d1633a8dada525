"""How large the project is: the lines of each room and of its tests, kept results, and the words of the documents.

    python benchmarks/lines.py [COMMIT]

Of the files that git has, links apart: Python, C, JavaScript, TypeScript, CSS, HTML, Coq and OCaml.
"""

import subprocess
import sys
from collections import Counter
from pathlib import PurePath

SOURCES = frozenset([".py", ".pyi", ".c", ".h", ".js", ".mjs", ".ts", ".mts", ".css", ".html", ".v", ".ml", ".mli"])
BUDGET = {"product": 71_000, "tests": 36_000, "results": 500, "words": 15_000}
LINK = "120000"
ROOMS_OF_TESTS = {
    "kernel": "backends",
    "proofs": "backends",
    "support": "shared",
    "data": "shared",
    "project": "shared",
}


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], check=True, capture_output=True, encoding="utf-8", errors="replace").stdout


def room_of(path: PurePath) -> tuple[str, bool]:
    """The room of a file, and whether it is one of its tests."""
    first, *rest = path.parts[:-1] or ("the top",)
    is_test = "tests" in path.parts
    if first == "tests":
        first, *rest = rest or ("shared",)
        first = ROOMS_OF_TESTS.get(first, first)
    return (f"apps/{rest[0]}" if first == "apps" and rest else first), is_test


def main(commit: str = "HEAD") -> None:
    """Prints the table."""
    lines: Counter[tuple[str, bool]] = Counter()
    totals = dict.fromkeys(BUDGET, 0)
    for entry in git("ls-tree", "-r", commit).splitlines():
        about, name = entry.split("\t")
        path = PurePath(name)
        if about.startswith(LINK):
            continue
        text = git("show", f"{commit}:{name}") if path.suffix in {*SOURCES, ".md", ".jsonl", ".csv"} else ""
        if path.suffix in SOURCES:
            room, is_test = room_of(path)
            lines[room, is_test] += text.count("\n")
            if room != "benchmarks":
                totals["tests" if is_test else "product"] += text.count("\n")
        elif path.parts[:2] == ("benchmarks", "results") and path.suffix == ".jsonl":
            totals["results"] += text.count("\n")
        elif path.parts[0] == "docs":
            totals["words"] += len(text.split())
    print(f"{'':<16}{'product':>9}{'tests':>9}")
    for room in sorted({room for room, _ in lines}):
        print(f"{room:<16}{lines[room, False]:>9,}{lines[room, True]:>9,}")
    print()
    for what, most in BUDGET.items():
        print(f"{what:<16}{totals[what]:>9,}   of {most:,}{'' if totals[what] <= most else ': too many'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
