"""Certificates: an answer as a folder that someone can check who trusts none of this.

    board.json      the board
    plan.json       a plan of the claimed length; only for ``optimal``
    formula.cnf     DIMACS: "the board has a plan of at most length − 1 moves", or, for ``unsolvable``, "has a plan";
                    what each variable means stands in the comments
    proof.lrat      a refutation of it, in LRAT
    claim.json      what is claimed, and by which encoding the formula was made
    SHA256SUMS      checksums of all these

A proof vouches for the formula, not for the encoding. So `verify` builds the formula from the board again and
compares, and replays the plan; what is left to believe is the encoding (its argument is in docs/encodings.md, its
tests compare it with exhaustive search), a rule book of a page, and the proof checker, which shares nothing
with the solver. Where the claimed length is no more than the puzzle's own lower bound, the formula is a bare
contradiction, and what is left to believe is that bound.
"""

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends.proofs.manifest import check_manifest, write_manifest
from bsp_sat.backends.proofs.refutation import ProofCheck, Refutation, check_proof, refute
from bsp_sat.backends.result import Result, Status
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.files import load_plan, load_puzzle
from bsp_sat.instances.puzzle import AnyPuzzle

BOARD, PLAN, FORMULA, PROOF, CLAIM = "board.json", "plan.json", "formula.cnf", "proof.lrat", "claim.json"


class CertificateError(BspSatError):
    """A certificate can't be made, or doesn't show what it claims."""


@dataclass(frozen=True)
class Claim:
    """What a certificate shows.

    Attributes:
        status: ``optimal`` or ``unsolvable``.
        length: the least number of moves; None for ``unsolvable``.
        encoding: name of the encoding that made the formula.
    """

    status: str
    length: int | None
    encoding: str


@dataclass(frozen=True)
class Verified:
    """A certificate that holds.

    Attributes:
        claim: what it shows.
        puzzle: for which board.
        clauses: size of the formula.
        proof: who accepted the proof, and what it took.
    """

    claim: Claim
    puzzle: AnyPuzzle
    clauses: int
    proof: ProofCheck


def prepare_folder(folder: Path) -> None:
    """Creates ``folder``, before anything is computed.

    Raises:
        CertificateError: it can't be created, or holds something already.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CertificateError(f"{folder}: expected an empty folder or none, found files in it")
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror}") from None


def write_certificate(
    folder: Path, puzzle: AnyPuzzle, result: Result, *, seconds: float | None = None, stop: Event | None = None
) -> Refutation:
    """Certifies a result: refutes everything shorter by a fresh solver, and writes it all down.

    Args:
        folder: an empty folder.
        puzzle: the board.
        result: what was proved about it.
        seconds: wall time for the refutation; by default no limit.
        stop: ends the solver when set.

    Raises:
        CertificateError: the result proves nothing.
        NotRefuted: the refutation was interrupted or became too large.
        Unsupported: no encoding can certify answers for this board.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise CertificateError(f"there is nothing to certify in an answer that is {result.status}")
    claim = Claim(str(result.status), result.length, certifying_encoding(puzzle).name)
    _write_json(folder / BOARD, puzzle.to_json())
    if result.plan is not None:
        _write_json(folder / PLAN, {"plan": result.plan.to_json(puzzle)})
    (folder / FORMULA).write_text(_formula(puzzle, claim), encoding="ascii")
    refutation = refute(folder / FORMULA, folder / PROOF, seconds=seconds, stop=stop)
    _write_json(folder / CLAIM, asdict(claim))
    write_manifest(folder)
    return refutation


def verify_certificate(folder: Path, checker: str = "auto") -> Verified:
    """Checks a certificate from end to end.

    Args:
        folder: as `write_certificate` left it.
        checker: name of a proof checker, see `bsp_sat.backends.proofs.refutation.CHECKERS`.

    Raises:
        BspSatError: what doesn't hold, and where.
    """
    try:
        return _verify(folder, checker)
    except OSError as error:
        raise CertificateError(f"{error.filename or folder}: {error.strerror or error}") from None


def _verify(folder: Path, checker: str) -> Verified:
    check_manifest(folder)
    claim = _read_claim(folder / CLAIM)
    puzzle = load_puzzle(folder / BOARD)
    if claim.length is not None:
        plan = load_plan(puzzle, folder / PLAN)
        plan.replay(puzzle)
        if len(plan) != claim.length:
            raise CertificateError(f"the claim is {claim.length} moves, but the plan has {len(plan)}")
    rebuilt = _formula(puzzle, claim)
    _compare(rebuilt, (folder / FORMULA).read_text(encoding="ascii", errors="replace"))
    return Verified(claim, puzzle, rebuilt.count(" 0\n"), check_proof(folder / FORMULA, folder / PROOF, checker))


def _formula(puzzle: AnyPuzzle, claim: Claim) -> str:
    """The formula that has to be refuted, as DIMACS; the assumptions become clauses."""
    formula = ENCODINGS[claim.encoding].encode(puzzle)
    if claim.length is None:
        assumptions, question = formula.at_any_length(), "there is a plan"
        if assumptions is None:
            raise CertificateError(f"no {puzzle.kind} board is unsolvable by the {claim.encoding} encoding")
    else:
        assumptions, question = formula.at_horizon(claim.length - 1), f"at most {claim.length - 1} moves"
    text = io.StringIO()
    clauses = [*formula.clauses, *([literal] for literal in assumptions)]
    write_dimacs(Dimacs(clauses, formula.names, [f"{claim.encoding} encoding: {question}"]), text)
    return text.getvalue()


def _compare(rebuilt: str, found: str) -> None:
    if rebuilt == found:
        return
    lines = zip(rebuilt.splitlines(), found.splitlines(), strict=False)
    line = next((number for number, (ours, theirs) in enumerate(lines, start=1) if ours != theirs), None)
    where = "at the end" if line is None else f"in line {line}"
    raise CertificateError(f"{FORMULA} is not the formula of this board: it differs {where}")


def _read_claim(path: Path) -> Claim:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        claim = Claim(**fields)
    except (OSError, ValueError, TypeError) as error:
        raise CertificateError(f"{CLAIM} can't be read: {error}") from None
    lengths = {"optimal": int, "unsolvable": type(None)}
    encoding = ENCODINGS.get(str(claim.encoding))
    if encoding is None or not encoding.certifies or type(claim.length) is not lengths.get(str(claim.status)):
        raise CertificateError(f"{CLAIM} makes no claim that can be checked: {fields}")
    return claim


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")
