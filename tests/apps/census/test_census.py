"""Whole classes of boards: their number, which boards can be solved, and in how many moves, against plain programs."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from math import factorial
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bsp_sat.apps.census import counting, theorem, witnesses
from bsp_sat.apps.census.answer import Census
from bsp_sat.apps.census.board_class import BoardClass, line_of
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.apps.census.case_distinction import CaseDistinction
from bsp_sat.apps.census.cases import first_runs
from bsp_sat.apps.census.counting import count_classes
from bsp_sat.apps.census.enumeration import ClassPart, beginnings, enumerate_part
from bsp_sat.apps.census.store import open_store
from bsp_sat.apps.levels.canonical_form import Tubes, canonical_form
from bsp_sat.backends.engine import function
from bsp_sat.backends.run import Pool, local_pool
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.cli.group import commands
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import BallSort
from tests.support import naive
from tests.support.helpers import solve_here

SMALL = [(1, 3, 0), (2, 2, 0), (2, 3, 1), (2, 5, 1), (3, 2, 1), (3, 3, 1), (4, 2, 1), (3, 2, 2)]


def naive_optima(of: BoardClass, *, water: bool) -> dict[Tubes, int | None]:
    """The optimum of each board, up to names and order."""
    found = {}
    for tubes in naive.all_boards((of.capacity,) * of.colours, of.capacity, of.colours):
        board = of.board(b"".join(tubes))
        form = canonical_form(board)
        if form not in found:
            found[form] = naive.optimum(board.tubes, of.capacity, "full", water=water)
    return found


@pytest.mark.parametrize("numbers", SMALL)
def test_every_board_once_and_the_unsolvable_ones(numbers):
    of = BoardClass(*numbers)
    optima = naive_optima(of, water=False)
    tables = BoardClasses(*numbers)
    boards = [canonical_form(of.board(board)) for some in tables.boards() for board in some]
    assert Counter(boards) == Counter(list(optima))
    assert len(boards) == count_classes(of.colours, of.capacity) == tables.counted
    dead = [canonical_form(of.board(board)) for some in tables.unsolvable() for board in some]
    assert Counter(dead) == Counter(form for form, optimum in optima.items() if optimum is None)


@pytest.mark.parametrize(("colours", "capacity"), [(4, 3), (3, 4), (5, 2), (7, 2), (2, 9)])
def test_burnsides_lemma_counts_what_is_listed_in_parts(colours, capacity):
    of = BoardClass(colours, capacity, 1)
    parts = [enumerate_part(of, beginning, False) for beginning in beginnings(of)]
    assert len(parts) > 1
    assert sum(part.boards for part in parts) == count_classes(colours, capacity)
    assert sum(part.unsolvable for part in parts) == enumerate_part(of, b"", False).unsolvable


@pytest.mark.parametrize("numbers", [(2, 4, 1), (3, 2, 1), (3, 3, 1)])
def test_lengths_are_those_of_a_plain_program(numbers):
    of = BoardClass(*numbers)
    part = enumerate_part(of, b"", True)
    for rule, lengths in part.lengths.items():
        optima = naive_optima(of, water=rule == "water-sort")
        assert lengths.moves == Counter(optimum for optimum in optima.values() if optimum is not None)
        assert part.unsolvable == list(optima.values()).count(None)
        for board in lengths.longest:
            assert optima[canonical_form(of.board(board))] == lengths.most


def test_paths_through_border_tables_are_counted():
    """Two tubes of two blocks each, two empty: either border first."""
    assert BoardClasses(2, 2, 2).paths(bytes([0, 1, 0, 1])) == 2
    dead = next(board for some in BoardClasses(3, 3, 1).unsolvable() for board in some)
    assert BoardClasses(3, 3, 1).paths(dead) == 0 < BoardClasses(3, 3, 2).paths(dead)


# -- the theorem and known boards ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "of", [BoardClass(2, 4, 1), BoardClass(2, 7, 1), BoardClass(3, 27, 2), BoardClass(5, 28, 2), BoardClass(4, 256, 3)]
)
def test_from_n_to_the_n_on_a_board_is_unsolvable(of):
    assert theorem.always_solvable(of) is False
    board = theorem.unsolvable_board(of)
    assert BoardClass.of(board) == of
    assert Counter(b"".join(board.tubes)) == dict.fromkeys(range(of.colours), of.capacity)
    assert search_tables(board, 10**6)[0] is False
    if of.colours == 2:
        assert solve_here("kernel", board).status == "unsolvable"


def test_below_it_every_board_can_be_solved():
    for numbers in (2, 2, 1), (2, 3, 1), (3, 4, 2), (4, 3, 3), (2, 4, 2), (3, 3, 4), (5, 2, 2), (7, 2, 2):
        assert theorem.always_solvable(BoardClass(*numbers))
        assert not any(some for some in BoardClasses(*numbers).unsolvable())
    boards = random_boards(BallSort, 3, 26, 2)
    assert theorem.always_solvable(BoardClass(3, 26, 2))
    assert all(search_tables(next(boards).puzzle, 10**6)[0] for _ in range(20))


def test_the_theorem_says_nothing_about_fewer_empty_tubes():
    assert theorem.always_solvable(BoardClass(4, 4, 2)) is None


def test_known_boards_are_unsolvable_by_search_and_so_is_what_follows(one_in):
    """Of nine colours and more with --slow."""
    for known in witnesses.known_boards()[: None if one_in(2) == 1 else 9]:
        assert solve_here("kernel", known.board).status == "unsolvable"
    for of in BoardClass(5, 3, 1), BoardClass(7, 4, 1), BoardClass(6, 6, 2):
        follows = witnesses.unsolvable_board(of)
        assert follows is not None
        assert BoardClass.of(follows) == of
        assert Counter(b"".join(follows.tubes)) == dict.fromkeys(range(of.colours), of.capacity)
        assert solve_here("kernel", follows).status == "unsolvable"
    assert witnesses.unsolvable_board(BoardClass(5, 4, 2)) is None
    assert witnesses.unsolvable_board(BoardClass(6, 4, 3)) is None


def test_known_boards_stay_unsolvable_at_every_higher_capacity(one_in):
    """See the argument in `bsp_sat.apps.census.witnesses`."""
    for known in filter(lambda known: known.places, witnesses.known_boards()):
        of = known.board_class
        assert len(known.places) == of.colours
        assert {known.board.tubes[tube][place] for tube, place in enumerate(known.places)} == set(range(of.colours))
        for more in range(0, of.colours * of.capacity + 2, one_in(8)):
            grown = known.grown(BoardClass(of.colours, of.capacity + more, of.empty))
            assert search_tables(grown, 10**6)[0] is False


# -- parts that are kept -------------------------------------------------------------------------------


def noted_by(pool: Pool) -> list[Any]:
    """The jobs that a pool will be given."""
    submitted: list[Any] = []
    submit = pool.submit
    pool.submit = lambda job: submitted.append(job) or submit(job)  # type: ignore[method-assign]  # this pool's alone
    return submitted


def test_parts_in_the_file_are_not_looked_at_again(tmp_path):
    path = tmp_path / "results"
    of = BoardClass(4, 3, 1)
    with open_store(path) as store, local_pool(1, Event()) as pool:
        first = Census(of, pool, Event(), store).answer("enumeration")
    assert first.part is not None
    with open_store(path) as store, local_pool(1, Event()) as pool:
        assert len(store.parts(of, beginnings(of), ClassPart)) == len(beginnings(of))
        submitted = noted_by(pool)
        again = Census(of, pool, Event(), store).answer("enumeration")
    assert not submitted
    assert again == first
    contradicting = {"boards": 5, "unsolvable": 3, "examples": [], "lengths": {}}
    no_board = {"boards": 5, "unsolvable": 1, "examples": ["0001"], "lengths": {}}
    for row in {}, contradicting, no_board:
        with sqlite3.connect(path) as database:
            database.execute("UPDATE run SET json = ? WHERE rowid = 1", [json.dumps(row)])
        database.close()
        run = census("4 3 1", "--by", "enumeration", "--resume", str(path))
        assert (run.exit_code, "expected what a census finds" in run.output) == (2, True), row
    for numbers, more in ("4 3 2", ()), ("4 3 1", ("--lengths",)):
        run = census(numbers, "--by", "enumeration", "--resume", str(path), *more)
        assert (run.exit_code, "found one of something else" in run.output) == (2, True)


PLAIN_BOARD = bytes((0, 0, 0, 1, 1, 1, 2, 2, 2)).hex()


@pytest.mark.parametrize(
    ("way", "changed", "message"),
    [
        ("enumeration", {"boards": 4},
         "results: (3,3,1): 58 boards were found, but there are 55: the file was changed"),
        ("enumeration", {"unsolvable": 1, "examples": [PLAIN_BOARD]}, "refute the board aaa|bbb|ccc|-: the file was"),
        ("enumeration", {"boards": 10**400}, "results: (3,3,1): 1"),
        ("cases", {"boards": 109}, "results: (3,3,1): the cases have 1,"),
        ("cases", {"example": PLAIN_BOARD}, "refute the board aaa|bbb|ccc|-: the file was changed"),
        ("cases", {"unsolvable": 36, "example": None},
         "results: part b'\\x00': expected what a census finds in a part"),
    ],
)  # fmt: skip
def test_parts_changed_by_hand_are_bad_input_and_no_bug(way, changed, message, tmp_path):
    path = tmp_path / "results"
    words = ("3 3 1", "--by", way, "--resume", str(path))
    assert census(*words).exit_code == 1
    with closing(sqlite3.connect(path)) as database, database:
        ((text,),) = database.execute("SELECT json FROM run ORDER BY name LIMIT 1").fetchall()
        fields = {**json.loads(text), **changed}
        database.execute("UPDATE run SET json = ? WHERE name = (SELECT min(name) FROM run)", [json.dumps(fields)])
    run = census(*words)
    assert (run.exit_code, message in run.output) == (2, True), run.output


def test_a_part_that_the_class_does_not_have_is_bad_input(tmp_path):
    path = tmp_path / "results"
    words = ("3 3 1", "--by", "cases", "--resume", str(path))
    assert census(*words).exit_code == 1
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE run SET name = ? WHERE name = ?", [b"\xff", b"\0"])
    run = census(*words)
    assert (run.exit_code, run.stderr) == (2, f"Error: {path}: part b'\\xff': there is no such part\n")


def test_numbers_beyond_all_numbers_and_columns_that_run_by_themselves_are_bad_input(tmp_path):
    path = tmp_path / "results"
    words = ("3 2 1", "--lengths", "--resume", str(path))
    assert census(*words).exit_code == 0
    for old, new in ('"boards": 1', '"boards": 1e400'), ('"boards": 1', '"boards": 2'):
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE run SET json = replace(json, ?, ?)", [old, new])
        run = census(*words)
        assert (run.exit_code, "expected what a census finds in a part" in run.output) == (2, True), run.output
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "ALTER TABLE run ADD COLUMN x AS (zeroblob(1000000000))"
        )  # more: tests/apps/study/test_campaign_file
    assert census(*words).stderr == f"Error: {path}: expected the results of a census, found another table run\n"


@pytest.mark.parametrize(("by", "count"), [("enumeration", "classes"), ("cases", "boards")])
def test_missing_boards_are_a_bug(monkeypatch, by, count):
    monkeypatch.setattr(f"bsp_sat.apps.census.answer.count_{count}", lambda *_: 56)
    assert census("3 3 1", "--by", by).exit_code == 4


# -- the command -----------------------------------------------------------------------------------------------


def census(numbers: str, *options: str) -> Result:
    colours, capacity, empty = numbers.split()
    words = ["census", "--colours", colours, "--capacity", capacity, "--empty", empty, "--jobs", "1", *options]
    return CliRunner().invoke(commands, words)


@pytest.mark.parametrize(
    ("numbers", "options", "answer", "how"),
    [
        ("3 12 2", (), True, "theorem"), ("2 4 1", (), False, "theorem"), ("9 8 2", (), False, "monotony"),
        ("4 3 2", (), True, "enumerated"), ("4 3 1", (), False, "monotony"),
        ("4 3 1", ("--by", "enumeration"), False, "enumerated"), ("4 3 2", ("--by", "cases"), True, "cases"),
        ("4 3 1", ("--by", "cases"), False, "cases"),
    ],
)  # fmt: skip
def test_a_census_gives_the_known_answer(numbers, options, answer, how):
    run = census(numbers, "--json", *options)
    assert run.exit_code == (0 if answer else 1), run.output
    found = json.loads(run.stdout)
    assert (found["always_solvable"], found["how"]) == (answer, how)
    if not answer:
        witness = BallSort.from_tubes(found["witness"]["tubes"], found["capacity"])
        assert f"{found['colours']} {found['capacity']} {found['empty']}" == numbers
        assert len(witness.tubes) == found["colours"] + found["empty"]
        assert search_tables(witness, 10**6)[0] is False
    if not options:
        assert ("every board" if answer else "this one can't") in census(numbers).stdout.lower()


def test_lengths_are_printed():
    found = json.loads(census("3 2 1", "--lengths", "--json").stdout)
    lengths = found["lengths"]["ball-sort"]
    assert found["classes"] == sum(lengths["histogram"].values()) == 5
    assert str(lengths["longest"]) == max(lengths["histogram"], key=int)
    for line in lengths["boards"]:
        board = BallSort.from_tubes([tube.replace("-", "") for tube in line.split("|")], 2)
        assert solve_here("kernel", board).length == lengths["longest"]
        assert line_of(board).replace("-", "")
    assert lengths["boards"][0] in census("3 2 1", "--lengths").stdout


def test_a_census_writes_certificates_that_hold(tmp_path):
    for numbers, options, files in (
        ("4 4 2", (), {"claim.json", "cases.bin", "SHA256SUMS"}),
        ("3 3 1", (), {"board.json", "claim.json", "SHA256SUMS"}),
    ):
        folder = tmp_path / numbers
        run = census(numbers, "--json", "--certificate", str(folder), *options)
        found = json.loads(run.stdout)
        assert (found["certificate"], run.exit_code) == (str(folder), 0 if found["always_solvable"] else 1)
        assert {path.name for path in folder.iterdir()} == files
        assert CliRunner().invoke(commands, ["verify", str(folder)]).exit_code == 0


def test_where_there_is_no_certificate_it_is_said(tmp_path):
    run = census("4 3 2", "--by", "enumeration", "--json", "--certificate", str(tmp_path))
    assert run.exit_code == 3
    assert json.loads(run.stdout)["certificate"] is None
    assert "No certificate: only --by cases makes one" in run.stderr
    assert not any(tmp_path.iterdir())


def test_an_unsolvable_board_whose_certificate_fails_is_shown_with_exit_code_3(tmp_path, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise CertificateError("the disk is full")

    monkeypatch.setattr("bsp_sat.apps.census.commands.census_output.certify", fails)
    run = census("3 3 1", "--certificate", str(tmp_path))
    assert (run.exit_code, run.stderr) == (3, "No certificate: the disk is full\n")
    assert "This one can't: " in run.stdout


def test_results_that_keep_nothing_leave_no_file(tmp_path):
    assert census("2 4 1", "--resume", str(tmp_path / "results")).exit_code == 1
    assert not any(tmp_path.iterdir())
    (tmp_path / "results").write_text("my thesis")
    run = census("2 4 1", "--resume", str(tmp_path / "results"))
    assert (run.exit_code, "expected the results of a census" in run.output) == (2, True)
    assert (tmp_path / "results").read_text() == "my thesis"


def test_a_limit_leaves_the_question_open_and_no_certificate(tmp_path):
    run = census("5 9 3", "--by", "cases", "--time-limit", "0.5", "--json", "--certificate", str(tmp_path))
    found = json.loads(run.stdout)
    assert (run.exit_code, found["always_solvable"], found["how"], found["certificate"]) == (3, None, None, None)
    assert "time limit of 0.5 s reached" in found["reason"]
    assert not any(tmp_path.iterdir())


def test_an_interrupted_enumeration_says_how_far_it_came():
    stop = Event()
    stop.set()
    with open_store(None) as store, local_pool(1, Event()) as pool:
        answer = Census(BoardClass(4, 3, 2), pool, stop, store).answer("enumeration")
    assert (answer.always_solvable, answer.reason) == (None, "0 of 709 boards were looked at")


def test_without_all_lengths_there_is_a_reason_even_if_the_question_is_answered():
    stop = Event()
    stop.set()
    of = BoardClass(3, 3, 1)
    for lengths, reason in (True, "17 of 55 boards were looked at"), (False, ""):
        with open_store(None) as store, local_pool(1, Event()) as pool:
            store.agree_on(of, "lengths" if lengths else "boards")
            for beginning in beginnings(of)[-20:]:
                store.add(beginning, enumerate_part(of, beginning, lengths))
            answer = Census(of, pool, stop, store).answer("enumeration", lengths=lengths)
        assert (answer.always_solvable, answer.how, answer.reason) == (False, "witness", reason)


@pytest.mark.parametrize(
    ("numbers", "options", "message"),
    [
        ("12 12 2", ("--by", "enumeration"), "more than 100,000,000 boards"),
        ("12 12 2", ("--by", "cases"), "border tables"),
        ("3 3 1", ("--by", "cases", "--lengths"), "--lengths"),
        ("0 3 1", (), "expected a whole number from 1 to"),
    ],
)
def test_a_census_refuses_what_it_cannot_answer(numbers, options, message):
    run = census(numbers, *options)
    assert (run.exit_code, message in run.output) == (2, True), run.output


# -- long calls ------------------------------------------------------------------------------------------------


def test_a_class_whose_tubes_can_be_put_in_order_in_many_ways_pauses(monkeypatch):
    """Seven pairs of equal tubes have 7! orders with the same word, and a call tries a thousand tubes in them."""
    monkeypatch.setattr("bsp_sat.apps.census.board_classes.STEPS", 1000)
    pairs = bytes(colour for pair in range(0, 14, 2) for colour in (pair, pair + 1) * 2)
    listed = list(BoardClasses(14, 2, 0).boards(pairs[:-2]))
    assert pairs in [board for some in listed for board in some]
    assert len(listed) > 5


def test_tubes_of_one_colour_are_in_one_order(monkeypatch):
    """Not in 24!, of which none has a smaller word."""
    monkeypatch.setattr("bsp_sat.apps.census.board_classes.STEPS", 10_000)
    listed = list(BoardClasses(24, 1, 0).boards())
    assert listed == [[bytes(range(24))]]


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_pauses_change_nothing(monkeypatch, steps):
    def found():
        tables = BoardClasses(3, 3, 1)
        boards = [board for some in tables.boards() for board in some]
        unsolvable = [board for some in tables.unsolvable() for board in some]
        cases = CaseDistinction(3, 3, 1)
        decided = [cases.decide(beginning.tops, beginning.ways) for beginning in first_runs(BoardClass(3, 3, 1))]
        borders = [CaseDistinction(3, 3, 2).first_border([2, 2, 1], [(0, 2), (1, 2), (2, 1)])]
        return boards, unsolvable, tables.counted, [tables.paths(board) for board in boards], decided, borders

    whole = found()
    for module in ("board_classes", "case_distinction"):
        monkeypatch.setattr(f"bsp_sat.apps.census.{module}.STEPS", steps)
    assert found() == whole


def test_each_long_call_ends_after_its_steps(monkeypatch):
    """Counts calls, of one step each, which would be one call if steps weren't looked at."""
    calls = []

    def counted(name, *types):
        found = function(name, *types)

        def call(*arguments):
            calls.append(name)
            return found(*arguments)

        return call

    for module in ("board_classes", "case_distinction"):
        monkeypatch.setattr(f"bsp_sat.apps.census.{module}.function", counted)
        monkeypatch.setattr(f"bsp_sat.apps.census.{module}.STEPS", 1)
    assert BoardClasses(3, 3, 1).paths(bytes([0, 1, 2, 1, 2, 0, 2, 0, 1])) >= 0
    assert not any(some for some in BoardClasses(3, 3, 2).unsolvable())
    cases = CaseDistinction(3, 3, 2)
    for beginning in first_runs(BoardClass(3, 3, 2)):
        cases.decide(beginning.tops, beginning.ways)
    assert CaseDistinction(4, 4, 2).first_border([2, 2, 1, 1], [(0, 2), (1, 2), (2, 1), (3, 1)]) is not None
    for name in ("classes_count_paths_on", "classes_go_on", "cases_go_on", "cases_border"):
        assert calls.count(f"bspsat_{name}") > 20, name


@pytest.mark.parametrize("tops", [[], [(0, 1)], [(0, 1), (2, 1)], [(1, 1), (0, 1)], [(0, 2), (0, 2)], [(0, 3), (1, 1)]])
def test_what_no_board_begins_with_is_refused(tops):
    with pytest.raises(ValueError, match="expected the first run of each tube"):
        CaseDistinction(2, 2, 1).decide(tops, 1)


def test_what_is_no_position_of_a_class_is_refused():
    for exposed, tops in [([1, 1], [(0, 1)] * 3), ([1, 1], [(2, 1)]), ([3, 1], [(0, 1)]), ([], [(0, 1)])]:
        with pytest.raises(ValueError, match="expected tubes with a border"):
            CaseDistinction(2, 2, 1).first_border(exposed, tops)


def test_counting_classes_stops_when_it_is_asked_to():
    asked = iter([False] * 9 + [True])
    assert count_classes(24, 1, lambda: next(asked)) is None
    assert next(asked, None) is None, "it went on"


def test_colours_that_count_alike_are_counted_at_once():
    # One by one they are 2²⁴ cases, for a single pair of permutations, within which nothing can be stopped.
    assert counting._boards_kept((1,) * 24, (1,) * 24, 1) == factorial(24)
