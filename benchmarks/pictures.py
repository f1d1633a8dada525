"""How many boards are read from pictures: real screenshots, and drawn ones.

For each picture one of: *exact* (every tube, cell and capacity, and the rules), *wrong*, *refused*; and whether it was
called sure. A wrong board that was called sure is wrong in silence, which must not be.

The folder of screenshots has an ``index.json``: a list of objects with ``file``, ``kind`` (ball or water), ``style``
and ``expected`` (``tubes`` from the bottom, ``?`` for what the game covers, ``capacity`` or ``capacities``,
``locked``).

With ``--changes N`` pictures are changed as they are on their way to a reader, or so that they hide or add something
(`tests/support/picture_changes.py`): N screenshots or drawn pictures, each once with every change.
"""

import io
import itertools
import json
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.board import PictureBoard
from bsp_sat.screenshots.reading import read_picture
from tests.support.drawn_screens import KINDS, Drawn, random_picture, random_shot
from tests.support.picture_changes import CHANGES, MILD, Shot

MISTAKEN = {"49-jack-thesparrow-bottle1.jpeg"}
"""Where the index has two cells exchanged; the picture, enlarged, shows what is read."""

SPLIT = 21
"""Seed of the halves: one to work with, one looked at only at the end."""


@dataclass(frozen=True)
class Outcome:
    """What became of one picture."""

    name: str
    style: str
    variant: bool
    half: str
    exact: bool
    refused: bool
    sure: bool
    seconds: float

    @property
    def wrong_in_silence(self) -> bool:
        """A wrong board that was called sure."""
        return self.sure and not self.exact


def pattern(tubes: Iterable[Iterable[Any]]) -> list[list[int]]:
    """Tubes with colours numbered in the order in which they come; names are the reader's own."""
    numbers: dict[Any, int] = {}
    return [[-1 if cell in (None, "?") else numbers.setdefault(cell, len(numbers)) for cell in tube] for tube in tubes]


def timed(read: Callable[[], PictureBoard]) -> tuple[PictureBoard | None, float]:
    """A board, None where it is refused, and seconds of this process's own time."""
    started = time.process_time()
    try:
        board = read()
    except PictureError:
        board = None
    return board, time.process_time() - started


def measure_screens(folder: Path) -> list[Outcome]:
    """Reads every screenshot that the index has a board for."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    files = sorted(entry["file"] for entry in index)
    random.Random(SPLIT).shuffle(files)
    work = set(files[: (len(files) + 1) // 2])
    outcomes = []
    for entry in index:
        expected = entry.get("expected")
        if expected is None:
            continue
        board, seconds = timed(lambda path=folder / entry["file"]: read_picture(path))
        tubes, locked = expected["tubes"], {lock["tube"] for lock in expected.get("locked", [])}
        capacities = expected.get("capacities") or [expected["capacity"]] * len(tubes)
        exact = board is not None and (
            pattern(board.contents()) == pattern(tubes)
            and [tube.capacity for tube in board.tubes] == capacities
            and board.puzzle == f"{entry['kind']}-sort"
            and {number for number, tube in enumerate(board.tubes) if tube.covered} == locked
        )
        variant = bool(locked) or "capacities" in expected or any("?" in tube for tube in tubes)
        half = "worked with" if entry["file"] in work else "kept"
        sure = board is not None and board.sure
        outcomes.append(
            Outcome(entry["file"], entry["style"], variant, half, exact, board is None, sure, round(seconds, 3))
        )
    return outcomes


def measure_drawn(count: int, first: int) -> list[Outcome]:
    """Reads drawn pictures of these numbers, each in a style of its own; an outcome for each of its features."""
    outcomes = []
    for seed in range(first, first + count):
        drawn = random_picture(seed)
        board, seconds = timed(lambda data=drawn.data: read_picture(data))
        exact = board is not None and (
            pattern(board.contents()) == pattern(drawn.tubes)
            and [tube.capacity for tube in board.tubes] == drawn.capacities
            and board.puzzle == drawn.puzzle
        )
        sure = board is not None and board.sure
        style = drawn.style
        features = [
            style.theme,
            style.puzzle,
            f"{len(style.rows)} rows",
            f"scale {style.scale:g}",
            f"JPEG {style.quality}" if style.quality else "PNG",
            *(["gloss"] if style.gloss else []),
            *(["gradients"] if style.shade else []),
            *(["turned"] if style.turn else []),
            *(["symbols"] if style.symbols else []),
            *(["rows from the left"] if style.left else []),
            *(["near colours"] if style.near else []),
            *([style.pattern] if style.pattern != "none" else []),
        ]
        outcomes.append(
            Outcome(str(seed), "; ".join(features), False, "drawn", exact, board is None, sure, round(seconds, 3))
        )
    return outcomes


@dataclass(frozen=True)
class Base:
    """A picture to change, and what it shows.

    Attributes:
        name: of the file, or the number of the drawn picture.
        kind: plain, covered (hidden cells or covered tubes) or mixed (capacities).
        shot: the picture.
        tubes: from the bottom, None or ``?`` for what the game covers.
        capacities: of each tube.
        puzzle: ``ball-sort`` or ``water-sort``.
        locked: numbers of the covered tubes.
    """

    name: str
    kind: str
    shot: Shot
    tubes: list[list[Any]]
    capacities: list[int]
    puzzle: str
    locked: frozenset[int] = frozenset()

    def is_shown_by(self, board: PictureBoard) -> bool:
        """Whether a board is the one that the picture shows."""
        return (
            pattern(board.contents()) == pattern(self.tubes)
            and [tube.capacity for tube in board.tubes] == self.capacities
            and board.puzzle == self.puzzle
            and {number for number, tube in enumerate(board.tubes) if tube.covered} == self.locked
        )


def base_of_screen(folder: Path, entry: dict[str, Any]) -> Base | None:
    """A screenshot to change; None where it isn't read: then it isn't known where its tubes are."""
    expected = entry.get("expected")
    if expected is None or entry["file"] in MISTAKEN:
        return None
    board, _ = timed(lambda: read_picture(folder / entry["file"]))
    if board is None or len(board.tubes) != len(expected["tubes"]):
        return None
    tubes = expected["tubes"]
    capacities = expected.get("capacities") or [expected["capacity"]] * len(tubes)
    locked = frozenset(lock["tube"] for lock in expected.get("locked", []))
    covered = locked or any("?" in tube for tube in tubes)
    kind = "covered" if covered else "mixed" if "capacities" in expected else "plain"
    image = Image.open(folder / entry["file"]).convert("RGB")
    shot = Shot(image, [tube.box for tube in board.tubes], [len(tube) for tube in tubes])
    return Base(entry["file"], kind, shot, tubes, capacities, f"{entry['kind']}-sort", locked)


def base_of_drawn(seed: int, kind: str | None = None) -> Base:
    """A drawn picture to change; by default every fourth has hidden cells, and every fourth mixed capacities."""
    kind = kind or ("plain", "covered", "plain", "mixed")[seed % 4]
    drawn: Drawn = random_shot(seed, kind)
    image = Image.open(io.BytesIO(drawn.data)).convert("RGB")
    shot = Shot(image, drawn.boxes, [len(tube) for tube in drawn.tubes])
    return Base(str(seed), kind, shot, drawn.tubes, drawn.capacities, drawn.puzzle)


def measure_changes(bases: Iterable[Base], names: Iterable[str], rounds: int = 1) -> Iterator[Outcome]:
    """Reads each picture after each change."""
    for base in bases:
        for name, number in itertools.product(names, range(rounds)):
            image = CHANGES[name](base.shot, random.Random(f"{base.name} {name} {number}"))
            data = io.BytesIO()
            image.save(data, "PNG", compress_level=1)
            board, seconds = timed(lambda data=data: read_picture(data.getvalue()))
            exact = board is not None and base.is_shown_by(board)
            sure = board is not None and board.sure
            label = f"{base.name} {number}" if rounds > 1 else base.name
            variant = base.kind != "plain"
            origin = "drawn" if base.name.isdecimal() else "screenshots"
            yield Outcome(
                label,
                f"{base.kind}; {name}",
                variant,
                origin,
                exact,
                board is None,
                sure,
                round(seconds, 3),
            )


def by_change(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """A group for each origin, kind of board and change; and all unchanged, all mild and all other ones."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        kind, name = outcome.style.split("; ")
        degree = "unchanged" if name == "unchanged" else "mild changes" if name in MILD else "other changes"
        groups[f"{outcome.half}, {kind}: {degree}"].append(outcome)
    for outcome in outcomes:
        groups[outcome.style.split("; ")[1]].append(outcome)
    return groups


def table(groups: dict[str, list[Outcome]]) -> str:
    """A line for each group, in Markdown."""
    lines = ["| what | pictures | exact | of these sure | refused | doubtful and wrong | wrong in silence | seconds |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, outcomes in groups.items():
        exact = [outcome for outcome in outcomes if outcome.exact]
        refused = sum(outcome.refused for outcome in outcomes)
        silent = sum(outcome.wrong_in_silence for outcome in outcomes)
        sure = sum(outcome.sure for outcome in exact)
        wrong = len(outcomes) - len(exact) - refused - silent
        share = f"{len(exact)} ({len(exact) / len(outcomes):.0%})"
        seconds = statistics.median(outcome.seconds for outcome in outcomes)
        lines.append(
            f"| {name} | {len(outcomes)} | {share} | {sure} | {refused} | {wrong} | {silent} | {seconds:.2f} |"
        )
    return "\n".join(lines)


def written(outcomes: Iterable[Outcome], out: Path | None) -> Iterator[Outcome]:
    """Outcomes as they come, each written to a file at once: a run of hours can be looked at before it ends."""
    for outcome in outcomes:
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")
        yield outcome


def changes_of(
    screens: Path | None, first: int, count: int, names: tuple[str, ...], rounds: int, kind: str | None
) -> Iterator[Outcome]:
    """Changed screenshots where there is a folder of them, else changed drawn pictures; the first ``count``."""
    if screens is not None and (screens / "index.json").exists():
        index = json.loads((screens / "index.json").read_text(encoding="utf-8"))
        found = (base_of_screen(screens, entry) for entry in index)
        bases = (base for base in found if base is not None)
    else:
        bases = (base_of_drawn(seed, kind) for seed in itertools.count(first))
    return measure_changes(itertools.islice(bases, count), names, rounds)


@click.command()
@click.option("--screens", type=click.Path(path_type=Path), help="Folder of screenshots with an index.json.")
@click.option("--drawn", type=int, default=0, show_default=True, help="How many pictures to draw.")
@click.option("--first", type=int, default=0, show_default=True, help="Number of the first drawn picture.")
@click.option("--changes", type=int, default=0, show_default=True, help="How many pictures to change in every way.")
@click.option("--change", "names", type=click.Choice(list(CHANGES)), multiple=True, help="Only this change.")
@click.option("--kind", type=click.Choice(KINDS), help="Of drawn pictures to change.  [default: the first three]")
@click.option("--rounds", type=int, default=1, show_default=True, help="How often to make each change.")
@click.option("--out", type=click.Path(path_type=Path), help="File for every outcome, one JSON object a line.")
def main(
    screens: Path | None,
    drawn: int,
    first: int,
    changes: int,
    names: tuple[str, ...],
    kind: str | None,
    rounds: int,
    out: Path | None,
) -> None:
    """Print the tables, and write every outcome."""
    outcomes: list[Outcome] = []
    if changes:
        changed = list(written(changes_of(screens, first, changes, names or tuple(CHANGES), rounds, kind), out))
        outcomes += changed
        print(table(by_change(changed)))
    elif screens is not None:
        if not (screens / "index.json").exists():
            sys.exit(f"{screens}: no such folder of screenshots; nothing measured")
        real = measure_screens(screens)
        outcomes += real
        groups: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in real:
            kind = "variants" if outcome.variant else "plain boards"
            groups[kind].append(outcome)
            groups[f"{kind}, {outcome.half}"].append(outcome)
        for outcome in real:
            groups[outcome.style].append(outcome)
        print(table(groups), end="\n\n")
    if drawn:
        made = measure_drawn(drawn, first)
        outcomes += made
        by_feature: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in made:
            by_feature["all"].append(outcome)
        for outcome in sorted(made, key=lambda each: each.style):
            for feature in outcome.style.split("; "):
                by_feature[feature].append(outcome)
        print(table(by_feature))
    for outcome in outcomes:
        if outcome.wrong_in_silence:
            print(f"wrong in silence: {outcome.name} ({outcome.style})")
    if out is not None and not changes:
        lines = "".join(json.dumps(asdict(outcome)) + "\n" for outcome in outcomes)
        out.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
