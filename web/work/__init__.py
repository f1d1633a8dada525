"""Searches for those who ask: a fixed number at a time, in warm processes, ended when nobody waits for them."""
