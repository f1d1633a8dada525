"""The command line as a user meets it: answers, exit codes, one message for each mistake."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bsp_sat import load
from bsp_sat.cli.group import commands
from tests.support.command import bsp_sat
from tests.support.helpers import subcommands


def solve_json(*args: str, stdin: str = "") -> "tuple[int, dict[str, object]]":
    run = bsp_sat("solve", "--json", *args, stdin=stdin)
    assert run.stderr == ""
    assert run.stdout.count("\n") == 1
    return run.returncode, json.loads(run.stdout)


def test_json_has_the_contract_keys(tmp_path: Path) -> None:
    code, answer = solve_json("level-80")
    assert code == 0
    assert {"status", "length", "lower_bound", "plan", "backend", "encoding", "solver", "seconds"} <= answer.keys()
    assert {"peak_memory_mb", "stats"} <= answer.keys()
    assert (answer["status"], answer["length"], answer["lower_bound"]) == ("optimal", 38, 38)
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(answer))
    assert bsp_sat("check", "level-80", str(plan)).returncode == 0


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        ("9 10\n9 10  # red, then blue\n", "move 2 (9 → 10  blue) is illegal: blue cannot go on red\n"),
        ("9 10", "after 1 move the ball-sort board is not solved"),
    ],
)
def test_check_says_what_is_wrong_with_a_plan(plan: str, problem: str) -> None:
    run = bsp_sat("check", "level-80", "-", stdin=plan)
    assert run.returncode == 1
    assert run.stdout.startswith(f"Invalid: {problem}")


def test_show_converts_and_reads_back() -> None:
    as_json = bsp_sat("show", "-", "--format", "json", stdin="caac|bbac|bbac|-").stdout
    as_text = bsp_sat("show", "-", "--format", "text", stdin=as_json).stdout
    assert "caac\nbbac\nbbac\n-\n" in as_text
    assert bsp_sat("show", "-", "--format", "json", stdin=as_text).stdout == as_json


def test_generates_the_reference_boards() -> None:
    reference = Path(__file__).parents[1] / "data" / "medium.jsonl"
    expected = json.loads(reference.read_text().splitlines()[1])
    made = json.loads(bsp_sat("generate", "random", "--colours", "7", "--seed", "1").stdout)
    assert (made["name"], made["tubes"]) == (expected["name"], expected["tubes"])


def test_generates_only_solvable_boards_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "boards.jsonl"
    options = ("--colours", "4", "--capacity", "3", "--empty", "1", "--count", "3", "--solvable", "--out", str(out))
    assert bsp_sat("generate", "random", *options).returncode == 0
    names = [json.loads(line)["name"] for line in out.read_text().splitlines()]
    assert names == ["random-c4-h3-e1-s1", "random-c4-h3-e1-s3", "random-c4-h3-e1-s5"]


@pytest.mark.parametrize(
    ("args", "fragment"),
    [
        (("solve", "no-such-board"), "no such file, and no shipped board of that name"),
        (("solve", "my board"), "lists them); a board as text has | between its tubes, or comes on standard input (-)"),
        (("solve", "red,red,green,blue;green,green,blue,red;blue,blue,red,green;;"), "expected one of these options"),
        (("solve", "."), ".: it is a folder; name a file in it, such as board.json"),
        (("solve", "-"), "expected a board, found nothing"),
        (("solve", "tiles-2022-11-16", "--backend", "sat:knocks"), "takes shot boards, not tiles"),
        (("solve", "shot-literate", "--backend", "frontier"), "backend frontier takes tiles boards, not shot"),
        (("count", "level-80", "--puzzle", "tiles"), "columns: missing"),
        (("solve", "tiles-2022-11-16", "--puzzle", "ball-sort"), "tiles are read with --puzzle tiles"),
        (("check", "-", "-"), "can't both be standard input"),
        (("draw", "-", "-", "-o", "-"), "can't both be standard input"),
        (("check", "level-80", "no-such-plan"), "no-such-plan: no such file"),
        (("generate", "random", "--colours", "0"), "colours: expected 1 or more, found 0"),
        (("generate", "random", "--colours", "3", "--empty", "0", "--solvable"), "none of 1000 boards in a row is"),
        (("show", "shot-literate", "--puzzle", "tiles"), "columns: missing"),
    ],
)
def test_mistakes_get_one_message_and_exit_code_2(args: tuple[str, ...], fragment: str) -> None:
    run = bsp_sat(*args)
    assert run.returncode == 2
    assert fragment in run.stderr
    assert "Traceback" not in run.stderr
    assert sum(line.startswith("Error: ") for line in run.stderr.splitlines()) == 1


def test_a_file_with_the_name_of_a_picture_is_not_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "shot.HEIC").write_text("ab|ba|-")
    said = bsp_sat("hint", str(tmp_path / "shot.HEIC")).stderr
    assert said.endswith("shot.HEIC: expected a PNG, JPEG or WebP picture, found something else\n")


def test_a_board_of_words_needs_no_bars_on_the_command_line():
    run = bsp_sat("show", "RRGB GBGR BGBR + 2 empty", "--format", "text")
    assert (run.returncode, run.stdout) == (0, "# ball-sort\nRRGB\nGBGR\nBGBR\n-\n-\n")


def test_help_imports_nothing_heavy() -> None:
    script = "import sys, bsp_sat.cli.program; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {"ortools", "pysat", "rich", "numpy", "numba", "matplotlib", "distributed", "sqlite3"} & set(loaded)


@pytest.mark.parametrize("boards", [1, 2])
def test_boards_solved_in_a_pipe_load_no_terminal_no_proofs_no_solver_library_and_no_other_puzzle(boards: int) -> None:
    script = (
        "import sys; sys.argv = ['bsp-sat', 'solve', '-']; from bsp_sat.cli.program import run; code = run();"
        "print(code, *sys.modules, file=sys.stderr)"
    )
    text = f"{json.dumps(load('level-80').to_json())}\n" * boards
    run = subprocess.run([sys.executable, "-c", script], input=text, capture_output=True, text=True, check=True)
    code, *loaded = run.stderr.split()
    not_needed = {
        "rich", "bsp_sat.backends.proofs.writing", "bsp_sat.encoder.registry", "bsp_sat.instances.tiles",
        "bsp_sat.instances.text.literals", "bsp_sat.instances.sorting.fitting", "pysat", "ortools",
        *(["importlib.metadata"] if boards == 1 else []),  # lines of JSON have versions
    }  # fmt: skip
    assert (code, not_needed & {*loaded}) == ("0", set())


def test_every_command_has_help_and_is_documented() -> None:
    root = Path(__file__).parents[2]
    pages = "".join(page.read_text(encoding="utf-8") for page in (root / "README.md", *root.glob("docs/*.md")))
    for name, command in subcommands(commands).items():
        assert command.help
        assert f"bsp-sat {name}" in pages
        assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_all_commands_are_seen_at_a_glance() -> None:
    lines = bsp_sat("--help").stdout.splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) <= 80
    root = Path(__file__).parents[2]
    files = [*root.glob("cli/commands/*.py"), *root.glob("apps/*/commands/*.py")]
    modules = {path.stem for path in files if path.stem.partition("_")[0] == path.stem}
    assert {line.split()[0] for line in lines[lines.index("Solve:") :] if line.startswith("  ")} == modules


def test_no_command_takes_more_than_ten_arguments() -> None:
    for command in subcommands(commands).values():
        body = inspect.unwrap(command.callback or pytest.fail)
        assert len(inspect.signature(body).parameters) <= 10, body


def test_names_cannot_drive_the_terminal() -> None:
    board = '{"capacity": 2, "tubes": [["a\\nb", "c"], ["c", "a\\nb"], []], "name": "x\\u001b[31my"}'
    for command in (("show", "-"), ("solve", "-")):
        shown = bsp_sat(*command, stdin=board).stdout
        assert "x\\x1b[31my" in shown
        assert "a\\nb" in shown
        assert "\x1b" not in shown
