"""CP-SAT of ortools."""
