"""How hard boards are, boards made to specification, and hints. docs/grading.md has the definitions."""
