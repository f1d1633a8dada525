"""Certificates: proofs on disk, and their checkers. Who writes none needn't load the encodings: use these names."""

from bsp_sat.on_demand import OnDemand

NAMES = {
    "certificate": "Made not_verified verify_certificate",
    "folder": "BOARD CLAIM FILES PROOF move_files prepare_folder staging",
    "kinds": "CASES PROOFS",
    "manifest": "write_manifest",
    "refutation": "BUILT_IN",
    "writing": "certificate_entry certify prepare",
}

__getattr__ = OnDemand(__name__, names=NAMES)
