"""Damaged files and command lines by the thousand: each is refused in one line that names a place, or is what it says.

Every case follows from the seed, its kind and its number alone. By default a few thousand cases are tried, always the
same. `--slow` adds `BSP_SAT_FUZZ_ROUNDS` times as many (an environment variable; 10 without it), from the seed
`BSP_SAT_FUZZ_SEED`, and prints how many cases of each kind were refused and accepted.

What is accepted is compared with what doesn't share the readers: plans are played by the rules of
tests/support/naive.py, claims of certificates compared with the true optimum, boards written and read again,
strategies played for every filling by `bsp-sat check`.
"""

import json
import os
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
import pytest

from bsp_sat import BACKENDS, PUZZLES, BallSort, BoardError, BspSatError, Limits, Plan, WaterSort
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.certifying import certify_cases
from bsp_sat.apps.covered.strategy import StrategyResult
from bsp_sat.apps.covered.study import play_strategies
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.backends.proofs import folder as files_of
from bsp_sat.backends.proofs.certificate import verify_certificate, write_certificate
from bsp_sat.backends.proofs.manifest import write_manifest
from bsp_sat.cli import batch
from bsp_sat.cli.batch import Request
from bsp_sat.cli.group import commands
from bsp_sat.instances.errors import GoalNotReached, IllegalMove, PlanError
from bsp_sat.instances.files import Instance, parse_instances
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import GOALS, SortPuzzle, is_hidden
from bsp_sat.instances.tiles import Tiles
from tests.apps.covered.games import board_with_rules, boards_with_locks_or_corks, checked_study
from tests.apps.covered.games import play as play_a_game
from tests.instances.test_spellings import SPELLINGS
from tests.proofs import checkers, forging
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


PLACES_OF_CERTIFICATES = "|".join((*map(re.escape, files_of.FILES), "[Pp]roof|plan|label|position|claim|move|border"))
"""What a file holds may contradict another one; then the message names what it is about."""


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


def games(_: Path) -> Iterator[Case]:
    """Games of the explorer under all rules, refereed by the naive program; and boards of such games, damaged."""

    def case(chance: Random) -> Refused | None:
        board = board_with_rules(chance.randrange(10**9))
        if chance.random() < 0.3:
            try:
                (instance,) = parse_instances(json.dumps(damaged_json(chance, board)), "the file")
            except BoardError as error:
                return refused(error, "^the file: ")
            again = instance.to_json()  # a ball that follows from the counts may change the order of the colours
            assert parse_instances(json.dumps(again))[0].to_json()["tubes"] == again["tubes"]
            return None
        filled = naive_variants.fillings(board)
        if filled:
            true = chance.randrange(len(filled))
            game = play_a_game(board, filled, true)
            assert game is None or not game.solvable or game.attempts <= game.most_attempts(board), (board, true)
        return None

    yield case


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


def certificates(folder: Path) -> Iterator[Case]:
    """Every file of every kind of certificate, with checksums that fit again or not."""
    originals = {}
    for name, puzzle in PUZZLE_OF.items():
        for proof in ("labels", "lrat", "borders"):
            path = folder / f"{name}-{proof}"
            path.mkdir()
            try:
                write_certificate(path, puzzle, solve_here("bfs", puzzle), proof)
            except BspSatError:  # no such proof of this board
                continue
            originals[path] = puzzle
    originals[path := folder / "class-cases"] = None
    path.mkdir()
    certify_cases(BoardClass(3, 4, 2), path)
    files = {path: sorted(each.name for each in path.iterdir()) for path in originals}
    assert {path.name.split("-")[1] for path in originals} == {"labels", "lrat", "borders", "cases"}
    assert {name for names in files.values() for name in names} == set(files_of.FILES)
    copy = folder / "damaged"

    def case(chance: Random) -> Refused | None:
        path = chance.choice(list(originals))
        shutil.copytree(path, copy)
        try:
            for _ in range(chance.choice((1, 1, 1, 2))):
                damage(chance, path)
            if chance.random() < 0.85:
                write_manifest(copy)
            try:
                verified = verify_certificate(copy, "built-in" if (path / files_of.PROOF).exists() else "auto")
            except BspSatError as error:
                return refused(error, PLACES_OF_CERTIFICATES)
            claim = json.loads((copy / files_of.CLAIM).read_bytes())
            if verified.puzzle is None:
                colours, capacity, empty = claim["colours"], claim["capacity"], claim["empty"]
                assert empty >= colours or (empty == colours - 1 and capacity < colours**colours)  # census.md
                return None
            assert verified.puzzle == parse_instances((copy / files_of.BOARD).read_text(), "")[0].puzzle
            assert optimum(verified.puzzle) == claim.get("length")
            assert claim["status"] == ("unsolvable" if claim.get("length") is None else "optimal")
            if claim.get("length") is not None:
                moves = json.loads((copy / files_of.PLAN).read_bytes())["plan"]
                assert len(moves) == claim.get("length")
                check_plan(verified.puzzle, moves)
            return None
        finally:
            shutil.rmtree(copy)

    def damage(chance: Random, path: Path) -> None:
        name = chance.choice(files[path])
        target = copy / name
        data = target.read_bytes() if target.exists() else b""
        if chance.random() < 0.1:
            other = chance.choice([each for each in originals if name in files[each]])
            data = (other / name).read_bytes()
        elif name.endswith(".json") and chance.random() < 0.6:
            data = json.dumps(damaged_json(chance, json.loads((path / name).read_bytes()), 2)).encode()
        elif chance.random() < 0.03:
            target.unlink(missing_ok=True)
            return
        else:
            data = damaged_bytes(chance, data, 2)
        target.write_bytes(data)

    yield case


def labels(folder: Path) -> Iterator[Case]:
    """Certificates by labels, honest, altered and forged: both checkers say the same, and accept nothing false."""
    target = folder / "certificate"
    target.mkdir()

    def case(chance: Random) -> Refused | None:
        forging.case(chance, target)
        (code,) = checkers.verdicts([target])
        if code:
            return Refused(BspSatError("both checkers refuse it"))
        assert not checkers.is_small(target) or checkers.truth(target)
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


def campaigns(folder: Path) -> Iterator[Case]:
    """The rows of a campaign and the bytes of its file. One of a board's two outcomes stays, and lies contradict it."""
    path, damaged = folder / "results", folder / "damaged"
    instances = [Instance(puzzle, {"name": name}) for name, puzzle in PUZZLE_OF.items()]
    with open_campaign(path) as campaign:
        campaign.agree_on(None, Limits(seconds=20))
        campaign.add(instances, ["bfs", "astar"])
    with closing(sqlite3.connect(path)) as database, database:
        for number, instance in enumerate(instances, start=1):
            for solver, backend in ((1, "bfs"), (2, "astar")):
                fields = {**solve_here(backend, instance.puzzle).to_json(instance.puzzle), "error": None}
                database.execute("INSERT INTO run VALUES (?, ?, ?)", (number, solver, json.dumps(fields)))
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode = DELETE")
    assert [each.name for each in folder.iterdir()] == ["results"]
    content = path.read_bytes()
    puzzle_named = {instance.name: instance.puzzle for instance in instances}
    columns = [("run", "json")] * 2 + [("run", "board"), ("board", "json"), ("solver", "spec"), ("limits", "json")]

    def case(chance: Random) -> Refused | None:
        data = content
        by_bytes = chance.random() < 0.4
        if by_bytes:
            page = chance.choice((0, 100, 512, 4096, len(data)))
            data = damaged_bytes(chance, data[:page], 3) + data[page:]
        damaged.write_bytes(data)
        boards_are_theirs = not by_bytes
        if not by_bytes:
            with closing(sqlite3.connect(damaged)) as database, database:
                table, column = chance.choice(columns)
                boards_are_theirs = table == "run" and column == "json"
                row, value = chance.choice(database.execute(f"SELECT rowid, {column} FROM {table}").fetchall())
                new = damaged_value(chance, value)
                try:
                    database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))
                except (sqlite3.Error, OverflowError):  # no such value in such a column
                    boards_are_theirs = True
        try:
            with open_campaign(damaged, reading=True) as campaign:
                campaign.total(), campaign.missing(), campaign.agree_on(None, Limits(seconds=20))
                runs = campaign.runs()
        except BspSatError as error:
            return refused(error, f"^{re.escape(str(damaged))}: ")
        for run in runs:
            if boards_are_theirs and run.status != "failed":
                puzzle = puzzle_named[run.board]
                if run.plan is not None:
                    check_plan(puzzle, run.plan)
                assert run.optimum in (optimum(puzzle), None)
                assert run.status != "unsolvable" or optimum(puzzle) is None
        return None

    def damaged_value(chance: Random, value: Any) -> Any:
        if not isinstance(value, str) or chance.random() < 0.1:
            values = [each for each in NASTY_VALUES if not isinstance(each, list | dict) and each != "\ud800"]
            return chance.choice(values)
        if chance.random() < 0.7 and value.startswith("{"):
            return json.dumps(damaged_json(chance, json.loads(value)))
        data = damaged_bytes(chance, value.encode())
        return data if chance.random() < 0.2 else data.decode(errors="replace")

    yield case


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
    games: 50,
    strategies: 30,
    boards_that_blow_up: 30,
    plans: 250,
    certificates: 25,
    labels: 15,
    resumed_lines: 300,
    campaigns: 30,
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
