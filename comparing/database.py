"""The SQLite file of a campaign: opened by one process for writing, by any number for reading."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.backends.many.lock import open_alone
from bsp_sat.instances.errors import BoardError

LOCK = "-lock"  # what the name of the file beside ends in


def in_memory() -> AbstractContextManager[sqlite3.Connection]:
    """A database that is forgotten."""
    return closing(sqlite3.connect(":memory:"))


@contextmanager
def to_write(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """A database for this process alone to write to; made where it doesn't exist.

    One that was made here goes again if the body fails before there is an outcome.

    Raises:
        BoardError: naming ``where``; another process is writing to it, or nothing can be put beside it.
        sqlite3.Error: it can't be opened.
    """
    made = not path.exists()
    database = sqlite3.connect(path.absolute())  # absolute, as SQLite keeps ":memory:" in no file
    useless = False
    # A file of its own is locked: SQLite's locks on the database would go if it were opened and closed once more.
    lock = path.resolve().with_name(f"{path.name}{LOCK}")
    with closing(database), open_alone(lock, where):
        try:
            yield database
        except BaseException:
            useless = made and _is_without_outcome(database)
            raise
        finally:
            database.close()
            if useless:
                path.unlink(missing_ok=True)
            with suppress(OSError):  # Windows removes no open file
                lock.unlink()


def _is_without_outcome(database: sqlite3.Connection) -> bool:
    try:
        return database.execute("SELECT * FROM run").fetchone() is None
    except sqlite3.OperationalError:  # no tables yet
        return True


def can_write(path: Path) -> bool:
    """Whether the file can be written, and what SQLite and the lock put beside it."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


@contextmanager
def to_read(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """A database without anything being written to it, also on a disk where nothing can be.

    Raises:
        BoardError: naming ``where``; it can't be read.
        sqlite3.Error: it can't be opened.
    """
    with ExitStack() as stack:
        if can_write(path):
            database = stack.enter_context(closing(sqlite3.connect(path.absolute())))
            database.execute("PRAGMA query_only = ON")
        else:
            # A database in write-ahead mode can be read only with files beside it. They are there while somebody
            # writes; if not, as on a read-only disk, a copy is read, with the outcomes that a killed process left
            # in the file beside it.
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
