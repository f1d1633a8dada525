"""The checker that is itself proved: built without axioms, and it takes every certificate of plain sort boards.

`tests.proofs.checkers` holds it against check_labels.py in all tests of forged certificates.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from bsp_sat import BallSort, WaterSort, solve
from bsp_sat.backends.proofs import verified
from bsp_sat.backends.proofs.certificate import LABELS, LRAT, verify_certificate, write_certificate
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.tiles import Tiles
from tests.proofs.checkers import FORMAL, made, proved_checker, proved_verdicts
from tests.support import naive
from tests.support.command import bsp_sat
from tests.support.helpers import RULES, case_id, every_rule, reference, solve_here, under_both_rules

SOLVABLE, UNSOLVABLE = "caac|bbac|bbac|-", "021|012|012|-"
CLOSED = "Closed under the global context"


@pytest.fixture(scope="module", autouse=True)
def _built():
    if proved_checker() is None:
        pytest.skip("no Coq: apt-get install coq make")


def certified(folder: Path, puzzle, proof: str | None = None) -> Path:
    """A certificate for a board."""
    write_certificate(folder, puzzle, solve_here("bfs", puzzle), proof)
    return folder


def test_the_theorem_rests_on_no_axioms():
    assert (FORMAL / "build" / "said.txt").read_text().strip() == CLOSED


@pytest.mark.slow
def test_the_theorems_on_every_board_rest_on_no_axioms():
    said = made("every-board")
    assert said is not None
    assert said.read_text().strip() == CLOSED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "before", "after", "name"),
    [
        ("Moves.v", "Proof. apply lists_ordered, numbers_ordered. Qed.", "Admitted.", "bsp-sat-verified"),
        ("Statement.v", "if i =? j then None else", "", "bsp-sat-verified"),  # from a tube to itself
        ("Bound.v", "- min (homes h) (sum_of (at_bottom c) s))", "- min (homes h) 0)", "bsp-sat-verified"),
        ("every_board/Counts.v", "Proof. reflexivity. Qed.\n\nLemma all_of_none", "Admitted.\n\nLemma all_of_none",
         "every-board"),
        ("every_board/EveryBoard.v", "capacity r < n ^ n)", "capacity r <= n ^ n)", "every-board"),
    ],
)  # fmt: skip
def test_what_is_not_proved_is_not_built(tmp_path, file, before, after, name):
    copy = shutil.copytree(FORMAL, tmp_path / "formal", ignore=shutil.ignore_patterns("build"))
    text = (copy / file).read_text()
    assert text.count(before) == 1
    (copy / file).write_text(text.replace(before, after))
    assert subprocess.run(["make", "-C", copy], capture_output=True, check=False).returncode != 0
    assert not (copy / "build" / name).exists()


def test_every_certificate_of_a_plain_board_is_taken(tmp_path, one_in):
    """The reference boards of both rules, and small ones at the other goal; whatever kind of proof they get."""
    puzzles = [instance.puzzle for instance in under_both_rules("small.jsonl")]
    puzzles += [instance.puzzle for instance in under_both_rules("medium.jsonl")]
    puzzles += [rule(p.tubes, p.capacity, "monochrome", p.palette) for rule in RULES for p in puzzles[:40:8]]
    folders, claims = [], []
    for number, puzzle in enumerate(puzzles[:: one_in(40)]):
        folders.append(tmp_path / str(number))
        result = solve(puzzle)
        claims.append("no plan exists." if result.length is None else f"{result.length} moves is the minimum.")
        assert write_certificate(folders[-1], puzzle, result).kind != LRAT
    assert proved_verdicts(folders) == [(0, f"Verified: {claim}") for claim in claims]
    assert len(set(claims)) > 3


@pytest.mark.parametrize("goal", ["full", "monochrome"])
@every_rule
def test_claims_are_the_distances_of_all_boards_of_a_family(rule, goal, tmp_path):
    """By the naive rules: the true claim holds; the next larger one doesn't, nor that there is no plan."""
    boards = sorted(naive.all_boards((2, 2, 2), 2, 4))
    distances = naive.distances(set(boards), 2, goal, water=rule is WaterSort, tubes_in_order=True)
    folders, expected = [], []
    for number, tubes in enumerate(boards[:: max(1, len(boards) // 60)]):
        folder = certified(tmp_path / str(number), rule(tubes, 2, goal, (0, 1, 2)), LABELS)
        length = distances.get(tubes)
        found = json.loads((folder / "claim.json").read_text())
        assert found["length"] == length
        folders.append(folder)
        expected.append(0)
        if length is not None:
            for name, claim in (("longer", length + 1), ("none", None)):
                false = shutil.copytree(folder, tmp_path / f"{number}-{name}")
                status = "optimal" if claim else "unsolvable"
                (false / "claim.json").write_text(json.dumps({"status": status, "length": claim, "proof": "labels"}))
                folders.append(false)
                expected.append(1)
    assert [code for code, _ in proved_verdicts(folders)] == expected


@pytest.mark.parametrize("instance", reference("small.jsonl", "ball-sort")[:2], ids=case_id)
def test_verify_runs_the_proved_checker(instance, tmp_path):
    folder = certified(tmp_path, instance.puzzle, LABELS)
    found = verify_certificate(folder, verified.VERIFIED)
    plain = verify_certificate(folder)
    assert (found.length, found.particulars["positions"]) == (plain.length, plain.particulars["positions"])
    assert Path(found.checker).name == "bsp-sat-verified"


def test_the_command_shows_the_board_that_was_checked(tmp_path):
    folder = certified(tmp_path, BallSort.from_text(UNSOLVABLE))
    run = bsp_sat("verify", str(folder), "--checker", "verified")
    assert run.returncode == 0
    assert "Board: ball-sort, capacity 3, goal full, tubes bottom first:\n  1: [" in run.stdout
    assert run.stdout.endswith("Verified: no plan exists.\n")
    fields = json.loads(bsp_sat("verify", str(folder), "--checker", "verified", "--json").stdout)
    assert (fields["verified"], fields["checker"], fields["proof"]) == (True, "bsp-sat-verified", "borders")


def test_what_the_proved_checker_does_not_cover_is_refused_with_the_reason(tmp_path):
    tiles = certified(tmp_path / "tiles", Tiles.from_columns([[1, 2], [2, 1]]))
    run = bsp_sat("verify", str(tiles), "--checker", "verified")
    assert run.returncode == 1
    assert "tiles: not covered by the proved checker" in run.stdout
    for said, rule in {"wanted": {"goal": "wanted", "wanted": {"a": 1}}, "drain": {"drain": True}}.items():
        board = BallSort.from_json({"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], **rule})
        folder = certified(tmp_path / said, board)
        assert verify_certificate(folder).length
        run = bsp_sat("verify", str(folder), "--checker", "verified")
        assert (run.returncode, f"{said}: not covered by the proved checker" in run.stdout) == (1, True), run.stdout
    lrat = certified(tmp_path / "lrat", BallSort.from_text(SOLVABLE), LRAT)
    run = bsp_sat("verify", str(lrat), "--checker", "verified")
    assert run.returncode == 2
    assert "this certificate has an LRAT proof" in run.stderr


def test_without_the_proved_checker_verify_says_how_to_build_it(tmp_path, monkeypatch):
    folder = certified(tmp_path, BallSort.from_text(SOLVABLE))
    monkeypatch.setattr(verified, "BUILT", tmp_path / "nothing")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match=r"bsp-sat-verified is not on PATH .docs/certificates.md"):
        verify_certificate(folder, verified.VERIFIED)


@pytest.mark.parametrize("said", ["", "Not verified: x\n", "Verified: yes\nNot verified: x\n"])
def test_a_program_that_does_not_say_verified_last_verifies_nothing(tmp_path, monkeypatch, said):
    folder = certified(tmp_path / "certificate", BallSort.from_text(SOLVABLE))
    program = tmp_path / "bsp-sat-verified"
    program.write_text(f"#!/bin/sh\nprintf {said!r}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BspSatError, match="bsp-sat-verified: "):
        verify_certificate(folder, verified.VERIFIED)


def test_the_proved_checker_takes_several_folders_and_says_how_it_is_used(tmp_path):
    program = str(proved_checker())
    assert subprocess.run([program], capture_output=True, check=False).returncode == 2
    good = certified(tmp_path / "good", WaterSort.from_text(SOLVABLE))
    run = subprocess.run([program, good, tmp_path / "nowhere"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert [line.partition(":")[0] for line in run.stdout.splitlines()[-2:]] == ["Verified", "Unreadable"]
