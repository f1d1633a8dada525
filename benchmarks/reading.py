"""How the time to read a text grows with its length: what takes the square of it, also in C, is marked.

    python benchmarks/reading.py --length 100000

The tests count lines of Python on the same texts, tests/instances/test_hostile_boards.py, but a search for a pattern
is one line however long it takes. Exit code 1 if a text of twice the length takes more than three times as long.
"""

import sys
import time
from contextlib import suppress
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bsp_sat import BoardError
from bsp_sat.instances.files import parse_instances
from tests.instances.test_hostile_boards import REPEATED, repeated

LEAST = 0.05  # seconds, below which a time says nothing


def seconds_to_read(text: str) -> float:
    """Processor time."""
    began = time.process_time()
    with suppress(BoardError):
        parse_instances(text)
    return time.process_time() - began


@click.command(help=__doc__.split("\n")[0])
@click.option("--length", default=50_000, show_default=True, help="Characters of the shorter text.")
def main(length: int) -> None:
    """Prints the seconds for both lengths of each text."""
    slow = False
    for name in REPEATED:
        once, twice = (seconds_to_read(repeated(name, times * length)) for times in (1, 2))
        is_slow = twice > max(3 * once, LEAST)
        slow |= is_slow
        print(f"{name:45}{once:8.3f}{twice:8.3f}{'  slow' if is_slow else ''}")
    sys.exit(slow)


if __name__ == "__main__":
    main()
