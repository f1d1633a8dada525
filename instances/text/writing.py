"""JSON and CSV for output and the page; files written completely or not at all."""

import io
import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from stat import S_IMODE
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.words import short


def json_text(value: Any) -> str:
    r"""One line of JSON, without terminal control characters, and with null for NaN and Infinity.

    Python reads and writes NaN and Infinity, and reads 1e999 as the latter; they may come from unchecked keys of a
    file. JavaScript writes null for them, too.

    >>> print(json_text({"weight": float("inf")}))
    {"weight": null}

    JSON itself escapes only control characters below U+0020. Those from U+007F to U+009F, and characters that change
    the direction of writing, may come from names in a file. A reader gets the same value back.

    >>> print(json_text({"name": "é\x9b\u202e"}))
    {"name": "é\u009b\u202e"}
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(finite(value), ensure_ascii=False, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Rows as CSV for spreadsheets.

    They compute what begins with a sign of formulas, and names may come from anyone: such texts get an apostrophe.

    >>> csv_text([["=1+1", -1]])
    "'=1+1,-1\n"
    """
    import csv  # for few commands

    text = io.StringIO()
    formulas = ("=", "+", "-", "@", "\t", "\r")
    for row in rows:
        cells = [f"'{cell}" if isinstance(cell, str) and cell.startswith(formulas) else cell for cell in row]
        csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def finite(value: Any) -> Any:
    """A JSON value with null for NaN and Infinity."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {key: finite(inner) for key, inner in value.items()}
        case list() | tuple():
            return [finite(inner) for inner in value]
    return value


def make_folder(name: Path) -> None:
    """Makes a folder unless it is there; BoardError names it."""
    try:
        name.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BoardError(str(name), f"the folder can't be made: {error.strerror or error}") from None


def write_file(name: Path, data: bytes) -> None:
    """Writes a file atomically, all or nothing, but devices and pipes directly; BoardError names it."""
    place = name.resolve()  # keeps links
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        temporary = place.with_name(f".{short(place.name, 40)}-{os.getpid()}")
        try:
            with temporary.open("xb") as file:
                if place.exists():
                    temporary.chmod(S_IMODE(place.stat().st_mode))
                file.write(data)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise BoardError(str(name), error.strerror or str(error)) from None
