"""Plans in notebooks."""

from html import escape

from bsp_sat.drawing.draw import film_of
from bsp_sat.drawing.steps import page, size
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import AnyPuzzle


def shown_plan(board: AnyPuzzle, plan: Plan | None) -> str:
    """A board, and its plan to step through, as HTML; empty if it can't be drawn.

    It is a document of its own in a frame: what it names and styles can't meet that of other outputs.
    """
    try:
        film = film_of(board, () if plan is None else plan.moves)
    except Unsupported:
        return ""
    width, height = size(film)
    style = f"width:{width + 2}px;max-width:100%;height:{height + 8}px;border:0"
    return (
        f'<iframe sandbox title="{escape(film.title)}" style="{style}" srcdoc="{escape(page(film).decode())}"></iframe>'
    )
