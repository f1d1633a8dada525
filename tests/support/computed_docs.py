"""What is computed: names for type checkers, and in docs/ parts from ``<!-- computed: NAME -->`` to ``<!-- end -->``.

``python -m tests.support.computed_docs`` writes them again; `tests.project.test_computed_docs` fails where they differ.
"""

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from enum import EnumType
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints

from bsp_sat.apps import declared
from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.policy import Advice
from bsp_sat.apps.levels.figure import How
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.backends.result import Asks, Question, Status
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.sorting import Pour
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, NEVER_COLOURS
from tests.support import census_map

DOCS = Path(__file__).parents[2] / "docs"
PART = re.compile(r"((?:<!--|//) computed: (?P<name>[a-z0-9-]+)(?: -->)?\n).*?((?:<!--|//) end(?: -->)?\n)", re.DOTALL)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with its columns aligned."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    padded = [[text.ljust(width) for text, width in zip(line, widths, strict=True)] for line in lines]
    padded.insert(1, ["-" * width for width in widths])
    return "".join(f"| {' | '.join(line)} |\n" for line in padded)


def encodings_list() -> str:
    """What each encoding declares; what UNSAT means where it isn't what it means for the first."""
    usual = next(iter(ENCODINGS.values())).unsat.meaning()
    lines = (_declarations(encoding, usual) for encoding in ENCODINGS.values())
    return f"Where nothing else is said, UNSAT at horizon h means: {usual}.\n\n{''.join(lines)}"


def _declarations(encoding: Encoding, usual: str) -> str:
    features = encoding.scope.features
    also = "" if not features else f", also with {', '.join(sorted(features))}"
    meaning = encoding.unsat.meaning()
    unsolvable = "by UNSAT without a length" if encoding.any_length else "never"
    return (
        f"- **`{encoding.name}`** takes {encoding.scope}{also}. "
        f"{'' if meaning == usual else f'UNSAT means: {meaning}. '}"
        f"Proves unsolvable: {'every board has a plan' if encoding.always_solvable else unsolvable}. "
        f"Certificates: {'yes' if encoding.certifies else 'of lengths' if encoding.certifies_lengths else 'no'}.\n"
    )


def measures_list() -> str:
    """What each measure is, by its function."""
    lines = [f"- `{measure.name}`: {measure.definition}\n" for measure in MEASURES.values()]
    easier = ", ".join(f"`{measure.name}`" for measure in MEASURES.values() if measure.easier)
    return "".join([*lines, f"\nA larger figure suggests a harder board, except for {easier}.\n"])


def room_words() -> str:
    """Words that the page leaves to the reader: they may be room, or an unknown ball."""

    def listed(words: Iterable[str]) -> str:
        lines = textwrap.wrap(json.dumps(" ".join(sorted(words)), ensure_ascii=False), 110, break_on_hyphens=False)
        return ' " +\n  "'.join(lines)

    surely, maybe = listed(NEVER_COLOURS - {""}), listed(DOUBTFUL - NEVER_COLOURS)
    return f"const NEVER_COLOURS =\n  {surely};\nconst MAYBE_ROOM =\n  {maybe};\n"


def page_types() -> str:
    """Types of what Python answers, by the classes that say so; what the fields mean is said there."""
    words = {int: "number", float: "number", bool: "boolean", str: "string", NoneType: "null", Pour: "Move"}

    def typed(kind: Any) -> str:
        if get_origin(kind) is tuple:
            return f"{typed(get_args(kind)[0])}[]"
        return words.get(kind) or " | ".join(map(typed, get_args(kind))) or str(kind.__name__)

    def declaration(kind: type) -> str:
        if isinstance(kind, EnumType):
            return f"type {kind.__name__} = {' | '.join(map(json.dumps, cast(Iterable[str], kind)))};\n"
        fields = "".join(f"  {name}: {typed(each)};\n" for name, each in get_type_hints(kind).items())
        return f"/** `{kind.__module__}.{kind.__name__}` */\ninterface {kind.__name__} {{\n{fields}}}\n"

    return "\n".join(map(declaration, (Status, How, Asks, Question, Effects, Advice)))


PARTS: dict[str, Callable[[], str]] = {
    "encodings": encodings_list,
    "measures": measures_list,
    "page-types": page_types,
    "room-words": room_words,
    **census_map.parts(table),
}


def rewritten(page: str) -> str:
    """A page with what is computed in it."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found['name']]()}\n{found[3]}", page)


def pages() -> list[Path]:
    """The pages with computed parts, and files of the page in the browser."""
    page = DOCS.parent / "apps" / "page" / "page"
    modules = [page / name for name in ("engine/engine.js", "types.d.ts")]
    return [path for path in (*sorted(DOCS.glob("*.md")), *modules) if PART.search(path.read_text(encoding="utf-8"))]


def stubs() -> dict[Path, str]:
    """The files in which type checkers read what packages offer, a line for each module."""
    written = {}
    for package in ("bsp_sat", *(f"bsp_sat.backends.{name}" for name in ("kernel", "proofs", "run"))):
        module = import_module(package)
        names = {f"{package}.{place}": of.split() for place, of in module.NAMES.items()}
        if package == "bsp_sat":
            for name, (app, place) in declared("NAMES").items():
                names.setdefault(f"{app}.{place}", []).append(name)
        offered = sorted((place, ", ".join(f"{name} as {name}" for name in of)) for place, of in names.items())
        lines = [f"from {place} import {of}\n" for place, of in offered]
        version = "\n__version__: str\n" if package == "bsp_sat" else ""
        heading = '"""What the package offers: written of its tables by python -m tests.support.computed_docs."""\n\n'
        written[Path(module.__path__[0], "__init__.pyi")] = heading + "".join(lines) + version
    return written


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
    for page in pages():
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
