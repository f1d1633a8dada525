"""Locks a file of results for one process: two processes would overwrite each other's lines, or do all work twice.

It is a lock of the operating system, which ends with the process in any case. It doesn't keep readers out.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from bsp_sat.instances.errors import BoardError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

BEYOND = 1 << 40  # the byte to lock on Windows, far beyond the content, as locked bytes can't be read


@contextmanager
def open_alone(path: Path, where: str | None = None) -> Iterator[IO[bytes]]:
    """Opens a file for reading from its start and appending, and locks it for this process; messages call it ``where``.

    Creates the file if it doesn't exist, and removes it if it is empty in the end.

    BoardError if another process has locked it, it isn't a regular file, or it can't be opened.
    """
    where = where or str(path)
    path = path.resolve()  # so that the target of a link is created and removed, not the link
    # Non-blocking: opening a pipe would wait for a reader.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        made = not path.exists()
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise BoardError(where, error.strerror or str(error)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BoardError(where, "expected a file, found a pipe or a device")
    with os.fdopen(descriptor, "r+b") as file:
        try:
            _lock(descriptor)
        except BlockingIOError:
            problem = "another process is writing to it; wait for its end, or name another file"
            raise BoardError(where, problem) from None
        except OSError as error:
            raise BoardError(where, f"it can't be locked: {error.strerror or error}") from None
        if not _is_still(path, descriptor):
            raise BoardError(where, "another process has just removed it; try again")
        try:
            yield file
        finally:
            if made and os.fstat(descriptor).st_size == 0:
                with suppress(OSError):  # Windows can't remove open files; an empty file does no harm
                    path.unlink()


def _lock(descriptor: int) -> None:
    """Locks the file until it is closed; BlockingIOError if another has locked it, OSError if its file system can't."""
    if sys.platform == "win32":
        os.lseek(descriptor, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether the open file still has this path: the process that held the lock before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False
