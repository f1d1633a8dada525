"""A private copy of a certificate, made by reading each file once.

A folder can change while it is checked: a file may be replaced between two reads. So all checks use a copy that only
this user can write.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from bsp_sat.formal.check_labels import Unreadable, open_file

CHUNK_BYTES = 1 << 20


@contextmanager
def open_files(folder: Path, most: Mapping[str, int]) -> Iterator[dict[str, IO[bytes]]]:
    """Opens the files of ``folder``, by name, each of them once.

    Args:
        folder: the folder; untrusted: it may change, or hold links, pipes and endless files.
        most: the allowed files, with the largest allowed size of each in bytes.

    Raises:
        Unreadable: there is another file, or a file is too large or isn't a regular file.
        OSError: the folder can't be read.
    """
    with ExitStack() as stack:
        files = {}
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name not in most:
                    raise Unreadable(f"{entry.name} belongs to no certificate")
                files[entry.name] = file = stack.enter_context(open_file(folder, entry.name))
                size = os.fstat(file.fileno()).st_size
                if size > most[entry.name]:
                    raise Unreadable(f"{entry.name} is too large: {size} bytes, expected at most {most[entry.name]}")
        yield files


def copy_files(files: Mapping[str, IO[bytes]], copy: Path) -> int:
    """Copies open files, by name, to the private folder ``copy``, and returns their size in bytes.

    Raises:
        Unreadable: a file changes while it is copied.
        OSError: the copy can't be written.
    """
    return sum(_copy_file(file, name, copy) for name, file in files.items())


def _copy_file(source: IO[bytes], name: str, copy: Path) -> int:
    size = left = os.fstat(source.fileno()).st_size
    with (copy / name).open("xb") as target:
        while left and (data := source.read(min(left, CHUNK_BYTES))):
            target.write(data)
            left -= len(data)
    if left or source.read(1):
        raise Unreadable(f"{name} changed while it was read")
    return size
