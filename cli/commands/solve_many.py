"""`bsp-sat solve` on many boards; each certificate is made where its board was solved, in a folder of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends import proofs
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Job, Runner, Solve
from bsp_sat.cli import parts
from bsp_sat.cli.batch import Request, solve_boards
from bsp_sat.cli.boards import file_name
from bsp_sat.cli.options import Work
from bsp_sat.cli.wanted import Wanted
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import is_hidden


@dataclass(frozen=True, kw_only=True)
class SolveAndCertify(Solve):
    """A board whose certificate is made where it was solved."""

    folder: Path
    proof: str | None
    number: int
    entries: dict[int, dict[str, Any]]

    def follow_up(self, runner: Runner, result: Result, stop: Event | None) -> Result:
        """The result; makes its certificate if the result is proved."""
        result = super().follow_up(runner, result, stop)

        def make(folder: Path) -> "proofs.Made":
            about = self.puzzle, result, self.proof
            return proofs.certify(runner, folder, *about, limits=self.limits, spent=result.seconds, stop=stop)

        if result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            self.entries[self.number] = proofs.certificate_entry(self.folder, make)
        return result


def solve_many(instances: Sequence[Instance], backend: Backend, limits: Limits, work: Work, wanted: Wanted) -> int:
    """Solves boards, several at a time, with a line for each, and returns the exit code; Unsupported names one."""
    wanted.check_for_many()
    proof = None if wanted.certificate is None else wanted.proof or "any"
    folder = wanted.certificate
    request = Request(backend.specification, limits, proof, work.cluster, extra_tubes=wanted.extra_tubes, folder=folder)
    jobs = list(_jobs(instances, backend, wanted, request))
    return solve_boards(instances, jobs, request, work.jobs, work.out)


def _jobs(instances: Sequence[Instance], backend: Backend, wanted: Wanted, request: Request) -> Iterator[Job[Any, Any]]:
    limits = request.limits
    for number, instance in enumerate(instances):
        board = instance.puzzle
        try:
            if is_hidden(board):
                wanted.check_for_hidden(backend, limits)
                yield parts.covered().job(board, limits)
            elif wanted.certificate is None:
                yield Solve(backend.for_board(board), board, limits)
            else:
                folder = wanted.certificate / file_name(number, len(instances), instance.name)
                yield SolveAndCertify(
                    backend.for_board(board),
                    board,
                    limits,
                    folder=folder,
                    proof=wanted.proof,
                    number=number,
                    entries=request.certificates,
                )
        except Unsupported as error:
            raise Unsupported(f"board {number} ({instance.name}): {error}") from None
