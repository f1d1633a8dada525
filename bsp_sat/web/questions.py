"""What the page may ask, by path; the server and the page in a tab answer the same questions."""

from collections.abc import Callable
from typing import Any, NamedTuple

from bsp_sat.web.answering import Service, Task
from bsp_sat.web.answers.checking import checked
from bsp_sat.web.answers.comparing import comparing, comparing_asked
from bsp_sat.web.answers.drawing import drawing, drawing_asked
from bsp_sat.web.answers.explaining import explaining, explaining_asked
from bsp_sat.web.answers.exploring import exploring, exploring_asked
from bsp_sat.web.answers.generating import generating, generating_asked
from bsp_sat.web.answers.grading import grading, grading_asked
from bsp_sat.web.answers.importing import imported
from bsp_sat.web.answers.solving import (
    certifying,
    certifying_asked,
    hinting,
    hinting_asked,
    solving,
    solving_asked,
)
from bsp_sat.web.answers.teaching import formula, formula_asked, horizons, horizons_asked, methods_asked
from bsp_sat.web.position import position_asked
from bsp_sat.web.request_fields import Reader

QUICK: dict[str, Reader] = {
    "position": position_asked,
    "check": checked,
    "import": imported,
    "methods": methods_asked,
}
"""Questions that their reader answers."""


class PageQuestion(NamedTuple):
    """A question that takes jobs.

    Attributes:
        reader: parses it.
        answer: answers what was parsed.
    """

    reader: Reader
    answer: Callable[[Service, Any], Task]


SEARCHES = {
    "solve": PageQuestion(solving_asked, solving),
    "certificate": PageQuestion(certifying_asked, certifying),
    "grade": PageQuestion(grading_asked, grading),
    "generate": PageQuestion(generating_asked, generating),
    "compare": PageQuestion(comparing_asked, comparing),
    "horizons": PageQuestion(horizons_asked, horizons),
    "formula": PageQuestion(formula_asked, formula),
    "why": PageQuestion(explaining_asked, explaining),
}
"""Questions whose answer may take as long as the limits allow, answered by a stream of events."""

TURNS = {"hint": PageQuestion(hinting_asked, hinting)}
"""Questions that a player waits for, answered likewise."""

SHORT_TURNS = {"explore": PageQuestion(exploring_asked, exploring), "draw": PageQuestion(drawing_asked, drawing)}
"""Questions that a player waits for, answered by the last event alone."""
