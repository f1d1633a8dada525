"""Boards in files: what is read, what is kept, and what is refused, where and why."""

import io
import itertools
import json
import os
import sys
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bsp_sat import BallSort, BoardError, Status, WaterSort, load, load_instances, random_boards
from bsp_sat.instances.files import Instance, load_instance, parse_boards, parse_instances, shipped_names
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting.spellings.names import NEVER_COLOURS, role_of, word_of
from bsp_sat.instances.tiles import Tiles
from tests.support.helpers import DATA, RULES, answer, every_rule, solve_here
from tests.support.helpers import read_one as parse_one
from tests.support.malformed import MALFORMED_BOARDS

BOARD = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}


class TestMalformed:
    @pytest.mark.parametrize("case", MALFORMED_BOARDS, ids=lambda case: case.name)
    def test_a_malformed_board_is_refused_with_one_line_that_names_the_place(self, case, tmp_path):
        path = tmp_path / "board.json"
        path.write_bytes(case.contents)
        with pytest.raises(BoardError) as caught:
            load_instances(path)
        message = str(caught.value)
        assert case.message in message
        assert message.startswith(f"{path}: ")
        assert message.isprintable(), message
        assert len(message) < 400 + len(str(path))


class TestJson:
    def test_a_board_without_options_has_the_defaults(self):
        puzzle = parse_one(json.dumps(BOARD)).puzzle
        assert puzzle == BallSort.from_tubes(BOARD["tubes"], 2)
        assert puzzle.goal == "full"

    @pytest.mark.parametrize("indent", [None, 0, 2])
    @pytest.mark.parametrize("ends", ["\n", "\r\n"])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_pretty_printed_with_any_line_ends_and_a_byte_order_mark(self, indent, ends, mark, tmp_path):
        path = tmp_path / "board"
        text = "\n" + json.dumps(BOARD, indent=indent) + "\n\n"
        path.write_bytes(mark + text.replace("\n", ends).encode())
        assert load(path) == BallSort.from_tubes(BOARD["tubes"], 2)

    def test_top_down_reverses_each_tube(self):
        tubes = [["a", "b"], ["a", "b"], ["c"], ["c"]]
        puzzle = parse_one(json.dumps({"capacity": 2, "tubes": tubes, "order": "top-down"})).puzzle
        assert puzzle.coloured_tubes() == [["b", "a"], ["b", "a"], ["c"], ["c"]]
        assert "order" not in puzzle.to_json()

    def test_the_rule_can_be_overridden(self):
        text = json.dumps({**BOARD, "puzzle": "ball-sort"})
        assert isinstance(parse_one(text, "water-sort").puzzle, WaterSort)
        assert isinstance(parse_one(text).puzzle, BallSort)

    def test_colours_may_be_strings_and_integers_side_by_side(self):
        puzzle = parse_one('{"capacity": 2, "tubes": [[1, "1"], ["1", 1], []]}').puzzle
        assert puzzle.palette == (1, "1")

    def test_unknown_keys_are_kept_in_their_order(self):
        text = json.dumps({"level": 7, **BOARD, "name": "seven", "tags": ["x", {"y": None}], "source": "a game"})
        instance = parse_one(text)
        assert list(instance.about.items()) == [
            ("level", 7),
            ("name", "seven"),
            ("tags", ["x", {"y": None}]),
            ("source", "a game"),
        ]
        assert {**json.loads(text), "puzzle": "ball-sort"} == instance.to_json()

    @pytest.mark.parametrize(
        "data",
        [
            {"puzzle": "tiles", "columns": [["a"]], "goal": "none", "order": 3, "capacity": "x"},
            {"puzzle": "shot", "width": 7, "height": 9, "balls": [[0, 0]], "goal": "none", "tubes": 3},
            {"puzzle": "ball-sort", "capacity": 1, "tubes": [[]], "columns": "x", "balls": None, "build": 1},
        ],
    )
    def test_keys_of_other_puzzles_are_unknown_keys(self, data):
        assert parse_one(json.dumps(data)).to_json() == data

    @pytest.mark.parametrize("puzzle", ["ball-sort", "water-sort"])
    def test_known_answers_are_read_and_written(self, puzzle):
        text = json.dumps({**BOARD, "optimal": {"ball-sort": 3, "water-sort": "unsolvable"}})
        assert parse_one(text, puzzle).known_answer == (3 if puzzle == "ball-sort" else "unsolvable")
        assert parse_one(json.dumps(BOARD), puzzle).known_answer is None

    def test_names_of_boards_are_read_and_written(self):
        assert parse_one(json.dumps({**BOARD, "name": "mine"})).name == "mine"
        assert parse_one(json.dumps(BOARD)).name == "ball-sort"


class TestJsonLines:
    def test_blank_lines_are_passed_over(self):
        line = json.dumps(BOARD)
        assert len(parse_instances(f"\n{line}\n\n{line}\r\n{line}")) == 3

    @pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
    def test_only_line_feeds_end_a_line(self, mark):
        line = json.dumps({**BOARD, "name": f"one{mark}two"}, ensure_ascii=False)
        assert [board.name for board in parse_instances(f"{line}\n{line}\n")] == [f"one{mark}two"] * 2

    def test_a_file_may_mix_kinds_of_boards(self):
        text = "\n".join(json.dumps(load_instance(name).to_json()) for name in shipped_names())
        assert [instance.name for instance in parse_instances(text)] == list(shipped_names())


class TestListsOfBoards:
    @pytest.mark.parametrize("indent", [None, 2])
    def test_a_list_of_objects_is_a_collection(self, indent):
        text = json.dumps([{**BOARD, "name": "first"}, BOARD, {"tubes": ["ab", "ba", ""]}], indent=indent)
        assert [board.name for board in parse_instances(text)] == ["first", "1", "2"]

    def test_an_object_that_holds_boards_is_a_collection(self):
        (board,) = parse_instances(json.dumps({"levels": [BOARD]}))
        assert board.puzzle == BallSort.from_tubes(BOARD["tubes"], 2)


class TestSources:
    @pytest.mark.parametrize("name", shipped_names())
    def test_shipped_boards_have_name_source_and_the_answer_they_claim(self, name):
        instance = load_instance(name)
        assert instance.name == name
        assert instance.about["source"]
        if instance.known_answer is not None:
            assert answer(solve_here("astar", instance.puzzle)) == instance.known_answer

    def test_the_seed_boards_are_shipped(self):
        assert {"colored-water-15", "level-80", "shot-literate", "tiles-2022-11-16"} < set(shipped_names())

    def test_a_file_comes_before_a_shipped_board(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("level-80").write_text("aa|bb", encoding="utf-8")
        assert load("level-80").is_goal()

    def test_a_board_comes_from_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(BOARD).encode())))
        assert load("-") == BallSort.from_tubes(BOARD["tubes"], 2)

    def test_a_fault_in_standard_input_names_it(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
        with pytest.raises(BoardError, match=r"^standard input: not UTF-8"):
            load("-")

    @pytest.mark.parametrize("source", ["no-such-board", "no/such/file.json", "", "nul\0nul", "x" * 5000])
    def test_a_file_that_is_not_there_is_named(self, source):
        with pytest.raises(BoardError):
            load(source)

    def test_a_folder_is_refused_as_a_board(self, tmp_path):
        with pytest.raises(BoardError, match="it is a folder; name a file in it"):
            load(tmp_path)

    def test_a_file_of_many_boards_is_refused_where_one_is_expected(self):
        with pytest.raises(BoardError, match=r"small.jsonl: expected one board, found 96"):
            load(DATA / "small.jsonl")


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
colours = st.one_of(st.integers(0, 10**20), names.filter(lambda name: word_of(name) not in NEVER_COLOURS))
extras = st.dictionaries(names, st.one_of(st.integers(), names, st.none(), st.booleans()), max_size=3)


@st.composite
def sort_boards(draw):
    rule = draw(st.sampled_from(RULES))
    goal = draw(st.sampled_from(["full", "monochrome"]))
    capacity = draw(st.integers(1, 5))
    palette = draw(st.lists(colours, unique=True, max_size=4))
    counts = [draw(st.integers(1, 2)) * (capacity if goal == "full" else 1) for _ in palette]
    balls = draw(st.permutations([colour for colour, count in zip(palette, counts, strict=True) for _ in range(count)]))
    tubes = [balls[start : start + capacity] for start in range(0, len(balls), capacity)]
    return rule.from_tubes([*tubes, *([] for _ in range(draw(st.integers(1, 5)) + len(palette)))], capacity, goal)


tiles_boards = st.lists(st.lists(colours, max_size=4), min_size=1, max_size=4).map(Tiles.from_columns)


@st.composite
def shot_boards(draw):
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    places = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return Shot.from_balls(width, height, draw(st.sets(places, min_size=1, max_size=12)))


any_boards = st.one_of(sort_boards(), tiles_boards, shot_boards())


@given(any_boards, extras)
def test_reading_what_was_written_gives_the_board_back(puzzle, about):
    """With keys beside it that can't be rules: the reader asks about others, such as 0non, which is much like noin."""
    own = {"puzzle", *(each.name for each in fields(puzzle.fields_type))}
    about = {key: value for key, value in about.items() if key not in own and role_of(key) in ("", "about")}
    instance = Instance(puzzle, about)
    assert parse_one(json.dumps(instance.to_json())) == instance
    assert parse_one(json.dumps(instance.to_json(), indent=1, ensure_ascii=False)) == instance


@given(sort_boards())
def test_top_down_twice_is_bottom_up(puzzle):
    data = puzzle.to_json()
    turned = {**data, "tubes": [tube[::-1] for tube in data["tubes"]], "order": "top-down"}
    read = parse_one(json.dumps(turned)).puzzle
    assert read.coloured_tubes() == puzzle.coloured_tubes()


class TestGenerators:
    @every_rule
    def test_seeds_give_the_reference_boards(self, rule):
        """The boards of `small.jsonl` were generated independently by the recipe in the docstring."""
        first = next(random_boards(rule, colours=2, capacity=2, empty=1, seed=0))
        assert first.name == "random-c2-h2-e1-s0"
        for known in load_instances(DATA / "small.jsonl", rule.kind):
            numbers = {part[0]: int(part[1:]) for part in known.name.split("-")[1:]}
            made = next(random_boards(rule, numbers["c"], numbers["h"], numbers["e"], seed=numbers["s"]))
            assert (made.name, made.puzzle) == (known.name, known.puzzle)


LEVELS = Path(os.environ.get("BSP_SAT_LEVELS", Path(__file__).parents[3] / "shared" / "data" / "levels"))

needs_levels = pytest.mark.skipif(not LEVELS.is_dir(), reason="no levels here; BSP_SAT_LEVELS names their folder")


def levels():
    """Every line of every file of published levels, which mustn't be copied here."""
    return [line for path in sorted(LEVELS.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]


def readable(line):
    with suppress(BoardError):
        return [parse_one(line, rule.kind) for rule in RULES]
    return None


@needs_levels
class TestPublishedLevels:
    def test_all_published_levels_but_one_are_boards(self):
        """The one has tubes of five balls and a capacity of four."""
        refused = [json.loads(line)["name"] for line in levels() if readable(line) is None]
        assert len(levels()) == 450
        assert refused == ["octo-BlockPuz342"]

    def test_published_optima_are_met(self, one_in):
        for instance in itertools.chain.from_iterable(readable(line) or [] for line in levels()[:: one_in(3)]):
            if instance.known_answer is not None and len(instance.puzzle.tubes) <= 12:
                result = solve_here("astar", instance.puzzle, instance.known_answer)
                assert answer(result) == instance.known_answer, instance

    def test_boards_that_are_said_to_be_unsolvable(self, one_in):
        said = [line for line in levels() if '"unsolvable"' in line][:: one_in(3)]
        assert said
        for instance in itertools.chain.from_iterable(readable(line) or [] for line in said):
            assert solve_here("astar", instance.puzzle).status is Status.UNSOLVABLE, instance


def test_a_wrapper_among_lines_of_boards_gives_its_boards_with_the_line_and_their_places_in_it():
    exact = '{"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}'
    other = '{"tubes": [["a", "b"], ["b", "a"], []]}'
    boards = parse_boards(
        f'{exact}\n{exact}\n{{"levels": [{other}, {other}, {{"tubes": [["a"], ["b"], []]}}, {other}]}}'
    )
    assert [instance.place for instance in boards.instances] == ["1", "2", "3 levels 1", "3 levels 2", "3 levels 4"]
    assert [fault.where for fault in boards.refused] == ["line 3: levels 3"]
