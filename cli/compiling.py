"""Compiling what a command needs, where an installation hasn't done so yet."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bsp_sat.cli.output.live import working

if TYPE_CHECKING:
    from bsp_sat.backends.kernel import MachineCode


def compile_if_needed(codes: "Iterable[MachineCode]") -> None:
    """Compiles what isn't ready, and says so on a terminal."""
    for code in codes:
        if not code.is_ready():
            with working("compiling, once per installation"):
                code.compile()
