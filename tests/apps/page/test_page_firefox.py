"""The page's four journeys in Firefox, and random actions in both browsers."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.apps.pictures.test_read import STYLE, TUBES
from tests.support.browser import CHROMIUM
from tests.support.drawn_screens import draw
from tests.support.server import serving

BROWSERS = {"firefox": shutil.which("firefox-esr") or shutil.which("firefox"), "chrome": CHROMIUM}
NPM = shutil.which("npm")


def run(script: str, browser: str, *words: object, home: Path) -> None:
    """Runs a script of this folder, which drives a browser, on the page of a server."""
    if not (program := BROWSERS[browser]):
        pytest.skip(f"no {browser}: apt-get install chromium firefox-esr")
    if not NPM:
        pytest.skip("no npm on this system")
    modules = subprocess.run([NPM, "root", "--global"], capture_output=True, text=True, check=True).stdout.strip()
    places = [*filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)), modules]
    if not any(Path(place, "puppeteer-core").is_dir() for place in places):
        pytest.skip("no puppeteer-core: npm install --global puppeteer-core")
    with serving() as (_, address):
        done = subprocess.run(
            ["node", Path(__file__).parent / script, browser, program, address, *map(str, words)],
            env={**os.environ, "NODE_PATH": os.pathsep.join(places), "HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_four_journeys_in_firefox(tmp_path: Path) -> None:
    screenshot = tmp_path / "shot.png"
    screenshot.write_bytes(draw(TUBES, STYLE, 4).data)
    run("firefox.mjs", "firefox", screenshot, home=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("browser", BROWSERS)
def test_random_actions_fail_nowhere_and_lead_to_no_dead_end(browser: str, tmp_path: Path) -> None:
    run("random_actions.mjs", browser, 1, 60, 50, home=tmp_path)
