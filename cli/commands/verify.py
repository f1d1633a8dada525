"""`bsp-sat verify`."""

from pathlib import Path

import click

from bsp_sat.backends.proofs.certificate import (
    Verified,
    VerifiedLabels,
    not_verified,
    verify_certificate,
)
from bsp_sat.backends.proofs.refutation import CHECKERS
from bsp_sat.backends.proofs.verified import VERIFIED
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.options import EXIT_NO, board_options
from bsp_sat.cli.output.live import working
from bsp_sat.instances.errors import BspSatError, Unsupported, printable
from bsp_sat.instances.sorting.rules import Reveal
from bsp_sat.instances.text.writing import json_text


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument("board", required=False, metavar="[BOARD]", shell_complete=complete_board)
@click.option(
    "--checker",
    type=click.Choice(["auto", VERIFIED, *CHECKERS]),
    default="auto",
    show_default=True,
    help="verified, for labels and borders: the checker that is itself proved. The others are for LRAT proofs; auto "
    "takes cake_lpr if it is on PATH, else the built-in one.",
)
@board_options
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as a JSON object.")
@click.pass_context
def verify(
    ctx: click.Context,
    folder: Path,
    board: str | None,
    checker: str,
    puzzle: str | None,
    reveal: Reveal | None,
    as_json: bool,
) -> None:
    """Check the certificate in DIR, written by `solve --certificate DIR`, and draw its board.

    Give BOARD to check that the certificate is for that board: the same rules, order of tubes and colour names. Without
    it, compare the drawing yourself.

    The plan is replayed. Distance labels and border tables are checked by a single-file program that shares no code
    with the solver, or by --checker verified. For an LRAT proof, the formula is built again from the board and
    compared, and the proof is checked by cake_lpr if it is on PATH (absolute folders only), else by the built-in
    checker. Exit code: 0 verified, 1 not verified, 2 bad usage.
    """
    if board is None and puzzle is not None:
        raise Unsupported("--puzzle needs BOARD")
    expected = None if board is None else load_board(board, puzzle, reveal).puzzle
    try:
        with working("checking the certificate"):
            verified = verify_certificate(folder, checker, expected)
    except Unsupported:
        raise
    except BspSatError as error:
        click.echo(json_text(not_verified(error)) if as_json else f"Not verified: {error}")
        ctx.exit(EXIT_NO)
    if as_json:
        click.echo(json_text(verified.to_json()))
        return
    # Imported here, as everywhere that rich is used: `--help` needn't wait for it.
    from rich.text import Text

    from bsp_sat.cli.output import screen

    which = "Board" if expected is None else "Board (the one given)"
    out = screen.console()
    out.print(Text(f"{which}: {verified.puzzle.summary()}\n"), screen.Drawing(verified.puzzle), "", sep="\n")
    for line in _labels_lines(verified) if isinstance(verified, VerifiedLabels) else _lrat_lines(verified):
        click.echo(line)


def _labels_lines(verified: VerifiedLabels) -> list[str]:
    """The report on a certificate by labels or borders."""
    *lines, verdict = verified.report
    checker = f"Checker: {printable(verified.checker)}, {verified.seconds:.1f} s, {verified.bytes / 1000:.1f} kB"
    return [*lines, checker, verdict]


def _lrat_lines(verified: Verified) -> list[str]:
    """The report on a certificate by an LRAT proof."""
    claim, proof = verified.claim, verified.proof
    lines = []
    if claim.length is not None:
        lines.append(f"Plan: {claim.length} moves, replayed")
    if claim.length is not None and claim.length <= verified.puzzle.lower_bound():
        lines.append(f"Bound: the lower bound from the rules is {claim.length} moves already; the formula adds nothing")
    refuted = "there is a plan" if claim.length is None else f"fewer than {claim.length} moves"
    lines.append(
        f"Formula: {refuted}; built again from the board ({claim.encoding}), {verified.clauses} clauses, the same"
    )
    by = f"the {proof.checker} checker" if proof.program is None else printable(str(proof.program))
    lines.append(f"Proof: {proof.proof_megabytes:.1f} MB, accepted by {by} in {proof.seconds:.1f} s")
    lines.append(
        "Verified: " + ("no plan exists." if claim.length is None else f"{claim.length} moves is the minimum.")
    )
    return lines
