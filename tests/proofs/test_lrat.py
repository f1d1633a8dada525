"""Proofs: what solvers write is accepted, whatever is wrong with it afterwards is noticed and named."""

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest

from bsp_sat.backends.proofs.lrat import InvalidProof, UnreadableCnf, check_lrat, check_steps
from bsp_sat.backends.proofs.manifest import check_manifest, write_manifest
from bsp_sat.backends.proofs.refutation import ACCEPTANCE, BUILT_IN, CAKE_LPR, CHECKERS, check_proof, refute, trim
from bsp_sat.backends.sat.external_programs import program_of
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.instances.errors import BoardError, CertificateError, ProofRejected, Unsupported
from bsp_sat.instances.sorting import BallSort

Clauses = list[list[int]]

INSTALLED = [name for name in CHECKERS if name == BUILT_IN or program_of(name)]


def pigeonhole(holes: int) -> Clauses:
    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    everyone = [[sits(pigeon, hole) for hole in range(holes)] for pigeon in range(holes + 1)]
    return everyone + [
        [-sits(one, hole), -sits(other, hole)]
        for hole in range(holes)
        for one, other in combinations(range(holes + 1), 2)
    ]


def random_clauses(seed: int, variables: int, count: int, sizes: tuple[int, ...] = (3,)) -> Clauses:
    rng = random.Random(seed)
    return [
        [variable * rng.choice((1, -1)) for variable in rng.sample(range(1, variables + 1), rng.choice(sizes))]
        for _ in range(count)
    ]


def shorter_than_optimal() -> Clauses:
    """Horizon 10 of a board that needs 11; the assumption comes first, so that the solver simplifies as it reads."""
    board = BallSort.from_tubes([[2, 3, 0], [2, 1, 2], [1, 3, 1], [0, 3, 0], [], []], capacity=3)
    formula = ENCODINGS["sequential"].encode(board)
    assumptions = formula.at_horizon(10)
    return [[literal] for literal in assumptions] + [list(clause) for clause in formula.clauses]


REFUTABLE: dict[str, Clauses] = {
    "pigeonhole": pigeonhole(5),
    "random": random_clauses(seed=1, variables=60, count=330),
    "plan": shorter_than_optimal(),
    "units first": [[1], [-1, 2], [-2, 3], [-3, -1, 4], [-4, 5], [-5, -3]],
    "units last": [[-1, 2], [-2, 3], [-3, -1, 4], [-4, 5], [-5, -3], [1], [2], [3]],
    "contradicting units": [[2, 3], [1], [-1], [3, 4]],
    "repeated literals, tautologies, duplicates": [[1, 1, 2], [3, -3], [1, -2], [1, -2], [-1, 2, 2], [-1, -2], [4]],
    "empty clause": [[1, 2], [], [-1]],
}


@pytest.fixture(params=sorted(REFUTABLE))
def clauses(request: pytest.FixtureRequest) -> Clauses:
    return REFUTABLE[request.param]


@pytest.fixture
def cnf(tmp_path: Path, clauses: Clauses) -> Path:
    return write(tmp_path / "formula.cnf", clauses)


@pytest.fixture(scope="module")
def refuted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a CNF and a proof of a few dozen lines."""
    folder = tmp_path_factory.mktemp("refuted")
    refute(write(folder / "small.cnf", pigeonhole(4)), folder / "small.lrat")
    return folder


@pytest.fixture
def small(refuted: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Both, to be changed."""
    cnf, proof = (Path(shutil.copy(refuted / name, tmp_path)) for name in ("small.cnf", "small.lrat"))
    return cnf, proof


def write(path: Path, clauses: Clauses) -> Path:
    with path.open("w") as stream:
        write_dimacs(Dimacs(clauses), stream)
    return path


def steps(proof: Path) -> list[tuple[int, list[int], list[int]]]:
    """Index of the line, literals and hints of each derived clause."""
    found = []
    for index, line in enumerate(proof.read_text().splitlines()):
        words = line.split()
        if words[1] != "d":
            numbers = list(map(int, words))
            end = numbers.index(0)
            found.append((index, numbers[1:end], numbers[end + 1 : -1]))
    return found


@pytest.mark.parametrize("checker", INSTALLED)
def test_proofs_of_the_solver_are_accepted(cnf, tmp_path, checker):
    proof = tmp_path / "proof.lrat"
    refutation = refute(cnf, proof)
    check = check_proof(cnf, proof, checker)
    assert check.checker == checker
    assert check.proof_megabytes == refutation.proof_megabytes == proof.stat().st_size / 1e6
    assert refutation.steps == len(steps(proof))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["formula.cnf", "proof.lrat"]


def test_random_formulas_get_the_solvers_answer(tmp_path, one_in):
    for seed in range(0, 40, one_in(5)):
        clauses = random_clauses(seed, variables=8, count=40, sizes=(1, 2, 3, 3, 3) if seed % 2 else (2, 3, 4))
        satisfiable = any(
            all(any((literal > 0) == model[abs(literal) - 1] for literal in clause) for clause in clauses)
            for model in product((False, True), repeat=8)
        )
        cnf, proof = write(tmp_path / "formula.cnf", clauses), tmp_path / f"{seed}.lrat"
        if satisfiable:
            with pytest.raises(CertificateError, match="has a model"):
                refute(cnf, proof)
            assert not proof.exists()
        else:
            refute(cnf, proof)
            check_proof(cnf, proof, BUILT_IN)


@pytest.mark.sampled(every=3)
def test_a_second_checker_accepts_the_proofs(cnf, clauses, tmp_path):
    dratify = pytest.importorskip("dratify")
    proof = tmp_path / "proof.lrat"
    refute(cnf, proof)
    drat = "\n".join(" ".join(map(str, [*literals, 0])) for _, literals, _ in steps(proof))
    formula = dratify.parse_dimacs(cnf.read_text())
    assert dratify.check_proof(formula, drat).ok
    if len(clauses) > 10:  # the others need no steps
        assert not dratify.check_proof(formula, "").ok


def test_an_empty_clause_is_refuted_by_the_step_after_the_last_clause(tmp_path):
    cnf, proof = write(tmp_path / "formula.cnf", [[1, 2], [], [-1]]), tmp_path / "proof.lrat"
    refutation = refute(cnf, proof)
    assert (proof.read_text(), refutation.steps) == ("4 0 2 0\n", 1)


DAMAGE: dict[str, tuple[str, str, str]] = {  # a pattern that is replaced once, by what, and what is said then
    "a literal less": (r"(?m)^(\d+) -?[1-9]\d* (-?[1-9])", r"\1 \2", r"line \d+ of the proof: "),
    "a literal negated": (r"(?m)^(\d+) -([1-9]\d* -?[1-9])", r"\1 \2", r"line \d+ of the proof: "),
    "a hint less": (r"\A(.*) \d+ 0\n", r"\1 0\n",
        r"line 1 of the proof: the clause \(.*\) does not follow from its hints"),
    "an unknown hint": (r"\A(.*) \d+ 0\n", r"\1 99999 0\n",
        "line 1 of the proof needs clause 99999, which does not exist"),
    "a later hint": (r"\A(\d+)(.*?) 0 .* 0\n", r"\1\2 0 \1 0\n",
        r"line 1 of the proof needs clause \d+, which does not exist"),
    "a RAT hint": (r"\A(.*? 0) (\d+)", r"\1 -\2", "line 1 of the proof is a RAT step, which is not supported"),
    "an id again": (r"\A\d+", "45", "line 1 of the proof: clause id 45 is not above 45, the last one"),
    "a step left out": (r"\A.*\n", "", r"line \d+ of the proof (needs|deletes) clause 46, which does not exist"),
    "the rest left out": (r"(?s)\A((?:[^\n]*\n){9}).*", r"\1", "the proof ends after line 9 without the empty clause"),
    "the end of a line left out": (r"(?s).{4}\Z", "", r"line \d+ of the proof can't be read, or is cut off"),
    "all left out": (r"(?s)\A.*\Z", "", "the proof ends after line 0 without the empty clause"),
    "binary before it": (r"\A", "a\xa21S\xfe\x07\0\xa01\0", "line 1 of the proof can't be read, or is cut off"),
    "a clause deleted early": (r"\A(.*? 0) (\d+)", r"1 d \2 0\n\1 \2", r"line 2 of the proof needs clause \d+, which"),
    "a clause deleted twice": (r"\A", r"1 d 1 0\n1 d 1 0\n",
        "line 2 of the proof deletes clause 1, which does not exist"),
}  # fmt: skip


def damage(proof: Path, name: str) -> None:
    pattern, replacement, _ = DAMAGE[name]
    text, found = re.subn(pattern, replacement, proof.read_text(encoding="latin-1"), count=1)
    assert found
    proof.write_text(text, encoding="latin-1")


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_proofs_are_rejected(small, name):
    cnf, proof = small
    damage(proof, name)
    with pytest.raises(ProofRejected, match=f"^{BUILT_IN}: {DAMAGE[name][2]}"):
        check_proof(cnf, proof, BUILT_IN)


def test_no_single_byte_makes_a_satisfiable_formula_refuted(tmp_path, one_in):
    """Each byte of a proof, and of its CNF, is replaced in turn: whatever is accepted must be a refutation.

    Without --slow by one of every three other bytes.
    """
    from pysat.solvers import Solver

    clauses = pigeonhole(2)
    cnf, proof = write(tmp_path / "formula.cnf", clauses), tmp_path / "proof.lrat"
    refute(cnf, proof)
    messages = []
    for path, byte in ((path, byte) for path in (cnf, proof) for byte in b"0159 -d\n\xff"[:: one_in(3)]):
        original = path.read_bytes()
        for place in range(len(original)):
            path.write_bytes(original[:place] + bytes([byte]) + original[place + 1 :])
            try:
                check_lrat(cnf, proof)
            except (InvalidProof, UnreadableCnf) as error:
                messages.append(str(error))
            else:
                with Solver("minisat22", bootstrap_with=read_clauses(cnf)) as solver:
                    assert not solver.solve()
        path.write_bytes(original)
    assert len(messages) > 500 // one_in(3)
    assert all("line" in message for message in messages)


def read_clauses(cnf: Path) -> Iterator[list[int]]:
    for line in cnf.read_text().splitlines():
        if line[:1] not in "pc":
            yield list(map(int, line.split()[:-1]))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the CNF has 0 clauses in 0 lines, its header says -1"),
        ("1 0\n", "line 1 of the CNF can't be read"),
        ("p cnf 2\n", "line 1 of the CNF can't be read"),
        ("p wcnf 2 1\n1 0\n", "line 1 of the CNF can't be read"),
        ("p cnf 2 2\n1 0\n", "the CNF has 1 clauses in 2 lines, its header says 2"),
        ("p cnf 2 1\n1 0\n2 0\n", "the CNF has 2 clauses in 3 lines, its header says 1"),
        ("p cnf 2 1\n3 0\n", "line 2 of the CNF: a variable is above 2"),
        ("p cnf 2 1\n1 2\n", "line 2 of the CNF can't be read, or is cut off"),
        ("p cnf 2 2\n1 0 2 0\n", "line 2 of the CNF can't be read, or is cut off"),
        ("p cnf 2 1\np cnf 2 1\n1 0\n", "line 2 of the CNF can't be read"),
    ],
)
def test_unreadable_formulas_are_rejected(tmp_path, text, problem):
    cnf, proof = tmp_path / "formula.cnf", tmp_path / "proof.lrat"
    cnf.write_text(text)
    proof.write_text("3 0 1 2 0\n")
    with pytest.raises(ProofRejected, match=problem):
        check_proof(cnf, proof, BUILT_IN)
    with pytest.raises(BoardError, match="line"):
        refute(cnf, proof)


def test_a_step_that_leaves_two_literals_is_named():
    cnf = {1: (1, 2, 3), 2: (-1,)}
    with pytest.raises(InvalidProof, match=r"line 1 of the proof: clause 1 leaves more than one literal \(1 2 3\)"):
        check_steps(cnf, ["3 0 1 2 0"])


def test_literals_that_are_repeated_count_once():
    assert check_steps({1: (1, 2, 2), 2: (-1,), 3: (-2, -2)}, ["4 0 2 1 3 0"]).steps == 1


def test_the_checker_needs_nothing_but_python(small, tmp_path):
    program = tmp_path / "alone.py"
    shutil.copy(sys.modules[check_lrat.__module__].__file__ or "", program)
    command = [sys.executable, "-I", "-S", str(program), *map(str, small)]
    accepted = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (accepted.returncode, accepted.stdout.splitlines()[0]) == (0, "s VERIFIED UNSAT")
    damage(small[1], "the rest left out")
    rejected = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (rejected.returncode, rejected.stdout.splitlines()[0]) == (1, "s NOT VERIFIED")
    for words in (command[:-1], [*command[:-2], "nowhere.cnf", command[-1]]):
        assert subprocess.run(words, capture_output=True, check=False).returncode == 2


def test_the_limit_is_named_and_leaves_nothing_behind(tmp_path):
    cnf, proof = write(tmp_path / "hard.cnf", pigeonhole(11)), tmp_path / "proof.lrat"
    proof.write_text("of yesterday")
    with pytest.raises(CertificateError, match=r"the solver's proof is above its limit of 0\.1 MB"):
        refute(cnf, proof, max_trace_megabytes=0.1)
    assert proof.read_text() == "of yesterday"
    assert len(list(tmp_path.iterdir())) == 2


def test_incomplete_traces_are_refused(tmp_path):
    trace, proof = tmp_path / "trace", tmp_path / "proof"
    for text, problem in (
        ("", "the solver has written no proof"),
        ("4 1 0 1 2 0\n", "the solver's proof ends before the empty clause"),
        ("4 1 0 1 2 0\n5 0 4", "the solver's proof ends before the empty clause"),
        ("4 d 1 0\n", "the solver's proof has no step"),
    ):
        trace.write_text(text)
        with pytest.raises(CertificateError, match=problem):
            trim(trace, 3, proof)


def test_trimming_drops_what_is_not_needed_and_renumbers(tmp_path):
    trace, proof = tmp_path / "trace", tmp_path / "proof"
    # the solver's number 3 is derived while it still reads: clauses 1, 2, 3, 4 are its 1, 2, 4, 5
    trace.write_text("3 1 0 1 2 0\n6 7 0 4 0\n6 d 6 0\n7 5 0 3 4 0\n8 0 7 5 0\n")
    assert trim(trace, 4, proof) == 3
    assert proof.read_text() == "5 1 0 1 2 0\n6 5 0 5 3 0\n6 d 5 0\n7 0 6 4 0\n"


@pytest.mark.parametrize(
    ("exit_code", "output", "complaint"),
    [
        (0, "{acceptance}", None),
        (0, "c nothing to see", "c nothing to see"),
        (0, "s NOT VERIFIED", "NOT VERIFIED"),
        (1, "c failed to check clause: 1 2 0\\nc NOT VERIFIED\\n{acceptance}", "failed to check clause: 1 2 0"),
        (1, "{acceptance}", "exit code 1"),
        (0, "", "no message"),
    ],
)
def test_another_checker_is_believed_only_when_it_accepts(small, tmp_path, monkeypatch, exit_code, output, complaint):
    program = tmp_path / "bin" / CAKE_LPR
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nprintf '{output.format(acceptance=ACCEPTANCE)}'\nexit {exit_code}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    if complaint is None:
        check = check_proof(*small)
        assert (check.checker, check.program) == (CAKE_LPR, program)
    else:
        with pytest.raises(ProofRejected, match=f"^{program} .*{complaint}"):
            check_proof(*small)


def test_unknown_and_missing_checkers_are_refused_by_name(small, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert check_proof(*small).checker == BUILT_IN
    with pytest.raises(Unsupported, match="cake_lpr is not on PATH"):
        check_proof(*small, checker=CAKE_LPR)
    with pytest.raises(Unsupported, match="unknown proof checker 'oracle', expected auto or one of cake_lpr"):
        check_proof(*small, checker="oracle")


def test_manifests_notice_missing_and_new_files(tmp_path):
    with pytest.raises(CertificateError, match="can't be read"):
        check_manifest(tmp_path)
    (tmp_path / "old").write_text("")
    write_manifest(tmp_path)
    (tmp_path / "old").rename(tmp_path / "new")
    with pytest.raises(CertificateError, match="old is missing; new is not listed"):
        check_manifest(tmp_path)
