"""What to say of lines that are no board: which of them was taken for a tube, and what helps."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from bsp_sat.instances.choices import ReadingChoices
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting.notation import SETTINGS
from bsp_sat.instances.sorting.spellings.names import SURE_ROOM
from bsp_sat.instances.sorting.spellings.sense import SURE, Verdict
from bsp_sat.instances.text.graphemes import graphemes
from bsp_sat.instances.text.words import quantity, short

Read = Callable[[str, ReadingChoices], Verdict]
"""What a text is taken for."""

MOST_LINES, MOST_SIGNS = 60, 2_000
"""Of a text that is read again without some lines. Each attempt takes as long as reading did."""

_AT_ENDS = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (4, 0), (2, 2))
"""How many lines at the beginning and the end may be something else than tubes, the likeliest first."""

_IN_THE_MIDDLE = 20
"""Lines of which each is left out by itself."""

_WORDS = 3
"""At the beginning of the only line that may be something else."""


def without_a_remark(text: str, error: BoardError, read: Read, choices: ReadingChoices) -> Verdict:
    """What lines are taken for without what may be no tube, as a question that names it and says why.

    ``error`` says why the lines are no board. What the user has said doesn't change what is left out, so that each
    reading can be picked. If no such text is a board, BoardError names the line that is unlike the others, if there is
    one.
    """
    lines = text.split("\n") if len(text) <= 10 * MOST_SIGNS and _VALUE.match(text) is None else []
    filled = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    if not filled:
        raise error
    helping = None
    is_short = len(filled) <= MOST_LINES and len(text) <= MOST_SIGNS
    for place, found, edited in _edits(lines, filled) if is_short else ():
        with suppress(BoardError):
            verdict = read(edited, choices._replace(read_as=None, empty=None))
            if verdict.sure or (helping is None and verdict.readings[0].cost <= SURE):
                helping = place, found, edited
            if verdict.sure:
                break
    if helping is None:
        raise _at_the_odd_line(lines, filled, error)
    place, found, edited = helping
    verdict = read(edited, choices)
    why = str(error).partition(";")[0]
    question = f"{place}: {short(repr(found), 40)} was taken for a part of the board, and so: {why}; if it is none"
    return Verdict(tuple(replace(each, option={}) for each in verdict.readings), question=question)


def _edits(lines: list[str], filled: list[int]) -> Iterator[tuple[str, str, str]]:
    """Texts without something that may be no tube: where it stands, what it is, and the text then."""
    if len(filled) == 1:
        (at,) = filled
        words = lines[at].split()
        for number in range(1, min(_WORDS, len(words) - 1) + 1):
            found = " ".join(words[:number])
            yield f"line {at + 1}", found, " ".join(words[number:])
    for left_out in _left_out(lines, filled):
        if 2 * len(left_out) <= len(filled) and not any(_is_empty(lines[at]) or "\t" in lines[at] for at in left_out):
            kept = [_words(line) for at, line in enumerate(lines) if at not in left_out]
            if any({*_words(lines[at])} <= {*chain(*kept)} and _words(lines[at]) for at in left_out):  # a tube
                continue
            edited = "\n".join("# " * (at in left_out) + line for at, line in enumerate(lines))
            which = "line" if len(left_out) == 1 else "lines"
            place = f"{which} {', '.join(str(at + 1) for at in left_out)}"
            yield place, lines[left_out[0]].strip(), edited


def _words(line: str, between: str = r"\s,;|/") -> list[str]:
    """The words of a line, without a label."""
    words = re.split(rf"[{between}]", re.split(r"[:=：]", line)[-1])
    return [word.strip() for word in words if word.strip()]


_VALUE = re.compile(r"\s*(?:[{(<%]|(?i:insert|create|drop|delete|update|begin)\s+\w|\[(?![^\[\]\",]*\] ?\w))")
"""What is no text of lines, though a time in brackets may stand before a line."""
_SET = re.compile(rf"\s*(?:{'|'.join(SETTINGS)})[\s:=]+\S")
_LIST = re.compile(r"[\[(]\s*[\[\"']")
"""What begins a list of balls or tubes in code."""
_BETWEEN = (r"\s,;|/", ",;|/")
"""What may stand between balls."""


def _is_empty(line: str) -> bool:
    """Whether a line is an empty tube, perhaps after a label."""
    words = re.split(r"[:=：]", line)[-1].casefold().split()
    return {*words} <= SURE_ROOM - {"--"} and (bool(words) or re.search(r"\d", line) is not None)


def _left_out(lines: list[str], filled: list[int]) -> Iterator[list[int]]:
    """Lines that may be no tubes: some at the ends, or one in the middle."""
    for above, below in _AT_ENDS:
        if above + below < len(filled):
            left_out = [*filled[:above], *filled[len(filled) - below :]]
            if below and lines[left_out[-below] - 1].rstrip() == "--":  # which begins a signature
                left_out.insert(-below, left_out[-below] - 1)
            yield left_out
    yield from ([at] for at in filled[1:-1][:_IN_THE_MIDDLE])


def _at_the_odd_line(lines: list[str], filled: list[int], error: BoardError) -> BoardError:
    """The error with the line that alone has another number of balls, or has a ball that stands more or less often."""
    filled = [at for at in filled if _SET.match(lines[at]) is None]
    split = [{at: _words(lines[at], between) for at in filled} for between in _BETWEEN]
    kept = [{at: row for at, row in rows.items() if not {*map(str.casefold, row)} <= SURE_ROOM} for rows in split]
    if all(len(row) == 1 for row in kept[0].values()):
        kept = [{at: graphemes(row[0]) for at, row in kept[0].items()}]
        if 2 * sum(len(row) == 1 for row in kept[0].values()) > len(kept[0]) > 1:
            why = "most lines are one ball, nothing says where a tube ends: write the balls of each tube in one line"
            return BoardError(f"line {filled[0] + 1}", f"{why}; {error}")
    rows = kept[0]
    ((usual, times),) = Counter(map(len, rows.values())).most_common(1) or [(0, 0)]
    odd = [at for at, row in rows.items() if len(row) != usual]
    if len(odd) == 1 and times > 1:
        (at,) = odd
        part = "ball" if error.where.startswith("tube") else "part"
        helps = "write ? for one that is missing" if len(rows[at]) < usual else "is one too many?"
        why = f"{short(repr(lines[at].strip()), 40)} has {quantity(len(rows[at]), part)}, the others {usual}: {helps}"
        return BoardError(f"line {at + 1}", f"{why}; {error}")
    if strange := min(filter(None, map(_strange, kept)), key=len, default=[]):
        at, why = strange[0]
    elif error.where.startswith("line") or not filled:
        return error
    else:
        at, helps = filled[0], "expected balls, all with the same mark between them"
        if lists := [at for at in filled if _LIST.search(lines[at])]:
            at, helps = lists[0], 'of code keep only a list of tubes, as [["a", "b"], ["b", "a"], []]'
        why = f"{short(repr(lines[at].strip()), 40)} is no tube as it stands: {helps}"
    return BoardError(f"line {at + 1}", f"{why}; {error}")


def _strange(rows: Mapping[int, Sequence[str]]) -> list[tuple[int, str]]:
    """The lines of balls that don't stand as often as most others, or a multiple of that, and what to say of each."""
    words = Counter(chain(*rows.values()))
    first = {word: at for at, row in [*rows.items()][::-1] for word in row}
    merged = {at: [word.casefold() for word in row] for at, row in rows.items()}
    alike = [sorted(word for word in words if word.casefold() == each) for each in Counter(chain(*merged.values()))]
    if [*map(len, alike)] != [1] * len(words) and not _strange(merged):
        names = max(alike, key=len)
        why = f"{short(' and '.join(map(repr, names)))} differ only by case: expected one spelling"
        return [(first[names[0]], why)]
    found = []
    for usual, _ in Counter(number for number in words.values() if number > 1).most_common(1):
        for word, number in words.items():
            if number % usual and re.search(r"[\[\]{}\"']|^[^(]*\)|^[!-/:-@]+$", word) is None:  # else it is of a list
                often = f"{number} times, most others {usual}" if number > 1 else "only here"
                helps = "is it a ball, spelt as elsewhere?"
                found.append((first[word], f"{short(repr(word), 40)} stands {often}: {helps}"))
    return found
