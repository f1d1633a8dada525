"""Hints against exact distances, in time and out of it."""

import json
import re
from itertools import islice
from random import Random
from threading import Event

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, IllegalMove, PlanError, Unsupported, hint, load, random_boards
from bsp_sat.backends.result import Status
from bsp_sat.cli.group import commands
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import Pour, SortPuzzle, WaterSort
from tests.support import naive, naive_variants
from tests.support.helpers import RULES, every_rule, hours_pass

AGES = 600.0  # seconds, which no search here needs


def distance(position: SortPuzzle) -> int | None:
    return naive.optimum(position.tubes, position.capacity, "full", water=isinstance(position, WaterSort))


def lost_game() -> tuple[SortPuzzle, list[Pour]]:
    """A board, and a game that its last move loses."""
    chance = Random(1)
    for start in random_boards(BallSort, 3, 3, 1, seed=60):
        position, played = start.puzzle, []
        for _ in range(6):
            moves = list(position.legal_moves())
            if position.is_goal() or distance(position) is None:
                break
            played.append(chance.choice(moves))
            position = position.apply(played[-1])
            if distance(position) is None:
                return start.puzzle, played
    raise AssertionError("boards never end")


BOARDS = {
    rule.kind: [instance.puzzle.to_json() for instance in islice(random_boards(rule, 3, 3, 1, seed=60), 10)]
    for rule in RULES
} | {"rules of tubes": list(map(naive_variants.random_board, range(30)))}


@pytest.mark.parametrize("name", BOARDS)
def test_every_move_costs_what_all_plays_say(name):
    """Along games of random moves, against the naive program, lost positions among them."""
    chance = Random(1)
    seen = {"lost": 0, "+0": 0, "dearer": 0, "take back": 0}
    for fields in BOARDS[name]:
        game, start = naive_variants.Game(fields), PUZZLES[fields["puzzle"]].from_json(fields)
        state, played = game.start(), []
        distances = [game.optimum(start=state)]
        for _ in range(6):
            found = hint(start, played, seconds=AGES)
            after = game.moves(state)
            if game.is_goal(state):
                assert (found.status, found.high) == (Status.OPTIMAL, 0)
                break
            assert {tuple(each.move) for each in found.moves} == set(after)
            if distances[-1] is None:
                alive = [number for number, known in enumerate(distances) if known is not None]
                assert found.status is Status.UNSOLVABLE
                assert found.take_back == (len(played) - alive[-1] if alive else None)
                assert all(each.lost for each in found.moves)
                seen["take back"] += bool(alive)
            else:
                assert found.low == found.high == len(found.plan) == distances[-1]
                found.plan.replay(found.position)
                for each in found.moves:
                    left = game.optimum(start=after[tuple(each.move)])
                    assert each.lost is (left is None)
                    assert left is None or each.low == each.high == left + 1 - distances[-1]
                    seen["lost" if left is None else "dearer" if each.low else "+0"] += 1
                assert next(each for each in found.moves if each.move == found.recommended).high == 0
            if not after:
                break
            played.append(chance.choice(found.moves).move)
            state = after[tuple(played[-1])]
            distances.append(game.optimum(start=state))
    assert min(seen.values()) >= 3, seen


class SetAfter(Event):
    """Is set once it was asked that often: a limit that doesn't depend on the pace of the machine."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.asked = 0
        self._questions = questions

    def is_set(self) -> bool:
        self.asked += 1
        return self.asked > self._questions


@every_rule
def test_what_a_limit_leaves_open_is_an_interval_that_is_true_and_gets_narrower(rule):
    puzzle = next(random_boards(rule, 9, seed=11)).puzzle
    never = SetAfter(10**9)
    known = hint(puzzle, seconds=AGES, stop=never)
    seen, before = set(), None
    for questions in range(never.asked):
        found = hint(puzzle, seconds=AGES, stop=SetAfter(questions))
        assert found.low <= known.low
        assert found.high is None or found.high >= known.high
        for number, (each, exact) in enumerate(zip(found.moves, known.moves, strict=True)):
            if exact.lost:
                assert each.lost is not False
                continue
            assert not each.lost
            assert 0 <= each.low <= exact.low
            assert each.high is None or each.high >= exact.high
            if before is not None and before.status is Status.OPTIMAL:
                assert each.low >= before.moves[number].low
                assert before.moves[number].high is None or each.high <= before.moves[number].high
            if each.low and each.low != each.high:
                seen.add("at least" if each.high is None else "between")
                assert each.in_words().startswith(f"+{each.low} {'or more' if each.high is None else 'to'}")
        before = found
    assert seen >= ({"between"} if rule is BallSort else {"at least", "between"})


def test_without_time_only_the_bound_is_known():
    puzzle = next(random_boards(BallSort, 9, seed=11)).puzzle
    assert hint(puzzle, seconds=0.0) == hint(puzzle, seconds=AGES, stop=SetAfter(0))


def test_without_a_time_limit_a_hint_does_not_depend_on_the_clock(monkeypatch):
    puzzle = next(random_boards(BallSort, 9, seed=11)).puzzle
    known = hint(puzzle)
    hours_pass(monkeypatch)
    assert hint(puzzle) == known == hint(puzzle, stop=Event())
    assert all(each.low == each.high for each in known.moves)
    monkeypatch.setattr("bsp_sat.apps.levels.hint.EFFORT", 200 * len(puzzle.tubes) ** 2)
    assert any(each.low != each.high for each in hint(puzzle).moves)


def test_moves_made_may_be_a_text_and_what_is_none_is_named():
    assert hint("ab|ba|-", "1→3").position == hint("ab|ba|-", [(0, 2)]).position
    with pytest.raises(PlanError, match=r"expected \[from, to\] with two tube numbers"):
        hint("ab|ba|-", ["ab"])


def test_a_hint_for_what_has_none_is_refused():
    with pytest.raises(IllegalMove, match="tube 2 is full"):
        hint(load("level-80"), [(0, 1)])
    with pytest.raises(Unsupported, match="hint takes ball-sort and water-sort boards, not tiles"):
        hint(load("tiles-2022-11-16"))
    with pytest.raises(Unsupported, match="`bsp-sat play`"):
        hint(WaterSort.from_text("?ab|?ba|-|-"))


class TestCommand:
    def run(self, *words: str) -> tuple[int, str]:
        run = CliRunner().invoke(commands, ["hint", *words, "--time-limit", "600"])
        return run.exit_code, run.output

    def test_the_command_tells_as_much_as_is_asked_for(self):
        said = {}
        for tell in ("solvable", "tube", "move", "rest"):
            code, said[tell] = self.run("level-80", "--tell", tell)
            assert code == 0
        assert said["solvable"] == "Solvable: 38 moves left; no plan is shorter.\n"
        shown = [line.rstrip() for line in said["move"].splitlines()]
        printed = str(hint(load("level-80"), seconds=600)).splitlines()
        assert printed == shown[: len(printed)]
        assert "           ╭─ ─── ─── ─── ─── ─── ─── ─▼" in shown
        assert "Move from tube" in said["tube"]
        assert "→" in said["move"]
        assert "+1" in said["move"]
        assert "38." in said["rest"]
        assert [len(said[tell]) for tell in said] == sorted(len(said[tell]) for tell in said)

    def test_short_of_time_the_columns_stand_and_the_option_for_more_is_named(self):
        run = CliRunner().invoke(commands, ["hint", "level-80", "--time-limit", "1e-9"])
        listed = [line for line in run.output.splitlines() if line.startswith("  +")]
        assert len({re.search(r"\d →", line).start() for line in listed}) == 1
        assert "+0 or more, or lost  1 → 10" in run.output
        assert "--time-limit" in run.output.splitlines()[-1]
        for tell, moves in (("solvable", 0), ("move", 9)):
            code, said = self.run("level-80", "--tell", tell)
            assert (code, "--time-limit" in said) == (0, False)
            assert len(re.findall(r" \(or into tube 11\)$", said, re.MULTILINE)) == moves

    def test_on_a_narrow_screen_the_arrow_goes_on_in_the_next_row(self, monkeypatch):
        monkeypatch.setenv("COLUMNS", "40")
        first, second = [line.rstrip() for line in self.run("level-80")[1].splitlines() if "─" in line]
        assert (first, second) == ("           ╭─ ─── ─── ─── ─── ─── ───", "  ─▼")

    def test_the_arrow_points_leftwards_too(self):
        shown = str(load("ab|-|ba").picture().with_arrow(2, 0)).splitlines()
        assert (shown[0], shown[-1]) == ("   ▼─ ─── ─╮", "   1   2   3")

    @pytest.mark.parametrize("played", ["1 4", "1→4", "1->4", "1 -> 4", "1,4"])
    def test_moves_are_taken_in_place_of_a_file(self, played):
        assert "10 moves left" in self.run("caac|bbac|bbac|-", "1→4 2→4")[1]
        assert self.run("caac|bbac|bbac|-", played)[1] == self.run("caac|bbac|bbac|-", "1 4")[1]
        assert "Solvable: 11 moves left" in self.run("caac|bbac|bbac|-", played)[1]
        assert self.run("caac|bbac|bbac|-", "1", "4") == self.run("caac|bbac|bbac|-", played)

    @pytest.mark.parametrize("played", ["no.txt", "1 4 2 4", "1"])
    def test_what_is_neither_a_file_nor_moves_is_refused(self, played):
        code, said = self.run("caac|bbac|bbac|-", played)
        assert code == 2
        assert 'moves are written "1→4 2→4"' in said or "expected two tube numbers, FROM TO" in said

    def test_lost_games_say_how_far_to_go_back(self, tmp_path):
        start, played = lost_game()
        boards, plan = tmp_path / "board.json", tmp_path / "plan.json"
        boards.write_text(json.dumps(start.to_json()))
        plan.write_text(json.dumps([list(move) for move in played]))
        code, said = self.run(str(boards), str(plan))
        assert (code, said.splitlines()[0]) == (1, "Lost: take back 1 move.")
        code, said = self.run(str(boards), str(plan), "--json")
        assert (code, json.loads(said)["take_back"], json.loads(said)["status"]) == (1, 1, "unsolvable")
