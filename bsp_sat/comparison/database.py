"""The SQLite file of a campaign: one process may write, any number of processes may read."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.backends.lock import open_alone
from bsp_sat.instances.errors import BoardError

LOCK = "-lock"  # suffix of the lock file


def in_memory() -> AbstractContextManager[sqlite3.Connection]:
    """A temporary database in memory."""
    return closing(sqlite3.connect(":memory:"))


@contextmanager
def to_write(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """Opens or creates a database that only this process may write to.

    If the file is new and the body of the ``with`` statement writes nothing, or fails before there is an outcome, the
    file is removed.

    Raises:
        BoardError: another process is writing to it, or its folder isn't writable; the message names ``where``.
        sqlite3.Error: it can't be opened.
    """
    made = not path.exists()
    try:
        with _alone(path, where, made=made) as database:
            yield database
    except KeyboardInterrupt:  # which may come before there is anything in the file
        if made and path.exists() and path.stat().st_size == 0:
            path.unlink()
        raise


@contextmanager
def _alone(path: Path, where: str, *, made: bool) -> Iterator[sqlite3.Connection]:
    database = sqlite3.connect(path.absolute())  # absolute, so that ":memory:" is taken as a file name
    useless = False
    # Locks a separate file: opening and closing the database once more would release SQLite's locks on it.
    lock = path.resolve().with_name(f"{path.name}{LOCK}")
    with closing(database), open_alone(lock, where):
        try:
            yield database
            useless = made and path.stat().st_size == 0
        except BaseException:
            useless = made and _is_without_outcome(database)
            raise
        finally:
            database.close()
            if useless:
                path.unlink(missing_ok=True)
            with suppress(OSError):  # Windows can't remove open files
                lock.unlink()


def _is_without_outcome(database: sqlite3.Connection) -> bool:
    try:
        return database.execute("SELECT * FROM run").fetchone() is None
    except sqlite3.OperationalError:  # no tables yet
        return True


def can_write(path: Path) -> bool:
    """Whether the file, SQLite's further files and the lock file can be written."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


@contextmanager
def to_read(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """Opens a database for reading only; it may be on a read-only disk.

    Raises:
        BoardError: it can't be read; the message names ``where``.
        sqlite3.Error: it can't be opened.
    """
    with ExitStack() as stack:
        if can_write(path):
            database = stack.enter_context(closing(sqlite3.connect(path.absolute())))
            database.execute("PRAGMA query_only = ON")
        else:
            # Reading a database in write-ahead mode needs SQLite's further files. They exist while a process writes;
            # otherwise, as on a read-only disk, a copy is read, including outcomes that a killed process left in
            # one of them.
            try:
                database = stack.enter_context(closing(_read_only(path)))
                database.execute("SELECT * FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:
                copy = Path(stack.enter_context(TemporaryDirectory())) / "results"
                try:
                    shutil.copyfile(path, copy)
                    with suppress(FileNotFoundError):
                        shutil.copyfile(f"{path.resolve()}-wal", f"{copy}-wal")
                except OSError as error:
                    raise BoardError(where, error.strerror or str(error)) from None
                database = stack.enter_context(closing(_read_only(copy)))
        yield database


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
