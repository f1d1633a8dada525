"""What can be switched off in the homes encoding."""

from enum import Flag, auto


class Rule(Flag):
    """Rules that choose among plans of one length; each can be switched off (docs/encodings-homes.md)."""

    REACHABLE = auto()
    """A home opens in an emptied tube only where a ball is at hand that goes there."""

    TEMPORARIES = auto()
    """No temporary that should have been the home."""

    NEEDED = auto()
    """No clear before an opening that doesn't need it."""

    ORDERED = auto()
    """Of two events that could be swapped, the one with the lower number first."""


NO_RULES = Rule(0)
ALL_RULES = ~NO_RULES
