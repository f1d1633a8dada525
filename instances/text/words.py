"""Parsing typed numbers, and shortening text quoted in messages."""

MAX_DIGITS = 9


def parse_number(word: str) -> int | None:
    """The number that ``word`` spells in decimal digits; None if it is none, or absurdly large.

    >>> parse_number("12"), parse_number("-1"), parse_number("twelve")
    (12, None, None)
    """
    return int(word) if word.isdecimal() and len(word) <= MAX_DIGITS else None


def short(text: str, longest: int = 60) -> str:
    """``text``, shortened if it is long.

    >>> short("abcdefgh", longest=6)
    'abc...'
    """
    return text if len(text) <= longest else text[: longest - 3] + "..."
