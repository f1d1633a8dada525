"""`bsp-sat verify`."""

from pathlib import Path

import click

from bsp_sat.backends.proofs.certificate import Verified, VerifiedLabels, verify_certificate
from bsp_sat.backends.proofs.refutation import CHECKERS
from bsp_sat.instances.errors import BspSatError, Unsupported

EXIT_NOT_VERIFIED = 1


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--checker",
    type=click.Choice(["auto", *CHECKERS]),
    default="auto",
    show_default=True,
    help="For LRAT proofs: the program to use.",
)
@click.pass_context
def verify(ctx: click.Context, folder: Path, checker: str) -> None:
    """Check the certificate in DIR, as `solve --certificate DIR` wrote it.

    Replays the plan, and checks the distance labels or border tables by a program of one file that shares nothing
    with the solver. Where the proof is LRAT, builds the formula from the board again and compares it, and has the
    proof checked by a program on PATH if there is one, else by the built-in LRAT checker. Exit code: 0 verified,
    1 not verified, 2 bad usage.
    """
    try:
        verified = verify_certificate(folder, checker)
    except Unsupported:
        raise
    except BspSatError as error:
        click.echo(f"Not verified: {error}")
        ctx.exit(EXIT_NOT_VERIFIED)
    for line in _labels_lines(verified) if isinstance(verified, VerifiedLabels) else _lrat_lines(verified):
        click.echo(line)


def _labels_lines(verified: VerifiedLabels) -> list[str]:
    """What was checked of a certificate by labels or borders."""
    *lines, verdict = str(verified.checked).splitlines()
    checker = f"Checker: check_labels.py, {verified.seconds:.1f} s, {verified.bytes / 1000:.1f} kB"
    return [f"Board: {verified.puzzle.summary()}", *lines, checker, verdict]


def _lrat_lines(verified: Verified) -> list[str]:
    """What was checked of a certificate by an LRAT proof."""
    claim, proof = verified.claim, verified.proof
    lines = [f"Board: {verified.puzzle.summary()}"]
    if claim.length is not None:
        lines.append(f"Plan: {claim.length} moves, replayed")
    if claim.length is not None and claim.length <= verified.puzzle.lower_bound():
        lines.append(
            f"Bound: the rules of lower bounds alone say {claim.length} moves or more; the formula adds nothing"
        )
    refuted = "there is a plan" if claim.length is None else f"fewer than {claim.length} moves"
    lines.append(
        f"Formula: {refuted}; built again from the board ({claim.encoding}), {verified.clauses} clauses, the same"
    )
    lines.append(
        f"Proof: {proof.proof_megabytes:.1f} MB, accepted by the {proof.checker} checker in {proof.seconds:.1f} s"
    )
    lines.append(
        "Verified: " + ("no plan exists." if claim.length is None else f"{claim.length} moves is the minimum.")
    )
    return lines
