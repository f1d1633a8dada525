"""The reachable positions of one board, for grading."""
