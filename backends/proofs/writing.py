"""Makes certificates in a child process, within the limits that the answer has left over.

Building a formula, refuting it and trimming the proof may take any time and memory, and the disk may be full. The
answer, which is already proved, must not be lost by that. So this process, which has the answer, only creates a folder
for the files and moves them at the end; a child, which can be killed at any moment, does the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any, Self

from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.proofs.certificate import Made, write_files
from bsp_sat.backends.proofs.folder import move_files, prepare_folder, staging
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.proofs.labels import COMPILED_MB
from bsp_sat.backends.result import Ending, Result, Status
from bsp_sat.backends.run import Job, Pipe, Returned, Run, Runner
from bsp_sat.encoder.registry import certifying_encoding
from bsp_sat.instances.errors import BackendError, BspSatError, CertificateError, Refuted
from bsp_sat.instances.puzzle import AnyPuzzle


@dataclass(frozen=True)
class Certify(Job[Returned[Made], Made]):
    """Proves again that no plan is shorter than an answer's, and writes the certificate.

    The limits are for the answer, which took ``answered_in`` seconds, and the certificate together; ``labels_mb`` MB
    (10⁶ bytes) is memory for the search for labels.
    """

    folder: Path
    puzzle: AnyPuzzle
    answer: Result
    proof: str | None
    answered_in: float = 0.0
    labels_mb: float = COMPILED_MB
    limits: Limits = field(default_factory=Limits)

    name = "certificate"

    @property
    def spent(self) -> float:
        return self.answered_in

    def collector(self) -> Returned[Made]:
        return Returned()

    def within(self, memory_mb: float) -> Self:
        """Limits the search for labels; if it fails, a formula may still work."""
        planned = Kernel().within(memory_mb).memory_mb
        return self if planned is None else replace(self, labels_mb=min(self.labels_mb, planned))

    def run(self, pipe: Pipe) -> str:
        try:
            pipe.put("returned", write_files(self.folder, self.puzzle, self.answer, self.proof, self.labels_mb))
        except Refuted as error:
            pipe.put("raised", error)
        except BspSatError as error:
            return str(error)
        except OSError as error:
            return error.strerror or str(error)
        return "made"

    def result(self, run: Run[Returned[Made]]) -> Made:
        """The certificate; CertificateError says why there is none, BackendError that the answer is wrong."""
        found = run.findings
        if found.error is not None:
            raise BackendError(f"{self.answer.backend}'s answer is wrong: {found.error}")
        if not found.values:
            raise CertificateError(_reason(run, self.limits))
        return found.values[0]


def prepare(folder: Path, puzzle: AnyPuzzle, proof: str | None) -> None:
    """Checks that a board may have such a proof, and prepares the folder, see `prepare_folder`; else Unsupported."""
    if proof == LRAT:
        certifying_encoding(puzzle)
    prepare_folder(folder)


def certificate_entry(folder: Path, make: Callable[[Path], Made]) -> dict[str, Any]:
    """The entry ``certificate`` of the result format: the figures of a certificate, or why there is none."""
    try:
        made = make(folder).to_json()
    except CertificateError as error:
        made = {"error": str(error)}
    return {"folder": str(folder), **made}


def certify(
    runner: Runner,
    folder: Path,
    puzzle: AnyPuzzle,
    result: Result,
    proof: str | None = None,
    *,
    limits: Limits | None = None,
    spent: float = 0.0,
    stop: Event | None = None,
) -> Made:
    """Makes a certificate, as `write_certificate` does; the limits hold for it and the ``spent`` seconds of the answer.

    The files are moved into the folder when all are complete. Without a certificate, the folder stays as it was. Raises
    CertificateError with why there is none, and BackendError if the answer is wrong.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise CertificateError(f"there is nothing to certify in an answer that is {result.status}")
    limits = limits or Limits()
    try:
        with staging(folder) as staged:
            job = Certify(staged, puzzle, result, proof, spent, limits=limits)
            made = job.result(_run(runner, job, stop))
            move_files(staged, folder)
            return made
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None


def _run(runner: Runner, job: Certify, stop: Event | None) -> Run[Returned[Made]]:
    try:
        return runner.run(job, stop=stop)
    except BackendError as error:  # the process crashed: a bug, but the answer may be right
        raise CertificateError(str(error)) from None


def _reason(run: Run[Returned[Made]], limits: Limits) -> str:
    """Why there is no certificate; names the user's limits, not the remainders."""
    match run.ending:
        case Ending.TIME:
            return f"not complete within the time limit of {limits.seconds:g} s"
        case Ending.MEMORY:
            return f"not complete within the memory limit of {limits.memory_mb:g} MB"
        case Ending.INTERRUPTED:
            return "interrupted before it was complete"
        case _:
            return run.reason
