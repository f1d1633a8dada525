"""Attacks on `verify` of LRAT certificates: files that change while they are read, never end or are none, and checkers
that nobody meant. None makes a false claim "Verified", and each is answered at once.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from bsp_sat import BallSort, solve
from bsp_sat.backends.proofs import certificate as module
from bsp_sat.backends.proofs import lrat, snapshot
from bsp_sat.backends.proofs.certificate import (
    BOARD,
    CLAIM,
    FORMULA,
    LABELS,
    LRAT,
    MOST_BYTES,
    PLAN,
    PROOF,
    CertificateError,
    verify_certificate,
    write_certificate,
)
from bsp_sat.backends.proofs.manifest import MANIFEST, write_manifest
from bsp_sat.backends.proofs.refutation import check_proof
from bsp_sat.backends.proofs.snapshot import copy_files, open_files
from bsp_sat.backends.sat.external_programs import program_of
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.formal.check_labels import Unreadable
from bsp_sat.instances.errors import BspSatError
from tests.cli.test_batch import invoke
from tests.cli.test_cli import bsp_sat
from tests.support.full_disk import room_for

FILES = (BOARD, PLAN, CLAIM, FORMULA, PROOF, MANIFEST)
BOARD_TEXT = "caac|bbac|bbac|-"
TRIVIAL = "p cnf 1 2\n1 0\n-1 0\n"
TRIVIAL_PROOF = "3 0 1 2 0\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """An LRAT certificate."""
    folder = tmp_path_factory.mktemp("certificate")
    puzzle = BallSort.from_text(BOARD_TEXT)
    write_certificate(folder, puzzle, solve(puzzle, "astar"), LRAT)
    return folder


@pytest.fixture
def folder(made, tmp_path) -> Path:
    """A copy of one to alter."""
    return shutil.copytree(made, tmp_path / "certificate")


def test_a_formula_that_is_exchanged_after_it_was_compared_is_not_what_is_checked(folder, monkeypatch):
    """The proof refutes a formula of another kind, which is put there once the right one was compared."""
    (folder / PROOF).write_text(TRIVIAL_PROOF)
    write_manifest(folder)
    check = module.check_proof

    def exchange_and_check(*arguments: Any) -> Any:
        (folder / FORMULA).write_text(TRIVIAL)
        return check(*arguments)

    monkeypatch.setattr(module, "check_proof", exchange_and_check)
    with pytest.raises(BspSatError, match="proof"):
        verify_certificate(folder)
    assert (folder / FORMULA).read_text() == TRIVIAL


def test_each_file_is_opened_once(folder, monkeypatch):
    """Watches every opening of a file in this process: of those of the certificate, each is opened once."""
    opened: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open" and str(arguments[0]).startswith(str(folder) + os.sep):
            opened.append(Path(str(arguments[0])).name)

    sys.addaudithook(watch)
    try:
        verify_certificate(folder)
    finally:
        watching = False
    assert sorted(opened) == sorted(FILES)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("kind", ["missing", "pipe", "link", "device", "loop", "folder", "empty", "nested", "sparse"])
def test_files_that_are_none(made, folder, file, kind):
    path = folder / file
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(made / file)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "nested":
        path.write_text("[" * 200_000)
    elif kind == "sparse":
        with path.open("wb") as stream:
            stream.truncate(MOST_BYTES[file] + 1)
    if kind in ("nested", "empty") and file != MANIFEST:
        write_manifest(folder)
    with pytest.raises(BspSatError) as caught:
        verify_certificate(folder)
    expected = {"missing": "is missing", "sparse": "is too large"}
    if kind not in ("empty", "nested"):
        assert file in str(caught.value)
        assert expected.get(kind, "not a regular file") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "bsp-sat-verify" not in str(caught.value)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_file_that_is_exchanged_between_look_and_opening(folder, monkeypatch, kind):
    """What is opened is looked at, not only what had the name before; and a pipe is not waited for."""
    path = folder / PLAN
    regular = os.lstat(path)
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    lstat = os.lstat
    monkeypatch.setattr(os, "lstat", lambda name, **more: regular if Path(name) == path else lstat(name, **more))
    with pytest.raises(BspSatError, match=PLAN):
        verify_certificate(folder)


@pytest.mark.parametrize("growth", [b"x", b""])
def test_a_file_that_grows_or_shrinks_meanwhile(folder, tmp_path, monkeypatch, growth):
    (tmp_path / "copy").mkdir()
    with open_files(folder, MOST_BYTES) as files:
        before = {file.fileno(): os.fstat(file.fileno()) for file in files.values()}
        with (folder / FORMULA).open("ab") as more:
            more.truncate(before[files[FORMULA].fileno()].st_size - (not growth))
            more.write(growth)
        now = os.fstat
        monkeypatch.setattr(snapshot.os, "fstat", lambda number: before.get(number) or now(number))
        with pytest.raises(Unreadable, match=f"{FORMULA} changed while it was read"):
            copy_files(files, tmp_path / "copy")


def test_line_ends_are_bytes_too(folder):
    (folder / FORMULA).write_bytes((folder / FORMULA).read_bytes().replace(b"\n", b"\r\n"))
    write_manifest(folder)
    with pytest.raises(CertificateError, match="is not the formula of this board: it differs in line 1"):
        verify_certificate(folder)


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data + b"c\n"])
def test_a_formula_that_ends_elsewhere(folder, change):
    data = (folder / FORMULA).read_bytes()
    (folder / FORMULA).write_bytes(change(data))
    write_manifest(folder)
    with pytest.raises(CertificateError, match=r"it differs in line \d+"):
        verify_certificate(folder)


@pytest.mark.parametrize("name", ["cake_lpr", "labels.bin", "more", ".hidden"])
def test_further_files_are_refused(folder, name):
    (folder / name).write_text("")
    write_manifest(folder)
    with pytest.raises(CertificateError, match=f"{name} belongs to no certificate"):
        verify_certificate(folder)


def test_what_belongs_to_no_certificate_of_the_kind_is_refused_before_it_is_copied(tmp_path):
    """Where no file may have more than a megabyte, the copy of such a file would fail."""
    folder = tmp_path / "labels"
    folder.mkdir()
    puzzle = BallSort.from_text(BOARD_TEXT)
    write_certificate(folder, puzzle, solve(puzzle, "astar"), LABELS)
    with (folder / FORMULA).open("wb") as stream:
        stream.truncate(100_000_000)
    write_manifest(folder)
    with room_for(1_000_000), pytest.raises(CertificateError, match=r"^formula.cnf belongs to no certificate of this"):
        verify_certificate(folder)


@pytest.mark.parametrize("more", [{"s" * 5_000: 1}, {"status": "x" * 5_000}])
def test_what_is_said_of_a_wrong_claim_is_short(folder, more):
    claim = json.loads((folder / CLAIM).read_text())
    (folder / CLAIM).write_text(json.dumps({**claim, **more}))
    write_manifest(folder)
    with pytest.raises(CertificateError, match=r"^claim.json .{1,200}$"):
        verify_certificate(folder)


def test_a_claim_by_an_encoding_that_does_not_take_the_board_is_not_verified(folder):
    (folder / CLAIM).write_text((folder / CLAIM).read_text().replace("homes", "clicks"))
    write_manifest(folder)
    run = bsp_sat("verify", str(folder))
    assert (run.returncode, run.stdout.startswith("Not verified: claim.json")) == (1, True)


def test_a_line_without_end_is_refused(folder, monkeypatch):
    monkeypatch.setattr(lrat, "MAX_LINE", 1_000)
    (folder / PROOF).write_text("1" * 1_001 + "\n")
    write_manifest(folder)
    with pytest.raises(BspSatError, match="line 1 of the proof has more than 1000 characters"):
        verify_certificate(folder)


# -- checkers --------------------------------------------------------------------------------------------


def fake_checker(path: Path, *, log: Path | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    writes = "" if log is None else f'printf "%s\\n" "$0" "$@" > {log}\ncat "$1" > {log}.cnf\n'
    path.write_text(f"#!/bin/sh\n{writes}echo s VERIFIED UNSAT\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("entry", ["", ".", "bin", "./bin", "bin/../bin"])
def test_relative_entries_of_path_are_passed_over(tmp_path, monkeypatch, entry):
    fake_checker(tmp_path / "bin" / "cake_lpr")
    fake_checker(tmp_path / "cake_lpr")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"/nowhere{os.pathsep}{entry}")
    assert program_of("cake_lpr") is None
    monkeypatch.setenv("PATH", f"{entry}{os.pathsep}{tmp_path / 'bin'}")
    assert program_of("cake_lpr") == tmp_path / "bin" / "cake_lpr"
    monkeypatch.delenv("PATH")
    assert program_of("cake_lpr") is None


def test_a_checker_that_comes_with_the_certificate_is_not_run(folder, monkeypatch):
    """With ``.`` in PATH, from inside the folder, and a proof that proves nothing."""
    (folder / PROOF).write_text("")
    fake_checker(folder / "cake_lpr")
    write_manifest(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f".{os.pathsep}/usr/bin")
    with pytest.raises(CertificateError, match="cake_lpr belongs to no certificate"):
        verify_certificate(Path())
    (folder / "cake_lpr").rename(folder.parent / "cake_lpr")
    write_manifest(folder)
    monkeypatch.chdir(folder.parent)
    with pytest.raises(BspSatError, match="built-in: the proof ends"):
        verify_certificate(folder)


def test_a_checker_gets_absolute_names_and_is_named_by_its_own(folder, tmp_path, monkeypatch):
    """A folder named like an option is none."""
    program = fake_checker(tmp_path / "bin" / "cake_lpr", log=tmp_path / "log")
    folder.rename(tmp_path / "-x")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    run = bsp_sat("verify", "--", "-x")
    assert run.returncode == 0
    assert f"accepted by {program} in " in run.stdout
    started, *names = (tmp_path / "log").read_text().splitlines()
    assert started == str(program)
    assert Path(f"{tmp_path / 'log'}.cnf").read_bytes() == Path("-x", FORMULA).read_bytes()
    assert len(names) == 2
    assert all(Path(name).is_absolute() and not Path(name).is_relative_to(tmp_path / "-x") for name in names)


def test_relative_names_are_made_absolute(made, tmp_path, monkeypatch):
    program = fake_checker(tmp_path / "bin" / "cake_lpr", log=tmp_path / "log")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    shutil.copy(made / FORMULA, tmp_path / "-c.cnf")
    shutil.copy(made / PROOF, tmp_path / "-p.lrat")
    monkeypatch.chdir(tmp_path)
    check_proof(Path("-c.cnf"), Path("-p.lrat"))
    assert (tmp_path / "log").read_text().splitlines()[1:] == [str(tmp_path / "-c.cnf"), str(tmp_path / "-p.lrat")]


# -- this board ------------------------------------------------------------------------------------------


def board_json(tubes: list[list[object]], **more: object) -> str:
    return json.dumps({"capacity": 4, "tubes": tubes, **more})


TUBES = [list("caac"), list("bbac"), list("bbac"), []]


@pytest.mark.parametrize("proof", ["lrat", "labels"])
@pytest.mark.parametrize(
    ("board", "options", "same"),
    [
        (BOARD_TEXT, (), True),
        (board_json(TUBES, name="another name", optimal={"ball-sort": 12}), (), True),
        (board_json([tube[::-1] for tube in TUBES], order="top-down"), (), True),
        (board_json(TUBES, puzzle="water-sort"), ("--puzzle", "ball-sort"), True),
        (board_json(TUBES, puzzle="water-sort"), (), False),
        (board_json(TUBES), ("--puzzle", "water-sort"), False),
        (board_json(TUBES, goal="monochrome"), (), False),
        (board_json([TUBES[1], TUBES[0], *TUBES[2:]]), (), False),
        (board_json([["abc".index(ball) for ball in tube] for tube in TUBES]), (), False),
        (BOARD_TEXT.translate(str.maketrans("abc", "bca")), (), False),
        ("caac|bbac|bbac|-|-", (), False),
        ("bbac|caac|bbca|-", (), False),
    ],
)
def test_a_certificate_is_for_one_board(made, tmp_path, proof, board, options, same):
    folder = made
    if proof == "labels":
        folder = tmp_path / "labels"
        folder.mkdir()
        puzzle = BallSort.from_text(BOARD_TEXT)
        write_certificate(folder, puzzle, solve(puzzle, "astar"), proof)
    code, output = invoke("verify", str(folder), "-", *options, stdin=board)
    if same:
        assert (code, output.splitlines()[-1]) == (0, "Verified: 12 moves is the minimum.")
    else:
        assert (code, output) == (1, f"Not verified: {folder} is for another board\n")


def test_the_board_is_drawn(made):
    lines = bsp_sat("verify", str(made)).stdout.splitlines()
    drawn = [line.split() for line in bsp_sat("show", "-", stdin=BOARD_TEXT).stdout.splitlines()]
    picture = drawn.index(["c", "c", "c", "·"])
    assert lines[0] == "Board: ball-sort, 3 colours, 4 tubes of 4"
    assert [line.split() for line in lines[2:7]] == drawn[picture : picture + 5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nosuch.json",), "no such file"),
        (("--puzzle", "water-sort"), "--puzzle needs BOARD"),
    ],
)
def test_mistakes_in_naming_the_board_are_bad_usage(made, arguments, message):
    run = bsp_sat("verify", str(made), *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert message in run.stderr


def test_a_board_that_is_another_is_told_before_anything_is_computed(made, monkeypatch):
    monkeypatch.setattr(Encoding, "encode", lambda *_: pytest.fail("built a formula"))
    with pytest.raises(CertificateError, match="is for another board"):
        verify_certificate(made, board=BallSort.from_text("ab|ba|-"))
