"""How hard boards are, boards made to specification, and hints. docs/grading.md has the definitions."""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("board_spec", "grade", "hint", "levels"))

COMMANDS = {
    "hint": ("Solve", "Show what each move costs."),
    "audit": ("Study", "Check the levels of a pack."),
    "grade": ("Study", "Measure how hard boards are."),
}

PARTS = {"generate levels": "commands.generate_levels:levels"}

NAMES = {
    "Figure": "figure",
    "Grade": "grade",
    "Grades": "grade",
    "Hint": "hint",
    "MEASURES": "measures",
    "grade": "grade",
    "hint": "hint",
    "measure": "measures",
}
