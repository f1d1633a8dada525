"""Boards and plans in notebooks."""

from html import escape

from bsp_sat.apps.drawing.draw import draw, film_of
from bsp_sat.apps.drawing.steps import page, size
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle, Puzzle


class InNotebooks:
    """Draws what a notebook shows."""

    def picture_of(self, puzzle: AnyPuzzle) -> str | None:
        """A board as SVG; None if it can't be drawn."""
        try:
            return draw(puzzle).decode()
        except Unsupported:
            return None

    def steps_of(self, puzzle: AnyPuzzle, plan: Plan | None) -> str:
        """A board, and its plan to step through, as HTML in a frame of its own; empty if it can't be drawn."""
        try:
            film = film_of(puzzle, () if plan is None else plan.moves)
        except Unsupported:
            return ""
        width, height = size(film)
        style = f"width:{width + 2}px;max-width:100%;height:{height + 8}px;border:0"
        title, document = escape(film.title), escape(page(film).decode())
        return f'<iframe sandbox title="{title}" style="{style}" srcdoc="{document}"></iframe>'


Puzzle.artist = InNotebooks()
