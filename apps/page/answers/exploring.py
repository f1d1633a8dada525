"""``/api/explore``: playing a board with hidden cells."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bsp_sat.apps.covered import explorer as hidden_explorer
from bsp_sat.apps.covered import game as hidden_game
from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.page.move_text import effect_of, in_past_tense
from bsp_sat.apps.page.position import standing
from bsp_sat.apps.page.request_fields import MOST_MOVES, instance_asked, yes_or_no
from bsp_sat.instances.errors import BoardError, IllegalMove, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.puzzle import Colour
from bsp_sat.instances.sorting import Pour, SortPuzzle, is_hidden
from bsp_sat.instances.text.reading import as_json

if TYPE_CHECKING:
    from bsp_sat.apps.covered.explorer import Explorer

RESTART = "restart"

Step = Pour | Mapping[int, Sequence[Colour]] | Effects | str
"""A move, the revealed colours by tube, what was noticed, or `RESTART`."""


ExploringFields = tuple[Instance, tuple[Step, ...], bool]
"""The arguments of `exploring`."""


def exploring_asked(fields: Mapping[str, Any]) -> ExploringFields:
    """The board, the history under ``history``, and whether to ``advise``. Refuses a board without hidden cells."""
    instance = instance_asked(fields, "history", "advise")
    if not isinstance(instance.puzzle, SortPuzzle) or instance.puzzle.is_plain:
        raise Unsupported("this board has no hidden cells; solve it")
    listed = fields.get("history", [])
    if not isinstance(listed, list) or len(listed) > MOST_MOVES:
        raise BoardError("history", f"expected a list of at most {MOST_MOVES:,} steps, found {as_json(listed)}")
    history = tuple(_step(instance, entry, number) for number, entry in enumerate(listed))
    return instance, history, bool(yes_or_no(fields, "advise"))


def _step(instance: Instance, entry: Any, number: int) -> Step:
    where = f"history[{number}]"
    match entry:
        case {"move": move, **rest} if not rest:
            return Pour(*instance.puzzle.move_from_json(move))
        case {"saw": dict() as saw, **rest} if not rest:
            return {_tube(tube, where): _colours(colours, where) for tube, colours in saw.items()}
        case {"noticed": dict() as noticed, **rest} if not rest and noticed.keys() <= {"opened", "corked", "solved"}:
            opened, corked = (_tubes(noticed.get(key, []), f"{where}.noticed.{key}") for key in ("opened", "corked"))
            return Effects(opened, corked, bool(yes_or_no(noticed, "solved")))
        case {"restart": True, **rest} if not rest:
            return RESTART
    expected = (
        '{"move": …}, {"saw": {…}}, {"noticed": {"opened": […], "corked": […], "solved": …}} or {"restart": true}'
    )
    raise BoardError(where, f"expected {expected}, found {as_json(entry)}")


def _tube(word: str, where: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 5):
        raise BoardError(where, f"expected the number of a tube, counted from 0, found {as_json(word)}")
    return int(word)


def _tubes(listed: Any, where: str) -> tuple[int, ...]:
    if not isinstance(listed, list) or not all(type(tube) is int for tube in listed):
        raise BoardError(where, f"expected a list of tubes, counted from 0, found {as_json(listed)}")
    return tuple(listed)


def _colours(listed: Any, where: str) -> list[Colour]:
    if not isinstance(listed, list) or not all(type(colour) in (int, str) for colour in listed):
        raise BoardError(where, f"expected a list of colours, from the top down, found {as_json(listed)}")
    return listed


def exploring(instance: Instance, history: Sequence[Step], advise: bool) -> dict[str, Any]:
    """What is known after the history, and what to do next.

    Raises `BoardError` for a step that isn't possible at its place, `IllegalMove`, and `Contradiction` for revealed
    colours that aren't possible.
    """
    assert isinstance(instance.puzzle, SortPuzzle)
    explorer = hidden_explorer.Explorer(instance.puzzle)
    has_contents = is_hidden(instance.puzzle) and "contents" in instance.about
    game = hidden_game.Game.of(instance) if has_contents else None
    moved: dict[str, Any] = {"last": None, "effect": None}
    for number, step in enumerate(history):
        if isinstance(step, str):
            explorer.record_restart()
            moved = dict.fromkeys(moved)
        elif isinstance(step, Pour):
            before = explorer.position
            _make(explorer, step, number)
            moved = {"last": in_past_tense(before, step), "effect": effect_of(before, step)}
        else:
            _tell(explorer, step, f"history[{number}]")
        if game is not None and isinstance(step, str | Pour):
            game.make(step if isinstance(step, Pour) else None)
    position, asking = explorer.position, explorer.asking
    shows = noticed = None
    if game is not None and position.is_hidden:
        shows = {str(tube): list(game.shows(position, tube)) for tube in explorer.looking}
        noticed = None if asking is None else game.effects(asking)._asdict()
    return {
        "name": instance.name,
        "puzzle": position.kind,
        "board": instance.to_json(),
        "moves": [position.move_to_json(move) for move in explorer.moves],
        **moved,
        **standing(position),
        "goal": explorer.solved,
        "looking": list(explorer.looking),
        "shows": shows,
        "asking": None if asking is None else asking._asdict(),
        "noticed": noticed,
        "attempts": explorer.attempts,
        "all_moves": explorer.all_moves,
        "advice": _advice_json(explorer) if advise and not explorer.is_waiting else None,
    }


def _make(explorer: "Explorer", move: Pour, number: int) -> None:
    """Makes a move of the history, if nothing has to be entered first."""
    where = f"history[{number}]"
    if explorer.looking:
        raise BoardError(where, f"expected what shows in tube {explorer.looking[0] + 1}, found a move")
    if explorer.is_waiting and explorer.asking:
        raise BoardError(where, f"expected what was noticed of {as_json(explorer.asking._asdict())}, found a move")
    if (reason := explorer.position.refusal(move)) is not None:
        raise IllegalMove(number + 1, explorer.position.describe(move), reason)
    explorer.record_move(move)


def _tell(explorer: "Explorer", seen: Effects | Mapping[int, Sequence[Colour]], where: str) -> None:
    """Tells the explorer what was noticed, or what tubes show."""
    if isinstance(seen, Effects):
        if explorer.asking is None or not seen.within(explorer.asking):
            expected = "nothing" if explorer.asking is None else as_json(explorer.asking._asdict())
            raise BoardError(where, f"expected what was noticed of {expected}, found {as_json(seen._asdict())}")
        explorer.record_effects(seen)
    else:
        if not seen.keys() <= set(explorer.looking):
            raise BoardError(where, f"expected tubes that show something new, found {as_json(sorted(seen))}")
        explorer.record_colours(seen)


def _advice_json(explorer: "Explorer") -> dict[str, Any]:
    advice = explorer.next_move()
    fields = ("shows", "restart", "solved", "hopeless", "stuck", "known", "left", "alive", "fillings", "drawn")
    route = [explorer.position.move_to_json(move) for move in advice.route]
    return {"route": route, **{name: getattr(advice, name) for name in fields}}
