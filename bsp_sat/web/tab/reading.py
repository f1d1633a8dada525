"""``read`` in a tab: the board in a picture whose rows of tubes a person has shown."""

from collections.abc import Mapping
from typing import Any

from bsp_sat.instances.errors import BoardError
from bsp_sat.screenshots.corrections import MOST_TUBES, parse_row
from bsp_sat.screenshots.samples import Rgb, Sample, board_of_samples
from bsp_sat.web.errors import Refused

NO_ROWS = "In this page, which has no server, you show where the tubes are: two taps for each row."


def read_samples(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of ``/api/read``.

    Args:
        fields: ``rows``, as in the query of ``/api/read``; ``size`` of the picture; ``samples``, see
            `bsp_sat.screenshots.samples.board_of_samples`.

    Raises:
        Refused: there are no rows.
        BoardError, Unsupported: these fields aren't that.
    """
    listed = fields.get("rows")
    if not listed:
        raise Refused(400, NO_ROWS)
    rows = [parse_row(str(row)) for row in listed]
    if sum(row.tubes for row in rows) > MOST_TUBES:
        raise BoardError("rows", f"expected at most {MOST_TUBES} tubes, found {sum(row.tubes for row in rows)}")
    try:
        samples = [
            [Sample(_rgb(middle), (_rgb(one), _rgb(other))) for middle, (one, other) in tube]
            for tube in fields["samples"]
        ]
        width, height = map(int, fields["size"])
    except (KeyError, TypeError, ValueError):
        raise BoardError("samples", "expected the colours of each cell, and the size of the picture") from None
    if [len(tube) for tube in samples] != [row.cells for row in rows for _ in range(row.tubes)]:
        raise BoardError("samples", "expected those of all cells in the rows")
    board = board_of_samples(rows, samples, (width, height))
    return {**board.to_json(), "reasons": board.reasons()}


def _rgb(value: Any) -> Rgb:
    red, green, blue = (min(255, max(0, int(level))) for level in value)
    return red, green, blue
