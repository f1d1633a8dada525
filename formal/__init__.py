"""What a sceptic reads: the proved checker, in Coq, and checkers of certificates in Python that use nothing else."""
