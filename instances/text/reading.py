"""Reads files as text and text as JSON. Endless input and bottomless nesting are refused before memory is full.

It reads:

* **files**, up to `MAX_BYTES`;
* **pipes**, up to the same size: ``bsp-sat show <(command)`` passes one as ``/dev/fd/63``. A pipe without a writer is
  refused after `WRITER_SECONDS`. With a writer it waits, as any program would: a slow writer can't be told from a
  silent one, and Ctrl-C works;
* **standard input**, as ``-`` or ``/dev/stdin``, whatever it is, up to the same size;
* no other **devices**: ``/dev/zero`` has no end, and reading others has side effects.
"""

import json
import os
import stat
import sys
import time
from collections import Counter
from pathlib import Path
from typing import IO, Any

from bsp_sat.instances.errors import BoardError, NotJson
from bsp_sat.instances.text.words import short

MAX_BYTES = 100_000_000  # some 200,000 boards; text and objects take several times as much memory
MAX_DEPTH = 100  # nested lists and objects; code that walks them may recurse
WRITER_SECONDS = 3.0
STANDARD_INPUT = ("-", "/dev/stdin")
CHUNK = 1 << 16


def in_words(name: str) -> str:
    """The name of a source in messages."""
    return "standard input" if name in STANDARD_INPUT else name


def read_text(name: str) -> str:
    """The text of a file, a pipe or standard input.

    Raises:
        FileNotFoundError: there is no such file.
        BoardError: it can't be read, is too large, or isn't text.
    """
    data = read_bytes(name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BoardError(in_words(name), f"not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}") from None


def read_bytes(name: str) -> bytes:
    """The bytes of a file, a pipe or standard input.

    Raises:
        FileNotFoundError: there is no such file.
        BoardError: it can't be read, or is too large.
    """
    try:
        return _read_standard_input() if name in STANDARD_INPUT else _read_file(name)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # a folder, no permission; a NUL in the name
        raise BoardError(in_words(name), getattr(error, "strerror", None) or str(error)) from None


def _read_standard_input() -> bytes:
    if sys.stdin is None:  # closed before the program started
        raise BoardError("standard input", "it is closed")
    return _bounded(sys.stdin.buffer, "-")


def _read_file(name: str) -> bytes:
    # Non-blocking: opening a pipe would wait for its writer. Checked once open, so that it can't be exchanged.
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
    """The bytes of a non-blocking pipe, until its writers have closed it."""
    import select  # `poll` doesn't exist on systems without such pipes

    coming = select.poll()
    coming.register(pipe, select.POLLIN)
    parts: list[bytes] = []
    size = 0
    deadline: float | None = time.monotonic() + WRITER_SECONDS
    while True:
        try:
            part = os.read(pipe, CHUNK)
        except BlockingIOError:  # there is a writer
            deadline = None
            coming.poll()
            continue
        if part:
            deadline = None
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES:
                raise _too_long(name)
        elif deadline is None or coming.poll(0):  # the writers have gone, perhaps before this started
            return b"".join(parts)
        elif time.monotonic() > deadline:
            raise BoardError(name, f"no program has opened this pipe for writing within {WRITER_SECONDS:g} s")
        else:
            time.sleep(0.01)


def _too_long(name: str) -> BoardError:
    return BoardError(in_words(name), f"expected at most {MAX_BYTES // 1_000_000} MB, found more")


TOO_DEEP = f"not usable JSON: nested more than {MAX_DEPTH} levels deep"


def parse_json(text: str, first_line: int = 1) -> Any:
    """Parses one JSON value.

    Args:
        text: the JSON text.
        first_line: number of the text's first line in its file, for messages.

    Raises:
        NotJson: a syntax error.
        BoardError: it is nested too deeply, or has a number of thousands of digits, a lone surrogate, or a duplicate
            key.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
        if _is_deep(value):
            raise BoardError("", TOO_DEEP)
        if not text.isascii() or "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # refuses lone surrogates, which can't be encoded
    except json.JSONDecodeError as error:
        raise NotJson(text, error.pos, f"not JSON: {error.msg}", first_line) from None
    except RecursionError:
        raise BoardError("", TOO_DEEP) from None
    except ValueError as error:
        raise BoardError("", f"not usable JSON: {error}") from None
    return value


def _is_deep(value: Any) -> bool:
    """Whether lists and objects are nested more than `MAX_DEPTH` deep. Doesn't recurse."""
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
