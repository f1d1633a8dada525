"""Checksums of a folder, and a private copy of one.

A folder can change while it is checked: a file may be replaced between two reads. So all checks use a copy that only
this user can write, made by reading each file once.

Checksums detect any changed byte, even one that doesn't matter.

`SHA256SUMS` has the format of the program sha256sum, so ``sha256sum -c SHA256SUMS`` checks it too. Checksums protect
against accidents, not against people who write new ones: a certificate is trustworthy because its proof is checked.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from bsp_sat.formal.check_labels import Unreadable, open_file
from bsp_sat.instances.errors import CertificateError

MANIFEST = "SHA256SUMS"


def write_manifest(folder: Path) -> None:
    """Writes the checksums of all files in ``folder``."""
    (folder / MANIFEST).write_text(_sums(folder), encoding="utf-8", newline="\n")


def check_manifest(folder: Path) -> None:
    """Compares all files in ``folder`` with its manifest; CertificateError for any that was changed, new or missing."""
    check_files(folder)
    try:
        written = (folder / MANIFEST).read_bytes().decode("utf-8")
    except OSError as error:
        raise CertificateError(f"{folder / MANIFEST} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CertificateError(f"{MANIFEST} has been altered: it is not text") from error
    actual = _sums(folder)
    if written == actual:
        return
    before, after = _by_name(written), _by_name(actual)
    problems = [
        *(f"{name} has been altered" for name in sorted(before.keys() & after.keys()) if before[name] != after[name]),
        *(f"{name} is missing" for name in sorted(before.keys() - after.keys())),
        *(f"{name} is not listed" for name in sorted(after.keys() - before.keys())),
    ]
    raise CertificateError(f"not as {MANIFEST} says: {'; '.join(problems) or f'{MANIFEST} itself has been altered'}")


def check_files(folder: Path) -> dict[str, int]:
    """The size in bytes of each file in ``folder``, by name; CertificateError for all but regular files."""
    sizes = {}
    for path in sorted(folder.rglob("*")):
        found = path.lstat()
        name = path.relative_to(folder).as_posix()
        if stat.S_ISREG(found.st_mode):
            sizes[name] = found.st_size
        elif not stat.S_ISDIR(found.st_mode):
            raise CertificateError(f"{name} is not a regular file")
    return sizes


def _sums(folder: Path) -> str:
    files = [folder / name for name in check_files(folder) if name != MANIFEST]
    return "".join(f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _by_name(manifest: str) -> dict[str, str]:
    return {name: digest for digest, _, name in (line.partition("  ") for line in manifest.splitlines())}


CHUNK_BYTES = 1 << 20


@contextmanager
def open_files(folder: Path, most: Mapping[str, int]) -> Iterator[dict[str, IO[bytes]]]:
    """Opens the files of ``folder``, by name, each of them once; of each allowed one ``most`` has the most bytes.

    The folder is untrusted: it may change, or hold links, pipes and endless files. Raises Unreadable for another file,
    and one that is too large or isn't a regular file.
    """
    with ExitStack() as stack:
        files = {}
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name not in most:
                    raise Unreadable(f"{entry.name} isn't a file of a certificate")
                files[entry.name] = file = stack.enter_context(open_file(folder, entry.name))
                size = os.fstat(file.fileno()).st_size
                if size > most[entry.name]:
                    raise Unreadable(f"{entry.name} is too large: {size} bytes, expected at most {most[entry.name]}")
        yield files


def copy_files(files: Mapping[str, IO[bytes]], copy: Path) -> int:
    """Copies open files to the folder ``copy``, and returns their bytes; Unreadable if one changes meanwhile."""
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
