"""`bsp-sat solve` on many boards, as a user meets it."""

import io
import json
import sys

import pytest

from bsp_sat import BallSort, Plan
from bsp_sat.backends.run import process
from bsp_sat.cli.group import commands
from bsp_sat.instances.files import parse_instances
from tests.support.command import bsp_sat, invoke

EASY = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "name": "easy"}'
UNSOLVABLE = '{"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"]], "name": "stuck"}'
ROOMY = '{"capacity": 2, "tubes": [["a"], ["a"], []], "name": "one"}'
THREE = "\n".join((EASY, UNSOLVABLE, ROOMY)) + "\n"


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.jsonl"
    path.write_text(THREE)
    return path


def read(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("options", [(), ("--json",), ("--jobs", "1"), ("--jobs", "3")])
def test_many_boards_give_one_line_each_in_their_order(options):
    run = bsp_sat("solve", "-", *options, stdin=THREE)
    assert (run.returncode, run.stderr) == (0, "")
    lines = read(run.stdout)
    for line, instance in zip(lines, parse_instances(THREE), strict=True):
        assert line["plan"] is None or Plan.from_json(instance.puzzle, line["plan"]).replay(instance.puzzle).is_goal()
    assert [(line["board"], line["name"], line["status"], line["length"]) for line in lines] == [
        (0, "easy", "optimal", 3),
        (1, "stuck", "unsolvable", None),
        (2, "one", "optimal", 1),
    ]


@pytest.mark.parametrize("options", [(), ("--resume", "out.jsonl")], ids=["printed", "resumed"])
def test_the_empty_tubes_that_were_added_are_said(boards, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    code, output = invoke("solve", str(boards), "--backend", "astar", "--extra-tubes", "2", *options)
    lines = (tmp_path / "out.jsonl").read_text() if options else output
    assert (code, {json.loads(line)["extra_tubes"] for line in lines.splitlines()}) == (0, {2})
    assert "extra_tubes" not in invoke("solve", str(boards), "--backend", "astar")[1]


def test_what_the_file_says_and_a_proof_refutes_is_noted_and_the_run_goes_on(tmp_path):
    path = tmp_path / "boards.jsonl"
    claims = {"easy": 2, "stuck": 2, "one": "unsolvable", "right": 3, "open": "unknown"}
    boards = [json.loads(line) for line in (EASY, UNSOLVABLE, ROOMY, EASY, EASY)]
    for board, (name, claim) in zip(boards, claims.items(), strict=True):
        board |= {"name": name, "optimal": {"ball-sort": claim, "water-sort": 77}}
    path.write_text("".join(json.dumps(board) + "\n" for board in boards))
    code, output = invoke("solve", str(path))
    assert code == 0
    assert {line["name"]: line["notes"] for line in read(output)} == {
        "easy": ['the file says "optimal": 2, but every plan has at least 3 moves'],
        "stuck": ["no move is possible, as no tube has room", 'the file says "optimal": 2, but no plan exists'],
        "one": ['the file says "optimal": "unsolvable", but there is a plan of 1 move'],
        "right": [],
        "open": [],
    }
    path.write_text(json.dumps(boards[0]))
    code, output = invoke("solve", str(path))
    assert (code, 'Note: the file says "optimal": 2, but every plan has' in output) == (0, True)
    assert "the file says" not in invoke("solve", str(path), "--extra-tubes", "1")[1]
    code, output = invoke("solve", str(path), "--max-steps", "2", "--json")  # a bound refutes it, too
    assert (code, "but every plan has at least 3 moves" in json.loads(output)["notes"][0]) == (3, True)


def test_unknown_is_exit_code_3_also_where_it_was_there_before(boards, tmp_path):
    out = tmp_path / "out.jsonl"
    for _ in range(2):
        assert invoke("solve", str(boards), "--resume", str(out), "--max-steps", "2") == (3, "")
        assert [line["status"] for line in read(out.read_text())] == ["unknown", "unsolvable", "optimal"]


def test_resume_begins_and_goes_on(boards, tmp_path):
    out = tmp_path / "out.jsonl"
    assert bsp_sat("solve", str(boards), "--resume", str(out)).stdout == ""
    complete = out.read_bytes()
    for kept in (1, len(complete) // 2, len(complete)):
        out.write_bytes(complete[:kept])
        run = bsp_sat("solve", str(boards), "--resume", str(out))
        assert (run.returncode, run.stdout) == (0, "")
        assert [line["name"] for line in read(out.read_text())] == ["easy", "stuck", "one"]
        done = complete[:kept].rpartition(b"\n")[0]
        assert out.read_bytes().startswith(done)


def test_too_many_lines_are_refused(boards, tmp_path):
    out = tmp_path / "out.jsonl"
    invoke("solve", str(boards), "--resume", str(out))
    boards.write_text(EASY)
    code, output = invoke("solve", str(boards), "--resume", str(out))
    assert (code, "line 2: expected the results of 1 board, found more" in output) == (2, True)


def test_a_broken_line_is_named_and_the_others_are_solved(tmp_path):
    out = tmp_path / "out.jsonl"
    run = bsp_sat("solve", "-", "--resume", str(out), stdin=THREE + '{"capacity": 2, "tubes": 3}\n')
    assert run.returncode == 2
    assert "line 4: tubes" in run.stderr
    assert len(out.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (("--cross-check",), "take a single board"),
        (("--proof", "labels"), "--proof needs --certificate"),
        (("--boards",), "take a single board"),
        (("--resume", "/nowhere/out.jsonl"), "/nowhere/out.jsonl: No such file or directory"),
        (("--backend", "heuristic:order"), "backend heuristic has no choice 'order', expected driver"),
        (("--backend", "heuristic:room-weight"), "backend heuristic has no choice 'room-weight'"),
    ],
)
def test_a_mistake_with_many_boards_is_bad_usage(options, fragment):
    code, output = invoke("solve", "-", *options, stdin=THREE)
    assert (code, fragment in output) == (2, True)
    assert output.count("\n") == 1


def test_a_board_that_the_backend_does_not_take_is_named():
    shot = '{"puzzle": "shot", "balls": [[0, 0], [2, 0]], "name": "grid"}\n'
    run = bsp_sat("solve", "-", "--backend", "kernel", stdin=THREE + shot)
    assert (run.returncode, run.stdout) == (2, "")
    assert "board 3 (grid): " in run.stderr


def test_the_puzzle_option_holds_for_all():
    lines = read(bsp_sat("solve", "-", "--puzzle", "water-sort", stdin=THREE).stdout)
    assert [line["length"] for line in lines] == [3, None, 1]
    assert BallSort.kind not in str(lines)


HIDDEN = [
    {"puzzle": "water-sort", "capacity": 4, "tubes": [[None, *"bca"], [None, *"cab"], ["a", None, *"bc"], [], []]},
    {"puzzle": "ball-sort", "capacity": 2, "tubes": [[None, "a"], [None, "b"], [None, "c"], [], []]},
    {"puzzle": "ball-sort", "capacity": 2, "tubes": [[None, "a"], [None, "b"], [None, "c"]], "reveal": "run"},
]


@pytest.fixture(scope="module")
def hidden_boards(tmp_path_factory):
    path = tmp_path_factory.mktemp("hidden") / "hidden.jsonl"
    path.write_text("".join(f"{json.dumps(board)}\n" for board in HIDDEN) + EASY)
    return path


@pytest.fixture(scope="module")
def hidden_answers(hidden_boards):
    out = hidden_boards.with_name("out.jsonl")
    assert invoke("solve", str(hidden_boards), "--resume", str(out)) == (0, "")
    return out.read_text()


def without_seconds(line):
    return {key: value for key, value in line.items() if key not in ("board", "name", "asked", "seconds")}


class TestHiddenCells:
    """Every board of a file is answered as it is alone; it was refused, as no backend takes such boards."""

    def test_each_is_answered_as_it_is_alone(self, hidden_boards, tmp_path):
        code, output = invoke("solve", str(hidden_boards), "--json", "--jobs", "2")
        lines = read(output)
        assert (code, [line["status"] for line in lines]) == (0, ["optimal", "optimal", "unsolvable", "optimal"])
        for line, board in zip(lines, HIDDEN, strict=False):
            (tmp_path / "one.json").write_text(json.dumps(board))
            alone = json.loads(invoke("solve", str(tmp_path / "one.json"), "--json")[1])
            assert without_seconds(line) == without_seconds(alone)
            if line["strategy"] is not None:
                (tmp_path / "line.json").write_text(json.dumps(line))
                code, said = invoke("check", str(tmp_path / "one.json"), str(tmp_path / "line.json"))
                assert (code, said.count("Valid")) == (0, 2)

    def test_resume_goes_on_where_a_run_ended(self, hidden_boards, hidden_answers, tmp_path):
        out = tmp_path / "out.jsonl"
        first = hidden_answers.index("\n") + 1
        out.write_text(hidden_answers[: first + 20])
        assert invoke("solve", str(hidden_boards), "--resume", str(out)) == (0, "")
        assert out.read_text().startswith(hidden_answers[:first])
        assert [line["status"] for line in read(out.read_text())] == ["optimal", "optimal", "unsolvable", "optimal"]

    @pytest.mark.parametrize(
        ("change", "fragment"),
        [
            ({"length": 9, "lower_bound": 9}, "worst case: it takes 10 moves, and 9 are claimed"),
            ({"length": 2}, "length: expected the lower bound with a strategy, null without"),
            ({"status": "unsolvable"}, "strategy: expected one if the status is optimal, and only then"),
            ({"strategy": {"moves": [[0, 9]]}}, "worst case: move 1 "),
            ({"strategy": {"moves": 3}}, 'strategy: expected a strategy, an object with a list of "moves"'),
            ({"status": "sure"}, "status: expected optimal, unsolvable or unknown"),
        ],
    )
    def test_resume_refuses_what_a_strategy_does_not_do(
        self, hidden_boards, hidden_answers, tmp_path, change, fragment
    ):
        out = tmp_path / "out.jsonl"
        lines = read(hidden_answers)
        lines[0].update(change)
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        out.write_text(text)
        code, output = invoke("solve", str(hidden_boards), "--resume", str(out))
        assert (code, f"line 1: no result of board 0 (hidden.jsonl:1): {fragment}" in output) == (2, True), output
        assert out.read_text() == text

    @pytest.mark.parametrize("options", [("--backend", "astar"), ("--certificate", "proofs"), ("--max-steps", "9")])
    def test_options_for_plans_are_refused_with_the_board(self, hidden_boards, options):
        code, output = invoke("solve", str(hidden_boards), *options)
        assert code == 2
        assert "board 0 (hidden.jsonl:1): a board with hidden cells has strategies, not plans: it takes only " in output

    def test_what_the_memory_does_not_hold_is_unknown(self, hidden_boards, monkeypatch):
        monkeypatch.setattr(process, "POLL_SECONDS", 0)  # the search ends before the memory is usually looked at
        code, output = invoke("solve", str(hidden_boards), "--memory-limit", "1")
        line = read(output)[0]
        assert (code, line["status"], line["notes"]) == (3, "unknown", ["no answer: memory limit of 1 MB reached"])


def test_the_bar_of_a_finished_grade_is_full_and_leaves_the_screen(boards, monkeypatch):
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(SystemExit):
        commands.main(["grade", str(boards), "--measures", "optimum", "--jobs", "1"])
    assert "3/3" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")
