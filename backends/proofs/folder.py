"""The folder of a certificate: files are made in another one, and then take the place of what is there, all at once.

The other folder is inside. That is the same file system, so moving files copies nothing, and it is writable. If the
program is killed, it stays; `prepare_folder` removes it next time.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.backends.proofs.manifest import MANIFEST, check_manifest
from bsp_sat.backends.proofs.refutation import MAX_TRACE_MEGABYTES
from bsp_sat.formal import check_cases, check_labels
from bsp_sat.formal.check_cases import CASES_FILE
from bsp_sat.instances.errors import CertificateError

BOARD, PLAN, FORMULA, PROOF, CLAIM = "board.json", "plan.json", "formula.cnf", "proof.lrat", "claim.json"
LABELS_FILE = "labels.bin"
MEGABYTE = 1_000_000
MOST_BYTES = {
    **dict.fromkeys((BOARD, PLAN, CLAIM), check_labels.MAX_TEXT_BYTES),
    LABELS_FILE: check_labels.MAX_LABELS_BYTES,
    CASES_FILE: check_cases.MAX_BYTES,
    **dict.fromkeys((FORMULA, PROOF), MAX_TRACE_MEGABYTES * MEGABYTE),
    MANIFEST: 1_000,
}
"""The files of certificates, with the most bytes that `verify_certificate` takes."""
FILES = tuple(MOST_BYTES)
STAGING = ".certificate-"


def prepare_folder(folder: Path) -> None:
    """Creates the folder before any work, and clears what a killed program left; CertificateError for other files."""
    try:
        for left_over in folder.glob(f"{STAGING}*"):
            if (left_over / MANIFEST).exists() and not (folder / MANIFEST).exists():  # killed while files were moved
                _remove_files(folder)
            shutil.rmtree(left_over)
        folder.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in folder.iterdir()}
        if names and not ({CLAIM, MANIFEST} <= names <= set(FILES) and _agrees(folder)):
            problem = "expected an empty folder, a certificate or none, found other files in it"
            raise CertificateError(f"{folder}: {problem}")
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None


def _agrees(folder: Path) -> bool:
    try:
        check_manifest(folder)
    except CertificateError:
        return False
    return True


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A new folder in ``folder``, for files that `move_files` moves when they are complete; it is removed again."""
    prepare_folder(folder)
    with TemporaryDirectory(prefix=STAGING, dir=folder.absolute(), ignore_cleanup_errors=True) as name:
        yield Path(name)


def move_files(staged: Path, folder: Path) -> None:
    """Puts a complete certificate in the place of the one in ``folder``, if any; all its files or none.

    The old checksums go first and the new ones come last. So at any moment, what is there is the old certificate, the
    new one, or none.
    """
    try:
        _remove_files(folder)
        for path in sorted(staged.iterdir(), key=lambda path: path.name == MANIFEST):
            path.replace(folder / path.name)
    except OSError:
        _remove_files(folder)
        raise


def _remove_files(folder: Path) -> None:
    for name in reversed(FILES):
        (folder / name).unlink(missing_ok=True)
