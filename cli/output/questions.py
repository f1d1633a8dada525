"""The table of the questions to a solver: each row is printed once, as soon as there is an answer."""

from rich.console import Console
from rich.text import Text

from bsp_sat.backends.explanation import asked_in_words
from bsp_sat.backends.question import Asks, Question
from bsp_sat.backends.result import Result

HEADER = f"{'Moves':>7}{'Variables':>11}{'Clauses':>12}{'Answer':>8}{'Conflicts':>11}{'Seconds':>10}"
SIGNS = {Asks.AT_MOST: "≤ ", Asks.EXACTLY: "= ", Asks.ANY: "any"}
ANSWERS = {True: "yes", False: "no", None: "?"}


class QuestionTable:
    """Prints what is new of the questions of a run.

    Args:
        out: where the table goes.
    """

    def __init__(self, out: Console) -> None:
        self.out = out
        self._printed: tuple[Question, ...] = ()

    def show(self, questions: tuple[Question, ...]) -> None:
        """Prints the questions that aren't printed yet; a run that isn't the one before gets a table of its own."""
        if questions[: len(self._printed)] != self._printed:
            self._printed = ()
        for question in questions[len(self._printed) :]:
            if not self._printed:
                self.out.print(Text(HEADER, "bold"), soft_wrap=True)
            self.out.print(Text(_row(question)), soft_wrap=True)
            self._printed = (*self._printed, question)

    def end(self, result: Result) -> None:
        """Prints what is left of the questions, or that there was nothing to ask, and an empty line."""
        self.show(result.questions)
        if asked := asked_in_words(result):
            self.out.print(Text("" if result.questions else f"{asked}\n"))


def _row(question: Question) -> str:
    asked = f"{SIGNS[question.asks]}{'' if question.horizon is None else question.horizon}"
    conflicts = "–" if question.conflicts is None else f"{question.conflicts:,}"
    sizes = f"{question.variables:>11,}{question.clauses:>12,}"
    row = f"{asked:>7}{sizes}{ANSWERS[question.satisfiable]:>8}{conflicts:>11}{question.seconds:>10.2f}"
    return f"{row}  {remark}" if (remark := _remark(question)) else row


def _remark(question: Question) -> str:
    """What the columns don't say: what a model is limited to, and whether that makes the answer worth nothing."""
    layers = "" if question.layers is None else f"in {question.layers} layers"
    if not question.exact or question.satisfiable:
        return layers
    return ", ".join(filter(None, (layers, "proves nothing, asked again")))
