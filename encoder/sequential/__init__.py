"""The sequential encoding: one move a step."""
