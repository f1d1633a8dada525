"""Certificates: proofs on disk, and their checkers."""
