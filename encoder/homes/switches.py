"""Rules of the homes encoding that can be switched off."""

from enum import Flag, auto


class Rule(Flag):
    """Rules that choose among plans of equal length; each can be switched off (`encoder.homes.rules`)."""

    REACHABLE = auto()
    """A home opens in an emptied tube only if a ball of its colour is reachable."""

    TEMPORARIES = auto()
    """A home opens only if it has more balls than the colour's temporary."""

    NEEDED = auto()
    """A clear comes before an opening only if that opening, or an event in between, needs it."""

    ORDERED = auto()
    """Of two events that could be swapped, the one with the lower number first."""


NO_RULES = Rule(0)
ALL_RULES = ~NO_RULES
