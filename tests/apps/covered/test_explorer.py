"""Playing along: the guarantees of the policy, what it says, and what it refuses."""

import io
import re
import sys
from collections import Counter
from functools import reduce
from itertools import combinations, pairwise
from math import inf, isclose
from random import Random
from statistics import fmean

import pytest

from bsp_sat import Contradiction, Explorer
from bsp_sat.apps.covered import cases, hindsight, routes
from bsp_sat.apps.covered.board import filled, fillings_of
from bsp_sat.apps.covered.cases import Cases
from bsp_sat.apps.covered.exact import moves_of
from bsp_sat.apps.covered.game import Game, play_out
from bsp_sat.apps.covered.knowledge import View
from bsp_sat.apps.covered.policy import Advice
from bsp_sat.apps.covered.sampling import sample_fillings
from bsp_sat.cli.group import commands
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import instance_of
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import UNKNOWN, BallSort, Pour, WaterSort
from tests.apps.covered.games import LOCKED, covered_game, played_out, run_play


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


def test_an_explorer_takes_a_board_in_any_spelling():
    assert Explorer("?ab|?ba|-\ncolours a3 b3").position == BallSort.from_text("?ab|?ba|-\ncolours a3 b3")
    with pytest.raises(Unsupported, match="this board has no hidden cells"):
        Explorer([["a", "b"], ["b", "a"], []])


def test_the_moves_of_the_last_attempt_are_the_optimum_once_all_is_known():
    board = WaterSort.from_text("?bca|?cab|a?bc|-|-")
    for filling in fillings_of(board):
        truth = filled(board, filling)
        explorer = Explorer(board)
        play_out(explorer, Game(truth))
        assert not explorer.start.is_hidden
        assert explorer.start.tubes == truth.tubes
        assert explorer.next_move() == Advice(solved=True, known=True)


def stretches(explorer, game, leave_open=False):
    """The positions of a game between two places where something is learnt, and what is advised there."""
    known, stretch, shows = None, [], False
    while not explorer.solved and explorer.position.is_hidden:
        if explorer.looking:
            before = len(explorer._knowledge.learnt)
            explorer.record_colours({tube: game.shows(explorer.position, tube) for tube in explorer.looking})
            assert len(explorer._knowledge.learnt) > before or not shows
        elif explorer.asking and not leave_open:
            explorer.record_effects(game.effects(explorer.asking))
        elif (advice := explorer.next_move()).move is not None:
            stretch.append((explorer.position, advice))
            game.make(advice.move)
            explorer.record_move(advice.move)
            shows = advice.shows and len(advice.route) == 1
            assert explorer.looking or explorer.solved or not shows
        elif not advice.restart:
            assert advice.hopeless
            return
        else:
            told = explorer._knowledge
            now = told.start.tubes, told.observations, dict(told.differing)
            assert leave_open or now != known, "an attempt that tells nothing"
            known = now
            game.make(None)
            explorer.record_restart()
        if explorer.looking or explorer.asking or not explorer.moves:
            yield stretch
            stretch = []


def up_to_exchange(board):
    """Equal for positions that differ by an exchange of tubes of equal rules in which all is known."""
    tubes = list(zip(board.rules.tubes, board.tubes, strict=True))
    unknown = [(place, tube) for place, (_, tube) in enumerate(tubes) if UNKNOWN in tube]
    return Counter(tube for tube in tubes if UNKNOWN not in tube[1]), unknown


def longest_stretch(board, game):
    """Plays a game: each route is followed to its end and never comes back, and no finished tube is ever tried."""
    longest = 0
    for stretch in stretches(Explorer(board, samples=20), game):
        keys = [up_to_exchange(position) for position, _ in stretch]
        assert all(one != other for one, other in combinations(keys, 2))
        assert all(later.route == earlier.route[1:] for (_, earlier), (_, later) in pairwise(stretch))
        for position, advice in stretch:
            for move in [*moves_of(position), advice.move]:
                tube = position.tubes[move.source]
                assert len(tube) < position.capacity or len({*tube}) > 1 or UNKNOWN in tube
        longest = max(longest, len(stretch))
    return longest


@pytest.fixture(params=["plenty", "little"])
def effort(request, monkeypatch):
    """Enough for a cheapest route, or so little that one that was only begun has to do."""
    if request.param == "little":
        monkeypatch.setattr(hindsight, "MOST_EFFORT", 100)
        monkeypatch.setattr(routes, "MOST_EFFORT", 100)


@pytest.mark.usefixtures("effort")
@pytest.mark.parametrize(
    ("rule", "colours", "extra", "seeds"),
    [
        (WaterSort, 7, {}, range(4)),
        (WaterSort, 6, {"reveal": "cell"}, range(4)),
        (BallSort, 6, {}, range(2)),
        (WaterSort, 9, {"reveal": "cell"}, [4]),
    ],
)
def test_between_two_looks_no_position_comes_twice_and_no_finished_tube_is_touched_and_the_game_ends(
    rule, colours, extra, seeds
):
    games = [instance_of({**each.to_json(), **extra}) for each in boards(rule, colours, seeds, hide="tops")]
    assert max(longest_stretch(Game.of(game).view(), Game.of(game)) for game in games) > 1


@pytest.mark.usefixtures("effort")
def test_the_same_holds_with_locks_and_corks():
    assert max(longest_stretch(*covered_game(seed)) for seed in range(12)) > 1


def test_the_route_of_a_position_is_a_cheapest_one():
    """Against all sequences of the moves to try up to the first look, with the lengths of all fillings after it."""
    compared = 0
    for instance in boards(WaterSort, 3, range(12), hide="tops"):
        explorer = Explorer(instance.puzzle, samples=1000)
        explorer._attempt.has_shown = True  # questions count as well
        advice = explorer.next_move()
        if explorer.looking or not advice.route:
            continue
        hindsight = explorer._hindsight
        best, layer, seen = inf, [explorer.position], set()
        for made in range(1, 7):
            after = [board.apply(move) for board in layer for move in moves_of(board)]
            ends = [board for board in after if board.to_see or explorer._knowledge.may_show(board.looked())]
            costs = [made + fmean(hindsight.left(board, filling) for filling in hindsight.fillings) for board in ends]
            best = min([best, *costs])
            layer = {board.looked() for board in after if board not in ends} - seen
            seen |= layer
        end = reduce(lambda board, move: board.looked().apply(move), advice.route, explorer.position)
        found = len(advice.route) + fmean(hindsight.left(end, filling) for filling in hindsight.fillings)
        assert isclose(found, best)
        compared += 1
    assert compared > 5


def test_of_few_fillings_only_as_many_are_examined_as_the_effort_allows_and_they_count_as_drawn(monkeypatch):
    board = WaterSort.from_text("??bc|??ab|?cac|-|-\ncolours a4 b4 c4")
    assert 20 < len(list(fillings_of(board))) <= hindsight.FEW
    whole = Explorer(board).next_move()
    assert (whole.fillings, whole.drawn) == (len(list(fillings_of(board))), False)
    monkeypatch.setattr(hindsight, "MOST_EFFORT", 0)
    some = Explorer(board).next_move()
    assert (some.fillings, some.drawn) == (20, True)


def test_a_question_left_open_is_not_asked_again_at_positions_that_look_alike():
    """Or finished tubes would be swapped again and again, each time to ask whether the board is solved."""
    board = next(boards(WaterSort, 7, [4], hide="tops"))
    game = Game.of(instance_of({**board.to_json(), "reveal": "cell"}))
    left_open = 0
    for stretch in stretches(Explorer(game.view(), samples=20), game, leave_open=True):
        left_open += len(stretch)
        assert left_open < 100


def test_another_move_than_the_advised_one_gets_a_route_from_where_it_leads():
    explorer = Explorer(BallSort.from_text("?ba|?ab|-|-\ncolours a3 b3"))
    route = explorer.next_move().route
    assert len(route) > 1
    other = next(move for move in explorer.position.legal_moves() if move.source != route[0].source)
    explorer.record_move(other)
    again = explorer.next_move().route
    assert again
    assert again != route[1:]
    board = explorer.position
    for move in again:
        assert board.refusal(move) is None
        board = board.apply(move)
    assert board.to_see


def _figures(advice):
    return len(advice.route), advice.left, advice.alive, advice.fillings


def test_the_same_history_gives_the_same_advice_to_a_new_explorer():
    instance = next(boards(WaterSort, 7, [2], hide="tops"))
    game, explorer, history = Game.of(instance), Explorer(instance.puzzle), []
    for number in range(30):
        if explorer.looking:
            shows = {tube: game.shows(explorer.position, tube) for tube in explorer.looking}
            history.append(lambda player, shows=shows: player.record_colours(shows))
        else:
            move = explorer.next_move().move
            if number % 3 == 0:
                again = Explorer(instance.puzzle)
                for step in history:
                    step(again)
                assert _figures(again.next_move()) == _figures(explorer.next_move())
            if move is None:
                break
            game.make(move)
            history.append(lambda player, move=move: player.record_move(move))
        history[-1](explorer)


def test_what_can_not_be_is_refused_and_changes_nothing():
    explorer = Explorer(WaterSort.from_text("??ba|??ab|-|-\ncolours a4 b4"))
    advice = explorer.next_move()
    assert advice.fillings > 1
    assert not advice.known
    explorer.record_move(advice.move)
    while not explorer.looking:
        explorer.record_move(explorer.next_move().move)
    (tube,) = explorer.looking
    with pytest.raises(ValueError, match="expected first what the tubes show"):
        explorer.next_move()
    for said in (["a"] * 9, ["a", "b", "a"], ["nope"]):
        with pytest.raises(Exception, match=r"unknown cells|whole run of one colour|no colour"):
            explorer.record_colours({tube: said})
        assert explorer.looking == (tube,)


def test_the_tube_whose_colour_was_not_said_is_named():
    board = BallSort.from_json({"capacity": 2, "tubes": [["a", None], ["b", None], []], "colours": {"a": 2, "b": 2}})
    assert [place for place, _ in board.to_see] == [0, 1]
    for said, missing in ((0, 2), (1, 1)):
        with pytest.raises(Contradiction, match=f"^tube {missing} shows a cell whose colour is missing$"):
            View(board, looking=(0, 1)).cells_shown({said: ["a"]})


@pytest.mark.parametrize("most", [6, 7])
def test_after_as_many_cases_as_are_allowed_the_effects_are_left_open(monkeypatch, most):
    """Two tubes may be complete each, or not: 1 + 2 + 4 choices are looked at."""
    monkeypatch.setattr(cases, "MOST_CASES", most)
    fields = {"capacity": 2, "cork": True, "colours": {"a": 2, "b": 2}, "tubes": [["a", None], ["b", None], []]}
    board = BallSort.from_json(fields)
    found = Cases(board, {}).effects(board)
    assert found.complete == (most == 7)
    assert set(found.some) <= {*found.some, found.most}


def test_drawn_fillings_have_the_balls_that_are_missing_whatever_the_case():
    fields = {"capacity": 2, "colours": {"a": 2, "b": 4}, "tubes": [[None, None], [None, None], ["a", None], []]}
    board = BallSort.from_json({**fields, "hidden": [[True, True], [True, True], [False, True], []]})
    case = Cases(board, {})
    case.possible = [{0: 1}]
    drawn = sample_fillings(board, 20, Random(1), case)
    assert {(*sorted(filling), filling[:2]) for filling in drawn} == {(0, 1, 1, 1, 1, b"\1\1")}


def test_a_colour_whose_balls_are_all_known_is_a_contradiction():
    explorer = Explorer(WaterSort.from_text("?acb|??bd|?dab|abac|-|-\ncolours a4 b4 c4 d4"))
    while not explorer.looking:
        explorer.record_move(explorer.next_move().move)
    (tube,) = explorer.looking
    left = explorer.position.missing
    for colour, missing in zip(explorer.position.palette, left, strict=True):
        if not missing:
            with pytest.raises(Contradiction, match="all balls of that colour are known"):
                explorer.record_colours({tube: [colour]})
    assert 0 in left


def test_what_is_told_without_being_asked_or_in_another_form_is_refused():
    explorer = Explorer(WaterSort.from_text("?bca|?cab|a?bc|-|-"))
    with pytest.raises(TypeError, match=r"expected a move, such as Pour\(2, 3\), found \(2, 3\)"):
        explorer.record_move((2, 3))
    with pytest.raises(ValueError, match=r"a tube of which `looking` asks, \(\); found 2"):
        explorer.record_colours({2: ["b"]})
    explorer.record_move(Pour(2, 3))
    with pytest.raises(ValueError, match=r"a tube of which `looking` asks, \(2,\); found 0"):
        explorer.record_colours({0: ["b"], 2: ["b"]})
    with pytest.raises(TypeError, match="expected a list of colours for tube 2, found 'b'"):
        explorer.record_colours({2: "b"})
    assert explorer.looking == (2,)
    explorer.record_colours({2: ["b"]})


THREE = "?bca|?cab|a?bc|-|-"


def test_play_takes_no_other_word_for_a_move_that_was_made(tmp_path):
    code, output = run_play(tmp_path, THREE, "redo", "quit")
    assert (code, output.count("3 → 4  c")) == (3, 2)
    assert "Expected Enter, undo, restart, board or quit." in output
    assert all(word in output.split("\n")[0] for word in ("Enter", "undo", "restart", "board", "quit"))


def test_play_on_the_command_line(tmp_path):
    code, output = run_play(tmp_path, THREE, "board", *[""] * 30)
    assert re.search(
        r"3 → 4  c   \(shows something new in \d moves, then about \d.\d more if this attempt succeeds\)", output
    )
    assert "That can't be" in output
    assert code == 3
    code, output = run_play(tmp_path, THREE, "QUIT")  # in any case
    assert (code, "Expected" in output) == (3, False)
    assert "Traceback" not in run_play(tmp_path, THREE, *["", "", "", "", "", "b", "c", "a", "a", "b", "c"] * 8)[1]


LOOKS_AT_TWO = {
    "puzzle": "water-sort",
    "tubes": [["Dark Red"], [None] * 3, [None] * 3, ["Dark Red", "Dark Red"], []],
    "colours": {"Dark Red": 3, "blue": 3, "brown": 3},
    "capacity": 3,
}


def played(tmp_path, board, *answers):
    """What `play` prints, a line for each question."""
    output = run_play(tmp_path, board, *answers, "quit")[1]
    return output.replace("? ", "?\n").replace(") ", ")\n").splitlines()


def asked(lines, words):
    return sum(words in line for line in lines)


@pytest.mark.parametrize(
    ("board", "before", "question", "again"),
    [
        (THREE, [], "3 → 4", "3 → 4"),
        (THREE, [""], "What shows in tube 3", "3 → 4"),
        (LOCKED, [], "Which of these locked tubes", "Which of these locked tubes"),
        (LOOKS_AT_TWO, ["blue"], "What shows in tube 3", "What shows in tube 2"),
    ],
)
def test_restart_is_taken_wherever_play_asks(board, before, question, again, tmp_path):
    lines = played(tmp_path, board, *before)
    assert asked(lines, question) == 1
    restarted = played(tmp_path, board, *before, "Restart")
    assert not asked(restarted, "no colour") + asked(restarted, "Expected")
    assert asked(restarted, again) == asked(lines, again) + 1


@pytest.mark.parametrize("typed", ["dark red", "d", "DARK RED", "Dark Red"])
def test_a_colour_is_typed_in_any_case_or_as_the_letter_that_is_drawn(typed, tmp_path):
    board = {**LOOKS_AT_TWO, "tubes": [["blue"], [None] * 2, ["Dark Red"] * 2, ["blue"] * 2, ["brown"] * 2]}
    lines = played(tmp_path, board, typed, "board")
    assert not asked(lines, "That can't be")
    assert any(line.split()[:2] == ["·", "d"] for line in lines)


def test_a_word_that_may_mean_two_colours_means_none(tmp_path):
    board = {**LOOKS_AT_TWO, "tubes": [["B"], [None] * 3, [None] * 3, ["B"] * 2, []]}
    board["colours"] = {"B": 3, "bx": 3, "c": 3}  # bx is drawn as b
    assert asked(played(tmp_path, board, "b"), "there is no colour 'b' on this board, expected one of B, bx, c.") == 1
    assert not asked(played(tmp_path, board, "BX"), "no colour")


class TestUndo:
    def test_a_wrong_colour_is_taken_back(self, tmp_path):
        begun = (THREE, "")
        right = played(tmp_path, *begun, "a")
        assert played(tmp_path, *begun, "b")[-1] != right[-1]
        assert played(tmp_path, *begun, "b", "undo", "a")[-1] == right[-1]

    def test_restarts_answers_and_moves_are_taken_back_one_by_one(self, tmp_path):
        said = played(tmp_path, THREE, "", "b", "restart")
        undone = played(tmp_path, THREE, "", "b", "restart", *["undo"] * 4)
        assert undone == [*said, said[3], said[2], said[1], "There is nothing to take back.", said[1]]

    def test_the_first_of_two_tubes_can_be_entered_anew(self, tmp_path):
        lines = played(tmp_path, LOOKS_AT_TWO, "blue", "undo", "brown")
        assert [line.split()[4] for line in lines[1:]] == ["2,", "3,", "2,", "3,"]


def test_a_terminal_shows_that_the_next_move_is_being_looked_for(tmp_path, monkeypatch):
    path = tmp_path / "board.txt"
    path.write_text(THREE)
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(SystemExit):
        commands.main(["play", str(path)])
    assert "looking for the next move" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")
