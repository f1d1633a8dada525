"""Certificates: proofs on disk, and their checkers. Who writes none needn't load the encodings: use these names."""

from typing import TYPE_CHECKING

from bsp_sat.on_demand import OnDemand

if TYPE_CHECKING:
    from bsp_sat.backends.proofs.certificate import BOARD as BOARD
    from bsp_sat.backends.proofs.certificate import FILES as FILES
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

__getattr__ = OnDemand(
    __name__,
    {
        "certificate": ("BOARD", "FILES", "PROOF", "Made", "not_verified", "verify_certificate"),
        "refutation": ("BUILT_IN",),
        "writing": ("certificate_entry", "certify", "prepare", "prepare_folder", "remove_certificate"),
    },
)
