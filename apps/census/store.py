"""The SQLite file of a census: each part that is done, one transaction for each, as in a campaign."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.study.database import Rows, in_memory, in_words, to_write
from bsp_sat.instances.errors import BackendError, BoardError, BspSatError

APPLICATION_ID = 0x62737063  # "bspc"; marks our files
EXPECTED = "expected the results of a census"
FORMAT = 1  # of what is kept: parts of another one aren't gone on from

TABLES = """
CREATE TABLE census (json TEXT NOT NULL);
CREATE TABLE run (name BLOB PRIMARY KEY, json TEXT NOT NULL);
"""


class StoredPart(Protocol):
    """What was found in a part of a class."""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        """The reverse.

        Fields that are something else, or contradict each other, raise KeyError, TypeError, ValueError,
        AttributeError or OverflowError.
        """

    def shown(self) -> Iterator[bytes]:
        """Boards that are kept."""


PartT = TypeVar("PartT", bound=StoredPart)


class Store(Rows):
    """The parts that are done; use `open_store`."""

    _has_read = False  # a part that an earlier run found

    def agree_on(self, of: BoardClass, what: str) -> None:
        """Makes the file one of this class and this kind of parts, or checks that it is; BoardError if it isn't."""
        asked = {**asdict(of), "parts": what, "format": FORMAT}
        with in_words(self.where, f"{EXPECTED}: "):
            if self.make_tables(TABLES, APPLICATION_ID, EXPECTED):
                with self._database:
                    self._database.execute("INSERT INTO census VALUES (?)", (json.dumps(asked),))
            row = self._database.execute("SELECT json FROM census").fetchone()
        if row is None or self.json_of("census", row[0]) != asked:
            raise BoardError(self.where, f"{EXPECTED} of {of} ({what}), found one of something else")

    def parts(self, of: BoardClass, names: Sequence[bytes], kind: type[PartT]) -> dict[bytes, PartT]:
        """The parts of a class that are done, by name. BoardError if a row isn't one: the file was changed by hand."""
        done = {}
        for name, text in self._database.execute("SELECT name, json FROM run"):
            place = f"part {name!r:.60}"
            if name not in names:
                raise self.wrong(place, "there is no such part")
            try:
                done[name] = part = kind.from_json(self.json_of(place, text))
                if not all(map(of.has, part.shown())):
                    raise ValueError
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                raise self.wrong(place, "expected what a census finds in a part") from None
        self._has_read = bool(done)
        return done

    def add(self, name: bytes, part: StoredPart) -> None:
        """Records a part."""
        with self._database:
            self._database.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (name, json.dumps(part.to_json())))

    def contradiction(self, problem: str) -> BspSatError:
        """The error for parts that contradict what is known: a bug, unless some were read from the file."""
        if self._has_read:
            return BoardError(self.where, f"{problem}: the file was changed, or bsp-sat has a bug")
        return BackendError(problem)


@contextmanager
def open_store(path: Path | None) -> Iterator[Store]:
    """Opens or creates the file, or one in memory; BoardError if it can't be, or another process is writing to it."""
    where = str(path or "results")
    if path is not None and path.exists() and not path.is_file():
        raise BoardError(where, f"{EXPECTED}, found no file")
    with in_words(where, f"{EXPECTED}: "), in_memory() if path is None else to_write(path, where) as database:
        database.execute("PRAGMA schema_version")  # fails if the file is something else
        yield Store(database, where)
