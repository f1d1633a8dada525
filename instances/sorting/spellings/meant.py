"""The boards that a text means, or a question about them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from typing import Any
from urllib.parse import unquote

from bsp_sat.instances.choices import ReadingChoices
from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.instance import Boards
from bsp_sat.instances.sorting.notation import split_settings
from bsp_sat.instances.sorting.spellings.answer import answer
from bsp_sat.instances.sorting.spellings.beside import COMMENT, said_in_lines, said_in_settings
from bsp_sat.instances.sorting.spellings.candidates import Make
from bsp_sat.instances.sorting.spellings.decoders import NOT_READ, decoded, not_read
from bsp_sat.instances.sorting.spellings.lines import own_fields, packs_of_lines
from bsp_sat.instances.sorting.spellings.names import MATTER, SURE_ROOM, end_named, role_of
from bsp_sat.instances.sorting.spellings.notations import table_in_a_notation
from bsp_sat.instances.sorting.spellings.refused import without_a_remark
from bsp_sat.instances.sorting.spellings.sense import Verdict, judge
from bsp_sat.instances.sorting.spellings.shapes import packs_of_document
from bsp_sat.instances.sorting.spellings.table import Pack, Said, Table, dearer
from bsp_sat.instances.text.documents import Document, read_document
from bsp_sat.instances.text.reading import as_json, check_number
from bsp_sat.instances.text.values import Item
from bsp_sat.instances.text.words import short

MOST_LINES = 20
"""Of a board of a pack, by which a text of millions of lines is refused before it is looked at closely."""

SIDE_BY_SIDE = 2.0
"""What it costs to take what blank lines separate for rows of tubes of one board."""

MERGED = 2.5
"""What it costs to take for one board what would be several between blank lines."""


def boards_in_values(items: Sequence[Item], make: Make, choices: ReadingChoices) -> Boards:
    """The boards that values mean. Raises BoardError if there are none, and AmbiguousBoard if that isn't clear."""
    document = Document("json" if len(items) == 1 else "lines", list(items))
    packs, value = [*packs_of_document(document)], document.value()
    read = partial(_judge_values, packs, value, make)
    return answer(read(choices), choices, read)


def _judge_values(packs: Sequence[Pack], value: Any, make: Make, choices: ReadingChoices) -> Verdict:
    """What boards in a value are taken for.

    If it holds none, the error is the first fault as a board in the project's own form, if no tubes are in it; and
    names the list of numbers beside them that may say how many balls of each tube there are.
    """
    if not packs:
        if not isinstance(value, dict | list):
            raise BoardError("", f"expected a board as a JSON object, found {as_json(value)}")
        if isinstance(value, dict) and "tubes" not in value and "" in map(role_of, value):
            found = short(", ".join(value))
            raise BoardError("tubes", f"missing, and no balls of tubes are in {found}: this is no board")
        make(value if isinstance(value, dict) else {"capacity": 1, "tubes": value}, "")
        raise BoardError("", "expected a board, found no ball")
    try:
        return judge(packs, make, choices)
    except BoardError as error:
        lists = {key: each for key, each in value.items() if isinstance(each, list)} if isinstance(value, dict) else {}
        for key, numbers in lists.items():
            alike = [each for each in lists.values() if len(each) == len(numbers)]
            if len(alike) > 1 and all(type(number) is int for number in numbers):
                helps = "does it count the balls of each tube? Then leave out the others, and it"
                raise BoardError(key, f"{helps}; {error}") from None
        raise


def boards_in_text(text: str, make: Make, choices: ReadingChoices) -> Boards:
    """The boards that a text means. Raises BoardError if there are none, and AmbiguousBoard if that isn't clear."""
    read = partial(judge_text, text, make)
    try:
        verdict = read(choices)
    except BoardError as error:
        if known := not_read(text):
            raise BoardError("", f"{known} {NOT_READ}") from None
        verdict = without_a_remark(text, error, lambda edited, said: judge_text(edited, make, said), choices)
    return answer(verdict, choices, read)


def judge_text(text: str, make: Make, choices: ReadingChoices) -> Verdict:
    """What a text is taken for. Raises BoardError if there is no board in it."""
    if text.lstrip()[:1] not in ("[", "{", "("):
        check_number(max(text.count("\n\n"), text.count("\n") // MOST_LINES))
        check_number(sum("|" in line for line in text.split("\n")))
    text = decoded(_without_marks(text))
    if (table := table_in_a_notation(text)) is not None:
        return judge([[table]], make, choices)
    own, own_fault = dict[str, Any](), None
    try:
        own = own_fields(text)
    except BoardError as error:
        own_fault = error
    said, rest = Said(), text
    if text.lstrip()[:1] not in ("{", "["):
        with suppress(BoardError):
            settings, lines_left = split_settings(text)
            said, rest = said_in_settings(settings), "\n".join(lines_left)
    document, fault = None, None
    covered = [tube for tube in own.get("hidden", ()) if any(tube)]
    # Brackets around whole tubes are those of lists.
    if "," in text or not covered or any(tube[-1] for tube in covered):
        try:
            document = read_document(rest)
        except NotJson as error:
            if rest.lstrip()[0] in "{[(":
                raise
            fault = error
    packs = [] if document is None else [*packs_of_document(document, said)]
    begins = rest.lstrip()[:1]
    is_object = document is not None and isinstance(document.items[0].value, dict)
    surely = begins == "{" or (packs and (begins in ("[", "(") or is_object))
    if document is not None and (document.syntax != "brackets" or surely):
        return _judge_values(packs, document.value(), make, choices)
    if own_fault is not None and not packs and _is_setting_misspelt(text):
        raise own_fault
    if _is_worded(text):
        own_fault = None
    try:
        parts = [*_packs_of_parts(text, make, choices)]
        merged = MERGED * bool(parts)
        try:
            lines = [dearer(pack, merged) for pack in packs_of_lines(text)]
        except BoardError:
            if not packs:
                raise
            lines = []  # it is no board in lines
        verdict = judge([*packs, *parts, *lines], make, choices)
    except BoardError as error:
        raise (fault or own_fault or error) from None
    if own_fault is not None and not verdict.sure:
        raise fault or own_fault
    return verdict


_COMMENTS_BEFORE = re.compile(r"\A(?:[ \t\r\n\ufeff]*(?://|\#|--|%|;)[^\n]*\n)++(?=\s*+(?:[\[{(]|```))")
_QUOTED = re.compile(r"[ \t]*>(?: |$)")
_BETWEEN_BOARDS = re.compile(r"(?m)^[ \t]*(?:={3,}|([-=*~])\1{2,} ?[^\W\d]{1,20} #?\d{1,6} ?\1{3,})[ \t\r]*$")
_IN_BRACKETS = re.compile(r"(?m)^[ \t]*[(\[]([^\[\](){}\n]{1,80})[)\]][ \t\r]*$")
_SHORTCODES = re.compile(r"(?::\w{2,30}:)+|[-_|]+")
"""Names of emoji between colons, or room."""
_BREAK = re.compile(r"<br ?/?>")
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*|(?<!\S)([*_])([^\W_]{2,20})\2(?!\S)")


def _without_marks(text: str) -> str:
    """A text without what mail and Markdown put before and around lines, and without rulers between boards."""
    if text.strip()[:3].upper() in ("%5B", "%7B"):
        text = unquote(text)
    if text.lstrip().startswith("{"):
        return text
    text = re.sub("[\u00ad\u200b\u2060]", "", text)
    if all(map(_SHORTCODES.fullmatch, text.split())):
        text = text.replace(":", " ")
    text = _BOLD.sub(lambda bold: bold[1] or (bold[3] if bold[3] in SURE_ROOM else bold[0]), _BREAK.sub("\n", text))
    text = _IN_BRACKETS.sub(lambda line: line[0] if end_named(line[1]) is None else line[1], text)
    text = _COMMENTS_BEFORE.sub(lambda comments: "\n" * comments[0].count("\n"), text)
    lines = text.strip().split("\n")
    fences = [at for at, line in enumerate(lines) if line.lstrip().startswith("```")]
    if len(fences) == 2 and lines[fences[1]].strip() == "```":
        outside = [*lines[: fences[0]], *lines[fences[1] + 1 :]]
        if not any(map(_may_matter, outside)):
            return _without_marks("\n".join(lines[fences[0] + 1 : fences[1]]))
    quoted = [_QUOTED.match(line) is not None for line in lines]
    others = [line for line, quote in zip(lines, quoted, strict=True) if not quote]
    if any(quoted) and all(not line.strip() or COMMENT.match(line) for line in others):
        bare = (line.lstrip()[2:] if quote else line for line, quote in zip(lines, quoted, strict=True))
        return _without_marks("\n".join(bare))
    return _BETWEEN_BOARDS.sub("", text)


def _may_matter(line: str) -> bool:
    """Whether a line of prose may say something of the board: it has a number, or a word with a meaning."""
    said = re.search(r"(?i)\d|tube|vial|bottle|flask|ball|colou?r|empty|spare", line) or end_named(line) is not None
    return bool(said) or any(role_of(word) in ("rule", *MATTER) for word in re.findall(r"\w+", line))


def _is_worded(text: str) -> bool:
    """Whether most lines have what separates cells."""
    lines = [line for line in text.splitlines() if line.strip()]
    return 2 * sum(len(line.split()) > 1 or any(mark in line for mark in ",;/\t") for line in lines) > len(lines)


def _is_setting_misspelt(text: str) -> bool:
    """Whether a name and a word, or two numbers, are among lines of letters, and neither stands anywhere else."""
    _, lines = said_in_lines(split_settings(text)[1], Said())
    filled = [line.split() for line in lines if line.strip(" -_\t")]
    words = Counter(chain(*filled))
    pairs = [line for line in filled if len(line) == 2 and words[line[0]] == words[line[1]] == 1]
    strange = any(line[0].isalpha() or "".join(line).isdecimal() for line in pairs)
    return strange and 2 * sum(len(line) > 1 for line in filled) <= len(filled)


def _packs_of_parts(text: str, make: Make, choices: ReadingChoices) -> Iterator[Pack]:
    """The boards between blank lines, if at least two parts are unsolved boards by themselves."""
    parts = _parts(text)
    check_number(len(parts))
    tables: Pack = []
    beside: Pack = []
    unsolved = 0
    for number, part in parts.items() if len(parts) > 1 else ():
        try:
            table = table_in_a_notation(part)
            packs = [[table]] if table else [*packs_of_lines(part)]
            beside += packs[0][:1] if packs else []
            verdict = judge(packs, make, choices)
            best = verdict.readings[0 if verdict.sure else -1]  # the last has no tube that isn't there
        except BoardError:
            tables.append(Table([], place=f"line {number}"))
            continue
        tables += [replace(board.parsed.table, place=f"line {number}") for board in best.boards]
        unsolved += sum(not board.puzzle.is_goal() and len(board.parsed.tubes) > 1 for board in best.boards)
    if unsolved > 1:
        yield tables
    heights = {len(table.rows) for table in beside}
    alike = len(beside) == len(parts) and all(len({*map(len, table.rows)}) == 1 for table in beside)
    if alike and len(heights) == 1 < max(heights):
        rows = [[*chain(*row)] for row in zip(*(table.rows for table in beside), strict=True)]
        notes = ("rows of tubes below one another",)
        yield [replace(beside[0], rows=rows, ways="columns", place="", cost=SIDE_BY_SIDE, notes=notes)]


def _parts(text: str) -> dict[int, str]:
    """What blank lines separate, by number of the first line, without parts that are only comments."""
    parts = {}
    for blank, group in groupby(enumerate(text.splitlines(), start=1), lambda line: not line[1].strip(" \r")):
        numbers, lines = zip(*group, strict=True)
        if not blank and not all(line.startswith("#") for line in lines):
            parts[numbers[0]] = "\n".join(lines)
    return parts
