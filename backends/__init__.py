"""Ways to solve a puzzle: exact searches, SAT and CP-SAT."""
