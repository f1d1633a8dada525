"""The rules that games add to the sort puzzles a second time, as plainly as possible, with exact answers.

Nothing here is shared with the package. A game is read from a JSON object; a state is the tubes with their balls, the
cells that are covered, and the locks that have opened. Every answer comes from looking at all states, and for boards
with unknown cells at all plays of all fillings.
"""

import random
from collections import deque
from itertools import chain, permutations
from math import inf
from typing import Any, NamedTuple

from tests.support.naive import backwards, forwards

Move = tuple[int, int]


class State(NamedTuple):
    tubes: tuple[tuple[Any, ...], ...]
    covered: tuple[tuple[bool, ...], ...]
    opened: frozenset[int]


class Game:
    """One board with all its balls known."""

    def __init__(self, board: dict[str, Any]) -> None:
        self.water = board["puzzle"] == "water-sort"
        self.goal = board.get("goal", "full")
        self.wanted = board.get("wanted", {})
        self.own = board.get("tube_colours", [])
        self.any_in = range(99) if board.get("placement") == "any" else board.get("any_in", [])
        self.tubes = [tuple(tube) for tube in board["tubes"]]
        self.capacity = board.get("capacities", [board["capacity"]] * len(self.tubes))
        self.no_in, self.no_out = board.get("no_in", []), board.get("no_out", [])
        self.accepts = board.get("accepts", {})
        self.until = {entry["tube"]: entry["until"] for entry in board.get("locked", [])}
        self.drain = board.get("drain", False)
        self.partial, self.cork = board.get("partial", True), board.get("cork", False)
        self.by_cell = board.get("reveal", "run" if self.water else "cell") == "cell"
        self.hidden = board.get("hidden", [[False] * len(tube) for tube in self.tubes])
        self.total = {ball: sum(tube.count(ball) for tube in self.tubes) for tube in self.tubes for ball in tube}

    def start(self) -> State:
        return self.settle([list(tube) for tube in self.tubes], [list(tube) for tube in self.hidden], set())

    def complete(self, tube: list[Any], place: int) -> bool:
        if len(set(tube)) != 1:
            return False
        if self.goal in ("monochrome", "gathered", "coloured") and len(tube) == self.total[tube[0]]:
            return True
        return len(tube) == self.capacity[place]

    def settle(self, tubes: list[list[Any]], covered: list[list[bool]], opened: set[int]) -> State:
        """Opens locks and uncovers what is on top of tubes that aren't locked."""
        complete = [i for i, tube in enumerate(tubes) if self.complete(tube, i)]
        for place, until in self.until.items():
            if isinstance(until, int):
                opens = len(complete) >= until
            elif isinstance(until, dict):
                opens = sum(tubes[i][0] == until.get("colour", tubes[i][0]) for i in complete) >= until["tubes"]
            else:
                opens = sum(len(tubes[i]) for i in complete if tubes[i][0] == until) == self.total[until]
            if opens:
                opened = {*opened, place}
        for i, tube in enumerate(tubes):
            if tube and (i not in self.until or i in opened):
                covered[i][-1] = False
                top = len(tube) - 1
                while not self.by_cell and top and tube[top - 1] == tube[-1]:
                    top -= 1
                    covered[i][top] = False
        return State(tuple(map(tuple, tubes)), tuple(map(tuple, covered)), frozenset(opened))

    def moves(self, state: State) -> dict[Move, State]:
        found = {}
        for i, source in enumerate(state.tubes):
            for j, target in enumerate(state.tubes):
                if i == j or not source or len(target) >= self.capacity[j]:
                    continue
                if any(k in self.until and k not in state.opened for k in (i, j)):
                    continue
                if i in self.no_out or j in self.no_in:
                    continue
                leaving = 0 if self.drain else -1
                if target and target[-1] != source[leaving] and j not in self.any_in:
                    continue
                if str(j) in self.accepts and source[leaving] not in self.accepts[str(j)]:
                    continue
                if self.cork and any(self.complete(list(state.tubes[k]), k) for k in (i, j)):
                    continue
                tubes, covered = [list(tube) for tube in state.tubes], [list(tube) for tube in state.covered]
                colour, left_behind = source[leaving], False
                while True:
                    tubes[j].append(tubes[i].pop(leaving))
                    covered[i].pop(leaving)
                    covered[j].append(False)
                    if (
                        not self.water
                        or not tubes[i]
                        or tubes[i][leaving] != colour
                        or (self.by_cell and covered[i][-1])
                    ):
                        break
                    if len(tubes[j]) == self.capacity[j]:
                        left_behind = True
                        break
                if not left_behind or self.partial:
                    found[i, j] = self.settle(tubes, covered, set(state.opened))
        return found

    def is_goal(self, state: State) -> bool:
        if self.goal == "wanted":
            full = [tube[0] for i, tube in enumerate(state.tubes) if self.complete(list(tube), i)]
            return all(full.count(colour) >= tubes for colour, tubes in self.wanted.items())
        if self.goal == "coloured":
            return all(ball == own for tube, own in zip(state.tubes, self.own, strict=True) for ball in tube)
        if any(len(set(tube)) > 1 for tube in state.tubes):
            return False
        if self.goal == "full":
            return all(len(tube) in (0, self.capacity[i]) for i, tube in enumerate(state.tubes))
        return self.goal == "monochrome" or all(not tube or len(tube) == self.total[tube[0]] for tube in state.tubes)

    def optimum(self, most: int = 500_000, start: State | None = None) -> int | None:
        """The length of a shortest plan, by default from the board itself, None where there is none.

        The balls of a random board of the tests can lie in 450,240 ways at most.
        """
        start = self.start() if start is None else start
        for seen, (state, depth) in enumerate(forwards(start, lambda state: self.moves(state).values())):
            if self.is_goal(state):
                return depth
            assert seen < most
        return None

    def distances(self, most: int) -> dict[State, int]:
        """The length of a shortest plan from the states on plays of at most ``most`` moves that solve the board."""
        depth = {self.start(): 0}
        before: dict[State, list[State]] = {self.start(): []}
        queue = deque(depth)
        while queue:
            state = queue.popleft()
            if depth[state] == most:
                break
            for after in self.moves(state).values():
                if after not in depth:
                    depth[after] = depth[state] + 1
                    before[after] = []
                    queue.append(after)
                before[after].append(state)
        return backwards(filter(self.is_goal, depth), before.__getitem__)

    def seen(self, state: State) -> tuple[Any, ...]:
        """What a player sees of a state."""
        shown = tuple(
            tuple(None if hidden else ball for ball, hidden in zip(tube, covered, strict=True))
            for tube, covered in zip(state.tubes, state.covered, strict=True)
        )
        corked = [self.cork and self.complete(list(tube), i) for i, tube in enumerate(state.tubes)]
        return shown, state.opened, self.is_goal(state), tuple(corked)


def fillings(board: dict[str, Any]) -> list[dict[str, Any]]:
    """Every board that ``board`` may be: its unknown cells filled with the missing balls, so that it shows the same."""
    cells = [(i, p) for i, tube in enumerate(board["tubes"]) for p, ball in enumerate(tube) if ball is None]
    known = [ball for tube in board["tubes"] for ball in tube if ball is not None]
    counts = board.get("colours") or dict.fromkeys(known, board["capacity"])
    missing = [ball for ball, count in counts.items() for _ in range(count - known.count(ball))]
    without_unknown = Game({**board, "tubes": [[] if None in tube else tube for tube in board["tubes"]], "hidden": []})
    without_unknown.hidden, without_unknown.total = [[False] * len(tube) for tube in without_unknown.tubes], counts
    shut = {entry["tube"] for entry in board.get("locked", ())} - without_unknown.start().opened
    found = []
    for order in sorted(set(permutations(missing))):
        tubes = [list(tube) for tube in board["tubes"]]
        hidden = [list(tube) for tube in board.get("hidden", [[False] * len(tube) for tube in tubes])]
        for (i, p), ball in zip(cells, order, strict=True):
            tubes[i][p] = ball
            hidden[i][p] = True
        filled = {**board, "tubes": tubes, "hidden": hidden}
        game = Game(filled)
        shown, _, _, _ = game.seen(game.start())
        same = all(shown[i][p] is None for i, p in cells if not hidden[i][-1] and i not in shut)
        if same:
            found.append(filled)
    return found


def strategy_values(board: dict[str, Any], extra: int = 2) -> tuple[int | None, float | None]:
    """The fewest moves in the worst case and on average of strategies that never restart, by and-or search.

    All plays up to a length are tried, over the fillings that can be solved. No strategy with a longer play is better
    on average, even if it solves all other fillings as quickly as a player who knows them.

    Returns:
        Both, each None where that takes plays of over ``extra`` moves more than the longest shortest plan.
    """
    games = [Game(filled) for filled in fillings(board)]
    optima = {number: length for number, game in enumerate(games) if (length := game.optimum()) is not None}
    if not optima:
        return None, None
    shortest, longest = sum(optima.values()), max(optima.values())
    distances = {number: games[number].distances(longest + extra) for number in optima}
    memo: dict[tuple[Any, int], tuple[float, float]] = {}

    def split(states: dict[int, State]) -> list[dict[int, State]]:
        groups: dict[Any, dict[int, State]] = {}
        for number, state in states.items():
            groups.setdefault(games[number].seen(state), {})[number] = state
        return list(groups.values())

    def values(states: dict[int, State], left: int) -> tuple[float, float]:
        """Most moves, and moves of all fillings together."""
        numbers = list(states)
        if games[numbers[0]].is_goal(states[numbers[0]]):
            return 0, 0
        if any(distances[number].get(state, left + 1) > left for number, state in states.items()):
            return inf, inf
        key = (tuple(states.items()), left)
        if key not in memo:
            worst = total = inf
            options = [games[number].moves(state) for number, state in states.items()]
            for move in options[0]:
                after = {number: option[move] for number, option in zip(numbers, options, strict=True)}
                parts = [values(part, left - 1) for part in split(after)]
                worst = min(worst, 1 + max(part[0] for part in parts))
                total = min(total, len(numbers) + sum(part[1] for part in parts))
            memo[key] = worst, total
        return memo[key]

    start = split({number: games[number].start() for number in optima})
    least: int | None = None
    for most in range(longest, longest + extra + 1):
        parts = [values(part, most) for part in start]
        worst, total = max(part[0] for part in parts), sum(part[1] for part in parts)
        if worst < inf:
            least = int(worst)
            if total <= shortest - longest + most + 1:
                return least, total / len(optima)
    return least, None


def with_names(board: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A board that doesn't say how many balls there are, with names for the colours that don't show; and these."""
    known = [ball for tube in board["tubes"] for ball in tube if ball is not None]
    capacity = board["capacity"]
    counts = {ball: capacity * max(1, -(-known.count(ball) // capacity)) for ball in dict.fromkeys(known)}
    left = sum(map(len, board["tubes"])) - sum(counts.values())
    names = [f"unseen {number}" for number in range(left // capacity)]
    return {**board, "colours": {**counts, **dict.fromkeys(names, capacity)}}, names


def random_unseen_board(seed: int) -> dict[str, Any]:
    """A small random board of which some colours don't show at all, nor some other cells; it doesn't say how many."""
    chance = random.Random(f"unseen {seed}")
    colours, capacity = chance.choice([(3, 2), (4, 2), (4, 2), (3, 3)])
    names = "abcd"[:colours]
    balls = [ball for ball in names for _ in range(capacity)]
    chance.shuffle(balls)
    tubes: list[list[Any]] = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
    unseen = chance.sample(names, chance.choice([2, 2, min(3, 5 - capacity)]))
    tubes = [[None if ball in unseen or chance.random() < 0.1 else ball for ball in tube] for tube in tubes]
    board: dict[str, Any] = {
        "puzzle": chance.choice(["ball-sort", "water-sort"]),
        "capacity": capacity,
        "reveal": chance.choice(["run", "cell"]),
        "cork": chance.random() < 0.3,
        "tubes": [*tubes, *[[] for _ in range(chance.choice([1, 2]))]],
    }
    if chance.random() < 0.3:
        shown = [ball for tube in tubes for ball in tube if ball is not None]
        board["locked"] = [{"tube": chance.randrange(colours), "until": chance.choice([*shown, 1, 1])}]
    if chance.random() < 0.2:
        board["goal"] = "monochrome"
    return board


def random_board(seed: int, **features: bool) -> dict[str, Any]:
    """A small random board with the named features, and those that chance adds where none is named."""
    chance = random.Random(seed)
    colours, capacity = chance.choice([(2, 3), (3, 2), (3, 3), (2, 4)])
    has = {
        name: features.get(name, not features and chance.random() < 0.4)
        for name in ("capacities", "locked", "one_way", "accepts", "whole_pours", "cork", "cells", "gathered")
    }
    names = "abc"[:colours]
    balls = [ball for ball in names for _ in range(capacity)]
    chance.shuffle(balls)
    tubes = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
    tubes += [[] for _ in range(chance.choice([1, 2]))]
    board: dict[str, Any] = {"puzzle": chance.choice(["ball-sort", "water-sort"]), "capacity": capacity, "tubes": tubes}
    if has["gathered"]:
        board["goal"] = "gathered"
    elif chance.random() < 0.25:
        board["goal"] = "monochrome"
    if has["capacities"]:
        board["capacities"] = [
            capacity
            if tube and board.get("goal", "full") == "full"
            else max(len(tube), capacity + chance.choice([-1, 1]))
            for tube in tubes
        ]
        if board.get("goal", "full") == "full" and chance.random() < 0.5:  # a colour that fills two lesser tubes
            board["tubes"].append([])
            board["capacities"][-1:] = [max(1, capacity // 2), capacity - capacity // 2]
            board["capacities"] = board["capacities"][: len(board["tubes"])]
            while len(board["capacities"]) < len(board["tubes"]):
                board["capacities"].append(capacity)
    places = range(len(board["tubes"]))
    if has["locked"]:
        board["locked"] = [
            {"tube": place, "until": chance.choice([*names, 1])}
            for place in chance.sample(places, chance.choice([1, 1, 2]))
        ]
    if has["one_way"]:
        board[chance.choice(["no_in", "no_out"])] = [chance.choice(places)]
    if has["accepts"]:
        place = chance.choice(places)
        board["accepts"] = {str(place): sorted(chance.sample(names, chance.choice([1, min(2, colours)])))}
    if has["whole_pours"]:
        board["partial"] = False
    if has["cork"]:
        board["cork"] = True
    if has["cells"]:
        board["reveal"] = "cell"
        board["hidden"] = [
            [level < len(tube) - 1 and chance.random() < 0.7 for level in range(len(tube))] for tube in tubes
        ]
        board["hidden"] += [[]] * (len(board["tubes"]) - len(board["hidden"]))
    return board


def random_counted(seed: int) -> dict[str, Any] | None:
    """A small board with a lock until some tubes of a colour are complete that fills more, and any other rules."""
    chance = random.Random(seed)
    others = ("one_way", "accepts", "cork", "whole_pours", "cells", "gathered")
    board = random_board(seed, **{name: chance.random() < 0.2 for name in others})
    balls = chance.sample("aaaabb", 6) if seed % 2 else chance.sample("aaaabbcc", 8)
    tubes = [balls[start : start + 2] for start in range(0, len(balls), 2)]
    tubes += [[]] * (5 - len(tubes))
    hidden = {"hidden": [[True, False][-len(tube) :] if tube else [] for tube in tubes]} if "hidden" in board else {}
    ruled = {*chain(*board.get("accepts", {}).values())}
    until = [{"colour": "a", "tubes": chance.choice([1, 1, 2])}, {"colour": "b", "tubes": 1}, {"tubes": 2}]
    locked = [{"tube": place, "until": until[n]} for n, place in enumerate(chance.sample(range(4), seed // 4 % 3 + 1))]
    goal = {"goal": board.get("goal", "full")} if board.get("goal") != "gathered" else {"goal": "monochrome"}
    found = {**board, "capacity": 2, "tubes": tubes, "locked": locked, **hidden, **goal}
    return None if "c" in ruled and seed % 2 else found


def random_drained(seed: int) -> dict[str, Any]:
    """A small board whose balls leave at the bottom, with any other rules."""
    chance = random.Random(f"drained {seed}")
    others = ("capacities", "locked", "one_way", "accepts", "whole_pours", "cork", "gathered")
    return {**random_board(seed, **{name: chance.random() < 0.2 for name in others}), "drain": True}


def random_wanted(seed: int) -> dict[str, Any] | None:
    """A small board of any colours' numbers and any rules of tubes; or None where too many tubes would be wanted."""
    chance = random.Random(seed)
    board = random_board(seed, **{name: chance.random() < 0.2 for name in ("locked", "one_way", "accepts", "cork")})
    if "hidden" not in board and chance.random() < 0.3:
        board["drain"] = True
    balls = [ball for tube in board["tubes"] for ball in tube]
    names = sorted(set(balls))
    board["tubes"] = [
        [chance.choice(names) if chance.random() < 0.3 else ball for ball in tube] for tube in board["tubes"]
    ]
    left = {name: sum(tube.count(name) for tube in board["tubes"]) // board["capacity"] for name in names}
    wanted = {name: chance.randint(1, most) for name, most in left.items() if most and chance.random() < 0.7}
    named = {colour for tube in board["tubes"] for colour in tube}
    ruled = [*(entry["until"] for entry in board.get("locked", [])), *chain(*board.get("accepts", {}).values())]
    if not wanted or any(isinstance(colour, str) and colour not in named for colour in ruled):
        return None
    return {**board, "goal": "wanted", "wanted": wanted}


TUBE_KEYS = ("capacities", "locked", "no_in", "no_out", "accepts")
RULES = ("capacities", "locked", "one_way", "accepts", "whole_pours", "cork", "gathered")


def board_with_rules(seed: int, most_unknown: int = 7) -> dict[str, Any]:
    """A small random board with unknown cells, some perhaps in locked tubes, and known ones that are covered."""
    chance = random.Random(f"games {seed}")
    board = random_board(seed, **{name: chance.random() < 0.3 for name in RULES})
    board.pop("hidden", None)
    board["reveal"] = chance.choice(["run", "cell"])
    if chance.random() < 0.3:  # by default
        board["reveal"] = "run" if board["puzzle"] == "water-sort" else "cell"
    tubes = board["tubes"]
    if len(tubes[-1]) == 0 and chance.random() < 0.4 and not any(key in board for key in TUBE_KEYS):  # less room
        tubes.pop()
    full = [i for i, tube in enumerate(tubes) if tube]
    if chance.random() < 0.5:  # a tube with something in it
        until = chance.choice([*sorted({ball for tube in tubes for ball in tube}), 1, 2])
        board["locked"] = [{"tube": chance.choice(full), "until": until}]
    known = [ball for tube in tubes for ball in tube]
    board["colours"] = {ball: known.count(ball) for ball in sorted(set(known))}
    cells = [(i, level) for i, tube in enumerate(tubes) for level in range(len(tube))]
    covered = {cell for cell in cells if chance.random() < 0.7}
    unknown = set(chance.sample(sorted(covered), min(len(covered), chance.randint(1, most_unknown))))
    board["hidden"] = [[(i, level) in covered for level in range(len(tube))] for i, tube in enumerate(tubes)]
    board["tubes"] = [
        [None if (i, level) in unknown else ball for level, ball in enumerate(tube)] for i, tube in enumerate(tubes)
    ]
    return board


GOALS = ("full", "monochrome", "gathered", "wanted", "coloured")
RULES_ANYWHERE = (
    "any_in", "locked by colour", "locked by tubes", "locked by tubes of a colour", "no_in", "no_out", "accepts",
    "capacities", "cork", "drain",
)  # fmt: skip
OF_WATER = ("whole pours", "covers")
"""Rules that change no moves in ball sort with all balls known."""


def random_anywhere(seed: int, *rules: str) -> dict[str, Any]:
    """A small board whose balls go and lie anywhere, with these rules and few others; perhaps it can't be read.

    Where tubes have colours, balls may go to matching ones alone.
    """
    chance = random.Random(f"{seed} {rules}")
    has = {*rules, *(rule for rule in RULES_ANYWHERE if chance.random() < 0.15)}
    goal = next((goal for goal in GOALS if goal in rules), None) or chance.choice(GOALS)
    capacity, places = chance.choice([2, 2, 3]), range(chance.choice([3, 3, 4]))
    names = "abc"[: chance.choice([2, 3, 3]) if len(places) == 3 or capacity == 2 else 2]
    counts = [capacity if goal == "full" else chance.randint(1, capacity) for _ in names]
    balls = [name for name, number in zip(names, counts, strict=True) for _ in range(number)]
    capacities = [capacity] * len(places)
    if "capacities" in has:
        capacities = [max(1, capacity + chance.choice([-1, 0, 0, 1])) for _ in places]
    tubes: list[list[str]] = [[] for _ in places]
    for ball in chance.sample(balls, len(balls)):
        room = [place for place in places if len(tubes[place]) < capacities[place]]
        tubes[chance.choice(room or places)].append(ball)
    board: dict[str, Any] = {
        "puzzle": chance.choice(["ball-sort", "water-sort"]), "placement": "any", "goal": goal, "capacity": capacity,
        "tubes": tubes,
    }  # fmt: skip
    if "capacities" in has:
        board["capacities"] = capacities
    if goal == "wanted":
        board["wanted"] = {name: 1 for name in names if names[0] == name or chance.random() < 0.3}
    if goal == "coloured":
        own = [*names, *(chance.choice([None, *names]) for _ in places[len(names) :])]
        board["tube_colours"] = chance.sample(own, len(own))
        board["placement"] = chance.choice(["any", "any", "matching"])
    untils: list[Any] = [chance.choice(names)] * ("locked by colour" in has)
    untils += [chance.choice([1, 1, 2])] * ("locked by tubes" in has)
    if "locked by tubes of a colour" in has and len(untils) < len(places):
        untils.append({"colour": chance.choice(names), "tubes": 1})
    if untils:
        locked = zip(chance.sample(places, len(untils)), untils, strict=True)
        board["locked"] = [{"tube": place, "until": until} for place, until in locked]
    if "any_in" in has:
        del board["placement"]
        board["any_in"] = chance.sample(places, chance.choice([1, 1, 2]))
    for key in ("no_in", "no_out"):
        if key in has:
            board[key] = [chance.choice(places)]
    if "accepts" in has:
        board["accepts"] = {str(chance.choice(places)): sorted(chance.sample(names, chance.choice([1, 1, 2])))}
    if "whole pours" in has:
        board["partial"] = False
    for key in has & {"cork", "drain"}:
        board[key] = True
    if "covers" in has:
        board["reveal"] = "cell"
        board["hidden"] = [[chance.random() < 0.5 for _ in tube[1:]] + [False] * bool(tube) for tube in tubes]
    return board
