"""Damaged files and command lines by the thousand: each is refused in one line that names a place, or is what it says.

Every case follows from the seed, its kind and its number alone. By default a few thousand cases are tried, always the
same. `--slow` adds `BSP_SAT_FUZZ_ROUNDS` times as many (an environment variable; 10 without it), from the seed
`BSP_SAT_FUZZ_SEED`, and prints how many cases of each kind were refused and accepted.

What is accepted is compared with what doesn't share the readers: plans are played by the rules of
tests/support/naive.py, boards written and read again, strategies played for every filling by `bsp-sat check`.
"""

import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
import pytest

from bsp_sat import BACKENDS, PUZZLES, BallSort, BoardError, BspSatError, Limits, Plan, WaterSort
from bsp_sat.apps.covered.strategy import StrategyResult
from bsp_sat.apps.covered.study import play_strategies
from bsp_sat.backends.proofs.certificate import write_certificate
from bsp_sat.cli import batch
from bsp_sat.cli.batch import Request
from bsp_sat.cli.group import commands
from bsp_sat.instances.errors import GoalNotReached, IllegalMove, PlanError
from bsp_sat.instances.files import Instance, parse_instances
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import GOALS, SortPuzzle, is_hidden
from bsp_sat.instances.tiles import Tiles
from tests.apps.covered.games import boards_with_locks_or_corks, checked_study
from tests.instances.test_spellings import SPELLINGS
from tests.support import naive, naive_variants
from tests.support.command import invoke
from tests.support.helpers import board, solve_here, subcommands
from tests.support.malformed import MALFORMED_BOARDS, MALFORMED_PLANS, NASTY_VALUES, damaged_bytes, damaged_json

SEED = os.environ.get("BSP_SAT_FUZZ_SEED", "1")
ROUNDS = int(os.environ.get("BSP_SAT_FUZZ_ROUNDS", "10"))

PUZZLE_OF = {
    "ball": board(BallSort, "ab|ba|-", 2),
    "water": board(WaterSort, "abb|baa|-", 3),
    "monochrome": board(WaterSort, "ba|ab|-", 3, "monochrome"),
    "unsolvable": board(BallSort, "021|012|012|-", 3),
    "tiles": Tiles.from_columns([[0, 1, 0], [1, 0, 1]]),
    "shot": Shot.from_balls(4, 4, [(0, 0), (2, 0), (2, 2)]),
}
TEXTS = [
    "ab|ba|-", "aab\nbba\n-\n# a comment\n-", "capacity 3\nab|ba|-", "goal monochrome\nab|ba|-\n",
    "capacity 4 \n é1|1é|- # x", "021|012|012|-",
    "#####\n# # #\n#####", "#      \n  #    \n" + "       \n" * 7,
    "  # #  \n       \n" + "   #   \n" * 7,
]  # fmt: skip


class Refused(NamedTuple):
    """That a case was refused, and how."""

    error: BspSatError


Case = Callable[[Random], Refused | None]


def refused(error: BspSatError, place: str) -> Refused:
    """Checks that a message is one line that names a place, given as a pattern."""
    text = str(error)
    assert text
    assert text.isprintable(), text
    assert len(text) < 2000, text
    assert re.search(place, text), text
    return Refused(error)


@cache
def optimum(puzzle: AnyPuzzle) -> int | None:
    """The moves of a shortest plan, by looking at all positions."""
    if isinstance(puzzle, SortPuzzle):
        return naive.optimum(tuple(map(bytes, puzzle.tubes)), *of_rules(puzzle), water=isinstance(puzzle, WaterSort))
    return solve_here("bfs", puzzle).length


def of_rules(puzzle: SortPuzzle) -> tuple[int, str]:
    return puzzle.capacity, puzzle.goal


def check_plan(puzzle: AnyPuzzle, moves: list[Any]) -> None:
    """Plays a plan as the result format writes it, by other rules than the package's where there are some."""
    if isinstance(puzzle, SortPuzzle):
        position = tuple(map(bytes, puzzle.tubes))
        for source, target in moves:
            position = naive.moves(position, puzzle.capacity, water=isinstance(puzzle, WaterSort))[source, target]
        assert naive.is_goal(position, *of_rules(puzzle))
    else:
        after = puzzle
        for value in moves:
            (move,) = [move for move in after.legal_moves() if after.move_to_json(move) == value]
            after = after.apply(move)
        assert after.is_goal()


def is_small(puzzle: AnyPuzzle) -> bool:
    size = sum(map(len, puzzle.tubes)) * len(puzzle.tubes) if isinstance(puzzle, SortPuzzle) else 0
    return size < 60


# -- the kinds: each makes what is needed once, and then case after case ---------------------------------------


def boards_as_json(_: Path) -> Iterator[Case]:
    good = [
        Instance(puzzle, {"name": name, "optimal": {puzzle.kind: 3}}).to_json() for name, puzzle in PUZZLE_OF.items()
    ]
    bad = [each.contents for each in MALFORMED_BOARDS if len(each.contents) < 1000]

    def case(chance: Random) -> Refused | None:
        if chance.random() < 0.1:
            data = damaged_bytes(chance, chance.choice(bad))
        else:
            objects = [damaged_json(chance, chance.choice(good)) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
            data = "\n".join(map(json.dumps, objects)).encode()
            if chance.random() < 0.3:
                data = damaged_bytes(chance, data)
        return read_board(data, chance.choice((None, None, *PUZZLES)))

    yield case


def boards_as_text(_: Path) -> Iterator[Case]:
    yield lambda chance: read_damaged(chance, TEXTS)


def boards_in_other_spellings(_: Path) -> Iterator[Case]:
    boards = [BallSort.from_text(text) for text in ("ab|ba|-", "ab|cab|bcc|a|-", "aabb|abab|-")]
    good = [spell(board) for board in boards for spell in SPELLINGS.values()]
    yield lambda chance: read_damaged(chance, good)


def read_damaged(chance: Random, good: list[str]) -> Refused | None:
    data = damaged_bytes(chance, chance.choice(good).encode())
    return read_board(data, chance.choice((None, None, *PUZZLES)))


def boards_that_blow_up(_: Path) -> Iterator[Case]:
    """Shapes, capacities, names and keys by the hundred and thousand: what takes more than its share of time or room.

    A name of a colour that is accepted is short, as answers repeat it.
    """

    def case(chance: Random) -> Refused | None:
        fields = large_board(chance)
        if chance.random() < 0.2:
            fields[chance.choice(("tubes", "capacities", "colours", "hidden"))] = chance.choice(NASTY_VALUES)
        text = json.dumps(fields)
        if chance.random() < 0.1:
            keys = [f'"{chance.randrange(10**6)}": 0' for _ in range(chance.choice((10, 1000, 10_000)))]
            keys += chance.sample(keys, chance.choice((0, 0, 1, len(keys))))
            text = f"{{{', '.join(keys)}, {text[1:]}"
        outcome = read_board(text.encode(), chance.choice((None, "water-sort")))
        if outcome is None:
            (instance,) = parse_instances(text)
            assert isinstance(instance.puzzle, SortPuzzle)
            assert all(len(str(colour)) <= 65 for colour in instance.puzzle.palette)  # a sign among them
        return outcome

    yield case


def large_board(chance: Random) -> dict[str, Any]:
    """Tubes of many sizes with few colours, or of few with many, whose balls fill tubes or nearly do."""
    tubes = chance.choice((5, 12, 20, 30, 60, 200))
    sizes = chance.sample(range(1, 60), chance.choice((1, 2, 3, 10, 40)))
    capacities = chance.choices(sizes, k=tubes) if chance.random() < 0.7 else list(range(1, tubes + 1))
    colours = chance.choice((1, 2, 3, 10, 50, 250, 300))
    length = chance.choice((1, 5, 64, 64, 65, 300))
    names = [chance.choice((f"{colour:0>{length}}", colour)) for colour in range(colours)]
    filled = chance.sample(range(tubes), chance.randint(1, tubes))
    contents: list[list[Any]] = [[] for _ in capacities]
    for place in filled:
        contents[place] = [chance.choice(names)] * capacities[place]
    for _ in range(chance.choice((0, 0, 0, 1, 5))):
        place = chance.choice(filled)
        contents[place] = contents[place][: chance.randint(0, capacities[place])]
    fields: dict[str, Any] = {"capacity": max(capacities), "tubes": contents, "goal": chance.choice(GOALS)}
    if chance.random() < 0.9:
        fields["capacities"] = capacities
    if chance.random() < 0.2:
        fields["colours"] = {str(name): chance.choice(sizes) for name in names}
    if chance.random() < 0.2:
        fields["locked"] = [
            {"tube": place, "until": {"colour": chance.choice(names)} if chance.random() < 0.8 else 1}
            for place in chance.sample(range(tubes), chance.randint(0, tubes))
        ]
    if chance.random() < 0.1:
        fields["accepts"] = {str(place): names for place in range(tubes)}
    if chance.random() < 0.1:
        fields["hidden"] = [[True] * len(tube) for tube in contents]
    return fields


def read_board(data: bytes, kind: str | None) -> Refused | None:
    text = data.decode("utf-8-sig", errors="surrogateescape" if b"\xff" in data else "replace")
    try:
        instances = parse_instances(text, "the file", kind)
    except BoardError as error:
        return refused(error, "^the file: ")
    for instance in instances:
        puzzle = instance.puzzle
        again = json.dumps(instance.to_json())
        assert parse_instances(again) == [instance], again
        if isinstance(puzzle, SortPuzzle):
            assert all(map(int.__le__, map(len, puzzle.tubes), puzzle.capacities))
        if is_small(puzzle):
            puzzle.lower_bound()
            for move in list(puzzle.legal_moves())[:3]:
                assert puzzle.refusal(move) is None
    return None


def strategies(_: Path) -> Iterator[Case]:
    """The best strategies of a board all pass `check`; damaged ones are refused, or no better than the best."""

    def case(chance: Random) -> Refused | None:
        seed = chance.randrange(10**9)
        _, position = next(boards_with_locks_or_corks(seed))
        if chance.random() < 0.3:
            board = naive_variants.random_unseen_board(seed)
            position = PUZZLES[board["puzzle"]].from_json(board)
        if not is_hidden(position):
            return None
        found = checked_study(position)
        if found.worst.value is None or chance.random() < 0.3:
            return None
        fields = json.loads(json.dumps(damaged_json(chance, found.to_json(), 2)))
        try:
            outcomes = dict(play_strategies(position, fields)) if isinstance(fields, dict) else {}
        except PlanError as error:
            return refused(error, "expected ")
        for outcome in outcomes.values():
            if not isinstance(outcome, StrategyResult):
                return refused(outcome, r"move \d+ \(|after \d+ moves? |it takes \d")
            assert outcome.worst >= found.worst.value
            assert outcome.total >= (found.average.value or 0)
        return None

    yield case


def plans(_: Path) -> Iterator[Case]:
    good = {
        name: (puzzle, solve_here("bfs", puzzle)) for name, puzzle in PUZZLE_OF.items() if optimum(puzzle) is not None
    }
    place = r"plan\[\d+\]: |line \d+|not a plan: |expected a list of moves|move \d+ \(|after \d+ moves? "

    def case(chance: Random) -> Refused | None:
        puzzle, result = good[chance.choice(list(good))]
        moves = result.plan.to_json(puzzle)
        choice = chance.random()
        if choice < 0.5:
            value = damaged_json(chance, chance.choice((moves, {"plan": moves, "status": "optimal"})), 2)
            data = json.dumps(value).encode()
        elif choice < 0.6:
            data = chance.choice(MALFORMED_PLANS).contents[:10_000]
        else:
            rows = (move if isinstance(move, list) else [move] for move in moves)
            words = ([str(word + 1) if isinstance(word, int) else word for word in row] for row in rows)
            data = "\n".join(map(" ".join, words)).encode()
        if choice > 0.4 and chance.random() < 0.8:
            data = damaged_bytes(chance, data, 2)
        try:
            plan = Plan.from_text(puzzle, data.decode(errors="replace"))
            plan.replay(puzzle)
        except (PlanError, IllegalMove, GoalNotReached) as error:
            return refused(error, place)
        check_plan(puzzle, plan.to_json(puzzle))
        assert Plan.from_json(puzzle, plan.to_json(puzzle)) == plan
        return None

    yield case


def resumed_lines(folder: Path) -> Iterator[Case]:
    instances = [Instance(puzzle, {"name": name}) for name, puzzle in PUZZLE_OF.items()]
    request = Request("bfs", Limits())
    results = [solve_here("bfs", instance.puzzle) for instance in instances]
    good = [
        {"board": number, "name": each.name, **result.to_json(each.puzzle), "asked": request.of(each.puzzle)}
        for number, (each, result) in enumerate(zip(instances, results, strict=True))
    ]

    def case(chance: Random) -> Refused | None:
        lines = [json.dumps(line).encode() for line in good[: chance.randint(1, len(good))]]
        place = chance.randrange(len(lines))
        if chance.random() < 0.7:
            lines[place] = json.dumps(damaged_json(chance, good[place], 4)).encode()
        if chance.random() < 0.5:
            lines[place] = damaged_bytes(chance, lines[place], 2)
        if chance.random() < 0.05:
            lines.insert(place, chance.choice(lines))
        data = b"\n".join(lines) + b"\n" * (chance.random() < 0.9)
        try:
            believed = list(batch.finished_lines(BytesIO(data), "out", instances, request))
        except BoardError as error:
            return refused(error, r"^out: line \d+: ")
        for number, line in enumerate(believed):
            assert (line["board"], line["name"]) == (number, instances[number].name)
            assert line["asked"].items() >= good[number]["asked"].items()
            check_outcome(instances[number].puzzle, line)
        return None

    yield case


def check_outcome(puzzle: AnyPuzzle, fields: dict[str, Any]) -> None:
    """That an outcome can be true: what is said of a plan is; whether no shorter one exists only a proof can tell."""
    if fields["status"] == "failed":
        assert isinstance(fields["error"], str)
        return
    assert fields["status"] in ("optimal", "feasible", "unsolvable", "unknown")
    assert (fields["plan"] is not None) == (fields["status"] in ("optimal", "feasible"))
    if fields["plan"] is not None:
        check_plan(puzzle, fields["plan"])
        shortest = optimum(puzzle)
        assert shortest is not None
        assert shortest <= len(fields["plan"]) == fields["length"]
        assert (fields["lower_bound"] == fields["length"]) == (fields["status"] == "optimal")


def command_lines(folder: Path) -> Iterator[Case]:
    """All commands and options, with values that fit and values that don't; what is long by nature isn't asked for."""
    given, place = folder / "given", folder / "place"
    given.mkdir()
    (given / "board.txt").write_text("ab|ba|-")
    (given / "plan.json").write_text("[[0, 2], [1, 0], [1, 2]]")
    (given / "boards.jsonl").write_text(json.dumps(PUZZLE_OF["ball"].to_json()) + "\n")
    (given / "proof").mkdir()
    write_certificate(given / "proof", PUZZLE_OF["ball"], solve_here("bfs", PUZZLE_OF["ball"]))
    found = dict(leaves(commands))
    # These start processes, compile and download, or serve without end; tests/cli/test_limits_of_options.py,
    # tests/cli/test_cli.py, tests/apps/page/test_tab_making.py and tests/apps/page/test_server.py are about them.
    for path in (("plot",), ("generate", "levels"), ("page",), ("serve",)):
        del found[path]
    values = [
        "", "0", "1", "2", "-1", "3.5", "nan", "inf", "1e400", str(2**63), str(10**40), "board.txt", "boards.jsonl",
        "plan.json", "proof", "nosuch", "nosuch/x", "/dev/null", "-", "--", "-x", "--json", "level-80", "\n", "é",
        "\udcff", "a" * 5000, "sat:order", "kernel::", "heuristic:greedy:x=y", "auto", ":", "ball-sort", "tiles",
        "dimacs", "json", "lrat", "1,2,3", "x=1:2:3",
    ]  # fmt: skip

    def case(chance: Random) -> Refused | None:
        os.chdir(folder)
        shutil.rmtree(place, ignore_errors=True)  # what an earlier case wrote is none of this one's business
        shutil.copytree(given, place)
        os.chdir(place)
        path = chance.choice(list(found))
        command = found[path]
        words = list(path)
        for parameter in chance.sample(command.params, chance.randint(0, min(4, len(command.params)))):
            if isinstance(parameter, click.Option):
                words.append(chance.choice(parameter.opts + parameter.secondary_opts))
                if parameter.is_flag:
                    continue
            words.append(fitting(chance, parameter) if chance.random() < 0.5 else chance.choice(values))
        if path[0] in ("solve", "compare", "count", "grade") and chance.random() < 0.95:
            words.append("nosuch")
        if path == ("census",):
            words += ["--time-limit", "0.1"]
        code, output = invoke(*words, stdin=chance.choice(("", "ab|ba|-", "{", "1 3\n2 1\n2 3")))
        assert code in (0, 1, 2, 3), (words, code, output)
        assert "Traceback" not in output
        assert "bug" not in output, (words, output)
        if code != 2:
            return None
        errors = output.count("Error: ")
        assert errors == 1 or (errors > 1 and path == ("read",)), (words, output)  # `read` has one for each picture
        assert len(output) < 20_000
        message = output[output.index("Error: ") :].removesuffix("\n")
        assert message.replace("\n", "").replace("\t", "").isprintable(), (words, message)
        return Refused(BspSatError(message))

    def fitting(chance: Random, parameter: click.Parameter) -> str:
        kind = parameter.type
        if isinstance(kind, click.Choice):
            return str(chance.choice(list(kind.choices)))
        if isinstance(kind, click.IntRange):
            least = int(kind.min if kind.min is not None else -5)
            return str(
                chance.choice((least - 1, least, least + 1, kind.max or 7))
                if parameter.name in ("max_steps", "seed")
                else least
            )
        if kind is click.INT:
            return str(chance.randint(-1, 6))
        if kind is click.FLOAT:
            return chance.choice(("0.01", "1", "1e-9"))
        return chance.choice(("board.txt", "plan.json", "proof", "nosuch", "-", *BACKENDS))

    before = Path.cwd()
    try:
        yield case
    finally:
        os.chdir(before)


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that has no commands below it."""
    for name, command in subcommands(group).items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


KINDS: dict[Callable[[Path], Iterator[Case]], int] = {
    boards_as_json: 500,
    boards_as_text: 500,
    boards_in_other_spellings: 500,
    strategies: 30,
    boards_that_blow_up: 30,
    plans: 250,
    resumed_lines: 300,
    command_lines: 100,
}
"""The kinds, and how many cases of each are tried by default."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    ("seed", "rounds"), [pytest.param("1", 1, id="few"), pytest.param(SEED, ROUNDS, id="many", marks=pytest.mark.slow)]
)
def test_each_damaged_input_is_refused_or_what_it_says(kind, seed, rounds, tmp_path):
    tally: Counter[str] = Counter()
    for case in kind(tmp_path):
        for number in range(rounds * KINDS[kind]):
            try:
                tally["accepted" if case(Random(f"{kind.__name__} {seed} {number}")) is None else "refused"] += 1
            except Exception as error:
                error.add_note(f"{kind.__name__}, seed {seed}, case {number}")
                raise
    sys.stdout.write(f"{kind.__name__}, seed {seed}: {dict(tally)}\n")  # pytest -rA shows it, with -n too
    assert min(tally["refused"], tally["accepted"]) >= max(1, tally.total() // 50), tally  # both are worth trying
