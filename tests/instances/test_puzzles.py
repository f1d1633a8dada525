"""What every puzzle promises, asked of each in the registry, and of one from outside, on boards of its own generator.

`tests.support.pancakes` is the one from outside. All that needs no encoding works on it, without a line elsewhere.
"""

import json
import pickle
import random
import re
import shutil
import subprocess
import sys
import textwrap
from collections import defaultdict
from contextlib import suppress
from dataclasses import fields
from functools import cache
from itertools import islice, product
from pathlib import Path

import pytest
from click.testing import CliRunner

from bsp_sat import PUZZLES, BallSort, BoardError, Instance, Plan, Tiles, Unsupported, WaterSort, random_boards
from bsp_sat.backends.count import count_plans
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.cli.group import commands
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.puzzle import Picture, Puzzle
from bsp_sat.instances.sorting.spellings import decoders
from tests.support import naive, pancakes, unfolding
from tests.support.command import bsp_sat
from tests.support.helpers import answer, solve_here
from tests.support.pancakes import Pancakes

MOST_POSITIONS = 1_500  # that a board may lead to, so that looking at all of them takes no time
BOARDS = 40

every_puzzle = pytest.mark.parametrize("puzzle", [*PUZZLES.values(), Pancakes], ids=lambda puzzle: puzzle.kind)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(PUZZLES, Pancakes.kind, Pancakes)


class Space:
    """Every position that a board leads to, by the rules alone, and the exact number of moves to a goal."""

    def __init__(self, start):
        self.start = start
        self.moves = {}
        before = defaultdict(list)

        def after(position):
            self.moves[position] = {move: position.apply(move) for move in position.legal_moves()}
            for following in self.moves[position].values():
                before[following].append(position)
            return self.moves[position].values()

        seen = [position for position, _ in islice(naive.forwards(start, after), MOST_POSITIONS + 1)]
        self.small = len(seen) <= MOST_POSITIONS
        self.distances = naive.backwards((position for position in seen if position.is_goal()), before.__getitem__)

    @property
    def optimum(self):
        return self.distances.get(self.start, "unsolvable")


def some_numbers(generator):
    """Choices of small numbers, in an order that mixes them."""
    choices = list(product(*(range(number.least, number.least + 4) for number in generator.numbers.values())))
    random.Random(0).shuffle(choices)
    return choices


@cache
def spaces(puzzle):
    """Small boards of a puzzle's own generator, each with all that it leads to."""
    found = {}
    for seed in range(50):
        for numbers in some_numbers(puzzle.generator):
            with suppress(BoardError):
                start = next(random_boards(puzzle, *numbers, seed=seed)).puzzle
                if start not in found and (space := Space(start)).small:
                    found[start] = space
            if len(found) == BOARDS:
                return list(found.values())
    return list(found.values())


def read(instance_or_text):
    text = instance_or_text if isinstance(instance_or_text, str) else json.dumps(instance_or_text.to_json())
    (instance,) = parse_instances(text)
    return instance


@every_puzzle
class TestEveryPuzzle:
    def test_the_generator_of_a_puzzle_makes_boards_to_test_with(self, puzzle):
        assert len(spaces(puzzle)) >= 20
        optima = [space.optimum for space in spaces(puzzle)]
        assert len({optimum for optimum in optima if optimum != "unsolvable"}) >= 3
        if not puzzle.generator.decidable:
            assert "unsolvable" not in optima

    def test_a_puzzle_says_what_it_is(self, puzzle):
        assert issubclass(puzzle, Puzzle)
        assert PUZZLES[puzzle.kind] is puzzle
        assert puzzle.move_key.isprintable()
        assert puzzle.renamings <= puzzle.prunings
        assert "kind" not in {field.name for field in fields(puzzle)}  # nor an argument of the constructor

    def test_a_move_is_legal_iff_nothing_refuses_it(self, puzzle):
        for space in spaces(puzzle):
            known = {move for moves in space.moves.values() for move in moves}
            for position, moves in space.moves.items():
                assert {move for move in known if position.refusal(move) is None} == set(moves)
                assert len(list(position.legal_moves())) == len(moves)

    def test_the_bound_is_admissible_and_0_exactly_at_goals(self, puzzle):
        for space in spaces(puzzle):
            for position in space.moves:
                assert position.lower_bound() <= space.distances.get(position, float("inf"))
                assert (position.lower_bound() == 0) == position.is_goal()
                assert (position.unfinished() == "") == position.is_goal()

    def test_positions_with_one_representative_are_equally_far_from_a_goal(self, puzzle):
        for space in spaces(puzzle):
            distances = defaultdict(set)
            for position in space.moves:
                assert position.canonical().canonical() == position.canonical()
                assert position.canonical().is_goal() == position.is_goal()
                assert position.canonical().lower_bound() == position.lower_bound()
                distances[position.canonical()].add(space.distances.get(position))
            assert all(len(found) == 1 for found in distances.values())

    def test_the_pruning_rules_keep_a_shortest_plan_from_everywhere(self, puzzle):
        for rules in [puzzle.prunings, *({rule} for rule in puzzle.prunings)]:
            for space in spaces(puzzle):
                for position, distance in space.distances.items():
                    kept = set(position.pruned_moves(frozenset(rules)))
                    assert kept <= set(space.moves[position])
                    after = [space.distances.get(space.moves[position][move]) for move in kept]
                    assert distance == 0 or distance - 1 in after, (rules, position)

    def test_renamings_leave_one_name_for_each_move(self, puzzle):
        for space in spaces(puzzle):
            for position, moves in space.moves.items():
                named = [moves[move] for move in position.pruned_moves(puzzle.renamings)]
                assert not puzzle.renamings or len(named) == len(set(named))
                assert set(named) == set(moves.values())

    def test_searches_find_the_optimum_of_a_puzzle(self, puzzle):
        for space in spaces(puzzle):
            for backend in (AStar(), AStar(bound=False, prunings=frozenset()), BreadthFirst()):
                assert answer(solve_here(backend, space.start)) == space.optimum, backend

    def test_positions_are_values(self, puzzle):
        for space in spaces(puzzle):
            start = space.start
            again = puzzle.from_json(start.to_json())
            assert (again, hash(again)) == (start, hash(start))
            assert pickle.loads(pickle.dumps(start)) == start
            with pytest.raises((AttributeError, TypeError)):
                start.kind = "another"
            assert all(isinstance(feature, str) for feature in start.features())

    def test_json_gives_the_board_back(self, puzzle):
        for space in spaces(puzzle):
            instance = Instance(space.start, {"name": "mine", "level": [7]})
            assert read(instance) == instance
            assert next(iter(space.start.to_json())) == "puzzle"

    def test_a_null_in_a_file_is_refused_with_its_place(self, puzzle):
        good = next(iter(spaces(puzzle))).start.to_json()
        for key in puzzle.fields_type.position_keys() - {"puzzle"}:
            with pytest.raises(BoardError) as caught:
                read(json.dumps({**good, key: None}))
            assert caught.value.where == key

    def test_text_gives_the_board_back_where_there_is_a_notation(self, puzzle):
        usual = {name: number.default or number.least + 3 for name, number in puzzle.generator.numbers.items()}
        boards = [next(random_boards(puzzle, **usual)).puzzle, *(space.start for space in spaces(puzzle))]
        written = 0
        for board in boards:
            try:
                text = board.to_text()
            except BoardError as error:
                assert str(error)  # noqa: PT017 - boards without an error go on below
                continue
            written += 1
            if "\n00\n" in text:
                continue  # 0 that fills whole tubes is read as room
            (instance,) = parse_instances(text, puzzle=puzzle.kind)
            assert instance.puzzle == puzzle.from_text(text)
            assert instance.puzzle.to_text() == text  # numbers may have become words
            assert instance.puzzle.summary() == board.summary()
        assert (written > 0) is (puzzle.to_text is not Puzzle.to_text)

    def test_plans_in_json_and_in_text_give_the_moves_back(self, puzzle):
        for space in spaces(puzzle):
            plan = solve_here("bfs", space.start).plan or Plan(())
            assert Plan.from_text(space.start, json.dumps(plan.to_json(space.start))) == plan
            position, lines = space.start, []
            for step, move in enumerate(plan, start=1):
                assert type(puzzle.move_from_json(puzzle.move_to_json(move))) is type(move)
                lines.append(f"{step}. {position.describe(move)}")
                position = position.apply(move)
            assert Plan.from_text(space.start, "\n".join(lines)) == plan

    def test_printing_a_board_draws_it_as_show_does(self, puzzle):
        for space in spaces(puzzle):
            board = json.dumps(space.start.to_json())
            run = CliRunner(env={"COLUMNS": "80"}).invoke(commands, ["show", "-"], input=board)
            shown = "\n".join(line.rstrip() for line in run.stdout.splitlines())
            said = space.start.stuck() or "Every plan has at least"
            assert f"\n\n{space.start}\n\n{said}" in shown
            named = Instance(space.start, {"name": "mine"})
            assert str(named) == f"mine: {space.start.summary()}\n\n{space.start}"

    def test_what_people_see_is_in_order(self, puzzle):
        for space in spaces(puzzle):
            for position in islice(space.moves, 20):
                picture = position.picture()
                assert isinstance(picture, Picture)
                assert {len(row) for row in picture.rows} <= {len(picture.header)}
                assert all(cell.text.isprintable() for row in picture.rows for cell in row)
                assert position.summary()
                assert position.summary().isprintable()
                assert all(position.describe(move).isprintable() for move in space.moves[position])

    def test_a_misreading_is_another_board(self, puzzle):
        for space in spaces(puzzle):
            misread = space.start.misreading()
            assert misread is None or (misread[1] != space.start and misread[0].startswith("with "))

    def test_the_same_numbers_give_the_same_boards(self, puzzle):
        numbers = {name: number.default or number.least + 3 for name, number in puzzle.generator.numbers.items()}
        first, second = islice(random_boards(puzzle, **numbers, seed=3), 2)
        assert first == next(random_boards(puzzle, *numbers.values(), seed=3)) != second
        assert second == next(random_boards(puzzle, **numbers, seed=4))
        assert first.name.endswith("-s3")
        for name, number in puzzle.generator.numbers.items():
            refused = f"{name}: expected {number.least} or more, found {number.least - 1}"
            with pytest.raises(BoardError, match=refused):
                next(random_boards(puzzle, **{**numbers, name: number.least - 1}))
        with pytest.raises(TypeError):
            next(random_boards(puzzle, **numbers, nonsense=1))
        with pytest.raises(TypeError):
            next(random_boards(puzzle, *numbers.values(), 1))

    def test_the_generator_of_a_puzzle_has_a_command(self, puzzle):
        generator = puzzle.generator
        numbers = {name: number.default or number.least + 3 for name, number in generator.numbers.items()}
        words = [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
        run = in_a_program if puzzle is Pancakes else bsp_sat
        made = run("generate", generator.command, *words, "--count", "2", "--seed", "5")
        boards = [instance.puzzle for instance in islice(random_boards(shared(puzzle)[0], **numbers, seed=5), 2)]
        assert [instance.puzzle for instance in parse_instances(made.stdout)] == boards

    def test_either_kind_of_board_can_be_asked_for_where_there_are_both(self, puzzle):
        generator = puzzle.generator
        for option, solvable in (("--solvable", True), ("--unsolvable", False)):
            words = [f"--{name}={number.least + 2}" for name, number in generator.numbers.items()]
            rules = [f"--puzzle={puzzle.kind}"] if len(shared(puzzle)) > 1 else []
            command = in_a_program if puzzle is Pancakes else bsp_sat
            run = command("generate", generator.command, *words, *rules, "--count", "3", option)
            if not generator.decidable:
                assert (run.returncode, f"No such option '{option}'" in run.stderr) == (2, True)
            elif run.returncode == 0:
                for instance in parse_instances(run.stdout):
                    assert instance.puzzle.kind == puzzle.kind
                    assert (solve_here("bfs", instance.puzzle).plan is not None) is solvable
            else:
                assert "none of 1000 boards in a row" in run.stderr


def shared(puzzle):
    """The puzzles of one command."""
    return [other for other in PUZZLES.values() if other.generator is puzzle.generator]


def in_a_program(*args):
    """The command line of someone who has a puzzle more: `generate` lists all when it is loaded."""
    program = (
        f"import sys; sys.path[:] = {sys.path!r};"
        "from bsp_sat import PUZZLES; from tests.support.pancakes import Pancakes;"
        "PUZZLES[Pancakes.kind] = Pancakes; from bsp_sat.cli import main; main()"
    )
    return subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, timeout=600)


STACK = "pancakes 3 1 4 2 5"


class TestAPuzzleFromOutside:
    def test_a_foreign_puzzle_is_shown_and_converted(self):
        shown = bsp_sat("show", "-", stdin=STACK).stdout
        assert "pancakes, a stack of 5" in shown
        assert "Every plan has at least 4 moves" in shown
        as_json = bsp_sat("show", "-", "--format", "json", stdin=STACK).stdout
        assert json.loads(as_json) == {"puzzle": "pancakes", "stack": [3, 1, 4, 2, 5]}
        assert bsp_sat("show", "-", "--format", "text", stdin=as_json).stdout.endswith(STACK + "\n")

    def test_a_foreign_puzzle_is_solved_and_the_plan_is_checked(self, tmp_path):
        run = bsp_sat("solve", "-", "--json", stdin=STACK)
        answer = json.loads(run.stdout)
        assert (run.returncode, answer["status"], answer["length"]) == (0, "optimal", 4)
        plan = tmp_path / "plan.json"
        plan.write_text(run.stdout)
        assert bsp_sat("check", "-", str(plan), stdin=STACK).stdout == "Valid: 4 moves solve the board.\n"
        plan.write_text("3\n9\n")
        checked = bsp_sat("check", "-", str(plan), stdin=STACK)
        assert (checked.returncode, checked.stdout) == (1, "Invalid: move 2 (9) is illegal: there is no flip of 9\n")

    def test_plans_of_a_foreign_puzzle_are_counted(self):
        run = bsp_sat("count", "-", "--json", stdin=STACK)
        space = Space(Pancakes.from_text(STACK))
        ways = cache(
            lambda position: (
                sum(
                    ways(after)
                    for after in space.moves[position].values()
                    if space.distances[after] < space.distances[position]
                )
                or position.is_goal()
            )
        )
        assert json.loads(run.stdout)["plans"] == ways(space.start) == count_plans(space.start, 4)

    def test_a_foreign_puzzle_is_solved_and_compared_on_many_boards(self, tmp_path):
        boards = tmp_path / "boards.jsonl"
        assert in_a_program("generate", "pancakes", "--count", "3", "--out", str(boards)).returncode == 0
        solved = [json.loads(line) for line in bsp_sat("solve", str(boards)).stdout.splitlines()]
        assert [line["name"] for line in solved] == [f"pancakes-6-s{seed}" for seed in range(3)]
        assert [line["status"] for line in solved] == ["optimal"] * 3
        compared = bsp_sat("compare", str(boards), "--solvers", "auto,astar,bfs,dfs", "--jobs", "1")
        assert compared.returncode == 0, compared.stderr
        assert compared.stdout.count("3 of 3") == 4

    def test_what_needs_an_encoding_is_refused_for_a_foreign_puzzle(self):
        run = bsp_sat("solve", "-", "--backend", "sat", stdin=STACK)
        assert (run.returncode, "no encoding takes pancakes boards" in run.stderr) == (2, True)

    def test_mistakes_in_files_of_a_foreign_puzzle_are_named(self):
        for text, where in [
            ('{"puzzle": "pancakes"}', "stack: missing, but a pancakes board needs it"),
            ('{"puzzle": "pancakes", "stack": [1, "2"]}', r"stack\[1\]: expected a whole number"),
            ('{"puzzle": "pancakes", "stack": [1, 1]}', "stack: expected the sizes"),
            ("pancakes 1 x", r"stack\[1\]: expected a whole number"),
        ]:
            with pytest.raises(BoardError, match=where):
                parse_instances(text)


class TestThePages:
    ROOT = Path(__file__).parents[2]

    def test_the_program_of_the_page_adds_an_encoding_and_a_puzzle(self, tmp_path):
        page = (self.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
        (program,) = re.findall(r"```python\n(from bsp_sat import ENCODINGS\n.*?)```", page, re.S)
        (line,) = re.findall(r"`(PUZZLES\[.*?)`", page)
        shutil.copy(pancakes.__file__, tmp_path)
        shutil.copy(unfolding.__file__, tmp_path / "mine.py")
        imports = "from bsp_sat import PUZZLES\nfrom pancakes import Pancakes\n"
        (tmp_path / "program.py").write_text(program.replace("from bsp_sat.cli", f"{imports}{line}\nfrom bsp_sat.cli"))
        for arguments, board, length in (["-"], STACK, 4), (["-", "--backend", "sat:unfolding"], "ab|ba|-", 3):
            command = [sys.executable, str(tmp_path / "program.py"), "solve", *arguments]
            run = subprocess.run(command, input=board, capture_output=True, text=True, timeout=600)
            assert f"Optimal: {length} moves" in run.stdout, run.stderr

    def test_the_decoder_of_the_page_reads_its_format(self):
        page = (self.ROOT / "instances" / "CHANGING.md").read_text(encoding="utf-8")
        (decoder,) = re.findall(r"```python\n( +def _boxes.*?)```", page, re.S)
        names = dict(vars(decoders))
        exec(textwrap.dedent(decoder), names)
        assert json.loads(names["_boxes"]("box: a b\nbox: b a\nbox:")) == {"tubes": [["a", "b"], ["b", "a"], []]}
        assert names["_boxes"]("ab|ba|-") is None


def test_puzzles_that_share_a_generator_share_its_command():
    assert shared(BallSort) == [BallSort, WaterSort]
    made = bsp_sat("generate", "random", "--colours", "3", "--puzzle", "water-sort")
    assert read(made.stdout).puzzle.kind == "water-sort"


def test_a_puzzle_without_a_generator_has_no_command_for_one():
    class Given(Pancakes):
        generator = None

    with pytest.raises(Unsupported, match="no generator of pancakes boards"):
        next(random_boards(Given))


def test_a_puzzle_without_a_notation_is_read_as_json():
    for attempt in (lambda: Tiles.from_text("ab|ba"), Tiles.from_columns([["a"]]).to_text):
        with pytest.raises(BoardError, match="tiles boards have no text notation, use JSON"):
            attempt()


@pytest.mark.parametrize(
    ("text", "columns"),
    [("[[1, 2], [2]]", [[1, 2], [2]]), ("f([[1, 2], [2]])", [[1, 2], [2]]), ("[[[1, 2]]]", [[1, 2]]), ("[[[]]]", [[]])],
)
def test_lists_in_lists_of_one_are_what_a_call_holds(text, columns):
    assert Tiles.from_text(text) == Tiles.from_columns(columns)
