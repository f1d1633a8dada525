"""Exact searches that are written to be read, and the two arguments they share with everything else."""
