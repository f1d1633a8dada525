"""The names that the package offers. `__init__.py` imports them when they are first used."""

from bsp_sat.backends.proofs.certificate import PROOF as PROOF
from bsp_sat.backends.proofs.certificate import Made as Made
from bsp_sat.backends.proofs.certificate import not_verified as not_verified
from bsp_sat.backends.proofs.certificate import verify_certificate as verify_certificate
from bsp_sat.backends.proofs.refutation import BUILT_IN as BUILT_IN
from bsp_sat.backends.proofs.writing import certificate_entry as certificate_entry
from bsp_sat.backends.proofs.writing import certify as certify
from bsp_sat.backends.proofs.writing import prepare as prepare
from bsp_sat.backends.proofs.writing import prepare_folder as prepare_folder
from bsp_sat.backends.proofs.writing import remove_certificate as remove_certificate
