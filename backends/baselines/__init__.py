"""Backends for comparison: programs of others, and methods for special boards."""
