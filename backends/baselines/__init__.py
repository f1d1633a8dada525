"""Programs to compare with: what others wrote first, and what only some boards allow."""
