"""Boards on which balls go anywhere."""
