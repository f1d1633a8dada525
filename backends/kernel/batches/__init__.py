"""Many boards."""
