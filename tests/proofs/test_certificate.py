"""Certificates with LRAT proofs from end to end: what holds is verified, what was altered isn't."""

import json
import os
import shutil
from pathlib import Path

import pytest

from bsp_sat import BallSort, solve
from bsp_sat.backends.proofs.certificate import FORMULA, LABELS, LRAT, PROOF, verify_certificate, write_certificate
from bsp_sat.backends.proofs.manifest import write_manifest
from bsp_sat.backends.proofs.refutation import check_proof
from bsp_sat.backends.sat.external_programs import program_of
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.instances.errors import BspSatError, CertificateError
from tests.support.command import bsp_sat, invoke
from tests.support.helpers import every_rule, solve_here

SOLVABLE = "caac|bbac|bbac|-"
UNSOLVABLE = "021|012|012|-"


def certify(folder: Path, puzzle) -> Path:
    write_certificate(folder, puzzle, solve(puzzle), LRAT)
    return folder


@every_rule
@pytest.mark.parametrize("text", [SOLVABLE, UNSOLVABLE, "aab|bba|-", "aa|bb|-"])
def test_a_certificate_of_either_rule_is_verified(tmp_path, text, rule):
    puzzle = rule.from_text(text)
    verified = verify_certificate(certify(tmp_path, puzzle))
    assert verified.length == solve(puzzle).length
    assert verified.puzzle.tubes == puzzle.tubes
    assert verified.particulars["clauses"] > 0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return certify(tmp_path_factory.mktemp("certificate"), BallSort.from_text(SOLVABLE))


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    folder, puzzle = tmp_path_factory.mktemp("labels"), BallSort.from_text(SOLVABLE)
    write_certificate(folder, puzzle, solve_here("astar", puzzle), LABELS)
    return folder


@pytest.fixture
def folder(certificate, tmp_path) -> Path:
    """A copy of one to alter."""
    return shutil.copytree(certificate, tmp_path / "certificate")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--backend", "dfs"), "there is nothing to certify in an answer that is feasible"),
        (("--backend", "sat", "--max-steps", "3"), "there is nothing to certify in an answer that is unknown"),
        (("--proof", "borders"), "the border argument doesn't show that the board is unsolvable"),
    ],
)
def test_what_is_not_certified_has_an_exit_code_of_its_own(tmp_path, options, message):
    run = bsp_sat("solve", "level-80", *options, "--certificate", str(tmp_path))
    assert run.returncode == 3
    assert f"Error: no certificate: {message}" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_is_only_feasible_is_not_certified(tmp_path):
    puzzle = BallSort.from_text("cab|abc|bca|-|-")
    with pytest.raises(CertificateError, match="nothing to certify in an answer that is feasible"):
        write_certificate(tmp_path, puzzle, solve_here("dfs", puzzle))


def test_a_proof_that_there_is_not_is_named(tmp_path):
    puzzle = BallSort.from_text(SOLVABLE)
    with pytest.raises(CertificateError, match="expected one of the proofs labels, borders, lrat, found 'lratt'"):
        write_certificate(tmp_path, puzzle, solve(puzzle), "lratt")


def test_solve_writes_a_certificate_that_verify_accepts_until_it_is_altered(tmp_path):
    folder = tmp_path / "certificate"
    run = bsp_sat("solve", "-", "--certificate", str(folder), "--proof", "lrat", "--json", stdin=SOLVABLE)
    assert run.returncode == 0
    assert json.loads(run.stdout)["certificate"]["proof_megabytes"] > 0
    run = bsp_sat("verify", str(folder))
    assert run.returncode == 0
    assert run.stdout.splitlines()[-1] == "Verified: 12 moves is the minimum."
    (folder / PROOF).write_text("")
    run = bsp_sat("verify", str(folder))
    assert run.returncode == 1
    assert run.stdout.startswith("Not verified: not as SHA256SUMS says: proof.lrat has been altered")


@pytest.mark.parametrize(("text", "rests_on_the_bound"), [("aa|bb|-", True), (SOLVABLE, False)])
def test_a_length_that_is_the_lower_bound_says_what_it_rests_on(tmp_path, text, rests_on_the_bound):
    certify(tmp_path, BallSort.from_text(text))
    assert ("the formula adds nothing" in bsp_sat("verify", str(tmp_path)).stdout) == rests_on_the_bound


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
    with pytest.raises(CertificateError, match="cake_lpr isn't a file of a certificate"):
        verify_certificate(Path())
    (folder / "cake_lpr").rename(folder.parent / "cake_lpr")
    write_manifest(folder)
    monkeypatch.chdir(folder.parent)
    with pytest.raises(BspSatError, match="built-in: the proof ends"):
        verify_certificate(folder)


def test_a_checker_gets_absolute_names_and_verify_names_the_checker(folder, tmp_path, monkeypatch):
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


def test_names_that_look_like_options_are_made_absolute_for_a_checker(certificate, tmp_path, monkeypatch):
    program = fake_checker(tmp_path / "bin" / "cake_lpr", log=tmp_path / "log")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    shutil.copy(certificate / FORMULA, tmp_path / "-c.cnf")
    shutil.copy(certificate / PROOF, tmp_path / "-p.lrat")
    monkeypatch.chdir(tmp_path)
    check_proof(Path("-c.cnf"), Path("-p.lrat"))
    assert (tmp_path / "log").read_text().splitlines()[1:] == [str(tmp_path / "-c.cnf"), str(tmp_path / "-p.lrat")]


# -- this board ------------------------------------------------------------------------------------------


def board_json(tubes: list[list[object]], **more: object) -> str:
    return json.dumps({"capacity": 4, "tubes": tubes, **more})


TUBES = [list("caac"), list("bbac"), list("bbac"), []]


@pytest.mark.parametrize(
    ("board", "options", "same"),
    [
        (SOLVABLE, (), True),
        (board_json(TUBES, name="another name", optimal={"ball-sort": 12}), (), True),
        (board_json([tube[::-1] for tube in TUBES], order="top-down"), (), True),
        (board_json(TUBES, puzzle="water-sort"), ("--puzzle", "ball-sort"), True),
        (board_json(TUBES, puzzle="water-sort"), (), False),
        (board_json(TUBES), ("--puzzle", "water-sort"), False),
        (board_json(TUBES, goal="monochrome"), (), False),
        (board_json([TUBES[1], TUBES[0], *TUBES[2:]]), (), False),
        (board_json([["abc".index(ball) for ball in tube] for tube in TUBES]), (), False),
        (SOLVABLE.translate(str.maketrans("abc", "bca")), (), False),
        ("caac|bbac|bbac|-|-", (), False),
        ("bbac|caac|bbca|-", (), False),
    ],
)
def test_a_certificate_is_for_one_board(certificate, labels, board, options, same):
    for folder in (certificate, labels):
        code, output = invoke("verify", str(folder), "-", *options, stdin=board)
        if same:
            assert (code, output.splitlines()[-1]) == (0, "Verified: 12 moves is the minimum.")
        else:
            assert (code, output) == (1, f"Not verified: {folder} is for another board\n")


def test_verify_draws_the_board(certificate):
    lines = bsp_sat("verify", str(certificate)).stdout.splitlines()
    drawn = [line.split() for line in bsp_sat("show", "-", stdin=SOLVABLE).stdout.splitlines()]
    picture = drawn.index(["c", "c", "c", "·"])
    assert lines[0] == "Board: ball-sort, 3 colours, 4 tubes of 4"
    assert [line.split() for line in lines[2:7]] == drawn[picture : picture + 5]


@pytest.mark.parametrize(
    ("arguments", "message"), [(("nosuch.json",), "no such file"), (("--puzzle", "water-sort"), "--puzzle needs BOARD")]
)
def test_mistakes_in_naming_the_board_are_bad_usage(certificate, arguments, message):
    run = bsp_sat("verify", str(certificate), *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert message in run.stderr


def test_another_board_is_refused_before_anything_is_computed(certificate, monkeypatch):
    monkeypatch.setattr(Encoding, "encode", lambda *_: pytest.fail("built a formula"))
    with pytest.raises(CertificateError, match="is for another board"):
        verify_certificate(certificate, board=BallSort.from_text("ab|ba|-"))


class TestMany:
    @pytest.fixture
    def many(self, tmp_path) -> tuple[str, str]:
        """A folder of two certificates, and their boards."""
        tubes = {"one": [["a", "b"], ["b", "a"], []], "two": [["a", "b"], ["b", "a"]]}
        boards, folder = tmp_path / "boards.jsonl", tmp_path / "proofs"
        fields = ({"puzzle": "ball-sort", "name": name, "capacity": 2, "tubes": each} for name, each in tubes.items())
        boards.write_text("".join(f"{json.dumps(each)}\n" for each in fields))
        assert bsp_sat("solve", str(boards), "--certificate", str(folder)).returncode == 0
        return str(folder), str(boards)

    def test_the_folder_that_solve_writes_for_many_boards_is_verified(self, many):
        folder, boards = many
        verdicts = ["Verified: 3 moves is the minimum.", "Verified: no plan exists."]
        assert invoke("verify", folder) == (0, "000-one: {}\n001-two: {}\n".format(*verdicts))
        assert invoke("verify", folder, boards) == (0, "000-one (one): {}\n001-two (two): {}\n".format(*verdicts))

    def test_a_board_is_known_by_its_certificate_and_not_by_the_name_of_the_folder(self, many):
        folder, boards = many
        shutil.rmtree(Path(folder, "001-two"))
        Path(folder, "000-one").rename(Path(folder, "001-two"))
        code, output = invoke("verify", folder, boards, "--json")
        first, last = map(json.loads, output.splitlines())
        assert (code, first["folder"], first["name"], first["length"]) == (1, "001-two", "one", 3)
        assert (last["folder"], last["name"], last["reason"]) == (None, "two", "it has no certificate")

    def test_each_of_two_equal_boards_needs_a_certificate(self, many):
        folder, boards = many
        one = Path(boards).read_text().splitlines()[0]
        equal = f"{one}\n{one.replace('one', 'again')}"
        shutil.rmtree(Path(folder, "001-two"))
        code, output = invoke("verify", folder, "-", stdin=equal)
        assert (code, "000-one (one): Verified" in output) == (1, True)
        assert output.endswith("\nagain: Not verified: it has no certificate\n")
        shutil.copytree(Path(folder, "000-one"), Path(folder, "001-again"))
        code, output = invoke("verify", folder, "-", stdin=equal)
        assert (code, "\n001-again (again): Verified" in output) == (0, True)

    def test_one_altered_certificate_of_many_and_one_for_another_board_are_not_verified(self, many):
        folder, boards = many
        nameless = Path(boards).read_text().splitlines()[1].replace('"name": "two", ', "")
        code, output = invoke("verify", folder, "-", stdin=nameless)
        assert (code, "000-one: Not verified: it is for another board\n" in output) == (1, True)
        Path(folder, "000-one", "plan.json").write_text("{}")
        code, output = invoke("verify", folder)
        assert (code, "000-one: Not verified: " in output, "001-two: Verified: " in output) == (1, True, True)

    def test_a_checker_that_does_not_suit_one_certificate_of_many_checks_the_others(self, many):
        folder, boards = many
        shutil.rmtree(Path(folder, "000-one"))
        one = Path(boards).read_text().splitlines()[0]
        first = str(Path(folder, "000-one"))
        assert invoke("solve", "-", "--certificate", first, "--proof", "lrat", stdin=one)[0] == 0
        code, output = invoke("verify", folder, "--checker", "verified")
        one, two = output.splitlines()
        assert (code, two.partition(": ")[0]) == (1, "001-two")
        assert one == "000-one: Not verified: the proved checker is for labels, but this certificate has an LRAT proof"
