"""Refutations as files: a solver refutes a CNF and writes a proof, and an independent program checks the proof.

The proof is CaDiCaL's LRAT text, trimmed. cake_lpr, which is formally verified, checks it where it is installed;
otherwise `bsp_sat.backends.proofs.lrat`, which shares no code with the solver and needs only Python. Both take time
linear in its size. benchmarks/tried.md has the measurements behind these choices.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path

from bsp_sat.backends.limits import MEGABYTE, die_with_parent
from bsp_sat.backends.proofs.lrat import InvalidProof, UnreadableCnf, check_lrat
from bsp_sat.backends.sat.external_programs import REFUTED, SATISFIABLE, program_of
from bsp_sat.encoder.export.dimacs import read_clauses
from bsp_sat.encoder.formula import Literal
from bsp_sat.instances.errors import BackendError, CertificateError, HasModel, ProofRejected, Unsupported
from bsp_sat.instances.optional import IN_A_TAB

MAX_TRACE_MEGABYTES = 4000
POLL_SECONDS = 0.05
PROOF_SOLVER = "cadical195"
CHECKERS = CAKE_LPR, BUILT_IN = "cake_lpr", "built-in"
ACCEPTANCE = "s VERIFIED UNSAT"
"""What cake_lpr prints if it accepts."""


def trace_refutation(clauses: Sequence[Sequence[Literal]], trace: Path) -> bool:
    """Solves with CaDiCaL 1.9.5, in a process of its own; False if there is a model.

    CaDiCaL writes LRAT while it solves: each learned clause with the clauses that it follows from, which it knows
    anyway. python-sat turns tracing on before options can be set, and would get DRAT. So the tracer is connected here,
    with the same call as python-sat, after setting the option. The trace is written to disk as it grows, with the
    solver's own numbers of clauses, see `trim`.
    """
    # Imported here: only a process that solves needs it.
    import pysolvers
    from pysat.solvers import Cadical195

    solver = Cadical195()
    solver.configure({"lrat": 1, "binary": 0})
    with trace.open("w+b") as stream:  # the mode that the solver opens it with once more
        pointer = pysolvers.cadical195_tracepr(solver.cadical, stream)
        for clause in clauses:
            solver.add_clause(clause)
        satisfiable: bool = solver.solve()
        pysolvers.flushpr(pointer)
        solver.delete()
    return not satisfiable


def main(parent: int) -> int:
    """Reads a CNF file, writes a trace file, and returns the answer; the arguments name the files."""
    die_with_parent(parent)
    cnf, trace = map(Path, sys.argv[1:])
    with cnf.open(encoding="ascii", errors="replace") as lines:
        clauses = read_clauses(lines)
    return REFUTED if trace_refutation(clauses, trace) else SATISFIABLE


STEP = re.compile(rb"^(\d+) (?!d)", re.MULTILINE)
"""A line that derives a clause."""


@dataclass(frozen=True)
class _Step:
    """A step of the trace. Its numbers stay text, as there are millions of them."""

    number: str
    literals: str
    hints: str
    used_up: list[str]


def trim(trace: Path, clauses: int, proof: Path) -> int:
    """Writes the needed part of ``trace`` to ``proof``, which is then quick to check, and returns its steps.

    The trace is LRAT text with any rising numbers; the proof begins after the ``clauses`` of the CNF. Raises
    CertificateError if the empty clause is not in the trace. There are three changes. They need not be trusted, as the
    result is checked as a whole.

    * Steps that the empty clause doesn't depend on are removed: a pass from the end to the start marks the needed ones.
      For refutations of plan lengths, about a fifth of the steps remain.
    * Clauses are renumbered. In LRAT the clauses of the CNF are 1, 2, …, m. CaDiCaL numbers clauses in order of
      appearance; if it simplifies a clause while it is still reading, a derived clause gets a number in between. So the
      k-th number that no step derives is that of the k-th clause.
    * A derived clause is deleted right after its last use, which saves memory in checkers.

    The trace stays on disk; memory grows with the number of steps that are kept.
    """
    if trace.stat().st_size == 0:
        raise CertificateError("the solver has written no proof; is the disk full?")
    with trace.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        numbers: list[str] = []
        starts = array("q")
        for match in STEP.finditer(data):
            numbers.append(match[1].decode())
            starts.append(match.start())
        if not numbers:
            raise CertificateError("the solver's proof has no step")
        needed = list(_needed_steps(data, numbers, starts))
    names = _names_of_clauses(set(numbers), clauses)
    with proof.open("w", encoding="ascii", newline="\n") as stream:
        for name, step in enumerate(reversed(needed), start=clauses + 1):
            names[step.number] = str(name)
            hints = " ".join([names[hint] for hint in step.hints.split()])
            stream.write(f"{name} {step.literals}0 {hints} 0\n")
            if step.used_up:
                stream.write(f"{name} d {' '.join([names.pop(number) for number in step.used_up])} 0\n")
    return len(needed)


def _needed_steps(data: mmap, numbers: list[str], starts: "array[int]") -> Iterator[_Step]:
    """The steps that the empty clause depends on, in reverse order, beginning with the empty clause."""
    derived = set(numbers)
    needed = set(numbers[-1:])
    for number, start in zip(reversed(numbers), reversed(starts), strict=True):
        if number not in needed:
            continue
        line = data[start : data.find(b"\n", start) + 1].decode("ascii")
        head, _, tail = line.partition(" 0 ")
        literals = f"{head} ".partition(" ")[2]
        if number == numbers[-1] and (literals or not tail.endswith(" 0\n")):
            raise CertificateError("the solver's proof ends before the empty clause; is the disk full?")
        hints = tail.removesuffix(" 0\n")
        unseen = set(hints.split()) - needed
        needed |= unseen
        yield _Step(number, literals, hints, sorted(unseen & derived, key=int) if literals else [])


def _names_of_clauses(derived: set[str], clauses: int) -> dict[str, str]:
    """For each clause of the CNF, its position by the solver's number."""
    original = islice((number for number in map(str, count(1)) if number not in derived), clauses)
    return {number: str(place) for place, number in enumerate(original, start=1)}


@dataclass(frozen=True)
class Refutation:
    """Figures of a refutation: wall time to the trace, and from there to the proof, and sizes in MB (10⁶ bytes)."""

    solver: str
    solve_seconds: float
    trim_seconds: float
    trace_megabytes: float
    proof_megabytes: float
    steps: int


@dataclass(frozen=True)
class ProofCheck:
    """A proof that was accepted. ``program``: the file of the program; None for the built-in checker."""

    checker: str
    seconds: float
    proof_megabytes: float
    program: Path | None = None


def refute(cnf: Path, proof: Path, *, max_trace_megabytes: float = MAX_TRACE_MEGABYTES) -> Refutation:
    """Refutes a CNF file and writes the proof.

    The solver starts without learned clauses, in its own process, and writes its trace to a temporary file next to
    ``proof``. An existing ``proof`` is replaced when the new one is complete. The CNF file has assumptions as clauses
    of one literal. Raises CertificateError if it has a model, or the trace grew too large; BoardError if the file is
    not a CNF; and BackendError if the solver crashed.
    """
    with cnf.open(encoding="ascii", errors="replace") as lines:
        clauses = read_clauses(lines)
    with tempfile.TemporaryDirectory(prefix=".trace-", dir=proof.parent) as folder:
        trace = Path(folder, "trace.lrat")
        finished = Path(folder, "proof.lrat")
        started = time.perf_counter()
        if IN_A_TAB:  # where no process can be started
            if not trace_refutation(clauses, trace):
                raise CertificateError("the CNF has a model, so it can't be refuted")
        else:
            _trace(cnf, trace, max_trace_megabytes)
        solved = time.perf_counter()
        steps = _write_empty_step(clauses, finished) or trim(trace, len(clauses), finished)
        trimmed = time.perf_counter()
        traced_bytes = trace.stat().st_size
        finished.replace(proof)
    return Refutation(
        solver=PROOF_SOLVER,
        solve_seconds=solved - started,
        trim_seconds=trimmed - solved,
        trace_megabytes=traced_bytes / MEGABYTE,
        proof_megabytes=proof.stat().st_size / MEGABYTE,
        steps=steps,
    )


def _write_empty_step(clauses: Sequence[Sequence[int]], proof: Path) -> int | None:
    """Writes the proof of a CNF that contains the empty clause, for which solvers write none."""
    for number, clause in enumerate(clauses, start=1):
        if not clause:
            proof.write_text(f"{len(clauses) + 1} 0 {number} 0\n", encoding="ascii")
            return 1
    return None


def _trace(cnf: Path, trace: Path, megabytes: float) -> None:
    """Runs the solver, as long as its trace is within the limit."""
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.proofs import refutation;"
        f"sys.exit(refutation.main({os.getpid()}))"
    )
    trace.touch()
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            [sys.executable, "-c", program, str(cnf), str(trace)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # so that Ctrl-C in a terminal reaches only this process
        ) as process,
    ):
        try:
            while process.returncode is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
                if trace.stat().st_size > megabytes * MEGABYTE:
                    raise CertificateError(f"the solver's proof is above its limit of {megabytes:g} MB")
        finally:
            process.kill()
        output.seek(0)
        last_words = output.read().decode(errors="replace").strip().splitlines()[-1:]
    if process.returncode == SATISFIABLE:
        raise HasModel("the CNF has a model, so it can't be refuted")
    if process.returncode == -9:  # SIGKILL, not sent by this process: probably by the kernel's out-of-memory killer
        raise CertificateError("the solver was killed, probably for lack of memory")
    if process.returncode != REFUTED:
        said = "".join(last_words) or "no message"
        raise BackendError(f"{PROOF_SOLVER} ended with exit code {process.returncode}: {said}")


def check_proof(cnf: Path, proof: Path, checker: str = "auto") -> ProofCheck:
    """Checks an LRAT proof with a program other than the solver: one of `CHECKERS`.

    ``auto`` takes `CAKE_LPR` if it is on PATH, or else the built-in one. Raises ProofRejected, saying where the proof
    fails, and Unsupported if the checker is unknown or not installed.
    """
    if checker not in ("auto", *CHECKERS):
        raise Unsupported(f"unknown proof checker {checker!r}, expected auto or one of {', '.join(CHECKERS)}")
    program = None if checker == BUILT_IN else program_of(CAKE_LPR)
    if checker == CAKE_LPR and program is None:
        raise Unsupported(f"the proof checker {checker} is not on PATH")
    started = time.perf_counter()
    if program is None:
        try:
            check_lrat(cnf, proof)
        except (InvalidProof, UnreadableCnf) as error:
            raise ProofRejected(f"{BUILT_IN}: {error}") from error
    else:
        _run_checker([program, cnf.absolute(), proof.absolute()])  # so that no name starts with a dash
    name = BUILT_IN if program is None else CAKE_LPR
    return ProofCheck(name, time.perf_counter() - started, proof.stat().st_size / MEGABYTE, program)


def _run_checker(command: Sequence[Path]) -> None:
    """Runs a checker; it accepts if it prints the line `ACCEPTANCE` and no "NOT VERIFIED"."""
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    lines = [line.strip() for line in (run.stdout + "\n" + run.stderr).replace("\r", "\n").splitlines() if line.strip()]
    if run.returncode == 0 and ACCEPTANCE in lines and not any("NOT VERIFIED" in line for line in lines):
        return
    problems = [line for line in lines if "fail" in line.lower() or "error" in line.lower()] or lines[-1:]
    raise ProofRejected(f"{command[0]} (exit code {run.returncode}): {'; '.join(problems[:3]) or 'no message'}")
