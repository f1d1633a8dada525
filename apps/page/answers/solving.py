"""``/api/solve``, ``hint`` and ``certificate``."""

import base64
import io
import tempfile
import time
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from bsp_sat.apps.covered import study
from bsp_sat.apps.levels import hint
from bsp_sat.apps.page.answering import Emit, Pace, Service, Task, task_calling
from bsp_sat.apps.page.request_fields import chosen, played_asked, seconds_asked
from bsp_sat.backends import proofs
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.proofs import PROOFS
from bsp_sat.backends.result import Result
from bsp_sat.backends.run import Runner
from bsp_sat.backends.solve import solve_with
from bsp_sat.instances.errors import CertificateError, Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle, Move
from bsp_sat.instances.sorting import SortPuzzle, is_hidden

MOST_ZIPPED = 30_000_000  # bytes


class SolvingFields(NamedTuple):
    """A request for a solution; without ``seconds`` the server's limit counts, without ``proof`` the default kind."""

    position: AnyPuzzle
    is_start: bool
    seconds: float | None
    proof: str | None = None


def solving_asked(fields: Mapping[str, Any], *others: str) -> SolvingFields:
    """The current position, and how many ``seconds`` to search. ``others`` are further keys."""
    played = played_asked(fields, "seconds", *others)
    return SolvingFields(played.position, not played.moves, seconds_asked(fields))


def solving(service: Service, asked: SolvingFields) -> Task:
    """Finds a shortest plan, or strategies if cells are hidden."""
    position = asked.position
    limits = service.limits(asked.seconds)
    if is_hidden(position):
        return task_calling(service.limits(), study_json, position, limits.seconds)

    def answer(runner: Runner, stop: Event, emit: Emit) -> Any:
        return solved(runner, asked, limits, stop, emit).to_json(position)

    return answer


def solved(runner: Runner, asked: SolvingFields, limits: Limits, stop: Event, emit: Emit) -> Result:
    """The result of `bsp-sat solve`. Notes about likely misreadings are only for the board as given."""
    return solve_with(runner, asked.position, limits=limits, on_progress=Pace(emit), stop=stop, misread=asked.is_start)


def study_json(board: SortPuzzle, seconds: float) -> dict[str, Any]:
    """The object of `bsp-sat solve --json` for a board with hidden cells."""
    return study.study(board, seconds=seconds).to_json()


HintAsked = tuple[AnyPuzzle, tuple[Move, ...], float | None]
"""The board, the moves made on it, and how many seconds to search; None for the default."""


def hinting_asked(fields: Mapping[str, Any]) -> HintAsked:
    """The board, the moves, and how many ``seconds`` to search."""
    played = played_asked(fields, "seconds")
    return played.instance.puzzle, played.moves, seconds_asked(fields)


def hinting(service: Service, asked: HintAsked) -> Task:
    """Finds what each move costs."""
    board, moves, seconds = asked
    return task_calling(service.limits(), hint_json, board, moves, seconds and service.limits(seconds).seconds)


def hint_json(board: AnyPuzzle, moves: tuple[Move, ...], seconds: float | None) -> dict[str, Any]:
    """The object of `bsp-sat hint --json`."""
    return hint.hint(board, moves, seconds=seconds).to_json()


def certifying_asked(fields: Mapping[str, Any]) -> SolvingFields:
    """Like `solving_asked`, with the kind of ``proof``; refuses hidden cells."""
    asked = solving_asked(fields, "proof")
    proof = chosen(fields, "proof", PROOFS)
    if is_hidden(asked.position):
        raise Unsupported("a board with hidden cells has strategies, not plans: there is nothing to certify")
    return asked._replace(proof=proof)


def certifying(service: Service, asked: SolvingFields) -> Task:
    """Finds a shortest plan, with its certificate as a ZIP archive."""
    return partial(_certified, asked, service.limits(asked.seconds))


def _certified(asked: SolvingFields, limits: Limits, runner: Runner, stop: Event, emit: Emit) -> dict[str, Any]:
    """The object of `solve --json --certificate`, with ``name`` and ``zip`` instead of ``folder``."""
    began = time.monotonic()
    position, proof = asked.position, asked.proof
    result = solved(runner, asked, limits, stop, emit)
    answer = result.to_json(position)
    with tempfile.TemporaryDirectory(prefix="bsp-sat-") as name:
        folder = Path(name, "certificate")
        try:
            spent = time.monotonic() - began
            made = proofs.certify(runner, folder, position, result, proof, limits=limits, spent=spent, stop=stop)
            answer["certificate"] = {**made.to_json(), "name": "certificate.zip", "zip": _zipped(folder)}
        except CertificateError as error:
            answer["certificate"] = {"error": str(error)}
    return answer


def _zipped(folder: Path) -> str:
    """The files of a folder as a ZIP archive, in Base64; a `CertificateError` if it would be too large."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"certificate/{path.name}")
    if data.tell() > MOST_ZIPPED:
        most = MOST_ZIPPED // 1_000_000
        raise CertificateError(f"more than {most} MB are too large for the page: bsp-sat solve --certificate writes it")
    return base64.b64encode(data.getvalue()).decode()
