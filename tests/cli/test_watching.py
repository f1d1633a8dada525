"""`solve` shows what a solver is asked, as it is answered, and tells how answers are proved and by whom confirmed."""

import json
import re
import signal
import subprocess
import sys

import pytest

from bsp_sat import load, solve
from bsp_sat.backends.limits import Progress
from bsp_sat.backends.result import Asks, Question
from bsp_sat.cli.screen import HEADER, QuestionTable, live_status
from tests.support.command import bsp_sat
from tests.support.helpers import wait_until_at_work

EASY = "caac|bbac|bbac|-"
ROWS = re.compile(r"^ +([≤=] ?\d+|any) +[\d,]+ +[\d,]+ +(yes|no) +[\d,–]+ +\d+\.\d\d", re.MULTILINE)


def rows(text):
    return ROWS.findall(text)


def test_rows_come_while_the_solver_is_at_work_also_without_a_terminal(capsys):
    row = Question(Asks.AT_MOST, 9, None, True, 10, 20, False, 0, 0.01)
    with live_status(QuestionTable()) as show:
        show(Progress("sat", 0.1, 9, None, {}, (row,)))
        assert rows(capsys.readouterr().out) == [("≤ 9", "no")]
    with live_status() as show:
        assert show is None


@pytest.mark.parametrize("solver", ["sat", "cpsat"])
@pytest.mark.parametrize(("choice", "found"), [("", [("= 12", "yes")]), (":head-start", [])])
def test_a_row_for_each_horizon_stays_on_the_screen(solver, choice, found):
    """With a head start, the plan is the quick search's, and no formula is asked for one."""
    shown = bsp_sat("solve", "-", "--backend", f"{solver}:sequential{choice}", stdin=EASY)
    assert shown.stdout.count(HEADER) == 1
    assert rows(shown.stdout) == [("= 9", "no"), ("= 10", "no"), ("= 11", "no"), *found]
    board, table, answer = (shown.stdout.index(part) for part in ("tubes of 4", HEADER, "Optimal: 12 moves"))
    assert board < table < answer
    assert "\x1b" not in shown.stdout
    assert shown.stderr == ""


def test_the_table_fits_sixty_columns():
    shown = bsp_sat("solve", "-", "--backend", "sat:order", stdin="abcd|abcd|abcd|abcd|-")
    assert rows(shown.stdout) == [("any", "no")]
    assert max(len(line) for line in shown.stdout.splitlines() if line.startswith(" ") and "no" in line) <= 60
    assert len(HEADER) <= 60


@pytest.mark.parametrize("backend", ["auto", "kernel", "sat:sequential"])
def test_json_alone_is_on_standard_output(backend):
    shown = bsp_sat("solve", "-", "--backend", backend, "--json", "--explain", "--cross-check", stdin=EASY)
    answer = json.loads(shown.stdout)
    assert shown.stderr == ""
    assert [each["topic"] for each in answer["explanation"]][:2] == ["plan", "bound"]
    assert [answer["cross_check"]["backend"], *(each["backend"] for each in answer["cross_check"]["others"])] == [
        "astar",
        "bfs",
    ]
    assert len(answer["stats"].get("questions", [])) == (4 if backend == "sat:sequential" else 0)


@pytest.mark.parametrize("choice", ["", ":head-start"])
def test_after_ctrl_c_the_table_so_far_and_the_answer_so_far_remain(choice):
    """The answer is the quick search's plan, which only guides where every plan has to be a model."""
    command = [sys.executable, "-m", "bsp_sat", "solve", "level-80", "--backend", f"sat:sequential{choice}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = []
        try:
            while not lines or not rows(lines[-1]):
                lines.append(process.stdout.readline().decode())
                assert lines[-1], "the command ended without a row"
            wait_until_at_work(process, seconds=0.1)
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == 3
    shown = "".join(lines) + rest.decode()
    refuted = [int(asked.removeprefix("= ")) for asked, _ in rows(shown)]
    assert refuted == list(range(31, 31 + len(refuted)))
    assert f"; no plan has fewer than {refuted[-1] + 1} (interrupted). Start again, and let it run longer." in shown


def test_each_question_is_printed_once_and_another_run_has_a_table_of_its_own(capsys):
    questions = solve(load("longest-3-6-2"), "sat:sequential").questions
    assert len(questions) > 1
    table = QuestionTable()
    for count in range(len(questions) + 1):
        table.show(questions[:count])
        table.show(questions[:count])
    assert len(rows(capsys.readouterr().out)) == len(questions)
    table.show(())
    table.show(questions[1:])
    again = capsys.readouterr().out
    assert (again.count(HEADER), len(rows(again))) == (1, len(questions) - 1)


def test_a_solver_that_had_nothing_to_do_says_so():
    shown = bsp_sat("solve", "shot-literate", "--backend", "sat:head-start")
    assert "nothing was left to" in shown.stdout
    assert HEADER not in shown.stdout


@pytest.mark.parametrize(
    ("board", "backend", "line"),
    [
        (
            "level-80",
            "auto",
            "Proved by an exact search (kernel). --explain says how; --backend sat asks a SAT solver.",
        ),
        ("ab|ba|-", "sat", "Proved by formulas. --explain says how; without --backend sat, an exact search answers."),
    ],
)
def test_an_answer_ends_with_what_proved_it_and_how_to_see_the_other_proof(board, backend, line):
    assert bsp_sat("solve", board, "--backend", backend).stdout.splitlines()[-1] == line
    assert "--explain says what is known;" in bsp_sat("solve", EASY, "--max-steps", "11").stdout


def test_below_its_table_sat_says_how_it_knew_where_to_begin():
    shown = bsp_sat("solve", EASY, "--backend", "sat").stdout
    said = "lower bound: every plan has 9 moves or more. A quick search had found 12 moves, so it went on with 11."
    assert f"{said}\n\nOptimal" in shown
    assert "A quick search had" not in bsp_sat("solve", EASY, "--backend", "sat:head-start").stdout


def test_no_way_to_another_proof_is_shown_for_a_chosen_search():
    assert "--explain" not in bsp_sat("solve", "level-80", "--backend", "kernel").stdout


def test_no_sat_solver_is_offered_for_a_board_that_no_encoding_takes():
    board = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "goal": "wanted", "wanted": {"a": 1}}'
    shown = bsp_sat("solve", "-", stdin=board).stdout
    assert shown.endswith("Proved by an exact search (kernel). --explain says how.\n")
    assert "SAT" not in bsp_sat("solve", "-", "--explain", stdin=board).stdout


@pytest.mark.parametrize("backend", ["auto", "sat", "cpsat", "kernel", "bfs", "heuristic"])
def test_explain_tells_in_about_ten_lines_how_it_was_proved(backend, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = bsp_sat("solve", "-", "--backend", backend, "--explain", stdin=EASY).stdout
    explanation = shown.rpartition(" MB\n\n")[2].splitlines()
    assert 4 <= len(explanation) <= 13
    assert max(map(len, explanation)) <= 80
    assert explanation[0].startswith("Plan ")
    certified = any("--certificate DIR" in line for line in explanation)
    assert certified == (backend != "heuristic")
    assert any("--backend sat asks a SAT solver" in line for line in explanation) == (backend == "auto")


def test_the_cross_check_names_all_who_confirm_and_what_they_rest_on():
    shown = bsp_sat("solve", "-", "--cross-check", stdin=EASY).stdout
    assert "Cross-check: astar and bfs confirm this.\n" in shown
    assert re.search(r"^astar: .*; rests on the rules, their lower bound and their prunings", shown, re.MULTILINE)
    assert re.search(r"^bfs: .*; rests on the rules alone$", shown, re.MULTILINE)


def test_the_cross_check_says_who_did_not_get_there():
    shown = bsp_sat("solve", "-", "--backend", "heuristic", "--cross-check", stdin=EASY).stdout
    assert "confirm" not in shown
    assert "Cross-check: astar says: Optimal: 12 moves. No plan is shorter.\n" in shown


@pytest.mark.parametrize("option", ["--explain", "--cross-check"])
def test_many_boards_have_no_explanation_and_hidden_cells_no_cross_check(option):
    assert bsp_sat("solve", "-", option, stdin="?bca|?cab|a?bc|-|-").returncode == (
        2 if option == "--cross-check" else 0
    )
    two = json.dumps({"tubes": [["a"], []], "capacity": 1})
    run = bsp_sat("solve", "-", option, stdin=f"{two}\n{two}\n")
    assert (run.returncode, "take a single board" in run.stderr) == (2, True)
