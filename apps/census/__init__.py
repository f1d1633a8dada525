"""All boards of a class: which classes can always be solved, and how long shortest plans are."""
