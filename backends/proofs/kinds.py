"""The kinds of proof in certificates, by their names for ``--proof``."""

PROOFS = LABELS, BORDERS, LRAT = "labels", "borders", "lrat"

CASES = "cases"
"""The proof about all boards of a class, which only `bsp-sat census` writes."""
