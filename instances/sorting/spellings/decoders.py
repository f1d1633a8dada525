"""Notations that separators and brackets alone don't read: each is rewritten as values, or as a tube a line.

To read another one, write a function like those here, and an entry in `DECODERS` with an example, which is tested. It
takes a look at each character, never guesses (None, if the text is something else), and leaves out nothing that says
more than where a ball is.
"""

import json
import re
import struct
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.words import short

_HEX = re.compile(r"(?m)^([ \t]*(?:- )?(\w+):)[ \t]+((?:[0-9a-f]{8})+)[ \t]*\r?$")
_NOTHING = re.compile(r"(?m)^([ \t]*(?:- )?(\w+):)[ \t]*\r?$(?!\n[ \t]+-)")
_R_LIST = re.compile(r"(?m)^\[\[\d+\]\]\n(?:\[1\] ([^\n]*)|character\(0\)|numeric\(0\)|integer\(0\)|NULL)\n?")
_R_HEADING = re.compile(r"(?m)^[ \t]*(?:\[,\d+\][ \t]*)+\r?\n")
_R_ROW = re.compile(r"(?m)^[ \t]*\[\d+,\]([^\r\n]*)")
_BALL_EACH = re.compile(r"\s*\D{0,20}(\d{1,4})\s*[,;\t]\s*\D{0,20}(\d{1,4})\s*[,;\t]\s*\"?([^\W\d][\w -]*)\"?\s*")


class Decoder(NamedTuple):
    """A notation.

    Attributes:
        name: what it is, for messages.
        signs: what texts in it hold.
        decode: rewrites such a text; None if it can't. No function if the notation isn't read at all.
        source: where it is used.
        example: a text in it, and the tubes that it means, bottom first, each ball by its first sign.
    """

    name: str
    signs: re.Pattern[str]
    decode: Callable[[str], str | None] | None = None
    source: str = ""
    example: tuple[str, str] = ("", "")


def _unity(text: str) -> str | None:
    names = {found[2] for found in _HEX.finditer(text)}  # lists of numbers; those without any have no digits
    text = _NOTHING.sub(lambda found: f"{found[1]} []" if found[2] in names else found[0], text)

    def numbers(found: re.Match[str]) -> str:
        return f"{found[1]} {[*struct.unpack(f'<{len(found[3]) // 8}i', bytes.fromhex(found[3]))]}"

    return _HEX.sub(numbers, text)


def _r_lists(text: str) -> str | None:
    return _R_LIST.sub(lambda tube: tube[1] or "-", text)


def _r_matrix(text: str) -> str | None:
    return _R_ROW.sub(lambda row: "\t".join(row[1].split()), _R_HEADING.sub("", text))  # so none are sizes


def _ball_each(text: str) -> str | None:
    """A heading, then a tube, a place and a colour in each line."""
    found = [_BALL_EACH.fullmatch(line) for line in text.strip().split("\n")[1:]]
    balls = sorted((int(ball[1]), int(ball[2]), ball[3].strip()) for ball in found if ball)
    numbers = [*dict.fromkeys(tube for tube, _, _ in balls)]
    if len(balls) < len(found) or len({ball[:2] for ball in balls}) < len(balls) or len(numbers) < 2:
        raise BoardError(
            "", "a table with a line for each ball isn't read: expected the tubes as lists, or a line each"
        )
    if numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
        raise BoardError(
            "", f"expected tubes counted in order, as one that isn't there may be empty, found {short(str(numbers))}"
        )
    tubes = groupby(balls, itemgetter(0))
    return json.dumps({"tubes": [[colour for *_, colour in tube] for _, tube in tubes]})


def _ball_a_line(text: str) -> str | None:
    """The number of tubes, then a ball a line."""
    number, *balls = text.split()
    size, rest = divmod(len(balls), int(number))
    if rest or size < 2 or len({*map(len, balls)}) < 2 or 2 * len({*balls}) > len(balls):  # tubes of letters, then
        return None
    return json.dumps([balls[at : at + size] for at in range(0, len(balls), size)])


def _until_a_mark(text: str) -> str | None:
    """A ball a line, and one word after each tube."""
    *balls, mark = text.split()
    tubes = [part.split() for part in "\n".join([*balls, ""]).split(f"{mark}\n")]
    sizes = [len(tube) for tube in tubes if tube]
    alike = (
        len(sizes) > 1
        and len({*sizes}) == 1 < sizes[0]
        and all(len(ball) != len(mark) or ball == mark for ball in balls)
    )
    return json.dumps(tubes) if alike and not all(tubes) else None


def _kinds_of_lines(text: str) -> str | None:
    """Colours, then tubes, each line with the letter of its kind before it."""
    lines = [line.split(";") for line in text.split()]
    kinds = [*dict.fromkeys(line[0] for line in lines)]
    colours = {line[1] for line in lines if line[0] == kinds[0]}
    tubes = [[ball for ball in line[1:] if ball] for line in lines if line[0] != kinds[0]]
    return json.dumps(tubes) if len(kinds) == 2 and {ball for tube in tubes for ball in tube} == colours else None


DECODERS = (
    Decoder("Unity's list of numbers in hexadecimal", _HEX, _unity, "assets of Unity: eight digits a number",
            ("--- !u!114 &1\ntubes:\n- balls: 0100000002000000\n- balls: 0200000001000000\n- balls: \n", "12 21 ")),
    Decoder("a list of R", _R_LIST, _r_lists, "print(list(…))",
            ("[[1]]\n[1] 1 2\n\n[[2]]\n[1] 2 1\n\n[[3]]\nNULL\n", "12 21 ")),
    Decoder("a matrix of R", _R_HEADING, _r_matrix, "print(matrix(…))",
            ("   [,1] [,2] [,3]\n[1,]  4    1   NA\n[2,]  4    1   NA\n[3,]  1    4   NA\n[4,]  1    4   NA\n",
             "1144 4411 ")),
    Decoder("a list of Julia", re.compile(r"\A\s*\S+(?: |-element )(?:Vector|Matrix|Array)\{[^\n]*:(?=\n)"),
            lambda text: text.lstrip().partition("\n")[2], "the prompt of Julia",
            ('3-element Vector{String}:\n "ab"\n "ba"\n ""', "ab ba ")),
    Decoder("a table with a line for each ball", re.compile(r"\A(?=[^\n]*\btube\b)[^\n]*\bposition\b"), _ball_each,
            "tables of statistics",
            ("tube,position,color\n1,1,r\n1,2,b\n2,1,b\n2,2,r\n2,3,r\n2,4,g\n3,1,g\n3,2,b\n4,1,g\n4,2,r\n4,3,b\n4,4,g",
             "rb brrg gb grbg")),
    Decoder("a ball a line below their number",
            re.compile(r"\A\s*[1-9]\d?\s*\n(?:[^\W\d]\w*\s*\n){3,}[^\W\d]\w*\s*\Z"), _ball_a_line, "github.com/batzilo",
            ("3\nOrange\nBlue\nBlue\nOrange\nEmpty\nEmpty\n", "OB BO ")),
    Decoder("a ball a line, and a word after each tube",
            re.compile(r"\A(?:\w{2,}\s*\n){3,}\w{2,}\s*\Z"), _until_a_mark, "github.com/brucevahldick",
            ("FF0000\n00FF00\nbrk\n00FF00\nFF0000\nbrk\nbrk", "F0 0F ")),
    Decoder("lines with the letter of their kind", re.compile(r"\A(?:[A-Z];[^\s]*\s+){3,}"), _kinds_of_lines,
            "github.com/guilhermelange", ("C;AZUL;#0000FF\nC;ROSA;#FF1493\nT;AZUL;ROSA\nT;ROSA;AZUL\nT;\n", "AR RA ")),
    Decoder("XML", re.compile(r"\A\s*<[!?A-Za-z]")),
    Decoder("a settings file (.ini)", re.compile(r"\A\s*\[\w+\][^\S\n]*\n\s*\w+\s*=")),
    Decoder("a program that fills tubes ball by ball", re.compile(r"\.(?:push|push_back|add|append)\(")),
    Decoder("YAML in which yes, no, on or off is a colour without quotes",
            re.compile(r"(?m)^[^\S\n]*-[^\n]*\b(?:yes|no|on|off)\b")),
)  # fmt: skip
"""The notations. No sign may take more than a look at each character."""


def decoded(text: str) -> str:
    """A text, rewritten if it is in one of these notations."""
    for each in DECODERS:
        if each.decode and each.signs.search(text) and (found := each.decode(text)) is not None:
            return found
    return text


def not_read(text: str) -> str:
    """The notation of a text that isn't read; empty if it is in none."""
    return next((each.name for each in DECODERS if each.decode is None and each.signs.search(text)), "")
