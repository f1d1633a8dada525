"""Untrusted text: reading it within limits, checking fields, quoting it in messages."""
