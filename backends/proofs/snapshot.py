"""A private copy of a certificate, made by reading each file once.

A folder can change while it is checked: a file may be replaced between two reads. So all checks use a copy that only
this user can write.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from bsp_sat.backends.proofs.check_labels import Unreadable, open_file

CHUNK_BYTES = 1 << 20


def take_snapshot(folder: Path, copy: Path, most: Mapping[str, int]) -> int:
    """Copies the files of ``folder`` to ``copy``, and returns their size in bytes.

    Args:
        folder: the folder to copy; untrusted: it may change, or hold links, pipes and endless files.
        copy: an empty private folder.
        most: the allowed files, with the largest allowed size of each in bytes.

    Raises:
        Unreadable: there is another file, or a file is too large or isn't a regular file.
        OSError: the folder can't be read, or the copy can't be written.
    """
    total = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name not in most:
                raise Unreadable(f"{entry.name} belongs to no certificate")
            total += _copy_file(folder, entry.name, copy, most[entry.name])
    return total


def _copy_file(folder: Path, name: str, copy: Path, most: int) -> int:
    with open_file(folder, name) as source, (copy / name).open("xb") as target:
        size = os.fstat(source.fileno()).st_size
        if size > most:
            raise Unreadable(f"{name} is too large: {size} bytes, expected at most {most}")
        left = size
        while left and (data := source.read(min(left, CHUNK_BYTES))):
            target.write(data)
            left -= len(data)
        if left or source.read(1):
            raise Unreadable(f"{name} changed while it was read")
    return size
