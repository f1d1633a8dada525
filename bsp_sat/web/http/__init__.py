"""HTTP: which requests are accepted, their bodies, answers and event streams, and a clean shutdown."""
