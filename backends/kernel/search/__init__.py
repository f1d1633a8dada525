"""One search, and its plans."""
