"""What a player who is stuck has to do: from a screenshot to the next move, and a board by hand.

    python benchmarks/stuck_player.py --screens FOLDER

Acts on the page in Chromium, 390 × 664 pixels with touch, against a warm server. FOLDER holds screenshots and an
``index.json`` as for `benchmarks/pictures.py`. A first move is *right* if the board that is solved is the one in the
index, up to the names of colours, and the page shows a move. Corrections are made where the page shows a doubtful cell
(its own colour is confirmed) and, at most one, where a cell differs from the index.
"""

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from bsp_sat import BallSort, random_boards
from tests.support.browser import PHONE, Site, browsing

SECONDS = 15  # until a player gives up
ANSWERED = ".follow .sentence .dot, .question, .revealing, .picture-screen .complaint:not(:empty)"
"""The first move, or what the page asks or says of a picture."""


class Player:
    """Taps on a page, and counts."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.scrolls = page, 0, 0
        self.page.set_default_timeout(1_000 * SECONDS)

    def tap(self, target: Any) -> None:
        """Taps what is in sight; scrolls first if it isn't."""
        box = target.bounding_box()
        self.scrolls += box is None or box["y"] + box["height"] > PHONE["viewport"]["height"]
        target.tap()
        self.taps += 1

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)


def pattern(tubes: list[list[Any]]) -> list[list[int]]:
    """Contents with colours numbered in the order in which they come; -1 for covered cells."""
    numbers: dict[Any, int] = {}
    return [[-1 if cell in (None, "?") else numbers.setdefault(cell, len(numbers)) for cell in tube] for tube in tubes]


def contents(expected: dict[str, Any]) -> list[list[Any]]:
    """The tubes of an entry of the index without locked ones that show no cells: the page marks none there."""
    locked = {lock["tube"] for lock in expected.get("locked", [])}
    return [tube for place, tube in enumerate(expected["tubes"]) if tube or place not in locked]


def found_board(page: Any) -> list[list[int]]:
    """The board that the page has found, as its cells say."""
    tubes: dict[int, list[str | None]] = {}
    for label in page.locator("button.mark").evaluate_all("all => all.map((each) => each.ariaLabel)"):
        place, _, inside = label.removesuffix(", doubtful").partition(": ")
        tube = tubes.setdefault(int(place.split()[1].rstrip(",")), [])
        if inside != "empty":
            tube.append(None if inside == "covered" else inside)
    return pattern([tubes[number] for number in sorted(tubes)])


def from_screenshot(site: Site, picture: Path, expected: list[list[Any]]) -> dict[str, Any]:
    """What it takes to see a first move of the level in a picture."""
    with site.browser.new_context(**PHONE) as context:
        page = context.new_page()
        player = Player(page)
        page.goto(site.address)
        player.button("Solve a screenshot").wait_for()
        began = time.perf_counter()
        with page.expect_file_chooser() as chooser:
            player.tap(player.button("Solve a screenshot"))
        chooser.value.set_files(picture)
        player.taps += 1  # the picture, in the phone's own list
        result: dict[str, Any] = {"file": picture.name, "corrections": 0}
        page.locator(ANSWERED).first.wait_for()
        if page.locator(".follow:visible").count() == 0:
            if page.locator(".mark").count() == 0:
                return {**result, "outcome": "not read"}
            page.wait_for_timeout(200)  # the server judges the board
            while (chosen := page.locator(".cell-sheet .swatch[aria-pressed=true]")).count():
                if result["corrections"] == 9:
                    break
                player.tap(chosen)
                result["corrections"] += 1
                page.wait_for_timeout(50)
            solve = player.button("Show me the moves")
            if solve.is_disabled():
                words = page.locator(".complaint:visible").first.inner_text()
                return {**result, "outcome": "refused", "words": words}
            player.tap(solve)
        shown = page.locator(".follow .sentence .dot, .picture-screen .complaint:not(:empty), .follow .complaint")
        page.locator(".follow .sentence", has_text="no solution").or_(shown.first).first.wait_for()
        result |= {"seconds": time.perf_counter() - began, "taps": player.taps, "scrolls": player.scrolls}
        if page.locator(".follow .sentence .dot").count() == 0:
            words = page.locator(".complaint:visible, .follow .sentence:visible").first.inner_text()
            return {**result, "outcome": "no move", "words": words}
        player.button("Is this your board?").tap()
        page.locator(".mark").first.wait_for()
        return {**result, "outcome": "right" if found_board(page) == pattern(expected) else "wrong"}


def by_hand(site: Site, seed: int) -> Player:
    """Enters a random board of 14 tubes."""
    board = next(random_boards(BallSort, 12, 4, 2, seed=seed)).to_json()
    names = sorted({colour for tube in board["tubes"] for colour in tube})
    context = site.browser.new_context(**PHONE)
    page = context.new_page()
    player = Player(page)
    page.goto(site.address)
    player.tap(player.button("Enter by hand"))
    page.locator(".entry-board .cell-slot").first.wait_for()
    for tube in board["tubes"]:
        for colour in reversed(tube):
            if page.locator("[data-next]").count():
                player.tap(page.locator(".enter .swatch").nth(names.index(colour)))
    player.tap(player.button("Show me the moves"))
    page.locator(".follow .sentence .dot").wait_for()
    context.close()
    return player


@click.command()
@click.option("--screens", type=click.Path(path_type=Path), required=True, help="Folder of screenshots.")
def main(screens: Path) -> None:
    """Prints what became of each picture, and the figures."""
    index = sorted(json.loads((screens / "index.json").read_text()), key=lambda entry: entry["file"])
    index = [entry for entry in index if "expected" in entry]
    with browsing() as site:
        found = []
        for entry in [index[0], *index]:  # the first one warms the server
            found.append(from_screenshot(site, screens / entry["file"], contents(entry["expected"])))
            click.echo(json.dumps(found[-1]))
        found = found[1:]
        hands = [by_hand(site, seed) for seed in range(5)]
    right = [each for each in found if each["outcome"] == "right"]
    for corrections in sorted({each["corrections"] for each in right}):
        click.echo(f"right after {corrections} corrections: {sum(r['corrections'] == corrections for r in right)}")
    for outcome in sorted({each["outcome"] for each in found} - {"right"}):
        click.echo(f"{outcome}: {sum(each['outcome'] == outcome for each in found)}")
    for key in ("taps", "seconds", "scrolls"):
        values = [each[key] for each in right]
        click.echo(f"{key}: median {statistics.median(values):.1f}, worst {max(values):.1f} of {len(values)}")
    taps = [player.taps for player in hands]
    click.echo(f"14 tubes by hand: {min(taps)} to {max(taps)} taps, {sum(player.scrolls for player in hands)} scrolls")


if __name__ == "__main__":
    main()
