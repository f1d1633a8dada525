"""What the package offers: written of its tables by python -m tests.support.computed_docs."""

from bsp_sat.backends.proofs.certificate import Made as Made, not_verified as not_verified, verify_certificate as verify_certificate
from bsp_sat.backends.proofs.folder import BOARD as BOARD, CLAIM as CLAIM, FILES as FILES, PROOF as PROOF, move_files as move_files, prepare_folder as prepare_folder, staging as staging
from bsp_sat.backends.proofs.kinds import CASES as CASES, PROOFS as PROOFS
from bsp_sat.backends.proofs.manifest import write_manifest as write_manifest
from bsp_sat.backends.proofs.refutation import BUILT_IN as BUILT_IN
from bsp_sat.backends.proofs.writing import certificate_entry as certificate_entry, certify as certify, prepare as prepare
