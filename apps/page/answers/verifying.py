"""``/api/verify``: whether a certificate holds.

The archive may come from an attacker. Only the names of a certificate's files are taken from it, never a path, and only
as many bytes as are allowed are unpacked, whatever its directory says. Proofs are checked by the built-in checkers
alone: outside ones are programs in C, and what they are given here is unchecked.
"""

import io
import tempfile
import zipfile
import zlib
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.apps.page.answering import Emit, Service, Task, call_with_progress
from bsp_sat.apps.page.request_fields import check_size
from bsp_sat.backends import proofs
from bsp_sat.backends.run import Call, Runner
from bsp_sat.formal.check_cases import CASES_FILE
from bsp_sat.instances.errors import BoardError, BspSatError
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.text.words import short

MOST_FILES = 20
MOST_UNPACKED = 100_000_000  # bytes, of all files together
CHUNK_BYTES = 1 << 16
ENCRYPTED = 1  # a flag of ZIP entries


def verifying(service: Service, archive: bytes) -> Task:
    """Checks the certificate in a ZIP archive."""
    limits = service.limits()

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        # Made here: the worker's process may be ended, and would leave its files.
        with tempfile.TemporaryDirectory(prefix="bsp-sat-") as scratch:
            return call_with_progress(runner, stop, emit, Call(verdict, (archive, Path(scratch)), limits))

    return answer


def verdict(archive: bytes, scratch: Path) -> dict[str, Any]:
    """The object of `bsp-sat verify --json`.

    Args:
        archive: a ZIP archive with the files of a certificate, at its top or in one folder.
        scratch: an empty folder.

    Raises:
        BoardError: it is no such archive.
    """
    folder = scratch / "certificate"
    folder.mkdir()
    try:
        unpack(archive, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise BoardError("body", f"expected a ZIP archive: {short(str(error))}") from None
    if (folder / CASES_FILE).exists():
        raise BoardError("body", "expected the certificate of a board; bsp-sat verify checks those of all boards")
    checker = proofs.BUILT_IN if (folder / proofs.PROOF).exists() else "auto"
    try:
        if (folder / proofs.BOARD).exists():
            text = (folder / proofs.BOARD).read_text(encoding="utf-8", errors="replace")
            for instance in parse_instances(text, proofs.BOARD):
                check_size(instance.puzzle)
        return proofs.verify_certificate(folder, checker, scratch=scratch).to_json()
    except BspSatError as error:
        return proofs.not_verified(error)


def unpack(archive: bytes, folder: Path) -> None:
    """Writes the files of a certificate into a folder.

    Raises:
        BoardError: the archive has other files, or is too large when unpacked.
        BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error: it is malformed.
    """
    left = MOST_UNPACKED
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        entries = [entry for entry in files.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES:
            raise BoardError("body", f"expected at most {MOST_FILES} files in the archive, found {len(entries):,}")
        if len({entry.filename.rpartition("/")[0] for entry in entries}) > 1:
            raise BoardError("body", "expected the files of one certificate in one folder, found several folders")
        for entry in entries:
            name = entry.filename.rpartition("/")[2]
            if name not in proofs.FILES:
                raise BoardError("body", f"{short(repr(name))} isn't a file of a certificate")
            if (folder / name).exists():
                raise BoardError("body", f"the archive has two files named {name}")
            if entry.flag_bits & ENCRYPTED or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BoardError("body", f"{name}: expected a file stored or deflated, without a password")
            with files.open(entry) as packed, (folder / name).open("xb") as unpacked:
                while data := packed.read(CHUNK_BYTES):
                    left -= len(data)
                    if left < 0:
                        raise BoardError("body", f"expected at most {MOST_UNPACKED:,} bytes when unpacked")
                    unpacked.write(data)
