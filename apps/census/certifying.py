"""Writes proofs that every board of a class can be solved, for `bsp_sat.formal.check_cases`.

The checker follows the trees of the case distinction as they are made, and then asks here which border goes in a
position; so what is written has been checked.
"""

import json
import zlib
from dataclasses import asdict
from pathlib import Path

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.case_distinction import CaseDistinction
from bsp_sat.apps.census.cases import CasePart, first_runs
from bsp_sat.backends.proofs import CASES, CLAIM, write_manifest
from bsp_sat.formal.check_cases import CASES_FILE, KNOWN, SEPARATOR, Class, Proof, tops_of
from bsp_sat.formal.check_labels import NotVerified, Unreadable
from bsp_sat.instances.errors import CertificateError


def certify_cases(of: BoardClass, folder: Path) -> CasePart:
    """Writes claim, proof and checksums; Unsupported or CertificateError if they are too large, or a board is dead."""
    distinction = CaseDistinction(of.colours, of.capacity, of.empty)
    trees, number = bytearray(), 0
    whole = CasePart()
    borders = bytearray()

    def border_of(position: bytes) -> int:
        border = distinction.first_border([part[0] for part in position.split(SEPARATOR)], tops_of(position))
        if border is None:
            raise NotVerified("the case distinction has a position without a way to a goal")
        borders.append(border)
        return border

    try:
        proof = Proof(Class(of.colours, of.capacity, of.empty))
        for beginning in first_runs(of):
            decided = distinction.decide(beginning.tops, beginning.ways)
            whole, steps = whole.merged(CasePart(decided.cases, decided.boards)), decided.proof
            if steps != bytes([KNOWN]):
                proof.follow_tree(beginning.tops, iter(steps))
                trees += bytes(number for top in beginning.tops for number in top) + steps
                number += 1
        proof.follow_positions(border_of)
    except (NotVerified, Unreadable) as error:
        raise CertificateError(str(error)) from None
    header = f"bsp-sat cases 1: {number} trees in {len(trees)} bytes, {len(borders)} positions\n"
    (folder / CASES_FILE).write_bytes(header.encode() + zlib.compress(bytes(trees + borders), 9))
    claim = {"proof": CASES, **asdict(of)}
    (folder / CLAIM).write_text(json.dumps(claim) + "\n", encoding="utf-8", newline="\n")
    write_manifest(folder)
    return whole
