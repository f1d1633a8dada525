"""What is built on the solver, each app in a folder of its own, and what the apps add to the command line.

The solver never imports them. `bsp_sat.cli` reads these tables, and loads what they name when it is used.
"""

COMMANDS = {
    "Solve": {
        "hint": ("levels", "Show what each move costs."),
        "play": ("covered", "Play a board with hidden cells, step by step."),
    },
    "Make": {
        "read": ("pictures", "Read the board in a screenshot."),
        "page": ("page", "Make the page as files that need no server."),
    },
    "Study": {
        "audit": ("levels", "Check the levels of a pack."),
        "grade": ("levels", "Measure how hard boards are."),
        "compare": ("study", "Run several solvers on the same boards."),
        "plot": ("study", "Plot what compare or grade measured."),
        "census": ("census", "Tell whether every board of a size can be solved."),
    },
    "Look": {
        "draw": ("drawing", "Draw a board or a plan as SVG, PNG or GIF."),
        "serve": ("page", "Open the page in a browser."),
    },
}
"""The app and the summary of each command, by what they are for. A command is `commands/NAME.py` in its app."""

PARTS = {
    "covered": "bsp_sat.apps.covered.commands.solve_hidden:COVERED",
    "pictures": "bsp_sat.apps.pictures.board_in:board_in",
    "generate levels": "bsp_sat.apps.levels.commands.generate_levels:levels",
}
"""What apps do within commands of the solver, see `bsp_sat.cli.parts`."""
