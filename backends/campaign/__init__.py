"""Many boards at once: workers on this machine or a cluster, outcomes in a file."""
