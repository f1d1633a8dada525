"""Certificates: folders with an answer and its proof, which anyone can check without trusting this program.

    board.json      the board
    plan.json       a plan of the claimed length; only for ``optimal``
    claim.json      the claim, and the kind of proof
    SHA256SUMS      checksums of all other files

A certificate of `bsp-sat census`, that every board of a class can be solved, has ``claim.json`` and ``cases.bin``
instead, see `bsp_sat.formal.check_cases`.

There are three kinds of proof (`bsp_sat.backends.proofs.kinds`):

* **labels**: positions with distance labels in ``labels.bin``, see `bsp_sat.backends.proofs.labels`.
* **borders**: no file, as the checker searches the border tables of the board itself; for ``unsolvable``.
* **lrat**: ``formula.cnf`` (DIMACS) says "the board has a plan of at most length − 1 moves" or, for ``unsolvable``,
  "the board has a plan"; its comments explain the variables. ``proof.lrat`` is a refutation of it.

`bsp_sat.formal.check_labels` checks the first two; it shares no code with the rest, and says what you have to
trust. `bsp_sat.backends.proofs.verified` runs a checker that is itself proved, for plain sort boards. An LRAT proof
refutes the formula, but doesn't show that the formula is right. So `verify_certificate` builds the formula from the
board again and compares, and replays the plan. You have to trust the encoding (docs/encodings.md has its proof, and
tests compare it with exhaustive search), about a page of rules, and the proof checker, which shares no code with the
solver. If the claimed length is at most the puzzle's own lower bound, the formula is a mere contradiction, and you have
to trust that bound.
"""

import json
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any

from bsp_sat.backends.proofs import manifest
from bsp_sat.backends.proofs.folder import (
    BOARD,
    CLAIM,
    FORMULA,
    LABELS_FILE,
    MOST_BYTES,
    PLAN,
    PROOF,
    move_files,
    staging,
)
from bsp_sat.backends.proofs.kinds import BORDERS, CASES, LABELS, LRAT, PROOFS
from bsp_sat.backends.proofs.labels import COMPILED_MB, find_labels, write_labels
from bsp_sat.backends.proofs.refutation import Refutation, check_proof, refute
from bsp_sat.backends.proofs.verified import VERIFIED, check_by_program, counted
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.search.borders import Borders, search_tables
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding
from bsp_sat.formal import check_cases, check_labels
from bsp_sat.formal.check_cases import CASES_FILE
from bsp_sat.formal.check_labels import NotVerified, Unreadable
from bsp_sat.instances.errors import BspSatError, CertificateError, NoLabels, PlanError, Unsupported
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import quantity, short

LABELS_CHECKER, CASES_CHECKER = "check_labels.py", "check_cases.py"
BORDER_TABLES = 5_000  # limit if borders weren't asked for: a fraction of a second


@dataclass(frozen=True)
class Claim:
    """The claim of a certificate with an LRAT proof: ``optimal`` with the least number of moves, or ``unsolvable``."""

    status: str
    length: int | None
    encoding: str


@dataclass(frozen=True)
class Made:
    """A certificate that was written: one of `PROOFS`, the size of its files, and for `LABELS` how many positions."""

    kind: str
    bytes: int
    seconds: float
    positions: int | None = None
    refutation: Refutation | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object for ``--json``, with the details of a refutation."""
        fields = {"kind": self.kind, "bytes": self.bytes, "seconds": round(self.seconds, 3)}
        if self.positions is not None:
            fields["positions"] = self.positions
        return fields if self.refutation is None else {**fields, **asdict(self.refutation)}


@dataclass(frozen=True)
class Verified:
    """A certificate that holds.

    The board and its least number of moves are None where it is about all boards of a class; without moves there is no
    plan. ``proof`` is one of `PROOFS`, or `CASES`. The report says line by line what was checked, the verdict last. The
    checker is a name, or the full path of a program. ``particulars`` are figures of this kind of proof, as in
    ``--json``.
    """

    puzzle: AnyPuzzle | None
    length: int | None
    proof: str
    report: list[str]
    checker: str
    seconds: float
    particulars: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        status = None if self.puzzle is None else str(Status.UNSOLVABLE if self.length is None else Status.OPTIMAL)
        return {
            "verified": True,
            "reason": None,
            "status": status,
            "length": self.length,
            "proof": self.proof,
            "checker": Path(self.checker).name,
            "seconds": round(self.seconds, 3),
            "board": None if self.puzzle is None else self.puzzle.to_json(),
            **self.particulars,
        }


def not_verified(error: BspSatError) -> dict[str, Any]:
    """The JSON object for ``--json`` if a certificate doesn't hold."""
    return {"verified": False, "reason": str(error)}


def write_certificate(
    folder: str | Path, puzzle: AnyPuzzle, result: Result, proof: str | None = None, labels_mb: float = COMPILED_MB
) -> Made:
    """Certifies a result: proves again that no plan is shorter, and writes the files.

    Without limits of time and memory; `bsp_sat.backends.proofs.writing` adds them. The folder is empty, doesn't exist
    yet, or has a certificate, which this one then replaces. ``proof`` is one of `PROOFS`; by default borders if they
    quickly prove a board unsolvable, else labels, else LRAT. The search for labels takes ``labels_mb`` MB (10⁶ bytes).

    Raises CertificateError if the result proves nothing, no kind of proof can show it, or the refutation became too
    large; NoLabels if labels were asked for and there are too many; Unsupported if no encoding can certify answers for
    this board; BackendError if the result is wrong; and OSError.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise CertificateError(f"there is nothing to certify in an answer that is {result.status}")
    if proof is not None and proof not in PROOFS:
        raise CertificateError(f"expected one of the proofs {', '.join(PROOFS)}, found {short(repr(proof))}")
    with staging(Path(folder)) as staged:
        made = write_files(staged, puzzle, result, proof, labels_mb)
        move_files(staged, Path(folder))
    return made


def write_files(folder: Path, puzzle: AnyPuzzle, result: Result, proof: str | None, labels_mb: float) -> Made:
    """Writes the files of a certificate into an empty folder, the checksums last; see `write_certificate`."""
    started = time.monotonic()
    made = _write(folder, puzzle, result, proof, labels_mb)
    _write_json(folder / BOARD, puzzle.to_json())
    if result.plan is not None:
        _write_json(folder / PLAN, {"plan": result.plan.to_json(puzzle)})
    manifest.write_manifest(folder)
    return replace(made, bytes=sum(manifest.check_files(folder).values()), seconds=time.monotonic() - started)


def _write(folder: Path, puzzle: AnyPuzzle, result: Result, proof: str | None, labels_mb: float) -> Made:
    """Writes the claim and the proof, see `write_certificate`."""
    takes_borders = isinstance(puzzle, SortPuzzle) and Borders.scope.refusal(puzzle) is None
    unsolvable_sort = takes_borders and result.status is Status.UNSOLVABLE
    if proof == BORDERS or (proof is None and unsolvable_sort):
        most = BORDER_TABLES if proof is None else sys.maxsize
        if isinstance(puzzle, SortPuzzle) and unsolvable_sort and search_tables(puzzle, most)[0] is False:
            _write_json(folder / CLAIM, {"status": str(result.status), "length": None, "proof": BORDERS})
            return Made(BORDERS, 0, 0.0)
        if proof == BORDERS:
            problem = "the border argument doesn't show that the board is unsolvable"
            raise CertificateError(f"{problem}; leave out the kind of proof")
    too_many = ""
    if proof != LRAT:
        try:
            labels = find_labels(puzzle, result.length, labels_mb)
            write_labels(labels, folder / LABELS_FILE)
            _write_json(folder / CLAIM, {"status": str(result.status), "length": result.length, "proof": LABELS})
            return Made(LABELS, 0, 0.0, positions=len(labels))
        except NoLabels as error:
            if proof == LABELS:
                raise
            too_many = f"{error}, and "
    try:
        encoding = certifying_encoding(puzzle, lengths_only=result.length is not None)
    except Unsupported as error:
        raise CertificateError(f"{too_many}{error}") from None
    claim = Claim(str(result.status), result.length, encoding.name)
    _write_formula(puzzle, claim, folder / FORMULA)
    refutation = refute(folder / FORMULA, folder / PROOF)
    _write_json(folder / CLAIM, asdict(claim))
    return Made(LRAT, 0, 0.0, refutation=refutation)


def verify_certificate(
    folder: str | Path, checker: str = "auto", board: AnyPuzzle | None = None, *, scratch: Path | None = None
) -> Verified:
    """Checks a certificate from end to end; raises BspSatError with what is wrong, and where.

    It checks a copy in a private folder in ``scratch``, by default the system's folder for temporary files, and reads
    each file once for the copy. So no file can be replaced between two checks, and endless files are refused.
    ``checker`` is for LRAT proofs the name of a proof checker, see `bsp_sat.backends.proofs.refutation.CHECKERS`; for
    labels `VERIFIED`: the checker that is itself proved. ``board`` is the expected one, with the same order of tubes
    and the same names of colours; by default any.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="bsp-sat-verify-", dir=scratch) as private:
            copy, own = Path(private, "certificate"), Path(private, "own")
            copy.mkdir()
            own.mkdir()
            with manifest.open_files(Path(folder), MOST_BYTES) as files:
                if CLAIM not in files:
                    raise CertificateError(f"{CLAIM} is missing")
                size = manifest.copy_files({CLAIM: files.pop(CLAIM)}, copy)
                try:
                    fields = check_labels.read_json(copy, CLAIM)
                except Unreadable as error:
                    problem = str(error).removeprefix(f"{CLAIM}: ")
                    raise CertificateError(f"{CLAIM} can't be read: {problem}") from None
                lrat = None if "proof" in fields else _claim(fields)
                is_class = fields.get("proof") == CASES
                _check_names({CLAIM, *files}, fields)  # before what may be gigabytes is copied
                size += manifest.copy_files(files, copy)
            manifest.check_manifest(copy)
            if is_class:
                if board is not None or checker != "auto":
                    raise Unsupported("a certificate about all boards of a class: expected no board and no --checker")
                return _verify_cases(copy, size)
            puzzle = _board_of(copy)
            if board is not None and puzzle.to_json() != board.to_json():
                raise CertificateError(f"{folder} is for another board")
            if lrat is not None:
                if checker == VERIFIED:
                    raise Unsupported("the proved checker is for labels, but this certificate has an LRAT proof")
                return _verify_lrat(copy, own, puzzle, lrat, checker)
            if checker not in ("auto", VERIFIED):
                raise Unsupported(f"the proof checker {checker} is for LRAT proofs, which this certificate has none of")
            return _verify_labels(copy, size, puzzle, proved=checker == VERIFIED)
    except (NotVerified, Unreadable) as error:
        raise CertificateError(str(error)) from None
    except OSError as error:
        raise CertificateError(f"{folder}: {error.strerror or error}") from None
    except MemoryError:
        raise CertificateError("not enough memory to check it") from None


def _text(copy: Path, name: str) -> str:
    try:
        return check_labels.read_file(copy, name, check_labels.MAX_TEXT_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CertificateError(f"{name} is not UTF-8 text: byte {error.start}") from None


def _board_of(copy: Path) -> AnyPuzzle:
    instances = parse_instances(_text(copy, BOARD), BOARD)
    if len(instances) != 1:
        raise CertificateError(f"{BOARD}: expected one board, found {len(instances)}")
    if instances[0].read_as:  # other checkers know no other spelling
        raise CertificateError(f"{BOARD}: expected a JSON object with all keys, found another spelling")
    return instances[0].puzzle


def _replayed(copy: Path, puzzle: AnyPuzzle, length: int) -> None:
    """Replays the plan, which must have the claimed length. BspSatError if the plan fails; the message says where."""
    try:
        plan = Plan.from_text(puzzle, _text(copy, PLAN))
    except PlanError as error:
        raise CertificateError(f"{PLAN}: {error}") from None
    plan.replay(puzzle)
    if len(plan) != length:
        raise CertificateError(f"the claim is {quantity(length, 'move')}, but the plan has {len(plan)}")


def _check_names(found: Collection[str], claim: Mapping[str, Any]) -> None:
    """Refuses missing files, and additional files, which a reader might mistake for checked ones."""
    proof_files = [FORMULA, PROOF] if "proof" not in claim else [LABELS_FILE] if claim["proof"] == LABELS else []
    needed = {BOARD, CLAIM, manifest.MANIFEST, *proof_files} | ({PLAN} if claim.get("length") is not None else set())
    if claim.get("proof") == CASES:
        needed = {CLAIM, manifest.MANIFEST, CASES_FILE}
    problems = [f"{name} is missing" for name in sorted(needed.difference(found))]
    problems += [f"{name} isn't a file of a certificate of this kind" for name in sorted(set(found) - needed)]
    if problems:
        raise CertificateError("; ".join(problems))


def _verify_labels(copy: Path, size: int, puzzle: AnyPuzzle, *, proved: bool) -> Verified:
    claim = check_labels.read_json(copy, CLAIM)
    length, proof = claim.get("length"), str(claim.get("proof"))
    started = time.perf_counter()
    if proved:
        program, report = check_by_program(copy)
        checker, particulars = str(program), {"positions": counted(report)}
    else:
        checked = check_labels.check_folder(copy)
        checker, report = LABELS_CHECKER, str(checked).splitlines()
        particulars = {"positions": checked.positions, "moves": checked.moves}
    seconds = time.perf_counter() - started
    if length is not None:
        _replayed(copy, puzzle, length)  # also by the rules of this package, not only the checker's
    return Verified(puzzle, length, proof, report, checker, seconds, {**particulars, "bytes": size})


def _verify_cases(copy: Path, size: int) -> Verified:
    started = time.perf_counter()
    checked = check_cases.check_folder(copy)
    seconds = time.perf_counter() - started
    figures = {**checked.of._asdict(), "cases": checked.cases, "positions": checked.positions, "bytes": size}
    return Verified(None, None, CASES, str(checked).splitlines(), CASES_CHECKER, seconds, figures)


def _verify_lrat(copy: Path, own: Path, puzzle: AnyPuzzle, claim: Claim, checker: str) -> Verified:
    """See `verify_certificate`; ``own`` is a folder for temporary files."""
    if claim.length is not None:
        _replayed(copy, puzzle, claim.length)
    try:
        clauses = _write_formula(puzzle, claim, own / FORMULA)
    except Unsupported as error:
        raise CertificateError(f"{CLAIM} makes no claim that can be checked: {error}") from None
    _compare(own / FORMULA, copy / FORMULA)
    check = check_proof(own / FORMULA, copy / PROOF, checker)
    figures = {"encoding": claim.encoding, "clauses": clauses, "proof_megabytes": check.proof_megabytes}
    by = check.checker if check.program is None else str(check.program)
    return Verified(puzzle, claim.length, LRAT, _lrat_report(puzzle, claim, clauses), by, check.seconds, figures)


def _lrat_report(puzzle: AnyPuzzle, claim: Claim, clauses: int) -> list[str]:
    length = claim.length
    moves = "" if length is None else quantity(length, "move")
    lines = [f"Plan: {moves}, replayed"] if moves else []
    if length is not None and length <= puzzle.lower_bound():
        lines.append(f"Bound: the lower bound from the rules is {moves} already; the formula adds nothing")
    refuted = f"fewer than {moves}" if moves else "there is a plan"
    lines.append(f"Formula: {refuted}; built again from the board ({claim.encoding}), {clauses} clauses, the same")
    return [*lines, f"Verified: {moves} is the minimum." if moves else "Verified: no plan exists."]


def _write_formula(puzzle: AnyPuzzle, claim: Claim, path: Path) -> int:
    """Writes the formula to refute as DIMACS, assumptions as clauses, and returns its number of clauses."""
    formula = ENCODINGS[claim.encoding].encode(puzzle)
    if claim.length is None:
        assumptions, question = formula.at_any_length(), "there is a plan"
        if assumptions is None:
            raise CertificateError(f"no {puzzle.kind} board is unsolvable by the {claim.encoding} encoding")
    else:
        assumptions, question = formula.at_horizon(claim.length - 1), f"at most {quantity(claim.length - 1, 'move')}"
    clauses = [*formula.clauses, *([literal] for literal in assumptions)]
    with path.open("w", encoding="ascii", newline="\n") as stream:
        write_dimacs(Dimacs(clauses, formula.names, [f"{claim.encoding} encoding: {question}"]), stream)
    return len(clauses)


def _compare(rebuilt: Path, found: Path) -> None:
    line = 1
    with rebuilt.open("rb") as ours, found.open("rb") as theirs:
        while True:
            expected, there = ours.read(manifest.CHUNK_BYTES), theirs.read(manifest.CHUNK_BYTES)
            if expected != there:
                pairs = zip(expected, there, strict=False)
                same = next((place for place, (one, other) in enumerate(pairs) if one != other), len(there))
                line += expected[:same].count(b"\n")
                raise CertificateError(f"{FORMULA} is not the formula of this board: it differs in line {line}")
            if not expected:
                return
            line += expected.count(b"\n")


def _claim(fields: dict[str, Any]) -> Claim:
    expected = [field.name for field in dataclass_fields(Claim)]
    if sorted(fields) != sorted(expected):
        found = short(", ".join(fields))
        raise CertificateError(f"{CLAIM} can't be read: expected the keys {', '.join(expected)}, found {found}")
    claim = Claim(**fields)
    if str(claim.encoding) not in ENCODINGS:
        found = f"unknown encoding {short(repr(claim.encoding))}, known are {', '.join(ENCODINGS)}"
        raise CertificateError(f"{CLAIM} can't be read: {found}")
    lengths = {"optimal": int, "unsolvable": type(None)}
    encoding = ENCODINGS[str(claim.encoding)]
    certifies = encoding.certifies or (encoding.certifies_lengths and claim.length is not None)
    if not certifies or type(claim.length) is not lengths.get(str(claim.status)):
        raise CertificateError(f"{CLAIM} makes no claim that can be checked: {short(str(fields))}")
    return claim


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")
