"""Packs as games store them: JSON with the top first, for Unity, CSV, and arrays of C, C# and TypeScript.

Each is read back before it is given out (`level_file`), so that no game gets another board than the pack has.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bsp_sat.instances.choices import ReadingChoices
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance, parse_instances
from bsp_sat.instances.sorting.board import SortBoard
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, word_of

Colours = list[list[Any]]
"""The tubes of a board, bottom to top, with the colours as they are written."""


def level_file(instances: Sequence[Instance], form: str) -> str:
    """A pack in one of the forms of `LEVEL_FILES`.

    Unsupported if a board is of another kind, or it would be read back as another one: the form has no room for what it
    has, or nothing in it says the capacity.
    """
    boards = []
    for instance in instances:
        if not isinstance(instance.puzzle, SortBoard):
            raise Unsupported(f"{instance.name}: --format {form} takes ball-sort and water-sort boards")
        boards.append((instance.name, instance.puzzle))
    text = LEVEL_FILES[form](boards)
    for (name, puzzle), found in zip(boards, _read_back(text, boards), strict=True):
        if found != _plainly(puzzle):
            raise Unsupported(f"{name}: as {form} it would be read back as another board; use --format json")
    return text


def _read_back(text: str, boards: Sequence[tuple[str, SortBoard]]) -> list[Any]:
    kinds = {puzzle.kind for _, puzzle in boards}
    nothing = [None] * len(boards)
    try:
        kind = kinds.pop() if len(kinds) == 1 else None
        found = parse_instances(text, puzzle=kind, choices=ReadingChoices(empty=0, top_first=None))
    except (BoardError, Unsupported):
        return nothing
    return [_plainly(each.puzzle) for each in found] if len(found) == len(boards) else nothing


def _plainly(puzzle: Any) -> Any:
    """A board with its colours numbered as they stand in its tubes; itself if it has covers or rules."""
    assert isinstance(puzzle, SortBoard)
    if not puzzle.is_plain:
        return puzzle
    ranks: dict[int, int] = {}
    tubes = tuple(tuple(ranks.setdefault(ball, len(ranks)) for ball in tube) for tube in puzzle.tubes)
    return puzzle.kind, puzzle.capacity, puzzle.goal, tubes


def _named(puzzle: SortBoard) -> Colours:
    """Names of colours, or numbers from 1 if some name is a number or may be taken for room."""
    if all(isinstance(name, str) and len(name) > 1 and word_of(name) not in DOUBTFUL for name in puzzle.palette):
        return puzzle.coloured_tubes()
    return _numbered(puzzle)


def _numbered(puzzle: SortBoard) -> Colours:
    return [[ball + 1 for ball in tube] for tube in puzzle.tubes]


def _padded(puzzle: SortBoard, tubes: Colours, room: Any) -> Colours:
    return [[*tube, *[room] * (puzzle.capacity - len(tube))] for tube in tubes]


def _top_first(boards: Sequence[tuple[str, SortBoard]]) -> str:
    lines = []
    for name, puzzle in boards:
        fields = puzzle.to_json()
        turned = {key: [each[::-1] for each in fields[key]] for key in ("tubes", "hidden") if key in fields}
        lines.append(json.dumps({"name": name, "order": "top-down", **fields, **turned}))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _unity(boards: Sequence[tuple[str, SortBoard]]) -> str:
    levels = [
        {
            "name": name,
            "puzzle": puzzle.kind,
            "capacity": puzzle.capacity,
            "order": "bottom-up",
            "tubes": [{"colors": [str(colour) for colour in tube]} for tube in _named(puzzle)],
        }
        for name, puzzle in boards
    ]
    return json.dumps({"levels": levels}, indent=1) + "\n"


def _csv(boards: Sequence[tuple[str, SortBoard]]) -> str:
    texts = []
    for _, puzzle in boards:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(_padded(puzzle, _named(puzzle), ""))
        texts.append(text.getvalue())
    return "\n".join(texts)


def _c(boards: Sequence[tuple[str, SortBoard]]) -> str:
    texts = []
    for number, (_, puzzle) in enumerate(boards, start=1):
        rows = "".join(f"  {{{', '.join(map(str, tube))}}},\n" for tube in _padded(puzzle, _numbered(puzzle), 0))
        size = f"[{len(puzzle.tubes)}][{puzzle.capacity}]"
        texts.append(f"static const unsigned char level_{number}{size} = {{\n{rows}}};\n")
    return "".join(texts)


def _csharp(boards: Sequence[tuple[str, SortBoard]]) -> str:
    rows = "".join(
        "  new[] { " + ", ".join(f"new int[] {{{', '.join(map(str, tube))}}}" for tube in _numbered(puzzle)) + " },\n"
        for _, puzzle in boards
    )
    return f"int[][][] levels = {{\n{rows}}};\n"


def _typescript(boards: Sequence[tuple[str, SortBoard]]) -> str:
    rows = "".join(f"  {json.dumps({'name': name, **puzzle.to_json()})},\n" for name, puzzle in boards)
    return f"export const levels = [\n{rows}];\n"


LEVEL_FILES: Mapping[str, Callable[[Sequence[tuple[str, SortBoard]]], str]] = {
    "top-first": _top_first,
    "unity": _unity,
    "csv": _csv,
    "c": _c,
    "csharp": _csharp,
    "typescript": _typescript,
}
"""The functions that write a pack, by the name of the form."""
