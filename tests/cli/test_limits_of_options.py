"""Numbers beyond any use are refused at once, naming the option and the limit; Ctrl-C ends what takes long."""

import json
import signal
import subprocess
import sys

import pytest

from bsp_sat import BallSort, BoardError, Tiles, random_boards
from bsp_sat.instances.text.writing import json_text
from tests.support.command import invoke

HUGE = [
    (
        "solve level-80 --max-steps 9223372036854775808",
        "expected a whole number from 0 to 1000000000, found 9223372036854775808",
    ),
    (
        "export level-80 --format dimacs --max-steps 9223372036854775808",
        "'--max-steps': expected a whole number from",
    ),
    ("solve level-80 --time-limit 1e300", "such as 90s, 1m or 2h, above 0 and at most 1,000,000,000, found 1e300"),
    ("solve level-80 --memory-limit 1e300", "such as 2GB, above 0 and at most 1,000,000,000, found 1e300"),
    ("solve level-80 --jobs 99999999999", "'--jobs': expected a whole number from 1 to 1024, found 99999999999"),
    ("generate random --colours 100000000", "colours: expected 1 to 256, found 100000000"),
    ("generate random --colours 257", "colours: expected 1 to 256, found 257"),
    ("generate random --colours 5 --capacity 100000000", "capacity: expected 1 to 10000, found 100000000"),
    ("generate random --colours 5 --empty 100000000", "empty: expected 0 to 10000, found 100000000"),
    ("generate tiles --columns 100000000", "columns: expected 1 to 1000, found 100000000"),
    ("generate tiles --rows 100000000", "rows: expected 1 to 1000, found 100000000"),
    ("generate tiles --colours 100000000", "colours: expected 1 to 256, found 100000000"),
    ("generate shot --balls 100000000 --width 100 --height 100", "balls: expected 1 to 10000, found 100000000"),
    ("generate shot --balls 5 --width 100000000", "width: expected 1 to 100, found 100000000"),
    ("generate shot --balls 5 --height 100000000", "height: expected 1 to 100, found 100000000"),
    ("generate three-partition --triples 100000000 --target 30", "triples: expected 1 to 1000, found 100000000"),
    (f"generate three-partition --triples 3 --target {10**30}", "target: expected 1 to 10000, found 1000"),
    (f"generate three-partition --numbers {10**30},{10**30},{10**30}", "target: expected at most 10000"),
    ("generate levels --colours 3 --capacity 65", "capacity: expected 1 to 64, found 65"),
    ("generate levels --colours 3 --empty 65", "empty: expected 0 to 64, found 65"),
    ("generate levels --colours 3 --tries 100000000000", "tries: expected 1 to 1000000000, found 100000000000"),
    ("generate tiles --count 9223372036854775808", "'--count': expected a whole number from 1 to 1000000000"),
]


@pytest.mark.parametrize(("command", "fragment"), HUGE, ids=[command for command, _ in HUGE])
def test_huge_numbers_are_refused_at_once(command, fragment):
    code, output = invoke(*command.split())
    assert (code, output.count("Error: ")) == (2, 1)
    assert fragment in output


@pytest.mark.parametrize(
    "options",
    ["--max-steps 1000000000 --backend astar", "--jobs 1024", "--seconds 1000", "--time-limit 1.5m --memory-limit 2GB"],
)
def test_the_limits_themselves_and_amounts_with_units_are_taken(options):
    assert invoke("solve", "level-80", *options.split())[0] == 0


@pytest.mark.parametrize(
    ("puzzle", "numbers"),
    [(BallSort, {"colours": 10**9}), (BallSort, {"colours": 3, "empty": 10**9}), (Tiles, {"rows": 10**9})],
)
def test_limits_are_checked_in_python_as_on_the_command_line(puzzle, numbers):
    with pytest.raises(BoardError, match="found 1000000000"):
        next(random_boards(puzzle, **numbers))


class TestJson:
    DANGEROUS = "".join(
        map(chr, [*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C])
    )

    def test_nothing_in_it_drives_a_terminal(self):
        value = {self.DANGEROUS: [f"é{self.DANGEROUS}\x1b\u2028\U000e0001 字"]}
        text = json_text(value)
        assert text.isprintable()
        assert "é" in text
        assert "字" in text
        assert json.loads(text) == value

    @pytest.mark.parametrize("command", ["show - --format json", "solve - --json"])
    def test_numbers_that_it_has_not_are_null(self, command):
        """Python reads 1e999, which is JSON, as infinity, and would write ``Infinity``, which isn't."""
        board = '{"capacity": 1, "puzzle": "ball-sort", "tubes": [["a"], []], "weight": %s}\n'
        code, output = invoke(*command.split(), stdin="".join(board % number for number in ("1e999", "NaN", "-1e999")))
        assert code == 0
        for line in output.splitlines():
            assert json.loads(line, parse_constant=pytest.fail).get("weight") is None

    @pytest.mark.parametrize("lines", [1, 2])
    @pytest.mark.parametrize("command", ["show -", "show - --format json", "solve - --json", "solve -", "compare -"])
    def test_dangerous_characters_are_printed_by_no_command(self, command, lines):
        board = {"capacity": 1, "tubes": [[f"a{self.DANGEROUS}"], []], "name": f"x{self.DANGEROUS}"}
        code, output = invoke(*command.split(), stdin=f"{json.dumps(board, ensure_ascii=False)}\n" * lines)
        assert code == 0
        assert not set(self.DANGEROUS) & set(output)

    def test_nor_by_exports_and_resumed_lines(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        text = json.dumps({"capacity": 1, "tubes": [["a"], []], "name": f"x{self.DANGEROUS}"}, ensure_ascii=False)
        assert invoke("compare", "-", "--solvers", "dfs", "--export", "runs.jsonl", stdin=text)[0] == 0
        assert invoke("solve", "-", "--resume", "out.jsonl", stdin=text)[0] == 0
        assert invoke("solve", "-", "--resume", "out.jsonl", stdin=text)[0] == 0
        for name in ("runs.jsonl", "out.jsonl"):
            content = (tmp_path / name).read_text(encoding="utf-8")
            assert content.count("\n") == 1
            assert content[:-1].isprintable()


class TestInterruptedPartition:
    """CP-SAT's own handling of Ctrl-C took the signal for an answer, and later ones for the program's end."""

    def test_ctrl_c_after_a_search_is_the_programs(self):
        program = (
            "import os, signal\nfrom bsp_sat.backends.cpsat.partition import find_triples\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # also where the tests run in the background
            "find_triples([2, 2, 3], 7)\n"
            "try: os.kill(os.getpid(), signal.SIGINT)\nexcept KeyboardInterrupt: print('interrupted')"
        )
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
        assert (run.returncode, run.stdout, run.stderr) == (0, "interrupted\n", "")

    @pytest.mark.parametrize("wait", [0.0, 0.2])
    def test_ctrl_c_in_mid_search_ends_it(self, wait):
        command = ["generate", "three-partition", "--triples", "30", "--target", "500", "--count", "1000"]
        with subprocess.Popen(
            [sys.executable, "-m", "bsp_sat", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline().startswith('{"name"')
            try:
                process.communicate(timeout=wait)  # at another moment each time; what it prints is read
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=600)
        assert (process.returncode, error) == (3, "Interrupted.\n")


@pytest.mark.parametrize(
    "command",
    ["compare level-80 --out", "compare level-80 --resume", "solve level-80 --resume", "plot", "grade --resume"],
)
def test_an_empty_name_is_no_file(command):
    code, output = invoke(*command.split(), "")
    assert code == 2
    assert "expected the name of a file, found an empty one" in " ".join(output.split())
