"""Decides a class by its formula (`bsp_sat.encoder.unsolvable_board`), with or without a proof for others to check.

To be solved, a large formula is split into cubes. A refutation is one of the whole formula.
"""

import atexit
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bsp_sat.backends.proofs.refutation import check_proof, refute
from bsp_sat.census.board_class import BoardClass
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.unsolvable_board import UnsolvableBoard, first_places
from bsp_sat.instances.errors import HasModel, ProofRejected, Unsupported

if TYPE_CHECKING:
    from pysat.solvers import Solver

SOLVER = "cadical195"
CNF, PROOF = "formula.cnf", "proof.lrat"
MAX_TABLES = 1_000_000  # vectors of heights; the formula has some dozens of clauses for each
MAX_CAPACITY = 200  # sums go ball by ball, one call within the other
SPLIT_TABLES = 1_000  # formulas with fewer take seconds, and are solved whole
CUBES = 40  # at least, of other formulas


@dataclass(frozen=True)
class Cube:
    """What was found about the boards of a cube.

    Attributes:
        example: an unsolvable one, its balls tube by tube; None if there is none.
    """

    example: bytes | None = None

    def shown(self) -> Iterator[bytes]:
        """The board that is kept."""
        if self.example is not None:
            yield self.example

    def to_json(self) -> dict[str, Any]:
        """The board as digits in hexadecimal, two for each ball."""
        return {"example": None if self.example is None else self.example.hex()}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Cube":
        """The reverse of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: the fields are something else.
        """
        return cls(None if fields["example"] is None else bytes.fromhex(fields["example"]))


def cubes_of(of: BoardClass) -> list[bytes]:
    """The cubes that the formula of a class is split into; a small formula has one, which says nothing."""
    return first_places(of.colours, of.capacity, CUBES if of.capacity**of.colours >= SPLIT_TABLES else 1)


def solve_cube(of: BoardClass, first: bytes) -> Cube:
    """Looks for an unsolvable board in a cube; that there is none rests on the solver.

    Raises:
        Unsupported: the formula would be too large.
    """
    formula, solver = _loaded(of)
    if not solver.solve(formula.cube(first)):
        return Cube()
    return Cube(b"".join(formula.decode(solver.get_model()).tubes))


@lru_cache(maxsize=1)  # so that a worker uses for one cube what it has learned from another
def _loaded(of: BoardClass) -> "tuple[UnsolvableBoard, Solver]":
    # Imported here: only a process that solves needs it.
    from pysat.solvers import Solver

    formula = _formula_of(of)
    solver = Solver(SOLVER, bootstrap_with=formula.clauses)
    atexit.register(solver.delete)  # which Python may do too late
    return formula, solver


def prove(of: BoardClass, folder: Path) -> bool:
    """Proves that every board can be solved: writes the formula and a refutation.

    Args:
        of: the class.
        folder: receives ``formula.cnf`` and ``proof.lrat``.

    Returns:
        False if the formula has a model.

    Raises:
        Unsupported: the formula would be too large.
        CertificateError: the solver's trace is too large.
    """
    formula = _formula_of(of)
    comment = f"a model is an unsolvable board of {of.in_words}"
    cnf, proof = folder / CNF, folder / PROOF
    with cnf.open("w", encoding="ascii", newline="\n") as stream:
        write_dimacs(Dimacs(formula.clauses, formula.names, [comment]), stream)
    try:
        refute(cnf, proof)
    except HasModel:
        return False
    return True


def rejection(folder: Path) -> str:
    """Why the checker doesn't accept the proof in a folder; empty if it does."""
    try:
        check_proof(folder / CNF, folder / PROOF)
    except ProofRejected as error:
        return str(error)
    return ""


def _formula_of(of: BoardClass) -> UnsolvableBoard:
    """The formula of a class.

    Raises:
        Unsupported: it would be too large.
    """
    if of.capacity > MAX_CAPACITY:
        raise Unsupported(f"formulas are made for capacities up to {MAX_CAPACITY}, not for {of.capacity}")
    if of.capacity**of.colours > MAX_TABLES:
        tables = f"{of.capacity**of.colours:,} border tables"
        raise Unsupported(f"the formula of {of} would have {tables}; at most {MAX_TABLES:,} are tried")
    return UnsolvableBoard(of.colours, of.capacity, of.empty)
