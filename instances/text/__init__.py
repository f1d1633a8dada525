"""Text of any origin: read with limits, checked against what a field may hold, quoted in messages."""
