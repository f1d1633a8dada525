"""What can be switched off in the homes encoding."""

from enum import Enum


class Rule(Enum):
    """Rules that choose among plans of one length; each can be switched off (docs/encodings-homes.md)."""

    KEPT_FIRST = "a kept block that is exposed opens before anything else happens"
    REACHABLE = "a home opens in an emptied tube only where a ball is at hand that goes there"
    TEMPORARIES = "no temporary that should have been the home"
    NEEDED = "no clear before an opening that doesn't need it"
    ORDERED = "of two events that could be swapped, the one with the lower number first"
