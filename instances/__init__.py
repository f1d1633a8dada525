"""The puzzles: positions, rules, plans, notations, generators and the shipped boards."""
