"""The words of `bsp-sat solve` for one board: the answer, and what a solver is asked on the way."""

from typing import TYPE_CHECKING

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.result import Asks, Question, Result, Status
from bsp_sat.cli.commands.solve_facts import Answer
from bsp_sat.cli.screen import Screen, effort, heading
from bsp_sat.instances.files import Instance
from bsp_sat.instances.registry import OWN_KINDS

if TYPE_CHECKING:
    from bsp_sat.backends.cross_check import Witness

HEADER = f"{'Moves':>7}{'Variables':>11}{'Clauses':>12}{'Answer':>8}{'Conflicts':>11}{'Seconds':>10}"
SIGNS = {Asks.AT_MOST: "≤ ", Asks.EXACTLY: "= ", Asks.ANY: "any"}
ANSWERS = {True: "yes", False: "no", None: "?"}


def print_board(instance: Instance) -> None:
    """Draws the board, before anything is known about it."""
    Screen().show_board(heading(instance), instance.puzzle)


def print_answer(answer: Answer) -> None:
    """Prints the answer and the moves, below the board; with ``--boards`` also the board after each move."""
    puzzle, result, wanted = answer.instance.puzzle, answer.result, answer.wanted
    out = Screen()
    if answer.extra_tubes is not None:
        out.print(_extra_in_words(answer))
    out.answer(result)
    if result.plan is not None and len(result.plan):
        out.print(f"\nMoves, {puzzle.move_key}:")
        show = out.draw_plan if wanted.boards else out.list_plan
        show(puzzle, result.plan)
    out.print()
    out.print(effort(result), style="dim")
    if answer.witnesses is not None:
        _print_witnesses(out, answer.witnesses)
    if answer.certificate is not None and not answer.not_certified:
        made = answer.certificate
        listed = f" of {made['positions']:,} positions" if "positions" in made else ""
        proof = f"{made['kind']}{listed}, {made['bytes'] / 1000:,.1f} kB, {made['seconds']:.1f} s"
        hint = f"check it with: bsp-sat verify {made['folder']}"
        out.print(f"Certificate: {made['folder']} ({proof}); {hint}", wrap=False)
    if answer.reasons is not None:
        _print_reasons(out, answer)
    elif result.backend == Auto.name:
        hint = "What is proved and how: --explain."
        by_sat = f"{hint} By SAT, horizon by horizon: --backend sat." if _is_for_sat(answer) else hint
        out.print(by_sat, style="dim")


def _is_for_sat(answer: Answer) -> bool:
    """Whether `sat` takes the board; of puzzles from outside, that isn't worth loading all encodings for."""
    return answer.instance.puzzle.kind in OWN_KINDS


def _extra_in_words(answer: Answer) -> str:
    extra, unsolvable = answer.extra_tubes, answer.result.status is Status.UNSOLVABLE
    with_more = f"With {extra} more empty tube{'' if extra == 1 else 's'}"
    if not answer.wanted.fewest_extra_tubes:
        return f"{with_more}:"
    if unsolvable and extra == answer.wanted.extra_tubes:
        return f"{with_more}, and with fewer:" if extra else f"{with_more}:"
    if unsolvable:
        return "No number of added empty tubes is enough."
    fewer = ", and with fewer there is no plan" if extra else ""
    return f"{with_more}{fewer}:"


def _print_reasons(out: Screen, answer: Answer) -> None:
    rows = [(reason.topic.capitalize(), reason.words) for reason in answer.reasons or ()]
    if answer.witnesses is None:
        rows.append(("Check", "--cross-check solves it again by A*, and by bfs if few states do."))
    if answer.certificate is None and answer.result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
        rows.append(("Proof", "--certificate DIR writes it; `bsp-sat verify DIR` checks it."))
    if answer.result.backend == Auto.name and _is_for_sat(answer):
        rows.append(("SAT", "--backend sat has it refuted by a SAT solver, horizon by horizon."))
    from textwrap import fill  # for these rows alone

    out.print()
    column = 2 + max(len(topic) for topic, _ in rows)
    for topic, words in rows:
        lines = fill(f"{topic:<{column}}{words}", max(out.width, 2 * column), subsequent_indent=" " * column)
        out.print((lines[: len(topic)], "bold"), lines[len(topic) :])


def _print_witnesses(out: Screen, witnesses: "tuple[Witness, ...]") -> None:
    """Says who confirms the answer, who doesn't, and what each of them rests on."""
    if names := [witness.backend.name for witness in witnesses if witness.confirms]:
        out.print(f"Cross-check: {' and '.join(names)} confirm{'s' if len(names) == 1 else ''} this.")
    for witness in witnesses:
        found = witness.result
        if not witness.confirms:
            says = f"says: {found}" if found.settled else f"settles nothing ({found.reason})."
            out.print(f"Cross-check: {witness.backend.name} {says}")
        out.print(f"{effort(found)}; rests on {witness.backend.rests_on}", style="dim")


class QuestionTable:
    """Prints what is new of the questions of a run, to standard output or to standard error."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.out = Screen(stderr=stderr)
        self._printed: tuple[Question, ...] = ()

    def show(self, questions: tuple[Question, ...]) -> None:
        """Prints the questions that aren't printed yet; a run that isn't the one before gets a table of its own."""
        if questions[: len(self._printed)] != self._printed:
            self._printed = ()
        for question in questions[len(self._printed) :]:
            if not self._printed:
                self.out.print(HEADER, style="bold", wrap=False)
            self.out.print(_row(question), wrap=False)
            self._printed = (*self._printed, question)

    def end(self, result: Result) -> None:
        """Prints what is left of the questions, or that there was nothing to ask, and an empty line."""
        from bsp_sat.backends.explanation import asked_in_words

        self.show(result.questions)
        if asked := asked_in_words(result):
            self.out.print("" if result.questions else f"{asked}\n")


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
