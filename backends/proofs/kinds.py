"""The kinds of proof in certificates, by their names for ``--proof``."""

PROOFS = LABELS, BORDERS, LRAT = "labels", "borders", "lrat"
