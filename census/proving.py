"""Decides a class by its formula (`bsp_sat.encoder.unsolvable_board`), with or without a proof for others to check.

A large formula is split into cubes, which can be solved apart; the proof is one of the whole formula all the same.
"""

import atexit
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bsp_sat.backends.proofs.joining import join
from bsp_sat.backends.proofs.refutation import HasModel, check_proof, refute
from bsp_sat.census.board_class import BoardClass
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.formula import Literal, VariableName
from bsp_sat.encoder.unsolvable_board import UnsolvableBoard, beginnings
from bsp_sat.instances.errors import Unsupported

if TYPE_CHECKING:
    from pysat.solvers import Solver

SOLVER = "cadical195"
CNF, PROOF = "formula.cnf", "proof.lrat"
MAX_TABLES = 1_000_000  # vectors of heights; the formula has some dozens of clauses for each
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
    return beginnings(of.colours, of.capacity, CUBES if of.capacity**of.colours >= SPLIT_TABLES else 1)


def solve_cube(of: BoardClass, beginning: bytes) -> Cube:
    """Looks for an unsolvable board in a cube; that there is none rests on the solver.

    Raises:
        Unsupported: the formula would be too large.
    """
    formula, solver = _loaded(of)
    if not solver.solve(formula.cube(beginning)):
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


def refute_cube(of: BoardClass, beginning: bytes, folder: Path) -> bool:
    """Writes a refutation of the formula with a cube to a folder; False if there is a model.

    Raises:
        Unsupported: the formula would be too large.
        NotRefuted: the solver's trace is too large.
    """
    formula = _formula_of(of)
    cnf = folder / f"cube-{beginning.hex()}.cnf"
    _write([*formula.clauses, *([literal] for literal in formula.cube(beginning))], cnf)
    try:
        refute(cnf, _proof_of(beginning, folder))
    except HasModel:
        return False
    finally:
        cnf.unlink()
    return True


def join_proofs(of: BoardClass, folder: Path) -> None:
    """Writes the formula and one checked refutation of it, in place of those of all cubes.

    Args:
        of: the class.
        folder: has the refutations; receives ``formula.cnf`` and ``proof.lrat``.

    Raises:
        ProofRejected: the checker doesn't accept the proof.
    """
    formula = _formula_of(of)
    cubes = {beginning: formula.cube(beginning) for beginning in cubes_of(of)}
    parts = [(cube, _proof_of(beginning, folder)) for beginning, cube in cubes.items()]
    cnf, proof, last = folder / CNF, folder / PROOF, folder / "last.lrat"
    if len(parts) == 1:
        parts[0][1].rename(proof)
    else:
        _write([*formula.clauses, *([-literal for literal in cube] for cube in cubes.values())], cnf)
        refute(cnf, last)
        join(len(formula.clauses), parts, last, proof)
        for part in (last, *(part for _, part in parts)):
            part.unlink()
    comment = f"a model is an unsolvable board of {of.colours} colours, capacity {of.capacity}, {of.empty} empty tubes"
    _write(formula.clauses, cnf, formula.names, [comment])
    check_proof(cnf, proof)


def _proof_of(beginning: bytes, folder: Path) -> Path:
    return folder / f"cube-{beginning.hex()}.lrat"


def _write(
    clauses: Sequence[Sequence[Literal]], cnf: Path, names: Sequence[VariableName] = (), comments: Sequence[str] = ()
) -> None:
    with cnf.open("w", encoding="ascii", newline="\n") as stream:
        write_dimacs(Dimacs(clauses, names, comments), stream)


@lru_cache(maxsize=1)
def _formula_of(of: BoardClass) -> UnsolvableBoard:
    """The formula of a class.

    Raises:
        Unsupported: it would be too large.
    """
    if of.capacity**of.colours > MAX_TABLES:
        tables = f"{of.capacity**of.colours:,} border tables"
        raise Unsupported(f"the formula of {of} would have {tables}; at most {MAX_TABLES:,} are tried")
    return UnsolvableBoard(of.colours, of.capacity, of.empty)
