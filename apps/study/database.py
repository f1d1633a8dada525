"""The SQLite file of a campaign: one process may write, any number of processes may read.

The file may come from a stranger. A view or a trigger in it would run when a table is read or written, for ever if it
likes, so a file with anything but our tables is refused. Whatever SQLite does, signals are heard meanwhile.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bsp_sat.backends.lock import open_alone
from bsp_sat.instances.errors import BoardError, printable
from bsp_sat.instances.text.reading import parse_json
from bsp_sat.instances.text.words import short

LOCK = "-lock"  # suffix of the lock file
STEPS = 10_000  # of SQLite's machine between two times that signals are heard


def in_memory() -> AbstractContextManager[sqlite3.Connection]:
    """A temporary database in memory."""
    return closing(sqlite3.connect(":memory:"))


@contextmanager
def in_words(where: str, problem: str = "") -> Iterator[None]:
    """Raises errors of SQLite as a `BoardError` that begins with ``problem`` and names ``where``; Ctrl-C as it is."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from None  # the signal's own exception, which SQLite has dropped
        raise BoardError(where, f"{problem}{error}") from None


class Rows:
    """The rows of a file with our tables, which may have been tampered with; ``where`` names it."""

    def __init__(self, database: sqlite3.Connection, where: str) -> None:
        self._database = database
        self.where = where

    def make_tables(self, script: str, mark: int, expected: str, *, reading: bool = False) -> bool:
        """Makes the tables of a script in an empty file, and returns whether it was empty; for ``reading`` it mustn't.

        A file that holds anything else, or isn't marked as ours, is refused by a `BoardError` that says what was
        ``expected``. Nothing of it may have run before but ``PRAGMA`` and reading ``sqlite_master``.
        """
        (found_mark,) = self._database.execute("PRAGMA application_id").fetchone()
        is_empty = not _parts(self._database)
        if is_empty and not reading:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.executescript(f"BEGIN; {script} PRAGMA application_id = {mark}; COMMIT;")
        elif is_empty or found_mark != mark:
            raise BoardError(self.where, f"{expected}, found {'nothing' if is_empty else 'another database'}")
        with in_memory() as ours:
            ours.executescript(script)
            needed = _parts(ours)
        found = _parts(self._database)
        for kind, name, _ in sorted(found - needed, key=repr):
            raise BoardError(self.where, f"{expected}, found another {printable(f'{kind} {short(str(name))}')}")
        for kind, name, _ in sorted(needed - found, key=repr):
            raise BoardError(self.where, f"{expected}, found no {kind} {name}")
        return is_empty

    def json_of(self, place: str, text: object) -> Any:
        """What a field holds."""
        if not isinstance(text, str):
            raise self.wrong(place, f"expected text, found {short(repr(text))}")
        try:
            return parse_json(text)
        except BoardError as error:
            raise self.wrong(place, str(error)) from None

    def wrong(self, place: str, problem: str) -> BoardError:
        """The error for a row, which was changed by hand."""
        return BoardError(f"{self.where}: {place}", problem)


def _parts(database: sqlite3.Connection) -> set[tuple[object, object, object]]:
    """Tables, indexes, views and triggers: kind, name, and the statement that makes each."""
    return {*database.execute("SELECT type, name, sql FROM sqlite_master")}


def _connect(path: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    """Opens a file. A signal whose handler raises ends what SQLite does with `sqlite3.SQLITE_INTERRUPT`."""
    database = sqlite3.connect(path, uri=uri)
    database.set_progress_handler(lambda: 0, STEPS)  # Python handles signals when it is called
    return database


@contextmanager
def to_write(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """Opens or creates a database that only this process may write to.

    If the file is new and the body of the ``with`` statement writes nothing, or fails before there is an outcome, the
    file is removed. A `BoardError` names ``where`` if another process is writing to it, or its folder isn't writable;
    `sqlite3.Error` if it can't be opened.
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
    database = _connect(path.absolute())  # absolute, so that ":memory:" is taken as a file name
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
    """Opens a database for reading only, also on a read-only disk; `sqlite3.Error`, or BoardError with ``where``."""
    with ExitStack() as stack:
        if can_write(path):
            database = stack.enter_context(closing(_connect(path.absolute())))
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
    return _connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
