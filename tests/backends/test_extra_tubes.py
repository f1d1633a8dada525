"""Empty tubes more than a board has: never a harm, and the fewest that make it solvable."""

import json
from itertools import islice

import pytest

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits, least_extra_tubes
from tests.support.command import bsp_sat
from tests.support.helpers import answer, solve_here
from tests.support.helpers import from_fields as read
from tests.support.naive import forwards
from tests.support.naive_variants import Game, random_board, random_counted

LOCKED = {
    "puzzle": "water-sort",
    "capacity": 4,
    "tubes": [["r", "g", "b", "b"], ["b", "r", "g", "r"], ["g", "b", "r", "g"], []],
    "locked": [{"tube": 3, "until": "b"}],
}


def with_more(fields, number):
    """The fields of a board with a number of further empty tubes, of its capacity."""
    more = {**fields, "tubes": fields["tubes"] + [[]] * number}
    if "capacities" in fields:
        more["capacities"] = fields["capacities"] + [fields["capacity"]] * number
    if "hidden" in fields:
        more["hidden"] = fields["hidden"] + [[]] * number
    return more


def test_one_more_is_what_the_naive_program_makes_of_it_and_never_hurts():
    helped = 0
    for seed in range(40):
        fields = random_board(seed)
        before, after = (Game(with_more(fields, number)).optimum() for number in (0, 1))
        assert answer(solve_here("kernel", read(fields).with_more_tubes(1))) == (
            "unsolvable" if after is None else after
        )
        assert before is None or after <= before
        helped += before != after
    assert helped > 3


def test_a_board_with_more_tubes_is_the_one_that_a_file_would_have():
    ruled = [fields for fields in map(random_board, range(40)) if not read(fields).is_plain]
    assert len(ruled) > 20
    for fields in ruled:
        assert read(fields).with_more_tubes(2).to_json() == read(with_more(fields, 2)).to_json()


@pytest.mark.parametrize(("capacities", "added"), [([], 1), ([2, 2], 2), ([2, 3], 1)])
def test_a_further_tube_has_the_capacity_that_all_tubes_share_or_else_the_common_one(capacities, added):
    fields = {
        "puzzle": "ball-sort", "capacity": 1, "tubes": [["a"], []], "goal": "monochrome", "capacities": capacities,
    }  # fmt: skip
    board = read({key: value for key, value in fields.items() if value})
    assert board.with_more_tubes(1).capacities[-1] == added
    said = " ".join(bsp_sat("solve", "--help").stdout.split())
    assert "Each holds as many as they do; if they differ, the board's capacity." in said


def test_the_fewest_are_those_before_which_nothing_is_solvable():
    found = set()
    with Process() as worker:
        for seed in (1, 2, 12):
            fields = random_board(seed)
            number, result = least_extra_tubes(worker, read(fields), Auto(), limits=Limits(seconds=600))
            optima = [Game(with_more(fields, more)).optimum() for more in range(number + 1)]
            assert optima[:-1] == [None] * number
            assert answer(result) == ("unsolvable" if optima[-1] is None else optima[-1])
            found.add(number)
    assert len(found) > 1


def run(*words, board=None):
    """The command, with a board on standard input."""
    return bsp_sat(*words, stdin="" if board is None else json.dumps(board))


FULL = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"]]}
"""Unsolvable. It says its kind of puzzle, or the empty tubes would be taken for missing and asked about."""


class TestOnTheCommandLine:
    def test_the_fewest_extra_tubes_are_found(self, tmp_path):
        ended = run("solve", "-", "--fewest-extra-tubes", "--json", board=LOCKED)
        found = json.loads(ended.stdout)
        assert (ended.returncode, found["extra_tubes"]) == (0, 1)
        assert found["length"] == Game(with_more(LOCKED, 1)).optimum()
        (plan := tmp_path / "plan.json").write_text(ended.stdout)
        assert run("check", "-", str(plan), board=LOCKED).returncode == 1
        assert run("check", "-", str(plan), "--extra-tubes", "1", board=LOCKED).returncode == 0
        said = run("solve", "-", "--fewest-extra-tubes", board=LOCKED).stdout
        assert "With 1 more empty tube, and with fewer there is no plan:" in said

    def test_a_plan_with_more_tubes_is_drawn_and_continued_on_the_board_without_them(self, tmp_path):
        solved = run("solve", "-", "--fewest-extra-tubes", "--json", board=FULL)
        (plan := tmp_path / "plan.json").write_text(solved.stdout)
        assert json.loads(solved.stdout)["extra_tubes"] == 1
        assert run("draw", "-", str(plan), "-o", str(tmp_path / "plan.svg"), board=FULL).returncode == 0
        assert "Solvable: 0 moves left" in run("hint", "-", str(plan), board=FULL).stdout
        checked = run("check", "-", str(plan), board=FULL).stdout
        assert checked.startswith("Invalid: ")
        assert checked.endswith("\nThe plan is for the board with more empty tubes: --extra-tubes 1.\n")

    @pytest.mark.parametrize("number", [-1, 101, True, "1", 10**30, [1]], ids=str)
    def test_a_number_of_tubes_in_a_plan_that_cannot_be_is_refused(self, tmp_path, number):
        (plan := tmp_path / "plan.json").write_text(json.dumps({"plan": [], "extra_tubes": number}))
        ended = run("draw", "level-80", str(plan), "-o", str(tmp_path / "plan.svg"))
        assert ended.returncode == 2
        assert 'expected 0 to 100 under "extra_tubes", found ' in ended.stderr

    def test_where_there_is_no_plan_the_option_for_more_tubes_is_named(self):
        assert "--fewest-extra-tubes" in run("solve", "-", board=FULL).stdout
        assert "--fewest-extra-tubes" in run("hint", "-", board=FULL).stdout
        assert "--fewest-extra-tubes" not in run("solve", "-", "--extra-tubes", "0", board=FULL).stdout

    def test_no_number_is_enough(self):
        ended = run("solve", "-", "--fewest-extra-tubes", board={"capacity": 2, "tubes": ["ab", "ba"], "no_out": [0]})
        assert ended.returncode == 1
        assert "No number of added empty tubes is enough." in ended.stdout

    def test_locks_that_wait_for_each_other(self):
        locks = [{"tube": 0, "until": "b"}, {"tube": 1, "until": "c"}]
        board = {"capacity": 3, "tubes": ["abc", "bca", "cab", ""], "locked": locks}
        found = json.loads(run("solve", "-", "--fewest-extra-tubes", "--json", board=board).stdout)
        assert (found["status"], found["extra_tubes"]) == ("unsolvable", 0)

    def test_extra_tubes_are_not_for_hidden_cells(self):
        hidden = "capacity 2\n?a|?b"
        assert (
            json.loads(bsp_sat("solve", "-", "--extra-tubes", "2", "--json", stdin=hidden).stdout)["solvable"] == "all"
        )
        assert bsp_sat("solve", "-", "--fewest-extra-tubes", stdin=hidden).returncode == 2

    @pytest.mark.parametrize(
        "words",
        [
            ("level-80", "--extra-tubes", "-1"),
            ("tiles-2022-11-16", "--extra-tubes", "1"),
            ("tiles-2022-11-16", "--fewest-extra-tubes"),
            ("level-80", "--fewest-extra-tubes", "--resume", "out.jsonl"),
        ],
    )
    def test_extra_tubes_that_cannot_be_are_refused(self, words):
        ended = run("solve", *words)
        assert ended.returncode == 2
        assert "Traceback" not in ended.stderr


def test_locks_that_never_open_are_those_of_no_position():
    """Against all positions of small boards, with many empty tubes."""
    stays = 0
    for seed in range(160):
        counted = random_counted(seed) if seed % 4 == 3 else None
        fields = {**(counted or random_board(seed, locked=True)), "goal": "full"}
        position = read(fields)
        if position.is_plain or not position.rules.locked:
            continue
        never = position.rules.never_open(position.tubes, position.goal)
        if never:
            stays += 1
            game = Game(with_more(fields, 1))
            states = forwards(game.start(), lambda state, game=game: game.moves(state).values())
            assert not any(never & state.opened for state, _ in islice(states, 500))
    assert stays > 3


def test_extra_tubes_are_the_most_that_may_be_added():
    def found(*options):
        ended = run("solve", "-", "--fewest-extra-tubes", *options, board={"capacity": 2, "tubes": ["rb", "br", "gg"]})
        return ended.returncode, ended.stdout

    assert found()[0] == found("--extra-tubes", "3")[0] == 0
    assert "With 1 more empty tube, and with fewer there is no plan:" in found("--extra-tubes", "1")[1]
    code, output = found("--extra-tubes", "0")
    assert (code, "With 0 more empty tubes" in output) == (1, True)
