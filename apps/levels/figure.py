"""A figure of a board: exact, sampled or bounded."""

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Any, Self

Z = 1.959964  # quantile of the normal distribution for 95 %


class How(StrEnum):
    """How a figure is known."""

    EXACT = "exact"
    """By its definition."""

    SAMPLED = "sampled"
    """An estimate, with a 95 % confidence interval."""

    BOUNDED = "bounded"
    """Only a proved interval is known."""


@dataclass(frozen=True)
class Figure:
    """One figure. ``value``: the figure; None if it is only bounded."""

    value: float | None
    how: How
    low: float | None
    high: float | None

    @classmethod
    def exact(cls, value: float) -> Self:
        """A figure by its definition."""
        return cls(value, How.EXACT, value, value)

    @classmethod
    def bounded(cls, low: float | None, high: float | None) -> Self:
        """A proved interval; an exact figure if both ends are equal."""
        return cls.exact(low) if low is not None and low == high else cls(None, How.BOUNDED, low, high)

    @classmethod
    def share(cls, hits: int, of: int, unknown: int = 0) -> Self:
        """A sampled share. The interval allows for both outcomes of each unknown sample.

        >>> Figure.share(3, 10)
        Figure(value=0.3, how=<How.SAMPLED: 'sampled'>, low=0.107791, high=0.603222)
        """
        low, high = wilson(hits, of)[0], wilson(hits + unknown, of)[1]
        return cls(round(hits / (of - unknown), 6) if unknown < of else None, How.SAMPLED, low, high)

    @property
    def how_known(self) -> str:
        """How it is known, in words, with the interval."""
        return str(self.how) + ("" if self.how is How.EXACT else f", {number(self.low)} to {number(self.high)}")

    def __str__(self) -> str:
        """The figure, and how it is known."""
        return f"{number(self.value)}  {self.how_known}"

    def to_json(self) -> dict[str, Any]:
        """``value``, ``how`` and, unless it is exact, ``interval``."""
        exact = self.how is How.EXACT
        return {"value": self.value, "how": str(self.how), **({} if exact else {"interval": [self.low, self.high]})}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        """Reads what `to_json` wrote."""
        low, high = fields.get("interval", [fields["value"]] * 2)
        return cls(fields["value"], How(fields["how"]), low, high)


def number(value: float | None) -> str:
    """A number as text.

    >>> number(0.1234567), number(38), number(None), number(100959112768)
    ('0.123', '38', '?', '100,959,112,768')
    """
    if value is None:
        return "?"
    return f"{value:,}" if isinstance(value, int) or value == int(value) else f"{value:.3g}"


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    share, square = hits / of, Z * Z / of
    middle = (share + square / 2) / (1 + square)
    reach = Z * sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    low = 0.0 if hits == 0 else max(0.0, middle - reach)
    return round(low, 6), round(1.0 if hits == of else min(1.0, middle + reach), 6)
