"""`bsp-sat solve` on many boards; each certificate is made where its board was solved, in a folder of its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.proofs.writing import certificate_entry
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Job, Runner, Solve
from bsp_sat.cli.batch import Request, solve_boards
from bsp_sat.cli.commands.solve_facts import Wanted
from bsp_sat.cli.options import Work
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import is_hidden

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
            spent = result.seconds
            self.lines[self.number] = certificate_entry(
                runner, self.folder, self.puzzle, result, self.proof,
                again=True, limits=self.limits, spent=spent, stop=stop,
            )  # fmt: skip
        return result


def solve_many(instances: Sequence[Instance], backend: Backend, limits: Limits, work: Work, wanted: Wanted) -> int:
    """Solves boards, several at a time, writes a line for each, and returns the exit code.

    Raises:
        Unsupported: the backend or an option isn't for a board, naming the first.
    """
    wanted.check_for_many()
    certificates = None
    if wanted.certificate is not None:
        certificates = Certificates(wanted.certificate, wanted.proof, len(instances))
    jobs = list(_jobs(instances, backend, limits, wanted, certificates))
    proof = None if certificates is None else wanted.proof or "any"
    entries = {} if certificates is None else certificates.lines
    request = Request(
        backend.specification, limits, proof, work.cluster, extra_tubes=wanted.extra_tubes, certificates=entries
    )
    return solve_boards(instances, jobs, request, work.jobs, work.out)


def _jobs(
    instances: Sequence[Instance], backend: Backend, limits: Limits, wanted: Wanted, certificates: Certificates | None
) -> Iterator[Job[Any, Any]]:
    for number, instance in enumerate(instances):
        board = instance.puzzle
        try:
            if is_hidden(board):
                from bsp_sat.cli.commands.solve_hidden import StudyBoard

                wanted.check_for_hidden(backend, limits)
                yield StudyBoard.of(board, limits)
            else:
                job = Solve(backend.for_board(board), board, limits)
                yield job if certificates is None else certificates.job(number, instance, job)
        except Unsupported as error:
            raise Unsupported(f"board {number} ({instance.name}): {error}") from None
