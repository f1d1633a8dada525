"""Many boards at once: workers on this machine or on a cluster."""
