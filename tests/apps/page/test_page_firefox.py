"""The page's four journeys in Firefox."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.apps.pictures.test_read import STYLE, TUBES
from tests.support.drawn_screens import draw
from tests.support.server import serving

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
NPM = shutil.which("npm")


def test_the_four_journeys_in_firefox(tmp_path: Path) -> None:
    if not FIREFOX:
        pytest.skip("no Firefox: apt-get install firefox-esr")
    if not NPM:
        pytest.skip("no npm on this system")
    modules = subprocess.run([NPM, "root", "--global"], capture_output=True, text=True, check=True).stdout.strip()
    places = [*filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)), modules]
    if not any(Path(place, "puppeteer-core").is_dir() for place in places):
        pytest.skip("no puppeteer-core: npm install --global puppeteer-core")
    screenshot = tmp_path / "shot.png"
    screenshot.write_bytes(draw(TUBES, STYLE, 4).data)
    script = Path(__file__).parent / "firefox.mjs"
    with serving() as (_, address):
        run = subprocess.run(
            ["node", script, FIREFOX, address, screenshot],
            env={**os.environ, "NODE_PATH": os.pathsep.join(places), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stdout + run.stderr
