"""Files as text, and text as JSON: what has no end, or no bottom, is refused before it fills the memory.

What may be read:

* **files**, up to `MAX_BYTES`;
* **pipes**, up to as much: ``bsp-sat show <(command)`` hands over one as ``/dev/fd/63``. A pipe that nobody has opened
  for writing is refused after `WRITER_SECONDS`. One that somebody holds open is waited for, as any program would: a
  slow writer can't be told from a silent one, and Ctrl-C works;
* **standard input**, as ``-`` or ``/dev/stdin``, whatever is behind it, up to as much;
* no other **devices**: ``/dev/zero`` has no end, and reading others does things.
"""

import json
import os
import stat
import sys
import time
from collections import Counter
from pathlib import Path
from typing import IO, Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.words import short

MAX_BYTES = 100_000_000  # some 200,000 boards; the text and its objects take a few times as much memory
MAX_DEPTH = 100  # of lists and objects inside each other; whatever walks them may recurse
WRITER_SECONDS = 3.0
STANDARD_INPUT = ("-", "/dev/stdin")
CHUNK = 1 << 16


def in_words(name: str) -> str:
    """A source as messages name it."""
    return "standard input" if name in STANDARD_INPUT else name


def read_text(name: str) -> str:
    """The text of a file, a pipe, or of standard input.

    Raises:
        FileNotFoundError: there is no such file.
        BoardError: it can't be read, has no end in sight, or isn't text.
    """
    data = read_bytes(name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BoardError(in_words(name), f"not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}") from None


def read_bytes(name: str) -> bytes:
    """The bytes of a file, a pipe, or of standard input.

    Raises:
        FileNotFoundError: there is no such file.
        BoardError: it can't be read, or has no end in sight.
    """
    try:
        return _read_standard_input() if name in STANDARD_INPUT else _read_file(name)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # a folder, no permission; a NUL in the name
        raise BoardError(in_words(name), getattr(error, "strerror", None) or str(error)) from None


def _read_standard_input() -> bytes:
    if sys.stdin is None:  # closed before the program began
        raise BoardError("standard input", "it is closed")
    return _bounded(sys.stdin.buffer, "-")


def _read_file(name: str) -> bytes:
    # Not blocking: opening a pipe would wait for its writer. What is open can't be exchanged for something else.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(Path(name), flags), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISFIFO(mode):
            return _read_pipe(file.fileno(), name)
        if not stat.S_ISREG(mode):
            raise BoardError(name, "expected a file, a pipe or - for standard input, found a device")
        return _bounded(file, name)


def _bounded(file: IO[bytes], name: str) -> bytes:
    data = file.read(MAX_BYTES + 1) or b""
    if len(data) > MAX_BYTES:
        raise _too_long(name)
    return data


def _read_pipe(pipe: int, name: str) -> bytes:
    """What comes out of a pipe that doesn't block, until its writers have closed it."""
    import select  # has no `poll` where there are no such pipes

    coming = select.poll()
    coming.register(pipe, select.POLLIN)
    parts: list[bytes] = []
    size = 0
    deadline: float | None = time.monotonic() + WRITER_SECONDS
    while True:
        try:
            part = os.read(pipe, CHUNK)
        except BlockingIOError:  # somebody holds the other end
            deadline = None
            coming.poll()
            continue
        if part:
            deadline = None
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES:
                raise _too_long(name)
        elif deadline is None or coming.poll(0):  # the writers have gone, perhaps before this began
            return b"".join(parts)
        elif time.monotonic() > deadline:
            raise BoardError(name, f"nobody has opened this pipe for writing within {WRITER_SECONDS:g} s")
        else:
            time.sleep(0.01)


def _too_long(name: str) -> BoardError:
    return BoardError(in_words(name), f"expected at most {MAX_BYTES // 1_000_000} MB, found more")


class NotJson(BoardError):
    """A fault of JSON syntax, whose place says the line already."""


def parse_json(text: str, first_line: int = 1) -> Any:
    """Reads one JSON value.

    Args:
        text: the whole of it.
        first_line: number of the text's first line in its file, for messages.

    Raises:
        NotJson: a fault of syntax.
        BoardError: nested too deeply, a number of thousands of digits, half a character, a key twice in one object.
    """
    too_deep = BoardError("", f"not usable JSON: nested more than {MAX_DEPTH} levels deep")
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
        if _is_deep(value):
            raise too_deep
        if not text.isascii() or "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # refuses halves of characters, which no output can hold
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise NotJson(f"line {line}, column {error.colno}", f"not JSON: {error.msg}") from None
    except RecursionError:
        raise too_deep from None
    except ValueError as error:
        raise BoardError("", f"not usable JSON: {error}") from None
    return value


def _is_deep(value: Any) -> bool:
    """Whether lists and objects are nested more than `MAX_DEPTH` deep; without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        parts = [outer.values() if type(outer) is dict else outer for outer in level if type(outer) in (dict, list)]
        level = [inner for outer in parts for inner in outer]
        if not level:
            return False
    return True


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise BoardError(short(twice), "expected once, found twice in one object")
    return fields
