"""How a sort board is written and read: JSON, text, moves, words and pictures."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

from bsp_sat.instances.choices import NO_CHOICES, ReadingChoices
from bsp_sat.instances.errors import BoardError, PlanError
from bsp_sat.instances.instance import Boards
from bsp_sat.instances.puzzle import Cell, Colour, Picture, colour_in_words, symbols_for
from bsp_sat.instances.sorting.board import Pour, SortBoard
from bsp_sat.instances.sorting.reading import tubes_full
from bsp_sat.instances.sorting.rules import Goal, Lock, TubeRule
from bsp_sat.instances.text.values import Item, plain_value
from bsp_sat.instances.text.words import parse_number, quantity, short


class WrittenSort(SortBoard):
    """A sort board with its formats."""

    __slots__ = ()

    move_key: ClassVar[str] = "FROM → TO (tubes are numbered from 1 at the left; --json counts from 0)"

    def to_json(self) -> dict[str, Any]:
        """``puzzle``, ``capacity``, ``tubes`` with null for unknown cells, and all else that isn't the default."""
        fields: dict[str, Any] = {"puzzle": self.kind, "capacity": self.capacity, "tubes": self.coloured_tubes()}
        if self.goal != "full":
            fields["goal"] = self.goal
        if not self.is_plain:
            fields.update(self._rules_json())
        return fields

    def _rules_json(self) -> dict[str, Any]:
        """The fields of rules and covers that can't be inferred. Unseen colours follow from the number of cells."""
        fields: dict[str, Any] = {}
        rules = self.rules
        if rules.wanted:
            fields["wanted"] = {str(self.palette[i]): tubes for i, tubes in enumerate(rules.wanted) if tubes}
        if self.goal == "coloured":
            own = [rule.colour for rule in rules.tubes]
            fields["tube_colours"] = [None if colour is None else self.palette[colour] for colour in own]
        if rules.anywhere and not rules.any_in:
            fields["placement"] = "any"
        if rules.reveal != self.usual_reveal():
            fields["reveal"] = rules.reveal
        pairs = zip(self.tubes, self.covers, strict=True)
        covered = [[bool(cover >> level & 1) for level in range(len(tube))] for tube, cover in pairs]
        if any(self.covers) and covered != [[ball is None for ball in tube] for tube in self.coloured_tubes()]:
            fields["hidden"] = covered
        if set(self.capacities) != {self.capacity}:
            fields["capacities"] = list(self.capacities)
        places = [*enumerate(rules.tubes)]
        accepts = {str(place): rule.accepts for place, rule in places if rule.accepts is not None}
        lists = {
            "locked": [{"tube": place, "until": self._until(rule.lock)} for place, rule in places if rule.lock],
            "any_in": list(rules.any_in),
            "no_in": [place for place, rule in places if not rule.takes],
            "no_out": [place for place, rule in places if not rule.gives],
            "accepts": {place: [self.palette[colour] for colour in colours] for place, colours in accepts.items()},
        }
        fields.update({key: value for key, value in lists.items() if value})
        if not rules.partial:
            fields["partial"] = False
        for key, said in (("cork", rules.cork), ("drain", rules.drain)):
            if said:
                fields[key] = True
        if self.is_hidden:
            known, unseen = self.ball_counts(), self.unseen
            counts = {colour: count for colour, count in enumerate(rules.counts) if colour not in unseen}
            if any(not known[each] or counts[each] != tubes_full(known[each], self.capacity) for each in counts):
                fields["colours"] = {str(self.palette[colour]): count for colour, count in counts.items()}
        return fields

    def _until(self, lock: Lock) -> Any:
        """What opens a lock, as in files."""
        if lock.colour is None:
            return lock.tubes
        colour = self.palette[lock.colour]
        if lock.tubes is not None:
            return {"colour": colour, "tubes": lock.tubes}
        return colour if isinstance(colour, str) else {"colour": colour}

    @classmethod
    def from_text(cls, text: str, choices: ReadingChoices = NO_CHOICES) -> Self:
        """Reads a board in any spelling (docs/formats.md). Raises BoardError for none or several, or AmbiguousBoard."""
        from bsp_sat.instances.sorting.spellings.meant import boards_in_text  # which most boards don't need

        return cls._only(boards_in_text(text, lambda fields, _: cls.from_json(fields), choices))

    @classmethod
    def _spelt(cls, board: Any, capacity: int | None, goal: Goal, palette: tuple[Colour, ...] | None) -> Self:
        given: dict[str, Any] = {} if goal == "full" else {"goal": goal}
        if capacity is not None:
            given["capacity"] = capacity
        if isinstance(board, str):
            found = cls.from_text("".join(f"{key} {value}\n" for key, value in given.items()) + board)
        else:
            value = plain_value(board)
            fields = {**value, **given} if isinstance(value, dict) else {**given, "tubes": value}
            as_it_stands = capacity is not None and isinstance(value, list)
            if as_it_stands:
                from bsp_sat.instances.sorting.spellings.exact import may_have_room  # which most boards don't need

                fields["tubes"] = [[*tube] if type(tube) is str else tube for tube in value]
                as_it_stands = palette is not None or not may_have_room(fields["tubes"])
            if as_it_stands:
                found = cls.from_json(fields)
            else:
                from bsp_sat.instances.sorting.spellings.meant import boards_in_values  # which most boards don't need

                items = [Item(1, fields if given else value)]
                found = cls._only(boards_in_values(items, lambda fields, _: cls.from_json(fields), NO_CHOICES))
        return found if palette is None else found._with_palette(palette)

    @classmethod
    def _only(cls, boards: Boards) -> Self:
        if len(boards.instances) != 1:
            raise BoardError("", f"expected one board, found {len(boards.instances)}")
        return cast(Self, boards.instances[0].position)

    def to_text(self) -> str:
        """A line for each tube, after lines with settings that can't be inferred; colours as `picture` has them."""
        from bsp_sat.instances.sorting.notation import format_tubes  # which most runs don't need

        return format_tubes(replace(self, palette=tuple(symbols_for(self.palette))).to_json())

    @classmethod
    def move_from_json(cls, value: Any) -> Pour:
        """Reads ``[from, to]``, counted from 0."""
        if not (isinstance(value, list) and len(value) == 2 and all(type(tube) is int for tube in value)):
            raise PlanError(f"expected [from, to] with two tube numbers, found {short(repr(value))}")
        return Pour(*value)

    @classmethod
    def move_from_text(cls, words: list[str]) -> Pour:
        """Parses ``FROM TO``, counted from 1; anything after that, such as the colour, is ignored.

        Also parses an action of `bsp_sat.encoder.export.pddl`, such as ``(move-4-0 tube-9 tube-10 colour-2)``.
        """
        if words[0].startswith("("):
            words = [word.rstrip(")").removeprefix("tube-") for word in words if word.startswith("tube-")]
        source, target = (parse_number(word) for word in (*words, "", "")[:2])
        if source is None or target is None:
            raise PlanError(f"expected two tube numbers, FROM TO, found {short(' '.join(words))!r}")
        if not source or not target:
            raise PlanError("tube 0: plans in text count tubes from 1 (plans in JSON count from 0)")
        return Pour(source - 1, target - 1)

    def describe(self, move: Pour) -> str:
        """Source and target, counted from 1, and the colour that moves, if it is known."""
        source, target = move
        tube = self.tubes[source] if 0 <= source < len(self.tubes) else b""
        colour = self._colour(tube[0 if self.rules.drain else -1]) if tube else None
        return f"{source + 1} → {target + 1}" + ("" if colour is None else f"  {colour_in_words(colour)}")

    def summary(self) -> str:
        """For example ``water-sort, 9 colours, 11 tubes of 4 to 6, 2 locked``."""
        goal = "" if self.goal == "full" else f", goal {self.goal}"
        if self.goal == "wanted":
            goal = f", full tubes wanted: {self._in_words(self.rules.wanted)}"
        least, most = min(self.capacities, default=self.capacity), max(self.capacities, default=self.capacity)
        covered = sum(cover.bit_count() for cover in self.covers)
        unknown, unseen = len(self.unknown), len(self.unseen)
        return "".join(
            [
                f"{self.kind}, {quantity(len(self.palette), 'colour')}",
                f", {quantity(len(self.tubes), 'tube')} of {least}" + (f" to {most}" if least < most else ""),
                f", {len(self.rules.locked)} locked" if self.rules.locked else "",
                ", with corks" if self.rules.cork else "",
                ", balls leave at the bottom" if self.rules.drain else "",
                ", balls go anywhere" if self.rules.anywhere else "",
                f" in {quantity(len(self.rules.any_in), 'tube')}" if self.rules.any_in else "",
                "" if self.rules.partial else ", no partial pours",
                f", {quantity(covered, 'cell')} covered" if covered else "",
                goal,
                f", {unknown} unknown" if unknown else "",
                f", {quantity(unseen, 'colour')} not seen yet" if unseen else "",
            ]
        )

    def _in_words(self, tubes: Sequence[int]) -> str:
        """Numbers of full tubes by colour."""
        named = [(number, self.palette[colour]) for colour, number in enumerate(tubes) if number]
        return ", ".join(f"{number} of {colour_in_words(colour)}" for number, colour in named)

    def picture(self) -> Picture:
        """The tubes as columns, ``·`` for room, with a row below them for locks and directions if there are any."""
        symbols, capacities = symbols_for(self.palette), self.capacities

        def cell(place: int, level: int) -> Cell:
            tube = self.tubes[place]
            if level >= len(tube):
                return Cell("·" if level < capacities[place] else " ")
            ball = tube[level]
            return Cell("?") if self._colour(ball) is None else Cell(symbols[ball], self.palette[ball])

        places = range(len(self.tubes))
        rows = [tuple(cell(place, level) for place in places) for level in reversed(range(max(capacities, default=0)))]
        any_in = self.rules.any_in
        marks = ["*" * (place in any_in) + _mark(rule, symbols) for place, rule in enumerate(self.rules.tubes)]
        if any(marks):
            rows.append(tuple(Cell(mark or " ") for mark in marks))
        header = tuple(str(place + 1) for place in places)
        return Picture(tuple(rows), header, tuple(zip(symbols, self.palette, strict=True)))

    def tube_json(self, place: int) -> dict[str, Any]:
        """The current rules of a tube, for display.

        ``capacity``; ``locked``, a text that says until when, or null; ``corked``, ``takes`` and ``gives``;
        ``accepts``, the colours that may be put in, or null for all; ``colour``, at the goal ``coloured`` its own, null
        for a reserve tube; ``any_top``, whether any ball goes onto any
        other, where that isn't so in all tubes.
        """
        rule = self.rules.tubes[place]
        return {
            "capacity": rule.capacity,
            "locked": None if rule.lock is None else f"until {self._opens(rule)}",
            "corked": self.rules.cork and self.rules.is_complete(self.tubes[place], place, self.goal),
            "takes": rule.takes,
            "gives": rule.gives,
            "accepts": None if rule.accepts is None else [self.palette[colour] for colour in rule.accepts],
            "colour": None if rule.colour is None else self.palette[rule.colour],
            "any_top": place in self.rules.any_in,
        }

    def _opens(self, rule: TubeRule) -> str:
        """When a lock opens, in words."""
        colour, tubes = rule.lock or (None, None)
        of_colour = "" if colour is None else f"{colour_in_words(self.palette[colour])} "
        if tubes is None:
            return f"{of_colour}is complete"
        return f"a {of_colour}tube is complete" if tubes == 1 else f"{tubes} {of_colour}tubes are complete"


def _mark(rule: TubeRule, symbols: Sequence[str]) -> str:
    """``!`` and what opens a lock; ``↑`` for giving only, ``↓`` for taking only, ``=`` for some colours; its own."""
    mark = ""
    if rule.lock is not None:
        colour, tubes = rule.lock
        mark += "!" + ("" if tubes is None else str(tubes)) + ("" if colour is None else symbols[colour])
    mark += "" if rule.takes else "↑"
    mark += "" if rule.gives else "↓"
    mark += "" if rule.accepts is None else "="
    return mark + ("" if rule.colour is None else symbols[rule.colour])
