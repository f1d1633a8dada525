"""`bsp-sat draw`: which file is written, and what is refused."""

import json
import sys
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from bsp_sat.cli.group import commands
from tests.support.full_disk import room_for

STARTS = {"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF8"}


def invoke(*words):
    return CliRunner().invoke(commands, words)


@pytest.fixture
def pack(tmp_path):
    path = tmp_path / "pack.jsonl"
    tubes = [[["a", "b"], ["b", "a"], []], [["c", "d"], ["d", "c"], [], []]]
    boards = [
        {"name": f"level {3 - i}", "puzzle": "ball-sort", "capacity": 2, "tubes": each}
        for i, each in enumerate(tubes, 1)
    ]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in boards), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("which", "tubes"), [("1", 3), ("2", 4), ("level 2", 3), ("level 1", 4)])
def test_every_command_takes_one_board_out_of_a_pack_by_number_or_name(pack, which, tubes):
    shown = invoke("show", f"{pack}#{which}", "--format", "json")
    assert [len(json.loads(line)["tubes"]) for line in shown.stdout.splitlines()] == [tubes]
    assert invoke("hint", f"{pack}#{which}").exit_code == 0
    assert f"{tubes} tubes of 2" in invoke("draw", f"{pack}#{which}", "-o", "-").stdout


def test_a_board_that_isnt_in_the_pack_is_named_with_what_is(pack):
    run = invoke("hint", f"{pack}#7")
    assert (run.exit_code, run.stdout) == (2, "")
    assert "#7: expected a number from 1 to 2, or the name of one of these boards" in run.stderr
    assert "#1 is the first of them" in invoke("hint", pack).stderr


def test_a_pack_becomes_a_folder_of_pictures_in_the_size_of_a_shop(pack, tmp_path):
    image = pytest.importorskip("PIL.Image")
    run = invoke("draw", pack, "-o", f"{tmp_path}/shots/", "--format", "png", "--no-letters", "--size", "300x501")
    assert (run.exit_code, run.output) == (0, "")
    assert sorted(path.name for path in (tmp_path / "shots").iterdir()) == ["1.png", "2.png"]
    for path in (tmp_path / "shots").iterdir():
        with image.open(path) as opened:
            assert opened.size == (300, 501)
    run = invoke("draw", pack, "-o", f"{tmp_path}/shots", "--no-letters", "--size", "300x501")
    drawn = (tmp_path / "shots" / "2.svg").read_text()
    assert 'width="300"' in drawn
    assert "<text" not in drawn
    assert invoke("draw", pack, "-o", "-", "--size", "300").exit_code == 2


@pytest.mark.parametrize(("size", "rows"), [("1080x1920", 3), ("1920x1080", 2)])
def test_the_tubes_stand_in_rows_that_suit_the_shape_of_the_picture(size, rows):
    drawn = ET.fromstring(invoke("draw", "level-80", "-o", "-", "--size", size).stdout)
    numbers = (text for text in drawn.iter("{http://www.w3.org/2000/svg}text") if (text.text or "").isdigit())
    assert len({text.get("y") for text in numbers}) == rows


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.txt"
    path.write_text("1 10\n2 11\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("form", STARTS)
def test_the_suffix_or_an_option_says_what_is_written(form, tmp_path):
    path = tmp_path / f"board.{form.upper()}"
    path.write_text("what was there", encoding="utf-8")
    run = invoke("draw", "level-80", "-o", str(path))
    assert (run.exit_code, run.output) == (0, "")
    assert path.read_bytes().startswith(STARTS[form])
    assert invoke("draw", "level-80", "--format", form, "-o", "-").stdout_bytes == path.read_bytes()


def test_what_solve_prints_is_a_plan(tmp_path):
    answer = invoke("solve", "tiles-2022-11-16", "--json", "--backend", "astar").stdout
    path = tmp_path / "plan.json"
    path.write_text(answer, encoding="utf-8")
    run = invoke("draw", "tiles-2022-11-16", str(path), "-o", "-")
    assert f"{len(json.loads(answer)['plan'])} of {json.loads(answer)['length']}:" in run.stdout
    assert "@keyframes" in run.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-o", "board.jpg"], "expected a name that ends in .svg, .png, .gif, .html, or --format; found board.jpg"),
        (["-o", ""], "expected the name of a file"),
        ([], "Missing option '-o'"),
        (["--position", "1", "-o", "-"], "--position needs a PLAN"),
        (["PLAN", "--position", "3", "-o", "-"], "position: expected 0 to 2, found 3"),
        (["PLAN", "-o", "plan.png"], "a PNG shows one position: say which, 0 to 2, or choose SVG, GIF or HTML"),
        (["PLAN", "-o", "no/such/folder/plan.svg"], "no/such/folder/plan.svg: No such file or directory"),
        (["no-plan.json", "-o", "-"], "no-plan.json: no such file"),
        (["ILLEGAL", "-o", "plan.svg"], "move 1 (1 → 2  blue) is illegal: "),
    ],
)
def test_what_cannot_be_drawn_is_refused(words, problem, plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "illegal.txt").write_text("1 2\n", encoding="utf-8")
    run = invoke("draw", "level-80", *({"PLAN": plan, "ILLEGAL": "illegal.txt"}.get(word, word) for word in words))
    assert run.exit_code == 2
    assert problem in run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"plan.txt", "illegal.txt"}


@pytest.mark.parametrize("before", [b"what was there", None])
@pytest.mark.parametrize("form", STARTS)
def test_a_full_disk_leaves_what_was_there(form, before, tmp_path):
    path = tmp_path / f"board.{form}"
    if before is not None:
        path.write_bytes(before)
    with room_for(700):
        run = invoke("draw", "level-80", "-o", str(path))
    assert run.exit_code == 2
    assert f"{path}: File too large" in run.stderr
    assert [each.read_bytes() for each in tmp_path.iterdir()] == ([] if before is None else [before])


def test_links_and_modes_stay(tmp_path):
    path, link = tmp_path / "board.svg", tmp_path / "link.svg"
    path.write_bytes(b"")
    path.chmod(0o640)
    link.symlink_to(path)
    assert invoke("draw", "level-80", "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert path.read_bytes().startswith(b"<svg")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to():
    assert invoke("draw", "level-80", "--format", "svg", "-o", "/dev/null").exit_code == 0
    run = invoke("draw", "level-80", "--format", "svg", "-o", "/dev/full")
    assert (run.exit_code, "/dev/full: No space left on device" in run.stderr) == (2, True)


def test_pixels_without_pillow_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    run = invoke("draw", "level-80", "--format", "png", "-o", "-")
    assert run.exit_code == 2
    assert "a PNG picture needs Pillow, which isn't installed: pip install pillow" in run.stderr
