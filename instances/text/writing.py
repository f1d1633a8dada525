"""JSON as it is printed, and as the page gets it."""

import json
import math
from typing import Any


def json_text(value: Any) -> str:
    r"""One line of JSON, in which nothing drives a terminal, and a number that JSON doesn't have is null.

    Python reads and writes NaN and Infinity, and reads 1e999 as the latter; they come from the keys of a file that
    nobody looks at. JavaScript writes null for them, too.

    >>> print(json_text({"weight": float("inf")}))
    {"weight": null}

    JSON itself escapes the old control characters alone. Those from U+007F to U+009F and what turns the direction of
    writing come from the names in a file as well; a reader gets the same value back.

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


def finite(value: Any) -> Any:
    """A JSON value with null for the numbers that JSON doesn't have."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {key: finite(inner) for key, inner in value.items()}
        case list() | tuple():
            return [finite(inner) for inner in value]
    return value
