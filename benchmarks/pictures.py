"""How many boards are read from pictures: real screenshots and drawn ones, as they are and changed.

A board is *exact* if every tube, cell and capacity is right, and the rules are. A wrong board that was called certain
must not be. Pictures are the same in every run: the drawn ones go in turn through the styles, the kinds of boards and,
with ``--changed``, the changes of `tests/support`.

The folder of screenshots has an ``index.json``: a list of objects with ``file``, ``kind`` (ball or water), ``style``
and ``expected`` (``tubes`` from the bottom, ``?`` for what the game covers, ``capacity`` or ``capacities``,
``locked``).
"""

import io
import itertools
import json
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont

sys.path.append(str(Path(__file__).parents[1]))  # PYTHONPATH may name another checkout, whose reader is measured

from bsp_sat.apps.pictures.board import PictureBoard
from bsp_sat.apps.pictures.reading import read_picture
from bsp_sat.instances.errors import PictureError
from tests.support.drawn_screens import KINDS, STYLES, random_shot
from tests.support.picture_changes import (
    CHANGES,
    MILD,
    Change,
    Shot,
    night_tint,
    saved,
    scaled,
    screenshot_of_screenshot,
)

GROUNDS = "white", "black", "beige", "navy", "whitesmoke"
MISTAKEN = {"49-jack-thesparrow-bottle1.jpeg"}
"""Where the index has two cells exchanged; the picture, enlarged, shows what is read."""


def _as_sent(longest: int, form: str, quality: int) -> Change:
    """No larger than a messenger allows, and compressed."""
    return lambda shot, random: saved(
        scaled(shot.image, min(1.0, longest / max(shot.image.size))), form, quality=quality
    )


def notified(shot: Shot, random: Random) -> Image.Image:
    """With a notification above the board."""
    image, room = shot.image.copy(), shot.board()[1]
    width, height = image.width, min(0.11 * image.width, 0.8 * room)
    box = (0.03 * width, 0.1 * room, 0.97 * width, 0.1 * room + height)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(box, 0.25 * height, fill=random.choice([(245, 245, 247), (44, 44, 46)]))
    pen.ellipse((box[0] + 0.2 * height, box[1] + 0.2 * height, box[0] + 0.8 * height, box[3] - 0.2 * height), "green")
    pen.text((0.15 * width, box[1] + 0.2 * height), "Are you there?", "grey", ImageFont.load_default(0.4 * height + 1))
    return image


def turned_by_exif(shot: Shot, random: Random) -> Image.Image:
    """Lying on its side, with a note in the file that says how it has to be turned."""
    note, method = random.choice([(6, Image.Transpose.ROTATE_90), (3, Image.Transpose.ROTATE_180)])
    image = shot.image.transpose(method)
    image.getexif()[0x112] = note
    return image


def video_frame(shot: Shot, random: Random) -> Image.Image:
    """From a recording: smaller, soft, and strongly compressed."""
    small = scaled(shot.image, min(1.0, random.choice([1280, 960]) / max(shot.image.size)))
    return saved(small.filter(ImageFilter.GaussianBlur(0.6)), "JPEG", quality=random.randrange(40, 60))


SENT: dict[str, Change] = {
    "1600 pixels": _as_sent(1600, "JPEG", 70),
    "1280 pixels": _as_sent(1280, "JPEG", 87),
    "960 pixels": _as_sent(960, "JPEG", 60),
    "720 pixels": _as_sent(720, "JPEG", 60),
    "560 pixels": _as_sent(560, "JPEG", 75),
    "640 pixels, WebP": _as_sent(640, "WEBP", 50),
    "notification": notified,
    "dim": lambda shot, random: ImageEnhance.Brightness(shot.image).enhance(random.uniform(0.35, 0.5)),
    "night tint": night_tint,
    "turned by EXIF": turned_by_exif,
    "video frame": video_frame,
    "screenshot of a screenshot": screenshot_of_screenshot,
}
"""As people send pictures of their games."""

RESULTS = ("exact, certain", "exact, doubtful", "wrong, doubtful", "refused", "wrong, certain")


@dataclass(frozen=True)
class Base:
    """A picture, and what it shows, with None or ``?`` for what the game covers."""

    name: str  # of the file, or the number of the drawn picture
    origin: str  # real or drawn
    style: str
    kind: str  # of `KINDS`; real ones are plain, covered or mixed
    data: bytes
    tubes: list[list[Any]]  # from the bottom
    capacities: list[int]
    puzzle: str
    locked: frozenset[int] = frozenset()  # numbers of the covered tubes
    boxes: Sequence[tuple[float, float, float, float]] = ()  # of a real picture none are known until it is read

    def is_shown_by(self, board: PictureBoard) -> bool:
        """Whether a board is the one that the picture shows."""
        return (
            pattern(board.contents()) == pattern(self.tubes)
            and [tube.capacity for tube in board.tubes] == self.capacities
            and self.puzzle in (board.puzzle, "nuts-sort")  # of nuts no picture says how many move at a time
            and {number for number, tube in enumerate(board.tubes) if tube.covered} == self.locked
        )

    def changed(self, change: str) -> bytes | None:
        """The picture after a change; None where it isn't known where its tubes are."""
        boxes = self.boxes
        if not boxes:
            board = read(self.data)[0]
            if board is None or len(board.tubes) != len(self.tubes):
                return None
            boxes = [tube.box for tube in board.tubes]
        shot = Shot(Image.open(io.BytesIO(self.data)).convert("RGB"), boxes, [len(tube) for tube in self.tubes])
        file = io.BytesIO()
        image = (CHANGES | SENT)[change](shot, Random(f"{self.name} {change} 0"))
        image.save(file, "PNG", compress_level=1, exif=image.getexif())
        return file.getvalue()


@dataclass(frozen=True)
class Outcome:
    """What became of one picture, seconds of this process's own time, and what was doubted."""

    name: str
    origin: str
    style: str
    kind: str
    change: str
    result: str
    seconds: float
    doubts: Sequence[str] = ()


def kind_of(doubt: str) -> str:
    """What a doubt says, without the numbers of this board."""
    return re.sub(r"\d+(, \d+)*", "N", re.split(r", found| \(", doubt)[0])


def pattern(tubes: Iterable[Iterable[Any]]) -> list[list[int]]:
    """Tubes with colours numbered in the order in which they come; names are the reader's own."""
    numbers: dict[Any, int] = {}
    return [[-1 if cell in (None, "?") else numbers.setdefault(cell, len(numbers)) for cell in tube] for tube in tubes]


def read(data: bytes) -> tuple[PictureBoard | None, float]:
    """A board, None where it is refused, and seconds."""
    started = time.process_time()
    try:
        board = read_picture(data)
    except PictureError:
        board = None
    return board, time.process_time() - started


def screens(folder: Path) -> Iterator[Base]:
    """Every screenshot that the index has a board for."""
    for entry in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        expected = entry.get("expected")
        if expected is None or entry["file"] in MISTAKEN:
            continue
        tubes, locked = expected["tubes"], frozenset(lock["tube"] for lock in expected.get("locked", []))
        capacities = expected.get("capacities") or [expected["capacity"]] * len(tubes)
        covered = locked or any("?" in tube for tube in tubes)
        kind = "covered" if covered else "mixed" if "capacities" in expected else "plain"
        data = (folder / entry["file"]).read_bytes()
        puzzle = f"{entry['kind']}-sort"
        yield Base(entry["file"], "real", entry["style"], kind, data, tubes, capacities, puzzle, locked)


def drawn(first: int, count: int) -> Iterator[Base]:
    """Drawn pictures of these numbers."""
    for number in range(first, first + count):
        style, kind = list(STYLES)[number % len(STYLES)], KINDS[number // len(STYLES) % len(KINDS)]
        shot = random_shot(number, kind, style)
        yield Base(
            str(number), "drawn", style, kind, shot.data, shot.tubes, shot.capacities, shot.puzzle, boxes=shot.boxes
        )


def pictures_of_no_game(count: int) -> Iterator[Base]:
    """Charts, shelves of books, calendars, palettes, stacked bars, keys and noise, in turn: no board is in them."""
    kinds = "bars", "stacked bars", "shelf", "calendar", "palette", "keys", "noise"
    for number in range(count):
        kind, random = kinds[number % len(kinds)], Random(f"no game {number}")
        image = Image.new("RGB", (random.randrange(400, 1100), random.randrange(500, 1300)), random.choice(GROUNDS))
        if kind == "noise":
            image = Image.effect_noise(image.size, random.uniform(20, 120)).convert("RGB")
        pen, colours = ImageDraw.Draw(image), [tuple(random.choices(range(256), k=3)) for _ in range(12)]
        columns, rows = random.randrange(3, 9), random.randrange(2, 8)
        wide, high = image.width / (columns + 1), image.height / (rows + 1)
        for column in range(columns if kind != "noise" else 0):
            left, share = (column + 0.6) * wide, random.uniform(0.5, 0.95)
            low = 0.9 * image.height
            if kind == "bars":
                pen.rectangle(
                    (left, low - random.uniform(0.1, 0.7) * image.height, left + share * wide, low), colours[0]
                )
            for row in range(rows if kind != "bars" else 0):
                top = (row + 0.6) * high
                tall = {"stacked bars": random.uniform(0.2, 1), "shelf": random.uniform(0.7, 1)}.get(kind, 0.8) * high
                if kind == "stacked bars":
                    top, low = low - tall, low - tall
                elif kind == "shelf":
                    top += high - tall
                shape = pen.ellipse if kind == "palette" else pen.rectangle
                shape(
                    (left, top, left + (share if kind == "shelf" else 0.8) * wide, top + tall), random.choice(colours)
                )
                if kind in ("calendar", "keys"):
                    pen.text(
                        (left + 5, top + 5), str(random.randrange(31)), "black", ImageFont.load_default(0.3 * tall + 1)
                    )
        data = io.BytesIO()
        image.save(data, "PNG", compress_level=1)
        yield Base(str(number), "no game", kind, "no game", data.getvalue(), [], [], "none")


def measure(bases: Iterable[Base], changes: Sequence[str], every: bool) -> Iterator[Outcome]:
    """Reads each picture after one of the changes, which take turns, or after ``every`` one."""
    for number, base in enumerate(bases):
        for change in changes if every else [changes[number % len(changes)]]:
            data = base.data if change == "unchanged" else base.changed(change)
            if data is None:
                continue
            board, seconds = read(data)
            exact = board is not None and base.is_shown_by(board)
            certain = board is not None and board.sure
            result = "refused" if board is None else RESULTS[(0 if certain else 1) if exact else (4 if certain else 2)]
            doubts = sorted({kind_of(reason) for reason in board.reasons()}) if board is not None else ()
            yield Outcome(base.name, base.origin, base.style, base.kind, change, result, round(seconds, 3), doubts)


def table(outcomes: Sequence[Outcome], others: Sequence[Outcome] = ()) -> str:
    """A line for each kind of board, style and change, in Markdown; with ``others``, theirs before each arrow."""
    groups: dict[str, tuple[list[Outcome], list[Outcome]]] = defaultdict(lambda: ([], []))
    for side, each in itertools.chain(((0, other) for other in others), ((1, outcome) for outcome in outcomes)):
        degree = "unchanged" if each.change == "unchanged" else "mild" if each.change in MILD else "other changes"
        names = f"{each.origin}, {each.kind}, {degree}", f"{each.origin}: {each.style}", f"change: {each.change}"
        for name in ("all", *names):
            groups[name][side].append(each)

    def column(pair: tuple[list[Outcome], list[Outcome]], result: str) -> str:
        return " → ".join(str(sum(each.result == result for each in side)) for side in pair if side)

    def seconds(pair: tuple[list[Outcome], list[Outcome]]) -> str:
        return " → ".join(f"{statistics.median(each.seconds for each in side):.2f}" for side in pair if side)

    lines = [f"| what | pictures | {' | '.join(RESULTS)} | seconds |", "| --- " * (len(RESULTS) + 3) + "|"]
    for name, pair in sorted(groups.items(), key=lambda group: group[0]):
        counts = " | ".join(column(pair, result) for result in RESULTS)
        lines.append(f"| {name} | {len(pair[1])} | {counts} | {seconds(pair)} |")
    return "\n".join(lines)


def worth(outcomes: Sequence[Outcome]) -> str:
    """A line for each doubt, in Markdown: the boards that have it, and those of them that have no other."""
    boards = Counter(doubt for each in outcomes for doubt in each.doubts)
    alone = Counter((each.doubts[0], each.result) for each in outcomes if len(each.doubts) == 1)
    lines = ["| doubt | boards | alone on a wrong one | alone on a right one |", "| --- " * 4 + "|"]
    for doubt, number in sorted(boards.items(), key=lambda each: (-alone[each[0], RESULTS[2]], -each[1])):
        lines.append(f"| {doubt} | {number} | {alone[doubt, RESULTS[2]]} | {alone[doubt, RESULTS[1]]} |")
    return "\n".join(lines)


def kept(file: Path | None) -> list[Outcome]:
    """The outcomes in a file."""
    if file is None or not file.exists():
        return []
    return [Outcome(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


@click.command()
@click.option("--screens", "folder", type=click.Path(path_type=Path), help="Folder of screenshots with an index.json.")
@click.option("--drawn", "count", type=int, default=0, show_default=True, help="How many pictures to draw.")
@click.option("--first", type=int, default=0, show_default=True, help="Number of the first drawn picture.")
@click.option("--no-game", type=int, default=0, show_default=True, help="How many pictures to draw without a board.")
@click.option("--changed", is_flag=True, help="Change each picture once, in one of all ways.")
@click.option("--change", "names", type=click.Choice(list(CHANGES)), multiple=True, help="Change each in these ways.")
@click.option("--sent", is_flag=True, help="Change each in all ways in which people send pictures.")
@click.option("--out", type=click.Path(path_type=Path), help="File for every outcome, one JSON object a line.")
@click.option("--against", type=click.Path(path_type=Path), help="Outcomes of another run, for the same pictures.")
def main(
    folder: Path | None,
    count: int,
    first: int,
    no_game: int,
    changed: bool,
    names: tuple[str, ...],
    sent: bool,
    out: Path | None,
    against: Path | None,
) -> None:
    """Write every outcome as it comes, and print the tables of those in the file."""
    if folder is not None and not (folder / "index.json").exists():
        sys.exit(f"{folder}: no such folder of screenshots; nothing measured")
    outcomes = kept(out)
    bases = itertools.chain(
        screens(folder) if folder is not None else (), drawn(first, count), pictures_of_no_game(no_game)
    )
    names = tuple(SENT) if sent else names
    changes = names or (tuple(CHANGES) if changed else ("unchanged",))
    for outcome in measure(bases, changes, every=bool(names)):
        outcomes.append(outcome)
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")
    measured = {(each.name, each.change) for each in outcomes}
    print(table(outcomes, [other for other in kept(against) if (other.name, other.change) in measured]))
    print(worth(outcomes))
    for outcome in outcomes:
        if outcome.result == "wrong, certain":
            print(f"wrong and certain: {outcome.name} ({outcome.kind}; {outcome.style}; {outcome.change})")


if __name__ == "__main__":
    main()
