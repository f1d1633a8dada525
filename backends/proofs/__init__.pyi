"""What the package offers: written by ``python -m tests.support.computed_docs`` of its tables."""

from bsp_sat.backends.proofs.certificate import Made as Made
from bsp_sat.backends.proofs.certificate import not_verified as not_verified
from bsp_sat.backends.proofs.certificate import verify_certificate as verify_certificate
from bsp_sat.backends.proofs.folder import BOARD as BOARD
from bsp_sat.backends.proofs.folder import CLAIM as CLAIM
from bsp_sat.backends.proofs.folder import FILES as FILES
from bsp_sat.backends.proofs.folder import PROOF as PROOF
from bsp_sat.backends.proofs.folder import move_files as move_files
from bsp_sat.backends.proofs.folder import prepare_folder as prepare_folder
from bsp_sat.backends.proofs.folder import staging as staging
from bsp_sat.backends.proofs.kinds import CASES as CASES
from bsp_sat.backends.proofs.kinds import PROOFS as PROOFS
from bsp_sat.backends.proofs.manifest import write_manifest as write_manifest
from bsp_sat.backends.proofs.refutation import BUILT_IN as BUILT_IN
from bsp_sat.backends.proofs.writing import certificate_entry as certificate_entry
from bsp_sat.backends.proofs.writing import certify as certify
from bsp_sat.backends.proofs.writing import prepare as prepare
