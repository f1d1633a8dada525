"""Certificates are made where backends run: in a child process, within what the answer has left of its limits.

Building a formula, refuting it and trimming the proof may take any time and memory, and a disk may be full. None of
this may cost the answer, which is proved by then. So this process, which holds the answer, makes an empty folder and
in the end moves files; the rest is done by a child, which can be ended at any moment.

The folder for the files is inside the one that the certificate is for: the same file system, so that moving them
writes nothing, and a place where one may write. A program that was killed leaves it behind; `prepare_folder` takes it
away.
"""

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Self

from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.process.job import Job, Pipe
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.process.run import Run
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.proofs.certificate import FILES, CertificateError, Made, write_certificate
from bsp_sat.backends.proofs.labels import COMPILED_MB, Refuted
from bsp_sat.backends.proofs.manifest import MANIFEST, ManifestError, check_manifest
from bsp_sat.backends.result import BackendError, Ending, Result, Status
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.puzzle import AnyPuzzle

STAGING = ".certificate-"


class Certified:
    """What became of a certificate.

    Attributes:
        made: what was written; None where there is no certificate.
        refuted: why the answer is wrong; None where it isn't.
    """

    def __init__(self) -> None:
        self.made: Made | None = None
        self.refuted: str | None = None

    @property
    def settled(self) -> bool:
        """Whether either is known."""
        return self.made is not None or self.refuted is not None

    def wrote(self, made: Made) -> None:
        """Takes what was written."""
        self.made = made

    def found_wrong(self, reason: str) -> None:
        """Takes why the answer is wrong."""
        self.refuted = reason


@dataclass(frozen=True)
class Certify(Job[Certified]):
    """Proves afresh that nothing is shorter than an answer, and writes that down.

    Attributes:
        folder: an empty folder, for the files.
        puzzle: the board.
        result: the answer.
        proof: one of `PROOFS`, or None for the first that fits.
        labels_mb: memory for the states that labels are found by.
    """

    folder: Path
    puzzle: AnyPuzzle
    result: Result
    proof: str | None
    labels_mb: float = COMPILED_MB

    @property
    def name(self) -> str:
        """For messages."""
        return "certificate"

    def collector(self) -> Certified:
        """What becomes of it."""
        return Certified()

    def within(self, memory_mb: float) -> Self:
        """Fewer labels where there is less memory; a formula may do then."""
        planned = Kernel().within(memory_mb).memory_mb
        return self if planned is None else replace(self, labels_mb=min(self.labels_mb, planned))

    def run(self, pipe: Pipe) -> str:
        """Writes the certificate, or returns why there is none."""
        try:
            pipe.put("wrote", write_certificate(self.folder, self.puzzle, self.result, self.proof, self.labels_mb))
        except Refuted as error:
            pipe.put("found_wrong", str(error))
        except BspSatError as error:
            return str(error)
        except OSError as error:
            return error.strerror or str(error)
        return "made"


def prepare_folder(folder: Path) -> None:
    """Creates ``folder``, before anything is computed, and takes away what a program that was killed left in it.

    Raises:
        CertificateError: it can't be created, or holds something else.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left_over in folder.glob(f"{STAGING}*"):
            if (left_over / MANIFEST).exists():  # it was complete, and killed while the files were moved
                _remove_files(folder)
            shutil.rmtree(left_over)
        if any(folder.iterdir()):
            raise CertificateError(f"{folder}: expected an empty folder or none, found files in it")
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None


def remove_certificate(folder: Path) -> None:
    """Removes the certificate that is in ``folder``, if there is one.

    Raises:
        CertificateError: it is not as its checksums say, so that it may be anything; or it can't be removed.
    """
    try:
        if (folder / MANIFEST).is_file():
            check_manifest(folder)
            shutil.rmtree(folder)
    except ManifestError as error:
        raise CertificateError(str(error)) from None
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None


def certify(
    worker: Worker,
    folder: Path,
    puzzle: AnyPuzzle,
    result: Result,
    proof: str | None = None,
    *,
    limits: Limits | None = None,
    spent: float = 0.0,
    stop: Event | None = None,
) -> Made:
    """Makes a certificate in a worker's process.

    The files come into the folder once all are complete, the checksums last; where there is no certificate, the
    folder is empty.

    Args:
        worker: whose process makes it.
        folder: an empty folder, or one that isn't there yet.
        puzzle: the board.
        result: what was proved about it.
        proof: the kind, see `write_certificate`.
        limits: for the answer and its certificate together; by default none.
        spent: seconds of them that the answer took.
        stop: ends the making when set.

    Raises:
        CertificateError: there is none; says why, in every case but the next.
        BackendError: the answer is wrong.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise CertificateError(f"there is nothing to certify in an answer that is {result.status}")
    limits = limits or Limits()
    left = None if limits.seconds is None else max(0.0, limits.seconds - spent)
    prepare_folder(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=STAGING, dir=folder, ignore_cleanup_errors=True) as name:
            staging = Path(name)
            job = Certify(staging, puzzle, result, proof)
            run = _run(worker, job, Limits(seconds=left, memory_mb=limits.memory_mb), stop)
            if run.findings.refuted is not None:
                raise BackendError(f"{result.backend}'s answer is wrong: {run.findings.refuted}")
            made = run.findings.made
            if made is None:
                raise CertificateError(_reason(run, limits))
            _move(staging, folder)
            return made
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None


def _run(worker: Worker, job: Certify, limits: Limits, stop: Event | None) -> Run[Certified]:
    try:
        return worker.run(job, limits, stop=stop)
    except BackendError as error:  # the process crashed: a bug, but none of the answer's
        raise CertificateError(str(error)) from None


def _reason(run: Run[Certified], limits: Limits) -> str:
    """Why nothing was made; limits as the user gave them, not as they were left."""
    match run.ending:
        case Ending.TIME:
            return f"not complete within the time limit of {limits.seconds:g} s"
        case Ending.MEMORY:
            return f"not complete within the memory limit of {limits.memory_mb:g} MB"
        case Ending.INTERRUPTED:
            return "interrupted before it was complete"
        case _:
            return run.reason


def _move(staging: Path, folder: Path) -> None:
    """Moves the files of a complete certificate to where they belong, the checksums last; all of them or none."""
    try:
        for path in sorted(staging.iterdir(), key=lambda path: path.name == MANIFEST):
            path.replace(folder / path.name)
    except OSError:
        _remove_files(folder)
        raise


def _remove_files(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
