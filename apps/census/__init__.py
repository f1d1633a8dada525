"""All boards of a class: which classes can always be solved, and how long shortest plans are."""

COMMANDS = {"census": ("Study", "Say whether every board of a size can be solved.")}
