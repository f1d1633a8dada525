"""What is seen as one sign: a letter with its accents, an emoji of several characters, a flag.

The part of Unicode's rule that boards need (UAX 29): what joins a sign to the one before it is a mark, a variation
selector, a skin tone, a tag, or anything after a zero-width joiner; two regional indicators are a flag.
"""

import unicodedata
from itertools import pairwise

JOINER = "\u200d"
SELECTORS = "\ufe0e\ufe0f"
"""They choose how a sign is drawn, and don't show."""


def graphemes(text: str) -> list[str]:
    """The signs of a text, without variation selectors. Takes linear time.

    >>> graphemes("a☀️🇩🇪🇫🇷")
    ['a', '☀', '🇩🇪', '🇫🇷']
    """
    if text.isascii():
        return list(text)
    text = text.translate(dict.fromkeys(map(ord, SELECTORS)))
    starts = [0] if text else []
    flag = _is_half_a_flag(text[:1])  # whether the last sign lacks its second half
    for place, (before, character) in enumerate(pairwise(text), 1):
        half = _is_half_a_flag(character)
        if (half and flag) or before == JOINER or character == JOINER or _extends(character):
            flag = False
        else:
            starts.append(place)
            flag = half
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def _is_half_a_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _extends(character: str) -> bool:
    skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    tag = "\U000e0020" <= character <= "\U000e007f"
    return skin_tone or tag or unicodedata.category(character) in ("Mn", "Me", "Mc")
