"""Case distinctions over whole classes, against programs that look at every board."""

import json
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from threading import Event

import pytest

from bsp_sat.apps.census.answer import Census, CensusAnswer
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.apps.census.case_distinction import CaseDistinction
from bsp_sat.apps.census.cases import PART_NAMES, CasePart, count_boards, decide, first_runs, unsolvable_boards
from bsp_sat.apps.census.certifying import certify_cases
from bsp_sat.apps.census.store import open_store
from bsp_sat.backends.proofs.certificate import verify_certificate
from bsp_sat.backends.run import local_pool
from bsp_sat.formal import check_cases
from bsp_sat.formal.check_cases import CASES_FILE, DIG, KNOWN, SEPARATOR, UNCOVER, Class, Proof, may_go, tops_of
from bsp_sat.formal.check_labels import NotVerified, Unreadable
from bsp_sat.instances.errors import CertificateError
from tests.apps.census.test_census import census
from tests.support import naive


def whole(of: BoardClass) -> CasePart:
    found = CasePart()
    for name in PART_NAMES:
        found = found.merged(decide(of, name))
    return found


def words(rest: tuple[int, ...], word: bytes = b"") -> Iterator[bytes]:
    """All boards with these numbers of balls by colour."""
    if not any(rest):
        yield word
    for colour, balls in enumerate(rest):
        if balls:
            yield from words((*rest[:colour], balls - 1, *rest[colour + 1 :]), word + bytes([colour]))


@pytest.mark.parametrize("numbers", [(1, 3, 0), (2, 3, 0), (2, 3, 1), (3, 2, 1), (2, 5, 1), (2, 3, 2)])
def test_as_many_boards_as_a_plain_program_finds_can_not_be_solved(numbers):
    of = BoardClass(*numbers)
    boards = [of.board(word) for word in words((of.capacity,) * of.colours)]
    found = whole(of)
    assert found.boards == len(boards) == count_boards(of)
    dead = [naive.optimum(board.tubes, of.capacity, "full", water=False) is None for board in boards]
    assert unsolvable_boards(of, found) == sum(dead)


@pytest.mark.parametrize("numbers", [(3, 3, 1), (4, 2, 1), (3, 4, 1), (2, 8, 1), (5, 2, 1), (3, 4, 2), (4, 2, 2)])
def test_as_many_as_by_the_tables_of_each_board(numbers):
    of = BoardClass(*numbers)
    tables = BoardClasses(*numbers)
    boards = list(words((of.capacity,) * of.colours))
    found = whole(of)
    assert (found.boards, found.unsolvable) == (len(boards), sum(tables.paths(board) == 0 for board in boards))
    assert (found.example is None) == (found.unsolvable == 0)
    if found.example is not None:
        assert of.has(found.example)
        assert tables.paths(found.example) == 0
    else:
        assert found.cases < len(boards)


@pytest.mark.parametrize("numbers", [(5, 3, 2), (4, 4, 2), (5, 3, 3)])
def test_where_every_board_can_be_solved_few_cases_are_enough(numbers):
    of = BoardClass(*numbers)
    found = whole(of)
    assert (found.boards, found.unsolvable) == (count_boards(of), 0)
    assert found.cases < 100


def test_positions_that_make_room_for_others_change_nothing():
    decided = [
        [distinction.decide(beginning.tops, beginning.ways) for beginning in first_runs(BoardClass(4, 4, 2))]
        for distinction in (CaseDistinction(4, 4, 2), CaseDistinction(4, 4, 2, places=512))
    ]
    assert decided[0] == decided[1]


# -- certificates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [*product((1, 2, 3), (1, 2, 3, 4), (0, 1, 2)), (4, 2, 1), (5, 3, 2)])
def test_a_class_has_a_certificate_if_and_only_if_every_board_can_be_solved(numbers, tmp_path):
    of = BoardClass(*numbers)
    if whole(of).unsolvable:
        with pytest.raises(CertificateError):
            certify_cases(of, tmp_path)
        assert not any(tmp_path.iterdir())
    else:
        certify_cases(of, tmp_path)
        assert verify_certificate(tmp_path).particulars["colours"] == of.colours


@pytest.mark.parametrize("numbers", [(3, 3, 1), (2, 4, 1)])
def test_no_choice_of_borders_certifies_a_class_with_an_unsolvable_board(numbers):
    of, chance = Class(*numbers), Random(1)
    for _ in range(100):
        proof = Proof(of)
        with pytest.raises(NotVerified, match="can't go"):
            proof.follow_positions(lambda position: border_at_random(of, position, chance))


def test_a_border_that_may_not_go_stays():
    """Without an empty tube; below the ball 0 there is a 1, so the step isn't refused because that isn't known."""
    with pytest.raises(NotVerified, match="tube 0 can't go"):
        Proof(Class(2, 2, 0)).follow_tree([(0, 1), (1, 1)], iter([UNCOVER, DIG, KNOWN]))


def border_at_random(of: Class, position: bytes, chance: Random) -> int:
    """A border that may go, if there is one."""
    exposed, tops = [part[0] for part in position.split(SEPARATOR)], tops_of(position)
    return chance.choice([border for border in range(len(tops)) if may_go(of, exposed, tops, border)] or [0])


# -- the command -----------------------------------------------------------------------------------------------


def test_the_answer_says_how_many_boards():
    found = json.loads(census("4 5 2", "--json").stdout)
    assert (found["always_solvable"], found["how"]) == (True, "cases")
    assert found["labelled"] == {"boards": 11_732_745_024, "unsolvable": 0}
    run = census("3 3 1", "--by", "cases", "--json")
    found = json.loads(run.stdout)
    assert (run.exit_code, found["how"], found["labelled"]) == (1, "cases", {"boards": 1680, "unsolvable": 168})
    assert "65 cases of 1,680 boards" in census("3 3 1", "--by", "cases").stdout
    assert census("12 12 2", "--by", "cases").exit_code == 2


def test_parts_that_are_done_are_kept(tmp_path):
    of = BoardClass(3, 3, 1)
    stopped = Event()
    stopped.set()
    path = tmp_path / "results"

    def answer(stop: Event) -> CensusAnswer:
        with open_store(path) as store, local_pool(1, Event()) as pool:
            return Census(of, pool, stop, store).answer("cases")

    assert answer(stopped).reason == "0 of 64 parts of the case distinction were done"
    first = answer(Event())
    assert first.cases == whole(of)
    assert answer(stopped) == first
    with open_store(path) as store:
        kept = store.parts(of, PART_NAMES, CasePart)
    assert sorted(kept) == PART_NAMES
    added = [sum(each) for each in zip(*((part.cases, part.unsolvable) for part in kept.values()), strict=True)]
    assert added == [whole(of).cases, whole(of).unsolvable]


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("limit", ["MAX_COLOURS", "MAX_CAPACITY", "MAX_BALLS", "MAX_TREES_BYTES", "MAX_POSITIONS"])
def test_the_checker_takes_as_much_as_its_limits_say_and_not_more(tmp_path, monkeypatch, limit, more):
    of = BoardClass(3, 4, 2)
    certify_cases(of, tmp_path)
    data = (tmp_path / CASES_FILE).read_bytes()
    size, positions = map(int, re.search(rb"in (\d+) bytes, (\d+) positions", data).groups())
    exactly = {
        "MAX_COLOURS": 3, "MAX_CAPACITY": 4, "MAX_BALLS": 12, "MAX_TREES_BYTES": size, "MAX_POSITIONS": positions
    }  # fmt: skip
    monkeypatch.setattr(check_cases, limit, exactly[limit] - more)
    if more:
        with pytest.raises(Unreadable, match="too large"):
            check_cases.check_folder(tmp_path)
    else:
        assert check_cases.check_folder(tmp_path).of == Class(3, 4, 2)
