"""Certificates of many boards: each is made where its board was solved, in a folder of its own."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends.proofs.writing import certify, remove_certificate
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Runner, Solve
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.files import Instance

LONGEST_NAME = 60  # of a board, in the name of its folder


@dataclass(frozen=True)
class Certificates:
    """The certificates of many boards.

    Attributes:
        folder: holds a folder for each board.
        proof: the kind, see `write_certificate`.
        boards: how many boards there are.
        lines: for each certificate made or refused, its entry in the output line, by board number.
    """

    folder: Path
    proof: str | None
    boards: int
    lines: dict[int, dict[str, Any]] = field(default_factory=dict)

    def job(self, number: int, instance: Instance, job: Solve) -> "SolveAndCertify":
        """The job of a board, with its certificate."""
        digits = max(3, len(str(self.boards - 1)))
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", instance.name)[:LONGEST_NAME]
        folder = self.folder / f"{number:0{digits}}-{name}"
        return SolveAndCertify(
            job.backend, job.puzzle, job.limits, folder=folder, proof=self.proof, number=number, lines=self.lines
        )


@dataclass(frozen=True, kw_only=True)
class SolveAndCertify(Solve):
    """A board whose certificate is made where it was solved.

    A certificate left by an earlier run that didn't write the board's line is replaced.
    """

    folder: Path
    proof: str | None
    number: int
    lines: dict[int, dict[str, Any]]

    def follow_up(self, runner: Runner, result: Result, stop: Event | None) -> Result:
        """The result; makes its certificate if the result is proved."""
        result = super().follow_up(runner, result, stop)
        if result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            try:
                remove_certificate(self.folder)
                made = certify(
                    runner,
                    self.folder,
                    self.puzzle,
                    result,
                    self.proof,
                    limits=self.limits,
                    spent=result.seconds,
                    stop=stop,
                ).to_json()
            except CertificateError as error:
                made = {"error": str(error)}
            self.lines[self.number] = {"folder": str(self.folder), **made}
        return result
