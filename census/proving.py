"""Decides a class by its formula (`bsp_sat.encoder.unsolvable_board`), with or without a proof for others to check."""

from pathlib import Path

from bsp_sat.backends.proofs.refutation import HasModel, check_proof, refute
from bsp_sat.census.board_class import BoardClass
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.unsolvable_board import UnsolvableBoard
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import BallSort

SOLVER = "cadical195"
CNF, PROOF = "formula.cnf", "proof.lrat"
MAX_TABLES = 1_000_000  # vectors of heights; the formula has some dozens of clauses for each


def find_unsolvable(of: BoardClass) -> BallSort | None:
    """An unsolvable board; None if there is none, which rests on the solver.

    Raises:
        Unsupported: the formula would be too large.
    """
    # Imported here: only a process that solves needs it.
    from pysat.solvers import Solver

    formula = formula_of(of)
    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        return formula.decode(solver.get_model()) if solver.solve() else None


def prove(of: BoardClass, folder: Path) -> bool:
    """Proves that every board can be solved: writes the formula and a refutation, and checks it.

    Args:
        of: the class.
        folder: receives ``formula.cnf`` and ``proof.lrat``.

    Returns:
        False if the formula has a model.

    Raises:
        Unsupported: the formula would be too large.
        NotRefuted: the solver's trace is too large.
        ProofRejected: the checker doesn't accept the proof.
    """
    formula = formula_of(of)
    comment = f"a model is an unsolvable board of {of.colours} colours, capacity {of.capacity}, {of.empty} empty tubes"
    cnf, proof = folder / CNF, folder / PROOF
    with cnf.open("w", encoding="ascii", newline="\n") as stream:
        write_dimacs(Dimacs(formula.clauses, formula.names, [comment]), stream)
    try:
        refute(cnf, proof)
    except HasModel:
        return False
    check_proof(cnf, proof)
    return True


def formula_of(of: BoardClass) -> UnsolvableBoard:
    """The formula of a class.

    Raises:
        Unsupported: it would be too large.
    """
    if of.capacity**of.colours > MAX_TABLES:
        tables = f"{of.capacity**of.colours:,} border tables"
        raise Unsupported(f"the formula of {of} would have {tables}; at most {MAX_TABLES:,} are tried")
    return UnsolvableBoard(of.colours, of.capacity, of.empty)
