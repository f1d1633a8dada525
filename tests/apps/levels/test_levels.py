"""Boards made to specification: inside what was asked for, by another grader; the same from one seed; none twice."""

import json
import re
from concurrent.futures import Future
from threading import Event
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, Status, Unsupported, WaterSort, grade, solve
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.enumeration import enumerate_part
from bsp_sat.apps.levels.board_spec import BoardSpec, Range, most_moves
from bsp_sat.apps.levels.canonical_form import canonical_form
from bsp_sat.apps.levels.levels import Climbed, make_levels
from bsp_sat.cli.group import commands
from bsp_sat.instances.files import parse_instances
from tests.apps.levels.plain import Plain, success
from tests.support import naive


def levels(*words: str) -> tuple[int, list[dict[str, object]], str]:
    """Exit code, the boards' lines, and what was said besides."""
    run = CliRunner().invoke(commands, ["generate", "levels", *words])
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return run.exit_code, lines, run.stderr


SMALL = ("--colours", "3", "--capacity", "3", "--empty", "1")


@pytest.mark.parametrize("kind", ["ball-sort", "water-sort"])
def test_boards_are_what_was_asked_for_by_the_plain_definitions(kind):
    asked = ("--puzzle", kind, "--optimum", "6..8", "--dead-share", "..0.5", "--costliest-slip", "1..")
    code, lines, _ = levels(*SMALL, *asked, "--random-success", "0.2..0.8", "--count", "4", "--jobs", "1")
    assert (code, len(lines)) == (0, 4)
    for line in lines:
        (instance,) = parse_instances(json.dumps(line))
        puzzle = instance.puzzle
        plain = Plain(puzzle)
        assert 6 <= plain.optimum <= 8
        assert instance.known_answer == plain.optimum
        assert plain.figures()["dead_share"] <= 0.5
        again = grade(puzzle)
        assert again["costliest_slip"].figure.value >= 1
        assert {name: each.to_json() for name, each in again.grades.items()} == line["grades"]
        estimate = again["random_success"].figure
        assert 0.2 <= estimate.value <= 0.8
        exact = success(puzzle, 10 * int(plain.optimum), greedy=False)
        assert abs(estimate.value - exact) < 0.1
    assert len({canonical_form(parse_instances(json.dumps(line))[0].puzzle) for line in lines}) == 4


def test_one_seed_gives_the_same_boards_however_many_jobs_there_are():
    words = (*SMALL, "--optimum", "7..", "--count", "5", "--seed", "3")
    first = levels(*words, "--jobs", "1")[1]
    assert len(first) == 5
    assert first == levels(*words, "--jobs", "2")[1]
    assert first != levels(*words[:-1], "4", "--jobs", "1")[1]


def test_unsolvable_boards_are_made_to_order():
    words = (*SMALL, "--unsolvable", "--effort", "5..", "--count", "3", "--jobs", "1", "--tries", "3000")
    code, lines, said = levels(*words)
    assert (code, len(lines)) == (0, 3), said
    for line in lines:
        puzzle = parse_instances(json.dumps(line))[0].puzzle
        assert naive.optimum(puzzle.tubes, 3, "full", water=False) is None
        assert line["optimal"] == {"ball-sort": "unsolvable"}
        assert grade(puzzle, ["effort"])["effort"].figure.value >= 5


@pytest.mark.parametrize("found", [True, False])
def test_all_boards_that_were_looked_at_are_counted(found):
    """Also those that were looked at after the nearest one."""
    distances = iter([(5.0, 30), (2.0, 40), (4.0, 50), (0.0 if found else 3.0, 60)])

    def submit(call):
        distance, tried = next(distances)
        future = Future()
        future.set_result(Climbed(call.arguments[0].tubes, distance, tried, {}))
        return future

    tries = []
    orders = [BoardSpec(BallSort, 3, 3, 1)]
    (level,) = make_levels(
        orders, 1, SimpleNamespace(submit=submit), Event(), most_tries=180, on_climb=lambda *each: tries.append(each[1])
    )
    assert tries == [30, 70, 120, 180]
    assert (level.distance, level.tried) == (0.0 if found else 2.0, 180)


def test_what_can_not_be_found_is_given_up_with_the_nearest():
    code, lines, said = levels(*SMALL, "--optimum", "40..", "--min-empty", "1", "--tries", "30", "--jobs", "1")
    assert (code, lines) == (3, [])
    assert re.search(r"none found among 30; wanted: optimum 40\.\., it has \d+; the nearest is \[", said), said
    assert "min_empty" not in said
    assert "\n0 of 1 level made, 30 boards tried." in said


def test_a_pack_ends_where_only_boards_of_it_are_found_again():
    """There are three boards of two colours in tubes of two, up to names and order."""
    words = ("--colours", "2", "--capacity", "2", "--empty", "1", "--count", "9", "--tries", "60", "--jobs", "1")
    code, lines, said = levels(*words)
    assert (code, said.count("none found among 60, but boards made before\n")) == (3, 1)
    assert (len(lines), "\n3 of 9 levels made, " in said) == (3, True)
    assert len({canonical_form(parse_instances(json.dumps(line))[0].puzzle) for line in lines}) == 3


def test_boards_of_one_colour_have_no_balls_to_swap():
    words = ("--colours", "1", "--capacity", "1", "--safe-from", "1", "--tries", "3", "--jobs", "1")
    code, lines, said = levels(*words)
    assert (code, lines, "none found" in said) == (3, [], True)


def test_certificates_are_made_where_they_are_asked_for(tmp_path):
    code, lines, _ = levels(*SMALL, "--count", "2", "--certificate", str(tmp_path / "proofs"), "--jobs", "1")
    assert code == 0
    for line in lines:
        board = tmp_path / "board.json"
        board.write_text(json.dumps(line))
        run = CliRunner().invoke(commands, ["verify", line["certificate"]["folder"], str(board)])
        assert run.exit_code == 0, run.output


def test_a_pack_along_a_curve_gets_harder_without_a_table():
    sizes = ("--colours", "3..4", "--capacity", "2..3", "--empty", "1..2")
    code, lines, said = levels(*sizes, "--curve", "optimum", "--count", "8", "--jobs", "1", "--seed", "2")
    assert (code, len(lines)) == (0, 8), said
    puzzles = [parse_instances(json.dumps(line))[0].puzzle for line in lines]
    optima = [len(solve(puzzle).plan) for puzzle in puzzles]
    assert optima == sorted(optima)
    assert optima[0] + 2 < optima[-1]
    assert [line["grades"]["optimum"]["value"] for line in lines] == optima
    assert [line["name"].rpartition("-")[2] for line in lines] == list("01234567")
    assert len({canonical_form(puzzle) for puzzle in puzzles}) == 8
    kinds = {(len(puzzle.palette), puzzle.capacity, puzzle.tubes.count(b"")) for puzzle in puzzles}
    assert len(kinds) > 2
    for colours, capacity, empty in kinds:
        assert (colours in (3, 4), capacity in (2, 3), empty in (1, 2)) == (True, True, True)
    again = levels(*sizes, "--curve", "optimum", "--count", "8", "--jobs", "2", "--seed", "2")[1]
    assert again == lines


def test_a_curve_goes_down_where_more_is_easier():
    code, lines, said = levels("--colours", "4", "--empty", "1", "--curve", "random_success", "--count", "4")
    assert code == 0, said
    shares = [line["grades"]["random_success"]["value"] for line in lines]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]
    assert len(lines[0]["grades"]) > 10


def test_a_curve_takes_no_range_of_its_own():
    code, lines, said = levels(*SMALL, "--curve", "optimum", "--optimum", "3..5")
    assert (code, lines, "optimum: expected no range for the measure" in said) == (2, [], True)


@pytest.mark.parametrize("kind", ["ball-sort", "water-sort"])
def test_covered_cells_change_no_grade_and_the_file_has_their_colours(kind):
    words = (*SMALL, "--puzzle", kind, "--count", "2", "--jobs", "1")
    open_ones, covered = levels(*words)[1], levels(*words, "--hide", "tops")[1]
    for one, other in zip(open_ones, covered, strict=True):
        assert one["tubes"] == other["tubes"]
        assert one["grades"] == other["grades"]
        for tube, mask in zip(other["tubes"], other["hidden"], strict=True):
            top_run = next((n for n, ball in enumerate(reversed(tube)) if ball != tube[-1]), len(tube))
            assert mask == [True] * (len(tube) - top_run) + [False] * top_run
        puzzle = parse_instances(json.dumps(other))[0].puzzle
        assert len(solve(puzzle).plan) == one["optimal"][kind]
    assert levels(*words, "--hide", "2")[0] == 2


def test_locks_and_corks_are_solved_again():
    words = ("--colours", "3", "--capacity", "3", "--empty", "2", "--count", "3", "--jobs", "1")
    code, lines, said = levels(*words, "--locked", "1", "--cork")
    assert (code, len(lines)) == (0, 3), said
    for line in lines:
        puzzle = parse_instances(json.dumps(line))[0].puzzle
        assert len(puzzle.rules.locked) == 1
        assert puzzle.rules.cork
        proof = solve(puzzle, backend="bfs")
        assert proof.status == Status.OPTIMAL
        assert line["optimal"]["ball-sort"] == len(proof.plan) == line["grades"]["optimum"]["value"]
        assert len(line["grades"]) == 1
    assert levels(*words, "--locked", "9")[0] == 2


@pytest.mark.parametrize("sizes", ["", "..", "5..", "5..3", "a", "1..2..3", "0", "3..999"])
def test_sizes_that_are_none_are_refused(sizes):
    assert levels("--colours", sizes)[0] == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("36", Range(36, 36)), ("34..38", Range(34, 38)), ("..0.05", Range(high=0.05)), ("34..", Range(34)),
        ("90..%", Range(90, of_percentiles=True)), ("90%..", Range(90, of_percentiles=True)),
        ("40..60%", Range(40, 60, of_percentiles=True)), ("40%..60%", Range(40, 60, of_percentiles=True)),
        ("90%", Range(90, 90, of_percentiles=True)),
    ],
)  # fmt: skip
def test_ranges_of_measures_are_read(text, expected):
    assert Range.parse(text) == expected


@pytest.mark.parametrize("text", ["", "..", "%", "..%", "%..%", "40%..60", "4%0", "a", "3..2", "1...2", "nan"])
def test_ranges_that_are_none_are_refused(text):
    with pytest.raises(Unsupported, match=r"expected a number or a range"):
        Range.parse(text)


def test_wishes_that_cannot_be_met_are_refused():
    with pytest.raises(Unsupported, match="no table"):
        BoardSpec(WaterSort, 3, 3, 1, {"optimum": Range(1, 5, of_percentiles=True)})
    with pytest.raises(Unsupported, match="has no optimum"):
        BoardSpec(BallSort, 3, 3, 1, {"optimum": Range(1, 5)}, solvable=False)


def test_more_moves_than_any_board_needs_are_refused():
    with pytest.raises(Unsupported, match=r"no board needs 60 moves with 3 colours.*: 28 are enough"):
        BoardSpec(BallSort, 3, 4, 2, {"optimum": Range(60)})
    with pytest.raises(Unsupported, match=r"no board needs 1000 moves with 5 colours.*: 200 are enough"):
        BoardSpec(WaterSort, 5, 4, 2, {"optimum": Range(1000)})
    BoardSpec(BallSort, 3, 4, 2, {"optimum": Range(28)})
    BoardSpec(BallSort, 3, 4, 1, {"optimum": Range(60)})
    BoardSpec(BallSort, 5, 4, 2, {"optimum": Range(60, of_percentiles=True)})


@pytest.mark.parametrize(
    "numbers", [(2, 2, 1), (2, 3, 1), (2, 4, 2), (3, 2, 2), (3, 3, 2), (2, 2, 3), (3, 3, 1), (4, 2, 2), (4, 3, 1)]
)
def test_no_board_of_a_class_needs_more_moves_than_are_said_to_be_enough(numbers):
    of = BoardClass(*numbers)
    longest = [lengths.most for lengths in enumerate_part(of, b"", lengths=True).lengths.values()]
    assert max(longest) <= most_moves(*numbers)


ALL_THREE = ("--colours", "2", "--capacity", "2", "--empty", "2", "--count", "3", "--seed", "3")
SOME = (*SMALL, "--optimum", "6..7", "--count", "4")


@pytest.mark.parametrize("options", [ALL_THREE, SOME, (*SOME, "--cork"), (*SOME, "--hide", "tops")])
def test_an_interrupted_pack_goes_on_and_ends_as_without_the_interruption(tmp_path, options):
    """Also after a line that was cut off; levels before aren't made again, nor any that equals one of them."""
    asked = (*options, "--jobs", "1")
    whole, part = tmp_path / "whole", tmp_path / "part"
    assert levels(*asked, "--out", str(whole))[0] == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    for kept in range(3):
        part.write_bytes(b"".join(lines[:kept]) + lines[kept][:30])
        assert levels(*asked, "--resume", str(part))[0] == 0
        assert part.read_bytes() == whole.read_bytes()
    again = levels(*asked, "--resume", str(part))
    assert (again[0], f"{part}: {len(lines)} of {len(lines)} levels made, 0 boards tried." in again[2]) == (0, True)
    assert part.read_bytes() == whole.read_bytes()


def test_only_a_pack_of_these_options_goes_on(tmp_path):
    asked = (*SMALL, "--count", "2", "--jobs", "1")
    part = tmp_path / "part"
    assert levels(*asked, "--resume", str(part))[0] == 0
    first, second = part.read_text().splitlines(keepends=True)
    for content, options, expected in [
        (first, ("--seed", "1"), "line 1: it was made with other options: give the same, or"),
        (first, ("--optimum", "5"), "line 1: it was made with other options: give the same, or"),
        (first + "{}\n", (), "line 2: expected a level of an earlier run"),
        (first[:-9] + "\n" + second, (), "line 1: expected a level of an earlier run"),
        (second + first, (), "line 2: expected a level after the one before it"),
    ]:
        part.write_text(content)
        code, _, said = levels(*asked, *options, "--resume", str(part))
        assert (code, expected in said, part.read_text()) == (2, True, content), said
    for options in (("--curve", "optimum"), ("--out", str(tmp_path / "new"))):
        code, _, said = levels(*asked, *options, "--resume", str(part))
        assert (code, "--resume goes neither with --curve" in said) == (2, True)


def test_measures_are_spelled_with_either_dash():
    as_option, as_name = (
        levels("--colours", "5", "--curve", name, "--jobs", "1") for name in ("random-success", "random_success")
    )
    assert as_option == as_name
    assert as_option[0] == 0
    run = CliRunner().invoke(commands, ["grade", "level-80", "--measures", "min-empty,bound-gap"])
    assert (run.exit_code, "min_empty" in run.output) == (0, True)
    for words in (["generate", "levels", "--curve", "random-sucess"], ["grade", "level-80", "--measures", "safe-form"]):
        run = CliRunner().invoke(commands, words)
        assert (run.exit_code, "did you mean " in run.stderr) == (2, True)
