"""Searches for requests: a fixed number at a time, in warm processes, ended when the client leaves."""
