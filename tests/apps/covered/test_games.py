"""Games on boards with locks, corks and other rules: solved where they can be, in the attempts that are promised."""

from collections import Counter
from random import Random

import pytest

from bsp_sat import Explorer
from bsp_sat.apps.covered.board import arrangements, fillings_of
from bsp_sat.apps.covered.cases import Cases, Observation
from bsp_sat.apps.covered.effects import Effects
from bsp_sat.apps.covered.knowledge import Contradiction
from bsp_sat.apps.covered.sampling import sample_fillings
from tests.apps.covered.games import (
    LOCKED,
    board_with_rules,
    checked_study,
    covered_game,
    played,
    played_out,
    read,
    run_play,
    wanting_board,
    with_unknown_cells,
)


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 1_620), marks=pytest.mark.slow)])
def test_games_are_refereed(seeds):
    """With all fillings side by side; see `tests/apps/covered.games` for what is checked at each step."""
    tally = played(map(board_with_rules, seeds))
    assert min(tally["solved"], tally["unsolvable"]) > tally["games"] / 4
    assert tally["asked"] > tally["games"] / 20, tally


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 600), marks=pytest.mark.slow)])
def test_games_at_the_goal_wanted_are_refereed(seeds):
    tally = played(board for board, _ in with_unknown_cells(map(wanting_board, seeds)))
    assert min(tally["solved"], tally["unsolvable"]) > tally["games"] / 4


@pytest.mark.parametrize("seeds", [range(15), pytest.param(range(15, 2_060), marks=pytest.mark.slow)])
def test_whole_tubes_covered_and_one_of_them_locked(seeds):
    """Most of these games crashed, never ended or took an illegal move before locks and corks were asked about."""
    attempts = Counter()
    for position, game in map(covered_game, seeds):
        attempts[played_out(position, game)] += 1
    assert attempts.total() - attempts[1] > attempts.total() / 4  # many need several attempts


@pytest.mark.parametrize("opened", [False, True])
def test_a_lock_may_be_open_at_the_start(opened):
    for seed in range(6):
        explorer = Explorer(read(LOCKED), seed=seed)
        assert (explorer.looking, explorer.asking) == ((), Effects(opened=(2,), solved=True))
        with pytest.raises(ValueError, match="expected first what the tubes show"):
            explorer.next_move()
        explorer.record_effects(Effects(opened=(2,) if opened else ()))
        assert explorer.looking == ((2,) if opened else ())
        assert opened or explorer.next_move().move is not None


GAMBLE = {
    "puzzle": "ball-sort",
    "capacity": 2,
    "tubes": [[None, "r"], [None, "b"], [None, "b"], []],
    "locked": [{"tube": 3, "until": "r"}],
    "colours": {"g": 2, "r": 2, "b": 2},
}
CORKS = {
    "puzzle": "ball-sort",
    "capacity": 3,
    "tubes": [[None, "g", "g"], ["b", "r", "r"], ["b", None, "b"], []],
    "cork": True,
    "hidden": [[True, False, False], [False, False, False], [False, True, False], []],
    "colours": {"r": 3, "g": 3, "b": 3},
}


def test_what_can_not_be_is_refused():
    explorer = Explorer(read(GAMBLE))
    with pytest.raises(Contradiction, match="expected only effects that are in question"):
        explorer.record_effects(Effects(opened=(1,)))
    assert explorer.asking == Effects(opened=(3,))
    explorer.record_effects(Effects(opened=(3,)))
    assert explorer.position.tubes[0] == bytes([explorer.position.palette.index("r")] * 2)
    explorer.record_effects(Effects())
    with pytest.raises(Contradiction, match="expected only effects that are in question"):
        explorer.record_effects(Effects(solved=True))


def test_the_end_of_a_game_may_be_said_or_left_open():
    position = read(
        {
            "puzzle": "ball-sort",
            "capacity": 3,
            "tubes": [[None, "a"], [None, "b"], ["a"], ["b"]],
            "colours": {"a": 3, "b": 3},
        }
    )
    said, silent = Explorer(position), Explorer(position)
    for explorer in (said, silent):
        for move in ((2, 0), (3, 1)):
            explorer.record_move(
                read({"puzzle": "ball-sort", "capacity": 1, "tubes": [["a"], []]}).move_from_json([*move])
            )
        assert explorer.asking == Effects(solved=True)
        assert not explorer.is_waiting
    said.record_effects(Effects(solved=True))
    assert said.next_move().solved
    assert silent.next_move().move is not None


def test_fillings_are_drawn_alike_whatever_was_observed():
    """Of 5 covered tubes one at least is complete: rare among all fillings."""
    board = read(
        {
            "puzzle": "ball-sort",
            "capacity": 3,
            "tubes": [[None, None, colour] for colour in "abc"] + [[None] * 3, [], []],
            "locked": [{"tube": 3, "until": "a"}, {"tube": 4, "until": 1}],
            "colours": dict.fromkeys("abcd", 3),
        }
    )
    observation = Observation(board, Effects(opened=(4,)))
    cases = Cases(board, {}, (observation,))
    agreeing = {filling for filling in fillings_of(board) if cases.agree_with(board.unknown, filling)}
    assert 0 < len(agreeing) < arrangements(board) / 10
    drawn = Counter(sample_fillings(board, 20 * len(agreeing), Random(1), cases))
    assert set(drawn) == agreeing
    assert max(drawn.values()) < 60  # 20 each are expected


@pytest.mark.parametrize("puzzle", ["ball-sort", "water-sort"])
@pytest.mark.parametrize("reveal", ["run", "cell", None])
def test_what_shows_after_a_move_is_as_the_board_says(puzzle, reveal):
    """By run all of the run shows, by cell one ball; where nothing is said what a move takes."""
    board = {
        "puzzle": puzzle,
        "capacity": 5,
        "tubes": [[None, None, None, "a"], ["b", None, "b", "a"], [None, "b", "a"], []],
        "colours": {"a": 5, "b": 5, "c": 1},
        "goal": "monochrome",
        **({"reveal": reveal} if reveal else {}),
    }
    position = read(board)
    assert read(position.to_json()) == position
    by_run = (reveal or {"ball-sort": "cell", "water-sort": "run"}[puzzle]) == "run"
    explorer = Explorer(position)
    explorer.record_move(position.move_from_json([0, 3]))
    assert explorer.looking == (0,)
    if by_run:
        explorer.record_colours({0: ["b", "b"]})
        assert len(explorer.position.unknown) == 3
        assert (0, 0) in explorer.position.differing()
    else:
        with pytest.raises(Contradiction, match="a whole run of one colour"):
            explorer.record_colours({0: ["b", "b"]})
        explorer.record_colours({0: ["b"]})
        assert not explorer.position.differing()


@pytest.mark.parametrize("puzzle", ["ball-sort", "water-sort"])
def test_a_known_covered_top_is_to_be_looked_at(puzzle):
    """Its run may go on under the cover, as that of an unknown top may; where the top isn't covered it ends there."""
    board = {
        "puzzle": puzzle,
        "reveal": "run",
        "capacity": 3,
        "tubes": [[None, "a"], [None, "b"], ["a"], ["b"], []],
        "colours": {"a": 3, "b": 3},
    }
    assert len(list(fillings_of(read(board)))) == 1  # a ball of the other colour lies below each
    position = read({**board, "hidden": [[True, True], [True, False], [False], [False], []]})
    assert read(position.to_json()) == position
    assert position.covered_tops == (0,)
    assert checked_study(position).fillings == 1  # b isn't below b, and so a isn't below a
    position = read({**board, "hidden": [[True, True], [True, True], [False], [False], []]})
    assert checked_study(position).fillings == len(list(fillings_of(position))) == 2
    explorer = Explorer(position)
    assert explorer.looking == (0, 1)
    explorer.record_colours({0: ["a"], 1: ["b"]})
    assert explorer.position.tubes[:2] == (b"\0\0", b"\1\1")
    explorer = Explorer(position)
    explorer.record_colours({})
    assert explorer.next_move().fillings == 1


def test_play_asks_about_locks_and_corks(tmp_path):
    _, output = run_play(tmp_path, GAMBLE, "9", "4", *[""] * 6)
    assert "Which of these locked tubes have opened: 4? " in output
    assert "Expected some of 4, or nothing" in output
    assert output.count("Which of these") == 2
    code, output = run_play(tmp_path, GAMBLE, "", "quit")
    assert (code, "Proved" in output) == (1, True)
    assert "Which of these tubes are corked: 1? " in run_play(tmp_path, CORKS, "quit")[1]


def test_play_takes_the_end_of_the_game(tmp_path):
    board = {"puzzle": "ball-sort", "capacity": 3, "tubes": [[None, "a"], [None, "b"], ["a"], ["b"]], "no_out": [0, 1]}
    board["colours"] = {"a": 3, "b": 3}
    uncovered = {"puzzle": "ball-sort", "capacity": 3, "tubes": [[None, "a", "a"], [None, "b", "b"], []]}
    for start, answers, code, said in [
        (board, ["", "", "maybe", "yes"], 0, ["Is the board solved, yes or no? ", "Solved: 2 moves"]),
        (board, ["", "", "no"], 1, ["Proved unsolvable, whatever is still hidden."]),
        (uncovered, ["solved"], 0, ['"solved" if the board is', "Solved: 0 moves"]),
        (uncovered, ["", "", ""], 3, ["What shows in tube"]),
    ]:
        found, output = run_play(tmp_path, start, *answers)
        assert found == code, output
        assert all(words in output for words in said), output
