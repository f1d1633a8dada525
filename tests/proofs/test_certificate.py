"""Certificates with LRAT proofs from end to end: what holds is verified, what was altered isn't."""

import json
from pathlib import Path

import pytest

from bsp_sat import BallSort, Limits, load, solve
from bsp_sat.backends.baselines.depth_first import DepthFirst
from bsp_sat.backends.proofs.certificate import (
    BOARD,
    CLAIM,
    FORMULA,
    LRAT,
    PLAN,
    PROOF,
    CertificateError,
    verify_certificate,
    write_certificate,
)
from bsp_sat.backends.proofs.manifest import MANIFEST, write_manifest
from bsp_sat.backends.proofs.writing import prepare_folder
from bsp_sat.instances.errors import BspSatError
from tests.cli.test_cli import bsp_sat
from tests.support.helpers import RULES, solve_here

SOLVABLE = "caac|bbac|bbac|-"
UNSOLVABLE = "021|012|012|-"

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)


def certify(folder: Path, puzzle) -> Path:
    write_certificate(folder, puzzle, solve(puzzle), LRAT)
    return folder


@every_rule
@pytest.mark.parametrize("text", [SOLVABLE, UNSOLVABLE, "aab|bba|-", "aa|bb|-"])
def test_a_certificate_holds(tmp_path, text, rule):
    puzzle = rule.from_text(text)
    verified = verify_certificate(certify(tmp_path, puzzle))
    assert verified.claim.length == solve(puzzle).length
    assert verified.puzzle.tubes == puzzle.tubes
    assert verified.clauses > 0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return certify(tmp_path_factory.mktemp("certificate"), BallSort.from_text(SOLVABLE))


def copy_of(certificate: Path, folder: Path) -> Path:
    for path in certificate.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize("name", [BOARD, PLAN, FORMULA, PROOF, CLAIM, MANIFEST])
@pytest.mark.parametrize("where", [0, 0.3, 0.6, 0.999])
def test_any_altered_byte_is_noticed(certificate, tmp_path, name, where):
    folder = copy_of(certificate, tmp_path)
    data = bytearray((folder / name).read_bytes())
    data[int(where * len(data))] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(BspSatError) as caught:
        verify_certificate(folder)
    assert name in str(caught.value)


def forge(folder: Path, name: str, before: str, after: str) -> Path:
    """Alters a file and makes the checksums fit again."""
    text = (folder / name).read_text()
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1))
    write_manifest(folder)
    return folder


@pytest.mark.parametrize(
    ("name", "before", "after", "complaint"),
    [
        (PLAN, "[", "[[0, 0], ", "illegal"),
        (BOARD, '"a", "a"', '"a", "c"', "plan|whole tubes|illegal"),
        (FORMULA, " 0\n", " 1 0\n", "formula.cnf is not the formula of this board: it differs in line"),
        (CLAIM, '"length": 12', '"length": 11', "the claim is 11 moves, but the plan has 12"),
        (CLAIM, '"homes"', '"sequential"', "no claim that can be checked"),
        (CLAIM, '"homes"', '"order"', "formula.cnf is not the formula of this board"),
        (CLAIM, '"homes"', '"layered"', "claim.json can't be read: unknown encoding 'layered', known are order, homes"),
        (CLAIM, '"optimal"', '"feasible"', "no claim that can be checked"),
        (CLAIM, '"length": 12', '"length": null', "no claim that can be checked"),
        (CLAIM, "{", "", "can't be read"),
        (PROOF, " 0 ", " 0 999999 ", "clause 999999, which does not exist"),
    ],
)
def test_a_forger_who_fixes_the_checksums_is_found_out(certificate, tmp_path, name, before, after, complaint):
    with pytest.raises(BspSatError, match=complaint):
        verify_certificate(forge(copy_of(certificate, tmp_path), name, before, after))


def test_the_proof_of_another_board_proves_nothing(certificate, tmp_path):
    other = certify(tmp_path, BallSort.from_text("cab|abc|bca|-"))
    (other / PROOF).write_bytes((certificate / PROOF).read_bytes())
    write_manifest(other)
    with pytest.raises(BspSatError, match="proof"):
        verify_certificate(other)


def test_a_longer_plan_is_not_certified_as_shortest(tmp_path):
    """Whoever claims one move too many finds that "at most one less" has a model."""
    puzzle = BallSort.from_text("ab|ba|-")
    with pytest.raises(CertificateError, match="nothing to certify in an answer that is feasible"):
        write_certificate(tmp_path, puzzle, solve_here(DepthFirst(), BallSort.from_text("cab|abc|bca|-|-")))


def test_unknown_is_not_certified(tmp_path):
    result = solve(load("level-80"), "sat", limits=Limits(max_steps=3))
    with pytest.raises(CertificateError, match="unknown"):
        write_certificate(tmp_path, load("level-80"), result)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(CertificateError, match="expected an empty folder"):
        prepare_folder(tmp_path)
    run = bsp_sat("solve", "level-80", "--certificate", str(tmp_path))
    assert run.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_on_the_command_line(tmp_path):
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


def test_no_certificate_is_an_exit_code_of_its_own(tmp_path):
    run = bsp_sat("solve", "level-80", "--backend", "dfs", "--certificate", str(tmp_path))
    assert run.returncode == 3
    assert "Error: no certificate: there is nothing to certify in an answer that is feasible" in run.stderr


@pytest.mark.parametrize("name", [PLAN, FORMULA, PROOF, CLAIM])
def test_a_missing_file_is_named_even_if_the_checksums_fit(certificate, tmp_path, name):
    folder = copy_of(certificate, tmp_path)
    (folder / name).unlink()
    write_manifest(folder)
    with pytest.raises(BspSatError, match=name):
        verify_certificate(folder)


@pytest.mark.parametrize(("before", "after"), [('"homes"', '["homes"]'), ('"optimal"', '["optimal"]'), ("12", '"12"')])
def test_a_claim_of_other_types_is_no_claim(certificate, tmp_path, before, after):
    with pytest.raises(CertificateError, match=r"no claim that can be checked|unknown encoding \['homes'\]"):
        verify_certificate(forge(copy_of(certificate, tmp_path), CLAIM, before, after))


def test_a_checker_that_is_not_there_is_bad_usage(certificate, monkeypatch):
    monkeypatch.setenv("PATH", "")
    run = bsp_sat("verify", str(certificate), "--checker", "cake_lpr")
    assert run.returncode == 2
    assert "cake_lpr is not on PATH" in run.stderr


@pytest.mark.parametrize(("text", "rests_on_the_bound"), [("aa|bb|-", True), (SOLVABLE, False)])
def test_a_length_that_is_the_lower_bound_says_what_it_rests_on(tmp_path, text, rests_on_the_bound):
    certify(tmp_path, BallSort.from_text(text))
    assert ("the formula adds nothing" in bsp_sat("verify", str(tmp_path)).stdout) == rests_on_the_bound
