"""The parts of docs/ that are computed, each between ``<!-- computed: NAME -->`` and ``<!-- end -->``.

``python -m tests.support.computed_docs`` writes them anew; `tests.project.test_computed_docs` fails where they differ.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bsp_sat import Result, Status, load
from bsp_sat.backends.endings import Ending, refused
from bsp_sat.backends.kernel import Kernel
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS
from tests.support import census_map, order_by_example
from tests.support.helpers import solve_here

DOCS = Path(__file__).parents[2] / "docs"
PART = re.compile(r"(<!-- computed: (?P<name>[a-z0-9-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with its columns aligned."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    padded = [[text.ljust(width) for text, width in zip(line, widths, strict=True)] for line in lines]
    padded.insert(1, ["-" * width for width in widths])
    return "".join(f"| {' | '.join(line)} |\n" for line in padded)


def fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def encodings_table() -> str:
    """What each encoding declares."""
    header = ["encoding", "takes", "UNSAT at horizon h means", "proves unsolvable", "certificates", "counts plans"]
    return table(header, map(_declarations, ENCODINGS.values()))


def _declarations(encoding: Encoding) -> list[str]:
    features = encoding.scope.features
    also = "" if not features else f", also with {' or '.join(sorted(features))}"
    unsolvable = "by UNSAT without a length" if encoding.any_length else "never"
    return [
        f"`{encoding.name}`",
        f"{encoding.scope}{also}",
        encoding.unsat.meaning(),
        "every board has a plan" if encoding.always_solvable else unsolvable,
        "yes" if encoding.certifies else "of lengths" if encoding.certifies_lengths else "no",
        "no" if encoding.plain() is None else "yes",
    ]


def endings_table() -> str:
    """What is said of each way that a run of `level-80` can end."""
    board, refusal = load("level-80"), Kernel.scope.refusal(load("tiles-2022-11-16"))
    assert refusal is not None

    def said(ending: Ending, reason: str, *, status: Status = Status.UNKNOWN, max_steps: int | None = None) -> str:
        bound = None if status is Status.UNSOLVABLE else board.lower_bound()
        return str(Result(status, None, bound, reason, "auto", ending=ending, max_steps=max_steps))

    optimal = str(solve_here("kernel", board))
    rows = [
        ("a shortest plan", "`done`", "0", optimal),
        ("no plan at all", "`done`", "1", said(Ending.DONE, "search space exhausted", status=Status.UNSOLVABLE)),
        ("too small a bound", "`done`", "3", said(Ending.DONE, "", max_steps=30)),
        ("nothing found", "`done`", "3", str(solve_here("borders", board))),
        ("time", "`time-limit`", "3", said(Ending.TIME, "time limit of 5 s reached")),
        ("memory", "`memory-limit`", "3", said(Ending.MEMORY, "memory limit of 200 MB reached")),
        ("no memory left", "`out-of-memory`", "3", said(Ending.OUT_OF_MEMORY, "out of memory")),
        (
            "killed",
            "`killed`",
            "3",
            said(Ending.KILLED, "the backend's process was killed, probably for lack of memory"),
        ),
        ("Ctrl-C", "`interrupted`", "3", said(Ending.INTERRUPTED, "interrupted")),
        ("refused", "–", "2", f"Error: {refused('backend kernel', refusal, board)}"),
    ]
    return table(["what ends it", "`ending`", "exit code", "what is said"], rows)


PARTS: dict[str, Callable[[], str]] = {
    "encodings": encodings_table,
    "endings": endings_table,
    **census_map.parts(table),
    **{f"order-{name}": part for name, part in order_by_example.parts(table, fenced).items()},
}


def written_anew(page: str) -> str:
    """A page with what is computed in it."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found['name']]()}\n{found[3]}", page)


def pages() -> list[Path]:
    """The pages with computed parts."""
    return [path for path in sorted(DOCS.glob("*.md")) if PART.search(path.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    for page in pages():
        page.write_text(written_anew(page.read_text(encoding="utf-8")), encoding="utf-8")
