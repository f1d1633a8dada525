"""``/api/import``: all boards of a file."""

from collections.abc import Mapping
from typing import Any

from bsp_sat.apps.page.answers.boards import entry_of
from bsp_sat.apps.page.request_fields import BYTE_ORDER_MARK, check_keys, check_size, choices_asked, chosen
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance, parse_boards
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.text.reading import as_json

MOST_BOARDS = 1_000


def imported(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The boards of the file under ``text``; ``puzzle`` overrides their rules, ``choices`` says how it is read.

    Under ``refused`` are the sentences about boards that can't be read, each with its line; a `BoardError` says that
    most can't, or that there are too many.
    """
    check_keys(fields, "text", "puzzle", "choices")
    text = fields.get("text")
    if not isinstance(text, str):
        raise BoardError("text", f"expected the text of a file, found {as_json(text)}")
    puzzle, choices = chosen(fields, "puzzle", PUZZLES), choices_asked(fields)
    instances, refused = parse_boards(text.removeprefix(BYTE_ORDER_MARK), puzzle=puzzle, choices=choices)
    if len(instances) > MOST_BOARDS:
        raise BoardError("text", f"expected at most {MOST_BOARDS:,} boards, found {len(instances):,}")
    boards = [_entry(instance, number) for number, instance in enumerate(instances, start=1)]
    return {"boards": boards, "refused": [str(error) for error in refused]}


def _entry(instance: Instance, number: int) -> dict[str, Any]:
    try:
        check_size(instance.puzzle)
    except BoardError as error:
        raise BoardError(f"board {number}", error.problem) from None
    return entry_of(instance)
