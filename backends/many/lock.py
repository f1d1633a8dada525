"""One process at a time on a file of results: two would write over each other, or do everything twice.

The lock is the operating system's and goes with the process, however that ends. Nobody who only reads is kept out.
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

BEYOND = 1 << 40  # the byte that Windows locks, far from all content: what is locked there nobody else can read


@contextmanager
def open_alone(path: Path, where: str | None = None) -> Iterator[IO[bytes]]:
    """Opens a file for reading at its start and writing at its end, and keeps other processes out meanwhile.

    It is made where it doesn't exist, and goes again if it is empty in the end.

    Args:
        path: the file.
        where: what messages name; the file where nothing is said.

    Raises:
        BoardError: another process has it, it is no regular file, or it can't be opened.
    """
    where = where or str(path)
    path = path.resolve()  # what a link points to is made and removed, not the link
    # Not blocking: a pipe would wait for somebody to read from it.
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
            raise BoardError(
                where, "another process is writing to it; wait for its end, or name another file"
            ) from None
        except OSError as error:
            raise BoardError(where, f"it can't be locked: {error.strerror or error}") from None
        if not _is_still(path, descriptor):
            raise BoardError(where, "another process has just removed it; try again")
        try:
            yield file
        finally:
            if made and os.fstat(descriptor).st_size == 0:
                with suppress(OSError):  # Windows removes no open file; an empty one does no harm
                    path.unlink()


def _lock(descriptor: int) -> None:
    """Takes the file until it is closed.

    Raises:
        BlockingIOError: another process has it.
        OSError: its file system has no locks.
    """
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
    """Whether the open file is the one of that name: whoever had the lock before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False
