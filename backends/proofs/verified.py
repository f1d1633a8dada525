"""Runs the checker that is itself proved: the program ``bsp-sat-verified``, built from formal/.

docs/certificates.md says what is proved, how to build the program, and which certificates it covers.
"""

import subprocess
from pathlib import Path

from bsp_sat.backends.sat.external_programs import program_of
from bsp_sat.formal.check_labels import NotVerified, Unreadable
from bsp_sat.instances.errors import Unsupported

VERIFIED = "verified"
PROGRAM = "bsp-sat-verified"
BUILT = Path(__file__).resolve().parents[2] / "formal" / "build" / PROGRAM
"""The program as ``make -C formal`` builds it in a checkout."""


def verified_program() -> Path | None:
    """The file of the program, from absolute folders on PATH, or else from this checkout."""
    return program_of(PROGRAM) or (BUILT if BUILT.is_file() else None)


def check_by_program(folder: Path) -> tuple[Path, list[str]]:
    """Checks a certificate, whose folder no other program may change during the check.

    Returns the program, and its report line by line: first the board that it read, last the verdict. Raises Unsupported
    if the program isn't there, NotVerified, and Unreadable, also if it doesn't cover the claim.
    """
    program = verified_program()
    if program is None:
        raise Unsupported(f"the program {PROGRAM} is not on PATH (docs/certificates.md says how to build it)")
    command = [program, folder.absolute()]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    lines = run.stdout.splitlines()
    last = lines[-1] if lines else ""
    if run.returncode == 0 and last.startswith("Verified: "):
        return program, lines
    refused = {1: NotVerified, 2: Unreadable}.get(run.returncode, Unreadable)
    raise refused(f"{PROGRAM}: {last or f'ended with exit code {run.returncode}'}")


def counted(report: list[str]) -> int:
    """The number of labelled positions, or of border tables, that a report names."""
    return next(int(line.split()[1]) for line in report if line.startswith(("Labels: ", "Borders: ")))
