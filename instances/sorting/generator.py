"""Random sort boards, optionally with covered cells, locks, several capacities, or balls that go anywhere."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.puzzle import Colour, Generator, Number, WordOption
from bsp_sat.instances.sorting.rules import MAX_COLOURS, SortFields
from bsp_sat.instances.text.reading import MAX_SIZE
from bsp_sat.instances.text.words import parse_number, short

if TYPE_CHECKING:
    from random import Random

TOPS = "tops"
Value = TypeVar("Value", bound=str)


def _shuffled(
    chance: "Random",
    colours: int,
    capacity: int,
    empty: int,
    *,
    hide: str,
    capacities: str,
    locked: str,
    placement: str,
    goal: str,
) -> SortFields:
    """Shuffles all balls, listed colour by colour, and cuts them into tubes; adds the empty tubes.

    If capacities differ, colour i has as many balls as tube i holds. At the goal ``coloured`` it belongs in tube i.
    """
    sizes = _sizes(chance, capacities, colours + empty) or [capacity] * (colours + empty)
    balls: list[Colour | None] = [colour for colour in range(colours) for _ in range(sizes[colour])]
    chance.shuffle(balls)
    tubes: list[list[Colour | None]] = []
    for size in sizes[:colours]:
        tubes.append(balls[:size])
        del balls[:size]
    tubes += [[] for _ in range(empty)]
    fields = SortFields(capacity=max(sizes) if capacities else capacity, tubes=tubes)
    if capacities:
        fields.capacities = sizes
    fields.placement = _chosen("placement", placement, {"": "matching", "any": "any"})
    fields.goal = _chosen("goal", goal, {"": "full", "monochrome": "monochrome", "coloured": "coloured"})
    if fields.goal == "coloured":
        fields.tube_colours = [*range(colours), *[None] * empty]
    fields.locked = _locks(chance, locked, tubes, colours)
    _hide(chance, hide, fields, sizes[:colours])
    return fields


def _chosen(what: str, word: str, values: Mapping[str, Value]) -> Value:
    if word not in values:
        raise BoardError(what, f"expected {' or '.join(filter(None, values))}, found {short(word)!r}")
    return values[word]


def _sizes(chance: "Random", capacities: str, tubes: int) -> list[int]:
    """A capacity for each tube, drawn from those given; empty if none are given."""
    if not capacities:
        return []
    numbers = [parse_number(word) for word in capacities.split(",")]
    sizes = [number for number in numbers if number is not None and 1 <= number <= MAX_SIZE]
    if len(sizes) < len(numbers):
        problem = f"expected numbers from 1 to {MAX_SIZE} separated by commas, found {short(capacities)!r}"
        raise BoardError("capacities", problem)
    return [chance.choice(sizes) for _ in range(tubes)]


def _locks(
    chance: "Random", locked: str, tubes: Sequence[Sequence[Colour | None]], colours: int
) -> list[dict[str, Any]]:
    """Locks some of the full tubes until a colour is complete, preferably one without a ball in locked tubes."""
    if not locked:
        return []
    number = parse_number(locked)
    if number is None or number > colours:
        raise BoardError("locked", f"expected a number of full tubes, up to {colours}, found {short(locked)!r}")
    return locks(chance, number, tubes)


def locks(chance: "Random", number: int, tubes: Sequence[Sequence[Colour | None]]) -> list[dict[str, Any]]:
    """Locks for full tubes, as in a file: each until a colour is complete, best one without a ball behind locks."""
    behind = sorted(chance.sample([place for place, tube in enumerate(tubes) if tube], number))
    there = {ball for place in behind for ball in tubes[place]}
    colours = list(dict.fromkeys(ball for tube in tubes for ball in tube))
    free = [colour for colour in colours if colour not in there] or colours
    return [{"tube": place, "until": {"colour": chance.choice(free)}} for place in behind]


def _hide(chance: "Random", hide: str, fields: SortFields, sizes: Sequence[int]) -> None:
    """Covers all cells below the top runs, or a share of them, and the cells of locked tubes.

    Top runs are fully uncovered, so that the board is a valid start for the reveal rule ``run``.
    """
    if not hide:
        return
    try:
        share = 1.0 if hide == TOPS else float(hide)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BoardError("hide", f"expected {TOPS}, or a share from 0 to 1, found {short(hide)!r}")
    behind = {entry["tube"] for entry in fields.locked}
    fields.contents = [[ball for ball in tube if ball is not None] for tube in fields.tubes]
    fields.colours = {str(colour): size for colour, size in enumerate(sizes)}
    fields.tubes = [
        [
            None if chance.random() < share and (place in behind or {*tube[level:]} != {tube[-1]}) else ball
            for level, ball in enumerate(tube)
        ]
        for place, tube in enumerate(fields.contents)
    ]


GENERATOR = Generator(
    command="random",
    summary="Shuffle all balls and cut them into tubes.",
    numbers={
        "colours": Number("Number of colours, each fills one tube.", most=MAX_COLOURS),
        "capacity": Number("Capacity of each tube.", default=4),
        "empty": Number("Empty tubes.", default=2, least=0),
    },
    words={
        "hide": WordOption(
            f"Cover all cells below the top runs ({TOPS}), or a share of them, from 0 to 1.", "tops|SHARE"
        ),
        "capacities": WordOption("Draw each tube's capacity from these, instead of --capacity.", "A,B,…"),
        "locked": WordOption("Lock N of the full tubes until a colour is complete.", "N"),
        "placement": WordOption("Let balls go wherever there is room.", "any"),
        "goal": WordOption(
            "Another goal: no tube mixes colours (monochrome), or each of the full tubes has its own (coloured).",
            "monochrome|coloured",
        ),
    },
    board_name="random-c{colours}-h{capacity}-e{empty}",
    make=_shuffled,
    decidable=True,
)
