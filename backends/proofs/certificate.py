"""Certificates: an answer as a folder that someone can check who trusts none of this.

    board.json      the board
    plan.json       a plan of the claimed length; only for ``optimal``
    claim.json      what is claimed, and what kind of proof shows it
    SHA256SUMS      checksums of all the others

There are three kinds of proof (`PROOFS`):

* **labels**: positions with distance labels in ``labels.bin``, see `bsp_sat.backends.proofs.labels`.
* **borders**: no file, as the checker searches the border tables of the board itself; for ``unsolvable``.
* **lrat**: in ``formula.cnf`` (DIMACS) "the board has a plan of at most length − 1 moves", or, for ``unsolvable``,
  "has a plan", where what each variable means stands in the comments; and in ``proof.lrat`` a refutation of it.

The first two are checked by `bsp_sat.backends.proofs.check_labels`, which shares nothing with the rest and says what is
left to believe. An LRAT proof vouches for the formula, not for the encoding. So `verify_certificate` builds the formula
from the board again and compares, and replays the plan; what is left to believe is the encoding (its argument is in
docs/encodings.md, its tests compare it with exhaustive search), a rule book of a page, and the proof checker, which
shares nothing with the solver. Where the claimed length is no more than the puzzle's own lower bound, the formula is a
bare contradiction, and what is left to believe is that bound.
"""

import io
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

from bsp_sat.backends.proofs import check_labels
from bsp_sat.backends.proofs.check_labels import Checked, NotVerified, Unreadable
from bsp_sat.backends.proofs.labels import Interrupted, NoLabels, find_labels, write_labels
from bsp_sat.backends.proofs.manifest import MANIFEST, check_files, check_manifest, write_manifest
from bsp_sat.backends.proofs.refutation import ProofCheck, Refutation, check_proof, refute
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.files import load_plan, load_puzzle
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle

BOARD, PLAN, FORMULA, PROOF, CLAIM = "board.json", "plan.json", "formula.cnf", "proof.lrat", "claim.json"
LABELS_FILE = "labels.bin"
LABELS, BORDERS, LRAT = PROOFS = "labels", "borders", "lrat"
BORDER_TABLES = 5_000  # a fraction of a second
MANIFEST_BYTES = 1_000  # of a certificate without LRAT


class CertificateError(BspSatError):
    """A certificate can't be made, or doesn't show what it claims."""


@dataclass(frozen=True)
class Claim:
    """What a certificate shows by an LRAT proof.

    Attributes:
        status: ``optimal`` or ``unsolvable``.
        length: the least number of moves; None for ``unsolvable``.
        encoding: name of the encoding that made the formula.
    """

    status: str
    length: int | None
    encoding: str


@dataclass(frozen=True)
class Made:
    """A certificate that was written.

    Attributes:
        kind: one of `PROOFS`.
        bytes: size of all its files.
        seconds: wall time it took.
        positions: positions that have a label, of the kind `LABELS`.
        refutation: more about it, of the kind `LRAT`.
    """

    kind: str
    bytes: int
    seconds: float
    positions: int | None = None
    refutation: Refutation | None = None

    def to_json(self) -> dict[str, Any]:
        """For ``--json``, the particulars of a refutation beside the rest."""
        fields = {"kind": self.kind, "bytes": self.bytes, "seconds": round(self.seconds, 3)}
        if self.positions is not None:
            fields["positions"] = self.positions
        return fields if self.refutation is None else {**fields, **asdict(self.refutation)}


@dataclass(frozen=True)
class Verified:
    """An LRAT certificate that holds.

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


@dataclass(frozen=True)
class VerifiedLabels:
    """A certificate by labels or borders that holds.

    Attributes:
        puzzle: for which board.
        checked: what was checked.
        seconds: wall time of the checker.
        bytes: size of all its files.
    """

    puzzle: AnyPuzzle
    checked: Checked
    seconds: float
    bytes: int


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
    folder: Path,
    puzzle: AnyPuzzle,
    result: Result,
    proof: str | None = None,
    *,
    seconds: float | None = None,
    stop: Event | None = None,
) -> Made:
    """Certifies a result: shows afresh that nothing is shorter, and writes it all down.

    The files come into the folder once all are complete, the checksums last.

    Args:
        folder: an empty folder.
        puzzle: the board.
        result: what was proved about it.
        proof: one of `PROOFS`; by default borders where they prove a board unsolvable at once, else labels, else LRAT.
        seconds: wall time for the proof; by default no limit.
        stop: ends the proof when set.

    Raises:
        CertificateError: the result proves nothing, or nothing here can show it.
        NotRefuted: the refutation was interrupted or became too large.
        NoLabels: the labels were asked for, but there are too many, or the search was interrupted.
        Unsupported: no encoding can certify answers for this board.
        BackendError: the result is wrong.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise CertificateError(f"there is nothing to certify in an answer that is {result.status}")
    started = time.monotonic()

    def left() -> float | None:
        return None if seconds is None else max(0.0, seconds - (time.monotonic() - started))

    with tempfile.TemporaryDirectory(prefix=".certificate-", dir=folder) as staging:
        made = _write(Path(staging), puzzle, result, proof, left, stop)
        _write_json(Path(staging, BOARD), puzzle.to_json())
        if result.plan is not None:
            _write_json(Path(staging, PLAN), {"plan": result.plan.to_json(puzzle)})
        write_manifest(Path(staging))
        sizes = check_files(Path(staging))
        for name in sorted(sizes, key=MANIFEST.__eq__):
            Path(staging, name).replace(folder / name)
    return replace(made, bytes=sum(sizes.values()), seconds=time.monotonic() - started)


def _write(
    folder: Path,
    puzzle: AnyPuzzle,
    result: Result,
    proof: str | None,
    left: Callable[[], float | None],
    stop: Event | None,
) -> Made:
    """Writes the claim and what shows it, as `write_certificate` says; ``left`` tells how many seconds there are."""
    unsolvable_sort = isinstance(puzzle, SortPuzzle) and result.status is Status.UNSOLVABLE
    if proof == BORDERS or (proof is None and unsolvable_sort):
        if isinstance(puzzle, SortPuzzle) and unsolvable_sort and search_tables(puzzle, BORDER_TABLES)[0] is False:
            _write_json(folder / CLAIM, {"status": str(result.status), "length": None, "proof": BORDERS})
            return Made(BORDERS, 0, 0.0)
        if proof == BORDERS:
            raise CertificateError("the border argument doesn't show this")
    too_many = ""
    if proof != LRAT:
        try:
            labels = find_labels(puzzle, result.length, seconds=left(), stop=stop)
            write_labels(labels, folder / LABELS_FILE)
            _write_json(folder / CLAIM, {"status": str(result.status), "length": result.length, "proof": LABELS})
            return Made(LABELS, 0, 0.0, positions=len(labels))
        except NoLabels as error:
            if proof == LABELS or isinstance(error, Interrupted):
                raise
            too_many = f"{error}, and "
    try:
        encoding = certifying_encoding(puzzle)
    except Unsupported as error:
        raise CertificateError(f"{too_many}{error}") from None
    claim = Claim(str(result.status), result.length, encoding.name)
    (folder / FORMULA).write_text(_formula(puzzle, claim), encoding="ascii")
    refutation = refute(folder / FORMULA, folder / PROOF, seconds=left(), stop=stop)
    _write_json(folder / CLAIM, asdict(claim))
    return Made(LRAT, 0, 0.0, refutation=refutation)


def verify_certificate(folder: Path, checker: str = "auto") -> Verified | VerifiedLabels:
    """Checks a certificate from end to end.

    Args:
        folder: as `write_certificate` left it.
        checker: name of a proof checker, see `bsp_sat.backends.proofs.refutation.CHECKERS`; for LRAT proofs.

    Raises:
        BspSatError: what doesn't hold, and where.
    """
    try:
        sizes = check_files(folder)
        try:
            fields = check_labels.read_json(folder, CLAIM)
        except Unreadable as error:
            raise CertificateError(f"{CLAIM} can't be read: {error}") from None
        if "proof" not in fields:
            return _verify(folder, checker)
        if checker != "auto":
            raise Unsupported(f"the proof checker {checker} is for LRAT proofs, which this certificate has none of")
        return _verify_labels(folder, sizes)
    except (NotVerified, Unreadable) as error:
        raise CertificateError(str(error)) from None
    except OSError as error:
        raise CertificateError(f"{error.filename or folder}: {error.strerror or error}") from None


def _verify_labels(folder: Path, sizes: dict[str, int]) -> VerifiedLabels:
    """Checks sizes, checksums, plan and proof, so that nothing endless is read."""
    most = dict.fromkeys((BOARD, PLAN, CLAIM), check_labels.MAX_TEXT_BYTES)
    most |= {LABELS_FILE: check_labels.MAX_LABELS_BYTES, MANIFEST: MANIFEST_BYTES}
    for name, size in sizes.items():
        if size > most.get(name, -1):
            raise CertificateError(f"{name} is too large" if name in most else f"{name} belongs to no certificate")
    check_manifest(folder)
    started = time.perf_counter()
    checked = check_labels.check_folder(folder)
    seconds = time.perf_counter() - started
    puzzle = load_puzzle(folder / BOARD)
    if checked.length is not None:
        load_plan(puzzle, folder / PLAN).replay(puzzle)  # by the other rule book, too
    return VerifiedLabels(puzzle, checked, seconds, sum(sizes.values()))


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
