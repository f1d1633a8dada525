"""Exact searches in readable Python, and the border argument, which proves boards unsolvable."""
