"""A board's tubes as numbers, and tables of what each number is."""
