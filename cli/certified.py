"""Certificates of many boards: each is made by the worker that solved its board, in a folder of its own."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends.many.pool import SolveTask
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.proofs.writing import certify, remove_certificate
from bsp_sat.backends.result import Result, Status
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

    def task(self, number: int, instance: Instance, task: SolveTask) -> "CertifiedTask":
        """The task of a board, with its certificate."""
        digits = max(3, len(str(self.boards - 1)))
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", instance.name)[:LONGEST_NAME]
        folder = self.folder / f"{number:0{digits}}-{name}"
        return CertifiedTask(task.puzzle, task.backend, task.limits, folder, self.proof, number, self.lines)


@dataclass(frozen=True)
class CertifiedTask(SolveTask):
    """A board whose certificate is made by the worker that solved it.

    A certificate left by an earlier run that didn't write the board's line is replaced.
    """

    folder: Path
    proof: str | None
    number: int
    lines: dict[int, dict[str, Any]]

    def completed(self, worker: Worker, result: Result, stop: Event | None) -> Result:
        """The result; makes its certificate if the result is proved."""
        result = super().completed(worker, result, stop)
        if result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            try:
                remove_certificate(self.folder)
                made = certify(
                    worker,
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
