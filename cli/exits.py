"""The exit codes of all commands, beside 0."""

EXIT_NO = 1
"""Proved unsolvable, invalid, or not verified."""
EXIT_BAD_INPUT = 2
EXIT_UNKNOWN = 3
"""Stopped by a limit or a signal."""
EXIT_BUG = 4
