"""Refutations as files: a solver refutes a CNF and writes a proof, and an independent program checks the proof.

The proof is CaDiCaL's LRAT text, trimmed. cake_lpr, which is formally verified, checks it where it is installed;
otherwise `bsp_sat.backends.proofs.lrat`, which shares no code with the solver and needs only Python. Both take time
linear in its size. docs/measurements.md has the measurements behind these choices.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bsp_sat.backends.proofs.lrat import InvalidProof, UnreadableCnf, check_lrat
from bsp_sat.backends.proofs.prover import REFUTED, SATISFIABLE
from bsp_sat.backends.proofs.trim import Trimmed, trim
from bsp_sat.backends.sat.external_programs import program_of
from bsp_sat.encoder.export.dimacs import read_dimacs
from bsp_sat.instances.errors import BackendError, CertificateError, HasModel, ProofRejected, Unsupported
from bsp_sat.instances.optional import IN_A_TAB

MEGABYTE = 1_000_000
MAX_TRACE_MEGABYTES = 4000
POLL_SECONDS = 0.05
PROOF_SOLVER = "cadical195"
CHECKERS = CAKE_LPR, BUILT_IN = "cake_lpr", "built-in"
ACCEPTANCE = "s VERIFIED UNSAT"
"""What cake_lpr prints if it accepts."""


@dataclass(frozen=True)
class Refutation:
    """Figures of a refutation.

    Attributes:
        solver: the solver that found it.
        solve_seconds: wall time from the CNF file to the trace.
        trim_seconds: wall time from the trace to the proof.
        trace_megabytes: size of the trace, in MB (10⁶ bytes).
        proof_megabytes: size of the trimmed proof.
        steps: clauses derived in the proof.
    """

    solver: str
    solve_seconds: float
    trim_seconds: float
    trace_megabytes: float
    proof_megabytes: float
    steps: int


@dataclass(frozen=True)
class ProofCheck:
    """A proof that was accepted.

    Attributes:
        checker: the checker that accepted it.
        seconds: wall time.
        proof_megabytes: size of the proof, in MB (10⁶ bytes).
        program: the file of the program; None for the built-in checker.
    """

    checker: str
    seconds: float
    proof_megabytes: float
    program: Path | None = None


def refute(cnf: Path, proof: Path, *, max_trace_megabytes: float = MAX_TRACE_MEGABYTES) -> Refutation:
    """Refutes a CNF file and writes the proof.

    The solver starts without learned clauses, in its own process, and writes its trace to a temporary file next to
    ``proof``. An existing ``proof`` is replaced when the new one is complete.

    Args:
        cnf: a DIMACS file; it contains assumptions as clauses of one literal.
        proof: the file for the proof.
        max_trace_megabytes: disk space for the trace; the proof takes less.

    Raises:
        CertificateError: the CNF has a model, or the trace grew too large.
        BoardError: the file is not a CNF.
        BackendError: the solver crashed.
    """
    with cnf.open(encoding="ascii", errors="replace") as lines:
        clauses = read_dimacs(lines).clauses
    with tempfile.TemporaryDirectory(prefix=".trace-", dir=proof.parent) as folder:
        trace = Path(folder, "trace.lrat")
        finished = Path(folder, "proof.lrat")
        started = time.perf_counter()
        if IN_A_TAB:  # where no process can be started
            _trace_here(clauses, trace)
        else:
            _trace(cnf, trace, max_trace_megabytes)
        solved = time.perf_counter()
        trimmed = _write_empty_step(clauses, finished) or trim(trace, len(clauses), finished)
        trimmed_at = time.perf_counter()
        traced_bytes = trace.stat().st_size
        finished.replace(proof)
    return Refutation(
        solver=PROOF_SOLVER,
        solve_seconds=solved - started,
        trim_seconds=trimmed_at - solved,
        trace_megabytes=traced_bytes / MEGABYTE,
        proof_megabytes=proof.stat().st_size / MEGABYTE,
        steps=trimmed.steps,
    )


def _write_empty_step(clauses: Sequence[Sequence[int]], proof: Path) -> Trimmed | None:
    """Writes the proof of a CNF that contains the empty clause, for which solvers write none."""
    for number, clause in enumerate(clauses, start=1):
        if not clause:
            proof.write_text(f"{len(clauses) + 1} 0 {number} 0\n", encoding="ascii")
            return Trimmed(1, 0)
    return None


def _trace_here(clauses: Sequence[Sequence[int]], trace: Path) -> None:
    # Imported here, like the solver in there.
    from bsp_sat.backends.proofs.prover import trace_refutation

    if not trace_refutation(clauses, trace):
        raise CertificateError("the CNF has a model, so it can't be refuted")


def _trace(cnf: Path, trace: Path, megabytes: float) -> None:
    """Runs the solver, as long as its trace is within the limit."""
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; from bsp_sat.backends.proofs import prover;"
        f"sys.exit(prover.main({os.getpid()}))"
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
            running = True
            while running:
                running = _still_running(process)
                if trace.stat().st_size > megabytes * MEGABYTE:
                    raise CertificateError(f"the trace of the refutation is above its limit of {megabytes:g} MB")
        finally:
            process.kill()
        output.seek(0)
        last_words = output.read().decode(errors="replace").strip().splitlines()[-1:]
    if process.returncode == SATISFIABLE:
        raise HasModel("the CNF has a model, so it can't be refuted")
    if process.returncode == -9:  # SIGKILL, not sent by this process: probably by the kernel's out-of-memory killer
        raise CertificateError("the solver was killed, probably for lack of memory")
    if process.returncode != REFUTED:
        raise BackendError(
            f"{PROOF_SOLVER} ended with exit code {process.returncode}: {''.join(last_words) or 'no message'}"
        )


def _still_running(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return False


def check_proof(cnf: Path, proof: Path, checker: str = "auto") -> ProofCheck:
    """Checks a proof with a program other than the solver.

    Args:
        cnf: a DIMACS file.
        proof: an LRAT file that should refute it.
        checker: one of `CHECKERS`; ``auto`` takes `CAKE_LPR` if it is on PATH, or else the built-in one.

    Raises:
        ProofRejected: the proof isn't accepted; the message says where it fails.
        Unsupported: the checker is unknown or not installed.
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
