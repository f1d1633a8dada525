"""JSON as it is printed, and as the page gets it."""

import json
from typing import Any


def json_text(value: Any) -> str:
    r"""One line of JSON, in which nothing drives a terminal.

    JSON itself escapes the old control characters alone. Those from U+007F to U+009F and what turns the direction of
    writing come from the names in a file as well; a reader gets the same value back.

    >>> print(json_text({"name": "é\x9b\u202e"}))
    {"name": "é\u009b\u202e"}
    """
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)
