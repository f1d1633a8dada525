"""`grade`: figures with percentiles, as a table, as lines that can be gone on with, and from Python."""

import json
from importlib.resources import files
from itertools import islice

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, Status, Unsupported, grade, load, random_boards
from bsp_sat.apps.levels.board_spec import BoardSpec, Range
from bsp_sat.apps.levels.empties import with_empties
from bsp_sat.apps.levels.figure import Figure, How
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.apps.levels.reference import PercentileTable, class_of, known_classes, rounded
from bsp_sat.apps.levels.study import Study
from bsp_sat.apps.levels.what_if import fewest_swaps, swapped, what_if
from bsp_sat.backends.count import count_plans
from bsp_sat.cli.group import commands
from bsp_sat.instances.sorting import SortPuzzle, WaterSort
from tests.support import naive
from tests.support.helpers import board, every_rule

CHEAP = ",".join(name for name, measure in MEASURES.items() if measure.cheap)


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(commands, ["grade", *words])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.jsonl"
    lines = [json.dumps(board.to_json()) for board in islice(random_boards(BallSort, 5, seed=1), 4)]
    path.write_text("\n".join(lines) + "\n")
    return path


NEED_AN_ANSWER = {
    "optimum", "bound_gap", "effort", "min_empty", "random_success", "greedy_success", "dead_share", "trap_share",
}  # fmt: skip
"""Measures that are only bounded while it isn't known whether there is a plan."""


class TestPython:
    def test_a_shipped_board_is_graded(self):
        grades = grade(load("level-80"))
        assert (grades.status, grades.board_class) == (Status.OPTIMAL, "ball-sort-9-4-2")
        assert len(grades.plan) == grades["optimum"].figure.value == 38
        assert grades.grades.keys() == MEASURES.keys()
        assert grades["optimum"].percentile > 90

    def test_measures_can_be_chosen(self):
        grades = grade(load("level-80"), ["effort", "optimum"])
        assert list(grades.grades) == ["effort", "optimum"]
        assert str(grades).splitlines()[1] == "optimum  38  exact"
        with pytest.raises(Unsupported, match="unknown measure 'beauty', expected some of optimum"):
            grade(load("level-80"), ["beauty"])

    def test_boards_too_large_for_compiled_code_are_refused(self):
        many = BallSort.from_tubes([[colour] for colour in range(65)], 1)
        with pytest.raises(Unsupported, match=r"need the compiled search, and .* up to 64 colours, the board has 65$"):
            grade(many)

    @every_rule
    def test_colours_that_fill_several_tubes_and_the_goal_monochrome(self, rule):
        for puzzle in (board(rule, "aba|bab|aab|bba|-|-", 3), board(rule, "aba|ba|b", 3, "monochrome")):
            grades = grade(puzzle)
            expected = naive.optimum(puzzle.tubes, 3, puzzle.goal, water=rule is WaterSort)
            assert grades["optimum"].figure.value == expected
            assert grades["shortest_plans"].figure.value == count_plans(puzzle, expected)
            assert grades.board_class is None

    def test_what_takes_too_long_is_bounded(self, monkeypatch):
        monkeypatch.setattr("bsp_sat.apps.levels.study.EFFORT", 1_000)
        grades = grade(load("level-80"))
        assert grades.status is Status.UNKNOWN
        optimum = grades["optimum"].figure
        assert (optimum.how, optimum.value, optimum.low, optimum.high) == (How.BOUNDED, None, 31, None)
        assert {name for name in grades.grades if grades[name].figure.value is None} >= NEED_AN_ANSWER


def test_covers_over_known_balls_change_no_grade():
    plain = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
    for kind in (BallSort, WaterSort):
        covered = kind.from_json({**plain, "hidden": [[True, False], [True, False], []], "reveal": "run"})
        assert covered.covers[0]
        for found, expected in zip(
            grade(covered).grades.values(), grade(kind.from_json(plain)).grades.values(), strict=True
        ):
            assert found == expected


class TestCommand:
    def test_grading_one_board_prints_a_table_of_its_measures(self):
        code, said, _ = run("level-80", "--jobs", "1")
        assert code == 0
        assert all(name in said for name in MEASURES)
        assert "sampled" in said

    def test_grading_many_boards_prints_rows(self, boards):
        measures = "optimum,random_success,shortest_plans"
        code, said, _ = run(str(boards), "level-80", "--measures", measures, "--jobs", "1")
        assert (code, " million " in said, "e+" in said) == (0, True, False)
        assert said.count("random-c5") == 4
        assert said.count("~") == 5

    def test_grading_many_boards_prints_json_lines(self, boards):
        code, said, _ = run(str(boards), "--json", "--measures", CHEAP, "--jobs", "2")
        assert code == 0
        lines = [json.loads(line) for line in said.splitlines()]
        assert [line["board"] for line in lines] == [0, 1, 2, 3]
        for line, instance in zip(lines, random_boards(BallSort, 5, seed=1), strict=False):
            expected = grade(instance.puzzle, CHEAP.split(","))
            assert line["grades"] == {name: each.to_json() for name, each in expected.grades.items()}
            assert line["length"] == line["grades"]["optimum"]["value"]
            assert line["board_class"] == "ball-sort-5-4-2"

    def test_a_file_is_gone_on_with(self, boards, tmp_path):
        out = tmp_path / "grades.jsonl"
        words = (str(boards), "--measures", "optimum", "--resume", str(out), "--jobs", "1")
        assert run(*words)[0] == 0
        whole = [{**json.loads(line), "seconds": 0, "peak_memory_mb": 0} for line in out.read_text().splitlines()]
        out.write_text("".join(out.read_text().splitlines(keepends=True)[:2]))
        assert run(*words)[0] == 0
        again = [{**json.loads(line), "seconds": 0, "peak_memory_mb": 0} for line in out.read_text().splitlines()]
        assert again == whole
        code, _, said = run(*words[:2], "effort", *words[3:])
        assert (code, "made with measures" in said) == (2, True)

    def test_unsolvable_boards_have_few_figures(self, tmp_path):
        path = tmp_path / "board.txt"
        path.write_text("capacity 3\nabc|cab|bca\n")
        code, said, _ = run(str(path), "--json", "--what-if", "--jobs", "1")
        line = json.loads(said)
        assert (code, line["status"]) == (0, "unsolvable")
        assert line["grades"].keys() == {name for name, measure in MEASURES.items() if measure.of_unsolvable}
        assert {"effort", "min_empty"} <= line["grades"].keys() <= MEASURES.keys() - {"optimum"}
        assert line["what_if"]["min_empty"]["value"] == 1

    def test_grading_refuses_what_it_cannot_grade(self, boards, tmp_path):
        assert run(str(boards), "--measures", "beauty")[0] == 2
        assert run("tiles-2022-11-16")[0] == 2
        ruled = tmp_path / "ruled.json"
        ruled.write_text('{"capacity": 3, "capacities": [3, 2, 2], "tubes": [["a", "a", "b"], ["b"], []]}')
        code, _, error = run(str(ruled))
        assert (code, "no ball-sort boards with tubes of several capacities" in error) == (2, True)


def swap_distance(puzzle: SortPuzzle, *, water: bool) -> int:
    """The fewest swaps, by looking at all boards that are 0, 1, … away."""
    layer, seen, number = {puzzle.tubes}, {puzzle.tubes}, 0
    while not any(naive.optimum(tubes, puzzle.capacity, "full", water=water) is not None for tubes in layer):
        following = set()
        for tubes in layer:
            each = type(puzzle)(tubes, puzzle.capacity, puzzle.goal, puzzle.palette)
            places = [(tube, height) for tube, balls in enumerate(tubes) for height in range(len(balls))]
            following |= {swapped(each, one, other).tubes for one in places for other in places}
        layer, number = following - seen, number + 1
        seen |= layer
    return number


class TestWhatIf:
    @every_rule
    def test_the_fewest_swaps_are_those_of_all_ways(self, rule):
        found = []
        for instance in islice(random_boards(rule, 3, 3, 0, seed=1), 3):
            figure, swaps = fewest_swaps(instance.puzzle)
            after = instance.puzzle
            for swap in swaps:
                after = swapped(after, *swap)
            assert naive.optimum(after.tubes, 3, "full", water=rule is WaterSort) is not None
            assert figure.value == len(swaps)
            found.append(figure.value)
        assert max(found) > 1
        few = board(rule, "aab|bba|ccc", 3)
        assert fewest_swaps(few)[0].value == swap_distance(few, water=rule is WaterSort) == 1
        two = board(rule, "ab|bc|ca", 2)
        assert fewest_swaps(two)[0].value == swap_distance(two, water=rule is WaterSort)

    def test_where_too_many_would_have_to_be_looked_at_there_is_an_interval(self, monkeypatch):
        puzzle = next(random_boards(BallSort, 4, 3, 0, seed=1)).puzzle
        true = fewest_swaps(puzzle)[0].value
        monkeypatch.setattr("bsp_sat.apps.levels.what_if.MOST_TRIED", 10)
        figure, swaps = fewest_swaps(puzzle)
        assert (figure.how, swaps) == (How.BOUNDED, None)
        assert figure.low <= true <= figure.high

    @every_rule
    def test_one_more_empty_tube_changes_the_grades_as_it_says(self, rule):
        for instance in islice(random_boards(rule, 3, 3, 1, seed=1), 5):
            puzzle = instance.puzzle
            lengths = [
                naive.optimum(with_empties(puzzle, empties).tubes, 3, "full", water=rule is WaterSort)
                for empties in (1, 2)
            ]
            saves = what_if(puzzle)["one_more_saves"]
            assert saves == (None if None in lengths else Figure.exact(lengths[0] - lengths[1]).to_json())


def table_in_file(name):
    path = files("bsp_sat.apps.levels") / "data" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


class TestReference:
    def test_there_are_tables_of_both_rules(self):
        assert len(known_classes()) >= 12
        assert {name.rsplit("-", 3)[0] for name in known_classes()} == {"ball-sort", "water-sort"}

    @pytest.mark.parametrize("name", known_classes())
    def test_a_table_has_every_measure_of_every_board(self, name):
        measures = table_in_file(name)["measures"]
        assert measures.keys() <= MEASURES.keys()
        assert len(measures) >= 13
        for measure, figures in measures.items():
            assert sum(boards for values in figures.values() for _, boards in values) > 950, measure

    def test_a_table_is_what_its_boards_have(self):
        """The first boards of a class stand in its table."""
        measures = table_in_file("water-sort-5-4-2")["measures"]
        for instance in islice(random_boards(WaterSort, 5, seed=0), 5):
            study = Study(instance.puzzle)
            for name, measure in MEASURES.items():
                if study.is_solvable and name in measures:
                    figure = measure.take(study)
                    assert rounded(figure.value) in dict(measures[name][figure.how]), name

    def test_percentiles_are_those_of_the_reference(self):
        table = PercentileTable({"optimum": {"exact": [(10, 50), (11, 100), (13, 50)]}})
        shares = {value: table.percentile("optimum", Figure.exact(value)) for value in (9, 10, 11, 12, 13, 14)}
        assert shares == {9: 0, 10: 12.5, 11: 50, 12: 75, 13: 87.5, 14: 100}
        assert table.percentile("optimum", Figure.share(10, 100)) is None
        assert table.percentile("optimum", Figure.bounded(10, 11)) is None
        assert [table.value_at("optimum", How.EXACT, p) for p in (0, 20, 25, 80, 100)] == [10, 10, 11, 13, 13]

    def test_percentiles_of_a_measure_without_a_table_are_refused_with_what_to_run(self, monkeypatch):
        monkeypatch.setattr(BoardSpec, "table", PercentileTable({}))
        with pytest.raises(Unsupported, match=r"don't have effort; `python -m benchmarks.reference` makes them"):
            BoardSpec(BallSort, 5, 4, 2, {"effort": Range.parse("90..%")})

    def test_few_boards_make_no_percentile(self):
        assert PercentileTable({"optimum": {"exact": [(10, 99)]}}).percentile("optimum", Figure.exact(10)) is None

    @pytest.mark.parametrize(
        ("text", "capacity", "expected"),
        [("ab|ba|-", 2, "ball-sort-2-2-1"), ("ab|ba|-", 3, None), ("ab|ba|ab|ba|-", 2, None)],
    )
    def test_a_board_belongs_to_the_class_of_its_size(self, text, capacity, expected):
        goal = "full" if capacity == 2 else "monochrome"
        assert class_of(board(BallSort, text, capacity, goal)) == expected


def _pack(path, *boards):
    lines = [{"name": name, "puzzle": "ball-sort", "capacity": 2, "tubes": tubes} for name, tubes in boards]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)


EASY, HARD = [["a", "a"], ["b", "c"], ["c", "b"], []], [["a", "b"], ["b", "c"], ["c", "a"], []]


def test_two_packs_are_compared_by_name_and_by_what_stands_in_them(tmp_path):
    new = _pack(tmp_path / "new", ("one", HARD), ("two", EASY), ("three", [[], *HARD[:3]]))
    old = _pack(tmp_path / "old", ("one", EASY), ("two", HARD), ("other", [["x", "x"], ["y", "x"], ["x", "y"], []]))
    run = CliRunner().invoke(commands, ["grade", new, "--against", old, "--measures", "optimum", "--jobs", "1"])
    assert run.exit_code == 0, run.output
    assert f"Level 1 (one) is harder than in {old}: optimum 3 → 4." in run.stdout
    assert f"Level 2 (two) is easier than in {old}: optimum 4 → 3." in run.stdout
    assert f"Level 1 (one) is level 2 of {old}." in run.stdout
    assert "Level 3 (three) is level 1 of this pack." in run.stdout
    assert "Level 3 (three) is harder" not in run.stdout


def test_a_name_that_fits_is_not_broken_in_a_table_of_all_measures(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "110")
    pack = _pack(tmp_path / "pack.jsonl", ("a-name-of-24-characters-", EASY), ("two", HARD))
    _, said, _ = run(pack, "--jobs", "1")
    assert said.count("a-name-of-24-characters- ") == said.count(" board ") == 2


def test_csv_has_a_row_for_each_level(tmp_path):
    new = _pack(tmp_path / "new", ("one", HARD), ("=1+1", EASY))
    words = ["grade", new, "--measures", "optimum,dead_share", "--csv", "--jobs", "1"]
    run = CliRunner().invoke(commands, words)
    heading, *rows = run.stdout.splitlines()
    assert heading == "level,name,board,class,status,optimum,dead_share"
    assert len(rows) == 2
    assert rows[0].startswith('1,one,"ball-sort, 3 colours, 4 tubes of 2",ball-sort-3-2-1,optimal,4,')
    assert rows[1].startswith("2,'=1+1,")  # spreadsheets would compute it
    assert CliRunner().invoke(commands, [*words, "--json"]).exit_code == 2
