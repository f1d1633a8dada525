"""Published answers and plans show which end of a tube is the top, for all commands and all levels of a pack alike."""

import json
from itertools import islice

import pytest

from bsp_sat import BallSort, solve
from bsp_sat.backends import published
from bsp_sat.backends.published import Ends, ends_of, with_shown_ends
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting.spellings.names import PUBLISHED, unused_keys
from tests.support.command import bsp_sat


def turned(tubes):
    return [tube[::-1] for tube in tubes]


def levels():
    """Tubes with the last ball on top, and the fewest moves; the other end needs another number in most."""
    for each in islice(random_boards(BallSort, 3, 3, 2, seed=5), 8):
        yield each.puzzle.to_json()["tubes"], solve(each.puzzle).length


LEVELS = list(levels())
OTHERS = [solve(BallSort(turned(tubes), capacity=3)).length for tubes, _ in LEVELS]
ALONE = sum(length != other for (_, length), other in zip(LEVELS, OTHERS, strict=True))
assert ALONE > 4


def says(key, moves):
    return {key: {"ball-sort": moves} if key == "optimal" else moves}


def pack(key="minMoves", *, top_first=True, wrong=()):
    return {
        "levels": [
            {"bottles": turned(tubes) if top_first else tubes, **says(key, length + 7 * (number in wrong))}
            for number, (tubes, length) in enumerate(LEVELS, start=1)
        ]
    }


def as_read(found):
    return [each.puzzle.to_json()["tubes"] for each in found]


@pytest.mark.parametrize("key", ["minMoves", "optimal"])
@pytest.mark.parametrize("top_first", [True, False])
def test_the_end_that_fits_the_published_answers_is_the_top(key, top_first):
    """All levels have it, also one whose own answer is wrong."""
    found = with_shown_ends(parse_instances(json.dumps(pack(key, top_first=top_first, wrong=[2]))))
    assert as_read(found) == [tubes for tubes, _ in LEVELS]
    assert all(each.other_end is None and each.top_first == top_first for each in found)
    assert f"What is published shows this end: it fits {len(LEVELS) - 1} of {len(LEVELS)}, the other end " in (
        found[0].read_as
    )


def test_answers_that_fit_neither_end_better_leave_the_end_open():
    text = json.dumps(pack(wrong=range(1, 9)))
    before = parse_instances(text)
    assert with_shown_ends(before) == before
    assert ends_of(before) == Ends(levels=8)
    assert with_shown_ends(before)[0].other_end is not None


@pytest.mark.parametrize(
    ("ends", "other_is_top"),
    [((9, 6, 3, 2), None), ((9, 3, 6, 2), True), ((9, 7, 3, 2), True), ((9, 4, 6, 2), None), ((9, 5, 5, 5), None)],
)
def test_an_end_is_decided_by_the_levels_that_fit_it_alone(ends, other_is_top):
    levels, here, there, both = ends
    expected = {(7, 3): False, (6, 3): False}.get((here, there), other_is_top)
    assert Ends(levels, here, there, both).other_is_top is expected


def test_a_recorded_plan_shows_the_end():
    """Also in a form that the reader of boards takes no moves from."""
    tubes = [["a", "b", "b"], ["b", "a", "a"], [], []]
    for each, top_first in ((tubes, False), (turned(tubes), True)):
        plan = solve(BallSort(tubes, capacity=3)).plan.to_json(BallSort(tubes, capacity=3))
        plan = [{"from": source, "to": target} for source, target in plan]
        (level,) = with_shown_ends(parse_instances(json.dumps({"bottles": each, "capacity": 3, "steps": plan})))
        assert (as_read([level]), level.other_end) == ([tubes], None), top_first


def test_what_is_looked_at_is_bounded_in_expansions(monkeypatch):
    monkeypatch.setattr(published, "MOST_EFFORT", 1)
    asked = []
    monkeypatch.setattr(published, "_is_right", lambda each, claim: (asked.append(each), (True, 1))[1])
    assert ends_of(parse_instances(json.dumps(pack()))) == Ends()
    assert len(asked) == 1


def test_keys_that_publish_answers_are_not_called_unused():
    assert unused_keys({**dict.fromkeys(PUBLISHED, 3), "minMoves": 3, "foo": 1}) == ("foo",)


class TestCommands:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "pack.json"
        path.write_text(json.dumps(pack(wrong=[2])))
        return str(path)

    def test_audit_judges_by_the_shown_end(self, file):
        run = bsp_sat("audit", file, "--jobs", "1")
        assert f"Published answers: {len(LEVELS)}, of which 1 wrong." in run.stdout
        assert "Nothing shows which end" not in run.stdout
        assert "Not used" not in run.stderr
        assert run.stdout == bsp_sat("audit", file, "--jobs", "1", "--top-first").stdout

    def test_audit_says_what_fits_each_end_if_neither_fits_better(self, tmp_path):
        path = tmp_path / "pack.json"
        path.write_text(json.dumps(pack(wrong=range(1, 9))))
        run = bsp_sat("audit", str(path), "--jobs", "1")
        assert (
            "Nothing shows which end of a tube is its top: what is published fits 0 of 8 levels as read, "
            "and 0 with --top-first." in run.stdout
        )

    @pytest.mark.parametrize("command", ["solve", "grade", "compare"])
    def test_others_read_a_level_of_the_pack_by_the_same_end(self, command, file, tmp_path):
        """Also the level whose own answer fits neither end."""
        level = f"{file}#2"
        if command == "compare":
            out = tmp_path / "runs.jsonl"
            bsp_sat("compare", level, "--solvers", "kernel", "--export", str(out))
            found = json.loads(out.read_text())
        else:
            measures = ["--measures", "optimum"] if command == "grade" else []
            found = json.loads(bsp_sat(command, level, "--json", *measures).stdout)
        assert found["length"] == LEVELS[1][1] != OTHERS[1]
        assert "other_end" not in found
