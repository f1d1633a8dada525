"""Solves many boards, with workers on this machine or on a cluster."""
