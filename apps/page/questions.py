"""What the page may ask, by path; the server and the page in a tab answer the same questions.

What answers is imported when it is asked: who opens a page in a tab to read a screenshot waits for that alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from bsp_sat.apps.page.answering import Service, Task, task_calling
from bsp_sat.apps.page.request_fields import Reader
from bsp_sat.instances.lazy import Lazy
from bsp_sat.on_demand import imported

QUICK: Lazy[Reader] = Lazy(
    {
        "position": "bsp_sat.apps.page.position:position_asked",
        "import": "bsp_sat.apps.page.answers.importing:imported",
        "methods": "bsp_sat.apps.page.answers.teaching:methods_asked",
    }
)
"""Questions that their reader answers."""


@dataclass(frozen=True)
class PageQuestion:
    """A question that takes jobs; its place is ``module:function``, a module of ``answers`` and what answers there."""

    place: str

    @property
    def reader(self) -> Reader:
        """Parses it."""
        return cast(Reader, imported(f"bsp_sat.apps.page.answers.{self.place}_asked"))

    @property
    def answer(self) -> Callable[[Service, Any], Task]:
        """Answers what was parsed."""
        return cast(Callable[[Service, Any], Task], imported(f"bsp_sat.apps.page.answers.{self.place}"))


class Called(PageQuestion):
    """One whose function is called in a job, with what was parsed."""

    @property
    def answer(self) -> Callable[[Service, Any], Task]:
        """Calls the function."""
        function = super().answer
        return lambda service, asked: task_calling(service.limits(), function, *asked)


SEARCHES = {
    "solve": PageQuestion("solving:solving"),
    "certificate": PageQuestion("solving:certifying"),
    "grade": PageQuestion("grading:grading"),
    "generate": Called("generating:generating"),
    "horizons": PageQuestion("teaching:horizons"),
    "formula": Called("teaching:formula"),
    "why": PageQuestion("explaining:explaining"),
}
"""Questions whose answer may take as long as the limits allow, answered by a stream of events."""

TURNS = {"hint": PageQuestion("solving:hinting")}
"""Questions that a player waits for, answered likewise."""

SHORT_TURNS = {"explore": Called("exploring:exploring"), "draw": Called("drawing:drawing")}
"""Questions that a player waits for, answered by the last event alone."""


def import_answers() -> None:
    """Imports what answers these questions."""
    for question in (SEARCHES | TURNS | SHORT_TURNS).values():
        _ = question.answer
    _ = [*QUICK.values()]
