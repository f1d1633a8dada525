"""Numbers as people type them, and text as messages quote it."""

MAX_DIGITS = 9


def parse_number(word: str) -> int | None:
    """The number that ``word`` spells in decimal digits; None where it spells none, or one beyond any use.

    >>> parse_number("12"), parse_number("-1"), parse_number("twelve")
    (12, None, None)
    """
    return int(word) if word.isdecimal() and len(word) <= MAX_DIGITS else None


def short(text: str, longest: int = 60) -> str:
    """``text``, cut where it is long.

    >>> short("abcdefgh", longest=6)
    'abc...'
    """
    return text if len(text) <= longest else text[: longest - 3] + "..."
