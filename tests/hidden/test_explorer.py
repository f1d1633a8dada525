"""Playing along: the guarantees of the policy, what it says, and what it refuses."""

from random import Random

import pytest

from bsp_sat import Explorer
from bsp_sat.hidden.board import filled, fillings_of
from bsp_sat.hidden.game import Game, play_out
from bsp_sat.hidden.knowledge import Contradiction
from bsp_sat.hidden.sampling import sample_fillings
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import BallSort, WaterSort
from tests.hidden.games import played_out
from tests.support.command import invoke


def boards(rule, colours, seeds, **words):
    for seed in seeds:
        yield next(random_boards(rule, colours, seed=seed, **words))


@pytest.mark.parametrize(
    ("rule", "colours", "seeds"),
    [
        (WaterSort, 5, range(12)),
        (BallSort, 4, range(8)),
        pytest.param(WaterSort, 4, range(300), marks=pytest.mark.slow),
        pytest.param(WaterSort, 7, range(300), marks=pytest.mark.slow),
        pytest.param(BallSort, 4, range(250), marks=pytest.mark.slow),
        pytest.param(WaterSort, 9, range(150), marks=pytest.mark.slow),
    ],
)
def test_a_solvable_board_is_solved_within_h_plus_1_attempts(rule, colours, seeds):
    for instance in boards(rule, colours, seeds, hide="tops"):
        played_out(instance.puzzle, Game.of(instance))


def test_the_moves_of_the_last_attempt_are_the_optimum_once_all_is_known():
    board = WaterSort.from_text("?bca|?cab|a?bc|-|-")
    for filling in fillings_of(board):
        truth = filled(board, filling)
        explorer = Explorer(board)
        play_out(explorer, Game(truth))
        assert not explorer.start.is_hidden
        assert explorer.start.tubes == truth.tubes


@pytest.mark.parametrize("restarts", [0, 1])
def test_no_advice_takes_the_first_move_of_an_attempt_back(restarts):
    first = next(random_boards(BallSort, 4, empty=1, seed=7, hide="tops")).puzzle
    explorer = Explorer(first, samples=4)
    for _ in range(restarts):
        explorer.restarted()
    explorer.made(explorer.next_move().move)
    explorer.made(explorer.next_move().move)
    assert explorer.position.canonical() != first.canonical()


def test_the_same_seed_gives_the_same_game():
    instance = next(boards(WaterSort, 6, [3], hide="tops"))
    games = [play_out(Explorer(instance.puzzle, seed=seed), Game.of(instance)) for seed in (1, 1)]
    assert games[0] == games[1]


def test_fillings_drawn_agree_with_what_is_known():
    board = WaterSort.from_text("??ba|??ab|-|-\ncolours a4 b4")
    possible = set(fillings_of(board))
    drawn = sample_fillings(board, 200, Random(1))
    assert set(drawn) == possible


def test_what_can_not_be_is_refused_and_changes_nothing():
    explorer = Explorer(WaterSort.from_text("??ba|??ab|-|-\ncolours a4 b4"))
    advice = explorer.next_move()
    assert advice.fillings > 1
    assert not advice.known
    explorer.made(advice.move)
    while not explorer.looking:
        explorer.made(explorer.next_move().move)
    (tube,) = explorer.looking
    with pytest.raises(ValueError, match="first say what shows"):
        explorer.next_move()
    for said in (["a"] * 9, ["a", "b", "a"], ["nope"]):
        with pytest.raises(Exception, match=r"unknown cells|whole run of one colour|no colour"):
            explorer.saw({tube: said})
        assert explorer.looking == (tube,)


def test_a_colour_whose_balls_are_all_known_is_a_contradiction():
    explorer = Explorer(WaterSort.from_text("?acb|??bd|?dab|abac|-|-\ncolours a4 b4 c4 d4"))
    while not explorer.looking:
        explorer.made(explorer.next_move().move)
    (tube,) = explorer.looking
    left = explorer.position.missing
    for colour, missing in zip(explorer.position.palette, left, strict=True):
        if not missing:
            with pytest.raises(Contradiction, match="all balls of that colour are known"):
                explorer.saw({tube: [colour]})
    assert 0 in left


def test_plain_boards_have_nothing_to_explore():
    with pytest.raises(Unsupported, match="this board has no hidden cells"):
        Explorer(WaterSort.from_text("ab|ba|-"))


def test_proved_unsolvable_whatever_is_hidden():
    explorer = Explorer(WaterSort.from_text("capacity 3\n?ba|?ab\ncolours a3 b3"))
    assert explorer.next_move().hopeless


def run(path, text):
    return invoke("play", path, "--puzzle", "water-sort", stdin=text)


def test_play_takes_no_other_word_for_a_move_that_was_made(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("?bca|?cab|a?bc|-|-\n")
    code, output = run(path, "undo\nquit\n")
    assert (code, output.count("3 → 4  c")) == (3, 2)
    assert "Expected Enter, restart, board or quit." in output
    assert all(word in output.split("\n")[0] for word in ("Enter", "restart", "board", "quit"))


def test_play_on_the_command_line(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("?bca|?cab|a?bc|-|-\n")
    code, output = run(path, "board\n" + "\n" * 30)
    assert "alive in 6 of 6" in output
    assert "That can't be" in output
    assert (code, run(path, "quit\n")[0]) == (3, 3)
    answers = "\n".join(["", "", "", "", "", "b", "c", "a", "a", "b", "c"] * 8)
    assert "Traceback" not in run(path, answers)[1]


def test_play_goes_on_to_the_end(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("?ba|?ab|-|-\ncolours a3 b3\n")
    board = WaterSort.from_text(path.read_text())
    truth = filled(board, next(fillings_of(board)))
    explorer, game, typed = Explorer(board), Game(truth), []
    while not (advice := explorer.next_move()).solved:
        game.make(advice.move)
        explorer.made(advice.move)
        typed.append("")
        while explorer.looking:
            said = {tube: game.shows(explorer.position, tube) for tube in explorer.looking}
            typed += [" ".join(said[tube]) for tube in explorer.looking]
            explorer.saw(said)
    code, output = run(path, "\n".join(typed) + "\n")
    assert code == 0
    assert "Solved: " in output
    assert "proved" in output
