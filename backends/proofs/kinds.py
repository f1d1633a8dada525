"""The kinds of proof that a certificate may hold, by the names that ``--proof`` has for them."""

PROOFS = LABELS, BORDERS, LRAT = "labels", "borders", "lrat"
