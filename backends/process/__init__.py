"""Backends in processes of their own, within limits."""
