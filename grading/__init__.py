"""How hard boards are, by exact definitions; boards made to order; hints. docs/grading.md has the definitions."""
