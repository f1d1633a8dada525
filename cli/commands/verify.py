"""`bsp-sat verify`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bsp_sat.backends.proofs.certificate import Verified, not_verified, verify_certificate
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.proofs.refutation import BUILT_IN, CHECKERS
from bsp_sat.backends.proofs.verified import VERIFIED
from bsp_sat.cli.boards import load_board, load_boards
from bsp_sat.cli.completion import complete_board
from bsp_sat.cli.group import EXIT_NO
from bsp_sat.cli.options import OneOf, ReadingOptions, reading_options
from bsp_sat.cli.screen import Screen, working
from bsp_sat.instances.errors import BspSatError, CertificateError, Unsupported, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.writing import json_text


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument("board", required=False, metavar="[BOARD]", shell_complete=complete_board)
@click.option(
    "--checker",
    type=OneOf(["auto", VERIFIED, *CHECKERS]),
    default="auto",
    show_default=True,
    help="verified, for labels and borders: the checker that is itself proved. The others are for LRAT proofs; auto "
    "takes cake_lpr if it is on PATH, else the built-in one.",
)
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as a JSON object.")
@click.pass_context
def verify(
    ctx: click.Context, folder: Path, board: str | None, checker: str, reading: ReadingOptions, as_json: bool
) -> None:
    """Check the certificate in DIR, written by `solve` or `census` with --certificate DIR, and draw its board.

    Give BOARD to check that the certificate is for that board: the same rules, order of tubes and colour names. Without
    it, compare the drawing yourself.

    The plan is replayed. Distance labels and border tables are checked by a program that shares no code with the
    solver, or by --checker verified. For an LRAT proof, the formula is built again from the board and compared, and the
    proof is checked by cake_lpr if it is on PATH (absolute folders only), else by the built-in checker.

    If DIR has folders with a certificate each, there is a line for each of them. BOARD is then a file of boards, and
    each of these needs a certificate. Exit code: 0 verified, 1 not verified, 2 bad usage.
    """
    if board is None and reading.puzzle is not None:
        raise Unsupported("--puzzle needs BOARD")
    if folders := _folders_in(folder):
        boards = None if board is None else load_boards(board, reading)
        all_verified = True
        for place, name, found in _verdicts(folders, boards, checker):
            if isinstance(found, Verified):
                said, fields = found.report[-1], found.to_json()
            else:
                said, fields = f"Not verified: {found}", not_verified(found)
                all_verified = False
            if as_json:
                click.echo(json_text({"folder": place, "name": name, **fields}))
            else:
                label = f"{place} ({name})" if place and name else place or name
                click.echo(printable(f"{label}: {said}"))
        ctx.exit(0 if all_verified else EXIT_NO)
    expected = None if board is None else load_board(board, reading).puzzle
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
    if verified.puzzle is not None:
        which = "Board" if expected is None else "Board (the one given)"
        Screen().show_board(f"{which}: {verified.puzzle.summary()}", verified.puzzle)
    *lines, verdict = verified.report
    click.echo("\n".join([*lines, _checked_by(verified), verdict]))


def _folders_in(folder: Path) -> list[Path]:
    """The folders in a folder that has nothing else; none of any other folder."""
    inside = sorted(folder.iterdir())
    return inside if all(path.is_dir() and not path.is_symlink() for path in inside) else []


def _verdicts(
    folders: Sequence[Path], boards: Sequence[Instance] | None, checker: str
) -> Iterator[tuple[str | None, str | None, Verified | BspSatError]]:
    """Each folder, the name of its board among ``boards``, and what comes of its certificate; last, boards without one.

    The board's name is found by the board that was verified: the folder's name proves nothing. Equal boards take turns.
    """
    names: dict[str, list[str | None]] = {}
    for each in boards or ():
        names.setdefault(json_text(each.puzzle.to_json()), []).append(each.name)
    certified: Counter[str] = Counter()
    for folder in folders:
        try:
            verified = verify_certificate(folder, checker)
            of = json_text(verified.to_json()["board"])
            if boards is not None and of not in names:
                raise CertificateError("it is for another board")
            certified[of] += 1
            yield folder.name, names.get(of, [None])[: certified[of]][-1], verified
        except BspSatError as error:
            yield folder.name, None, error
    for of, called in names.items():
        for name in called[certified[of] :]:
            yield None, name, CertificateError("it has no certificate")


def _checked_by(verified: Verified) -> str:
    """What checked the proof, and how long it took."""
    checker, figures = printable(verified.checker), verified.particulars
    if verified.proof != LRAT:
        return f"Checker: {checker}, {verified.seconds:.1f} s, {figures['bytes'] / 1000:.1f} kB"
    by = f"the {checker} checker" if checker == BUILT_IN else checker
    return f"Proof: {figures['proof_megabytes']:.1f} MB, accepted by {by} in {verified.seconds:.1f} s"
