"""The tables of tube contents as `bsp_sat.backends.kernel.contents.alphabet` describes them, made in a simple way."""

from itertools import groupby

from bsp_sat.backends.kernel.contents.alphabet import MIXED, TEMPORARY, UNIFORM, Content

NOTHING: Content = (b"", 0)


def runs(tube):
    """The runs of a tube, bottom first."""
    return [bytes(run) for _, run in groupby(tube)]


def content_of(tube):
    """The content of a tube that nothing is decided on."""
    return (tube, [0, UNIFORM, MIXED][min(2, len(runs(tube)))])


class SimpleAlphabet:
    """Numbers and tables of the contents; arguments as for `bsp_sat.backends.kernel.contents.alphabet.Alphabet`."""

    def __init__(self, puzzle, *, by_homes, further=()):
        self.puzzle = puzzle
        self.by_homes = by_homes
        self.colours, self.capacity = len(puzzle.palette), puzzle.capacity
        self.founded_kind = TEMPORARY if by_homes else UNIFORM
        self.numbers = {NOTHING: 0}
        self._number([self._founded(colour, load) for colour in range(self.colours) for load in self._loads()])
        self._number(list(map(content_of, [*puzzle.tubes, *further])))

    def _loads(self):
        return range(1, self.capacity + 1)

    def _founded(self, colour, load):
        return bytes([colour]) * load, self.founded_kind

    def _number(self, waiting):
        """Numbers contents and all that become of them, the last one first."""
        while waiting:
            content = waiting.pop()
            if content not in self.numbers:
                self.numbers[content] = len(self.numbers)
                waiting += filter(None, [self.less(content), self.more(content)])

    def less(self, content):
        """What a step leaves."""
        tube, _ = content
        return content_of(tube[: -len(runs(tube)[-1])] if self.by_homes else tube[:-1]) if tube else NOTHING

    def more(self, content):
        """The content with another ball on its top run, None where there is none."""
        tube, kind = content
        home = self.by_homes and kind == UNIFORM
        return (tube + tube[-1:], kind) if 0 < len(tube) < self.capacity and not home else None

    def row(self, content):
        """The figures of a content, by the names of the tables."""
        tube, kind = content
        balls, goal, counts = not self.puzzle.whole_run, self.puzzle.goal, self.puzzle.ball_counts()
        parts = runs(tube) or [b""]
        stays, full = len(parts[0]), len(tube) == self.capacity
        keep = stays if balls else 1
        if self.by_homes:
            keep = 0 if kind == TEMPORARY else 2 * stays - tube.count(tube[:1])
        one_home_each = all(count == self.capacity for count in counts) and goal == "full"
        blocks = [sum(part[0] == colour for part in parts if part) for colour in range(self.colours)]
        return {
            "top": tube[-1] if tube else -1,
            "run": len(parts[-1]),
            "room": self.capacity - len(tube),
            "bottom": tube[0] if tube else -1,
            "work": len(tube) if balls else len(runs(tube)),
            "keep": keep if tube else 0,
            "stays": stays,
            "kind": kind,
            "less": self.numbers[self.less(content)],
            "more": self.numbers.get(self.more(content), 0),
            "colours_in": sum(1 << colour for colour in set(tube)),
            "done": not tube or (kind != MIXED and (full or goal != "full")),
            "alone": kind == UNIFORM and full and counts[tube[0]] == self.capacity,
            "blocks": None if balls or one_home_each else blocks,
        }

    def tables(self):
        """All tables as lists; ``blocks`` is None if it isn't asked for."""
        rows = [self.row(content) for content in self.numbers]
        tables = {name: [row[name] for row in rows] for name in rows[0]}
        tables["blocks"] = None if None in tables["blocks"] else tables["blocks"]
        founded = [[0, *(self.numbers[self._founded(c, load)] for load in self._loads())] for c in range(self.colours)]
        full = self.puzzle.goal == "full"
        homes = [count // self.capacity if full else 0 for count in self.puzzle.ball_counts()]
        return {**tables, "founded": founded, "homes": homes}
