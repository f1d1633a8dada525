"""The output of `bsp-sat census`."""

from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click

from bsp_sat.apps.census.answer import CensusAnswer
from bsp_sat.apps.census.board_class import BoardClass, line_of
from bsp_sat.apps.census.cases import CasePart, count_boards, unsolvable_boards
from bsp_sat.apps.census.enumeration import ClassPart, Lengths
from bsp_sat.backends.proofs import certificate_entry, certify
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import solve_with
from bsp_sat.cli.screen import Screen
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.words import quantity

HOW = {
    "theorem": "by the theorem of docs/census.md",
    "monotony": "it follows from a known board",
    "witness": "found among the boards that were looked at",
    "enumerated": "every board was looked at",
    "cases": "by a case distinction over all boards",
    "sample": "found among random boards",
}


def certified(answer: CensusAnswer, folder: Path, stop: Event) -> Path | None:
    """Makes the certificate of an unsolvable board; returns the folder if there is a certificate in it."""
    if answer.witness is None:
        if any(folder.iterdir()):  # a case distinction has written it
            return folder
        if answer.always_solvable:
            why = answer.reason or "only --by cases makes one that says this of all boards"
            click.echo(f"No certificate: {why}.", err=True)
        return None
    with Process() as process:
        result = solve_with(process, answer.witness, "borders", stop=stop, misread=False)
        made = certificate_entry(folder, partial(certify, process, puzzle=answer.witness, result=result, stop=stop))
    if "error" in made:
        click.echo(f"No certificate: {made['error']}", err=True)
        return None
    return folder


def to_json(of: BoardClass, answer: CensusAnswer, certificate: Path | None) -> dict[str, Any]:
    """The answer as one JSON object."""
    part, cases = answer.part, answer.cases
    labelled = None if cases is None else {"boards": count_boards(of), "unsolvable": unsolvable_boards(of, cases)}
    return {
        "colours": of.colours,
        "capacity": of.capacity,
        "empty": of.empty,
        "always_solvable": answer.always_solvable,
        "how": answer.how,
        "reason": answer.reason or None,
        "classes": answer.classes,
        "boards": None if part is None else part.boards,
        "unsolvable": None if part is None else part.unsolvable,
        "cases": None if cases is None else cases.cases,
        "labelled": labelled,
        "share": answer.share,
        "witness": None if answer.witness is None else Instance(answer.witness, {"name": f"unsolvable {of}"}).to_json(),
        "lengths": {rule: _lengths_json(of, lengths) for rule, lengths in part.lengths.items()} if part else {},
        "certificate": None if certificate is None else str(certificate),
    }


def _lengths_json(of: BoardClass, lengths: Lengths) -> dict[str, Any]:
    return {
        "longest": lengths.most if lengths.moves else None,
        "histogram": {str(moves): number for moves, number in sorted(lengths.moves.items())},
        "boards": [line_of(of.board(board)) for board in lengths.longest],
    }


def print_answer(of: BoardClass, answer: CensusAnswer, certificate: Path | None) -> None:
    """Prints the answer."""
    out = Screen()
    about = of.in_words
    how = HOW[answer.how] if answer.how else answer.reason
    if answer.always_solvable is None:
        out.print(f"Open: {about}: {how}.")
    elif answer.always_solvable:
        out.print(f"Every board can be solved: {about} ({how}).")
    else:
        out.print(f"Not every board can be solved: {about} ({how}).")
    if answer.witness is not None:
        out.print(f"This one can't: {line_of(answer.witness)}", wrap=False)
        if answer.reason:
            out.print(f"Not complete: {answer.reason}.")
    if answer.part is not None:
        _print_part(out, of, answer.part, answer.share)
    if answer.cases is not None:
        _print_cases(out, of, answer.cases)
    if certificate is not None:
        out.print(f"Certificate: {certificate}", wrap=False)


def _print_cases(out: Screen, of: BoardClass, cases: CasePart) -> None:
    boards, unsolvable = count_boards(of), unsolvable_boards(of, cases)
    share = "" if unsolvable is None else f"; {unsolvable:,} can't be solved ({unsolvable / boards:.3g} of all)"
    found = f"{quantity(cases.cases, 'case')} of {quantity(boards, 'board')}"
    out.print(f"{found}, with tubes and colours told apart{share}.")


def _print_part(out: Screen, of: BoardClass, part: ClassPart, interval: tuple[float, float] | None) -> None:
    share = f" ({part.unsolvable / part.boards:.3%})" if part.boards else ""
    what = "boards up to names and order" if interval is None else "random boards were decided"
    out.print(f"{part.boards:,} {what}; {part.unsolvable:,} can't be solved{share}.")
    if interval is not None:
        out.print("Of all boards, with a confidence of 95 %: {:.3%} to {:.3%}.".format(*interval))
    for rule, lengths in part.lengths.items():
        if not lengths.moves:
            continue
        out.print(f"\n{rule}: shortest plans have up to {quantity(lengths.most, 'move')}, for example")
        for board in lengths.longest:
            out.print(f"  {line_of(of.board(board))}", wrap=False)
        solved = lengths.moves.total()
        for moves, number in sorted(lengths.moves.items()):
            out.print(f"  {moves:3} moves  {number:12,}  {number / solved:8.3%}")
