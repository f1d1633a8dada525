"""Games of the explorer on small boards under all rules, refereed by `tests.support.naive_variants`.

All fillings of a board are played side by side. Those that have shown the same as the true one so far are what a player
may still hold possible: the explorer's word is compared with that at each step.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from math import factorial, isclose
from pathlib import Path
from typing import Any, NamedTuple

from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.explorer import Explorer
from bsp_sat.apps.covered.game import Game as TrueGame
from bsp_sat.apps.covered.game import play_out
from bsp_sat.apps.covered.study import HiddenStudy, check_study, study
from bsp_sat.backends.kernel import Distances
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.sorting import NEW_COLOUR, SortPuzzle
from tests.support.command import invoke
from tests.support.helpers import from_fields as read
from tests.support.naive_variants import Game, State, board_with_rules, fillings, strategy_values, with_names

SIZES = [(2, 2), (3, 2), (2, 3), (3, 3), (4, 2), (2, 4)]


def crowded_board(seed: int) -> dict[str, Any]:
    """A small board, often with so little room that no filling has a plan."""
    chance = random.Random(seed)
    colours, capacity = chance.choice(SIZES)
    balls = [ball for ball in "abcd"[:colours] for _ in range(capacity)]
    chance.shuffle(balls)
    tubes = [balls[at : at + capacity] for at in range(0, len(balls), capacity)]
    tubes += [[] for _ in range(chance.choice([0, 1, 1, 2]))]
    for tube in tubes:
        if tube and not tubes[-1] and chance.random() < 0.2:
            tubes[-1].append(tube.pop())
    covered = [chance.randrange(len(tube)) if tube else 0 for tube in tubes]
    board = {
        "puzzle": chance.choice(["ball-sort", "water-sort"]),
        "capacity": capacity,
        "goal": chance.choice(["full", "full", "monochrome", "gathered"]),
        "tubes": [
            [None if level < number and chance.random() < 0.9 else ball for level, ball in enumerate(tube)]
            for tube, number in zip(tubes, covered, strict=True)
        ],
        "hidden": [
            [level < number for level, _ in enumerate(tube)] for tube, number in zip(tubes, covered, strict=True)
        ],
        "colours": dict.fromkeys("abcd"[:colours], capacity),
        "reveal": chance.choice(["run", "cell"]),
    }
    return board | chance.choice([{}, {}, {}, {"cork": True}, {"no_in": [0]}])


def wanting_board(seed: int) -> dict[str, Any]:
    """The same with a goal for which some cells may stay unknown."""
    return crowded_board(seed) | {"goal": "wanted", "wanted": {"a": 1}}


def with_unknown_cells(boards: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], SortPuzzle]]:
    """Those that are boards with unknown cells; as object and position."""
    for board in boards:
        with suppress(BoardError):
            position = read(board)
            if position.is_hidden:
                yield board, position


def boards_with_locks_or_corks(first: int = 0) -> Iterator[tuple[dict[str, Any], SortPuzzle]]:
    """Those of `board_with_rules` from a seed on that have unknown cells and locks or corks."""
    boards = map(board_with_rules, count(first))
    return with_unknown_cells(board for board in boards if board.get("locked") or board.get("cork"))


def checked_study(position: SortPuzzle) -> HiddenStudy:
    """The study of a board. Its strategies go through the code of `bsp-sat check`, as they are written."""
    found = study(position)
    check_study(position, json.loads(json.dumps(found.to_json())))
    return found


def compared(board: dict[str, Any], longest: int, extra: int) -> bool:
    """Compares what is proved of a board with all plays of all fillings; says whether there were values to compare.

    They are compared if no filling needs more than ``longest`` moves; strategies may take ``extra`` more. Fillings have
    names for the colours of which the board doesn't say how many balls there are: the values are the same.
    """
    named, names = (board, []) if "colours" in board else with_names(board)
    filled, position, ways = fillings(named), read(board), factorial(len(names))
    if not position.is_hidden:
        return False
    assert len(position.unseen) == len(names)
    optima = [length for length in (Game(each).optimum() for each in filled) if length is not None]
    found = checked_study(position)
    assert (found.fillings, found.solvable) == (len(filled) / ways, len(optima) / ways), board
    if not optima:
        assert found.status == "unsolvable"
        return False
    assert found.longest == max(optima), board
    if max(optima) > longest:
        return False
    worst, mean = strategy_values(named, extra)
    if worst is None:
        assert found.worst.value is None or found.worst.value > found.longest + extra
        return False
    assert found.worst.value == worst, board
    if mean is not None:
        assert found.average is not None
        assert found.average.value is not None
        assert isclose(found.average.value / found.solvable, mean), board
    return mean is not None


class Refereed(NamedTuple):
    """What became of a game."""

    solvable: bool  # whether the true board is
    solved: bool
    attempts: int  # how many were begun
    unknown: int  # unknown cells at the start
    fillings: int  # how many agree with the start, up to the names of colours that don't show
    asked: int  # how often effects were asked about

    def most_attempts(self, board: dict[str, Any]) -> int:
        """As many as are promised."""
        if board.get("locked"):
            return 2 * self.unknown + self.fillings
        by_cell = board["reveal"] == "cell"
        return self.unknown + 1 if by_cell and not board.get("cork") else 2 * self.unknown + 1


class Referee:
    """A game, and all others that show the same."""

    def __init__(self, board: dict[str, Any], filled: list[dict[str, Any]], true: int) -> None:
        self.games = [Game(each) for each in filled]
        self.true = true
        self.states: dict[int, State] = {number: game.start() for number, game in enumerate(self.games)}
        self.board = board

    @property
    def state(self) -> State:
        return self.states[self.true]

    def effects(self, number: int) -> tuple[Any, ...]:
        _, opened, solved, corked = self.games[number].seen(self.states[number])
        return opened, solved, corked

    def cells(self, number: int) -> Any:
        return self.games[number].seen(self.states[number])[0]

    def keep_those_of_equal_cells(self, locked: tuple[int, ...] = ()) -> None:
        """Those that show the same in all tubes but ``locked``: these may have opened, which isn't said yet."""

        def shown(number: int) -> list[Any]:
            return [tube for place, tube in enumerate(self.cells(number)) if place not in locked]

        here = shown(self.true)
        self.states = {number: state for number, state in self.states.items() if shown(number) == here}

    def shows(self, board: SortPuzzle, place: int) -> list[Any]:
        """The unknown cells that show in a tube, from the top."""
        tube, covered = self.state.tubes[place], self.state.covered[place]
        levels = [level for i, level in board.unknown if i == place and not covered[level]]
        return [tube[level] for level in sorted(levels, reverse=True)]

    def answer(self, asking: Effects) -> Effects:
        """What is so; and checks that the games that are left differ in each thing that is asked about."""
        answers = {}
        for number in self.states:
            opened, solved, corked = self.effects(number)
            answers[number] = Effects(
                tuple(place for place in asking.opened if place in opened),
                tuple(place for place in asking.corked if corked[place]),
                asking.solved and solved,
            )
        for place in asking.opened:
            assert len({place in each.opened for each in answers.values()}) == 2
        for place in asking.corked:
            assert len({place in each.corked for each in answers.values()}) == 2
        assert not asking.solved or len({each.solved for each in answers.values()}) == 2
        here = answers[self.true]
        self.states = {number: state for number, state in self.states.items() if answers[number] == here}
        return here

    def move(self, move: tuple[int, int]) -> None:
        """Makes a move, which is to be legal in all games that are left."""
        after = {number: self.games[number].moves(state) for number, state in self.states.items()}
        assert all(move in each for each in after.values()), move
        self.states = {number: each[move] for number, each in after.items()}

    def restart(self) -> None:
        self.states = {number: self.games[number].start() for number in self.states}


class Player:
    """Says what shows. Colours that aren't on the board are new when they show, and then have the explorer's names."""

    def __init__(self, explorer: Explorer, referee: Referee) -> None:
        self.explorer, self.referee = explorer, referee
        self.names: dict[Any, Any] = {}

    def say(self, known: SortPuzzle) -> None:
        free = [known.palette[colour] for colour in known.unseen]
        said: dict[int, list[Any]] = {}
        for place in self.explorer.looking:
            shows = self.referee.shows(known, place)
            said[place] = [self.names.get(ball, ball) for ball in shows]
            if shows and said[place][0] not in known.palette:
                self.names[shows[0]] = free.pop(0)
                said[place] = [NEW_COLOUR if ball == shows[0] else ball for ball in shows]
        self.explorer.record_colours(said)


def play(board: dict[str, Any], filled: list[dict[str, Any]], true: int, samples: int = 5) -> Refereed | None:
    """Plays one filling of a board; None where the board isn't one with unknown cells.

    Where the board doesn't say how many balls there are, the fillings have names for the colours that don't show.
    """
    try:
        position = read(board)
    except BoardError:
        return None
    if not position.is_hidden:
        return None
    referee = Referee(board, filled, true)
    explorer = Explorer(position, samples=samples)
    player = Player(explorer, referee)
    asked = 0
    learnt_before = -1
    while True:
        while explorer.looking or explorer.asking:
            known = explorer.position
            assert known.is_hidden
            if explorer.looking:
                player.say(known)
                continue
            referee.keep_those_of_equal_cells(known.rules.locked)
            asked += 1
            explorer.record_effects(referee.answer(explorer.asking))
        referee.keep_those_of_equal_cells()
        assert len({referee.effects(number) for number in referee.states}) == 1  # nothing that differs was left out
        assert explorer.solved == referee.games[true].is_goal(referee.state)
        advice = explorer.next_move()
        if advice.fillings and not advice.drawn and not advice.known:
            assert advice.fillings * _namings(explorer.position) == len(referee.states)
        if advice.solved or advice.hopeless:
            break
        assert not advice.stuck
        if advice.move is not None:
            explorer.record_move(advice.move)
            referee.move(tuple(advice.move))
            continue
        assert advice.restart
        explorer.record_restart()
        referee.restart()
        left = len(referee.states) + len(getattr(explorer.position, "unknown", ()))
        assert explorer.attempts == 2 or left < learnt_before, "an attempt that tells nothing"
        learnt_before = left
    if advice.hopeless:
        assert all(referee.games[number].optimum() is None for number in referee.states)
    solvable = referee.games[true].optimum() is not None
    assert advice.solved == solvable
    different = len(filled) // _namings(position)
    return Refereed(solvable, advice.solved, explorer.attempts, len(position.unknown), different, asked)


def played(boards: Iterable[dict[str, Any]]) -> "Counter[str]":
    """Plays two fillings of each board, drawn at random, and checks that they take no more attempts than promised."""
    tally: Counter[str] = Counter()
    for seed, board in enumerate(boards):
        filled = fillings(board if "colours" in board else with_names(board)[0])
        for true in random.Random(seed).sample(range(len(filled)), min(2, len(filled))):
            game = play(board, filled, true)
            if game is not None:
                assert not game.solvable or game.attempts <= game.most_attempts(board), (board, true)
                tally.update(games=1, solved=game.solved, unsolvable=not game.solvable, asked=game.asked > 0)
    return tally


def played_out(position: SortPuzzle, game: TrueGame) -> int:
    """Plays a game to its end and checks what came of it, with an attempt for each unknown cell and one more.

    Returns the attempts.
    """
    solvable = Distances([game.position]).length(game.position) is not None
    found = play_out(Explorer(position, samples=10), game, 100)
    assert (found.solved, found.hopeless) == (solvable, not solvable), position
    assert not solvable or found.attempts <= len(position.unknown) + 1, position
    return found.attempts


def _namings(board: SortPuzzle) -> int:
    """In how many ways the colours that don't show may be named."""
    return factorial(len(board.unseen)) if board.is_hidden else 1


def covered_board(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A board of full tubes of which the tops show, one of them perhaps locked; and what is in it in truth."""
    chance = random.Random(f"covered {seed}")
    colours, capacity = chance.choice([(3, 3), (3, 4), (4, 3), (4, 4)])
    names = "abcd"[:colours]
    balls = [name for name in names for _ in range(capacity)]
    chance.shuffle(balls)
    tubes: list[list[Any]] = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
    board = {"puzzle": chance.choice(["ball-sort", "water-sort"]), "capacity": capacity}
    board["reveal"] = chance.choice(["run", "cell"])
    board["cork"] = chance.random() < 0.5
    locked = chance.randrange(colours) if chance.random() < 0.8 else None
    if locked is not None:
        board["locked"] = [{"tube": locked, "until": chance.choice([1, 1, *names])}]
    shown = [
        [
            None if i == locked or level < len(tube) - 1 - _hidden_below(tube, board) else ball
            for level, ball in enumerate(tube)
        ]
        for i, tube in enumerate(tubes)
    ]
    empty: list[list[Any]] = [[] for _ in range(chance.choice([1, 2, 2]))]
    true = {**board, "tubes": tubes + empty, "hidden": [[ball is None for ball in tube] for tube in shown] + empty}
    return {**board, "tubes": shown + empty, "colours": dict.fromkeys(names, capacity)}, true


def covered_game(seed: int) -> tuple[SortPuzzle, TrueGame]:
    """The board of `covered_board`, and the game of it."""
    board, true = covered_board(seed)
    position = read(board)
    colours = {cell: position.palette.index(true["tubes"][cell[0]][cell[1]]) for cell in position.unknown}
    return position, TrueGame(position.with_cells(colours))


def _hidden_below(tube: list[Any], board: dict[str, Any]) -> int:
    """How many balls show below the top one at the start."""
    if board["reveal"] == "cell":
        return 0
    return next((n for n, ball in enumerate(reversed(tube)) if ball != tube[-1]), len(tube)) - 1


LOCKED = {
    "puzzle": "water-sort",
    "capacity": 4,
    "reveal": "cell",
    "tubes": [[None, None, None, "a"], [None, None, None, "b"], [None] * 4, [None, None, None, "c"], [], []],
    "locked": [{"tube": 2, "until": 1}],
    "colours": {"a": 4, "b": 4, "c": 4, "d": 4},
}


def run_play(folder: Path, board: str | dict[str, Any], *answers: str) -> tuple[int, str]:
    """`play` on a board, water sort in text, with these answers: its exit code and what it prints."""
    path = folder / "board"
    path.write_text(board if isinstance(board, str) else json.dumps(board))
    rules = ["--puzzle", "water-sort"] if isinstance(board, str) else []
    return invoke("play", path, *rules, stdin="".join(f"{answer}\n" for answer in answers))
