"""Certificates that are checked by the server."""

import base64
import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from bsp_sat.apps.page.answering import Service
from bsp_sat.apps.page.answers import verifying
from bsp_sat.backends.run import Process
from bsp_sat.cli.group import commands
from bsp_sat.instances.errors import Unsupported
from tests.support.helpers import wait_until
from tests.support.server import events_of

EASY = "caac|bbac|bbac|-"


@pytest.fixture
def verify(client):
    """Posts an archive, and gives back the verdict, or why it was refused."""

    def asked(archive: bytes):
        response = client.post("/api/verify", content=archive, headers={"Content-Type": "application/zip"})
        name, data = events_of(response.text)[-1]
        return data["error"] if name == "error" else data

    return asked


@pytest.fixture(scope="module")
def files(client):
    """The files of a certificate by labels."""
    return unpacked(client, EASY)


def unpacked(client, board, **fields):
    response = client.post("/api/certificate", json={"board": board, **fields})
    made = events_of(response.text)[-1][1]["certificate"]
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(made["zip"]))) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist()}


def packed(files, folder="certificate/", compression=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(folder + name, content)
    return data.getvalue()


@pytest.mark.parametrize(
    ("board", "fields", "proof", "length"),
    [(EASY, {}, "labels", 12), (EASY, {"proof": "lrat"}, "lrat", 12), ("capacity 2\nab|ba", {}, "borders", None)],
    ids=["labels", "lrat", "borders"],
)
def test_the_page_says_what_the_command_says_of_a_certificate(client, verify, tmp_path, board, fields, proof, length):
    files = unpacked(client, board, **fields)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    words = ["verify", str(tmp_path), "--json", *(["--checker", "built-in"] if proof == "lrat" else [])]
    run = CliRunner().invoke(commands, words)
    assert run.exit_code == 0
    verdict = verify(packed(files))
    assert verdict.pop("seconds") >= 0
    assert verdict == {key: value for key, value in json.loads(run.stdout).items() if key != "seconds"}
    assert (verdict["verified"], verdict["proof"], verdict["length"]) == (True, proof, length)
    assert verdict["board"]["tubes"] == [list(tube.strip("-")) for tube in board.split("\n")[-1].split("|")]


@pytest.mark.parametrize("folder", ["", "my proof/", "../../"])
def test_the_folder_in_the_archive_doesn_t_matter(verify, files, folder):
    """Nothing is written by a path from the archive."""
    assert verify(packed(files, folder))["verified"] is True


def test_a_changed_certificate_does_not_hold(verify, files, tmp_path):
    changed = {**files, "plan.json": files["plan.json"].replace(b"[", b"[ ", 1)}
    found = verify(packed(changed))
    assert found == {"verified": False, "reason": "not as SHA256SUMS says: plan.json has been altered"}
    for name, content in changed.items():
        (tmp_path / name).write_bytes(content)
    run = CliRunner().invoke(commands, ["verify", str(tmp_path), "--json"])
    assert (run.exit_code, json.loads(run.stdout)) == (1, found)


class TestRefusals:
    def test_what_is_no_archive_is_refused(self, verify, client):
        assert verify(b"nothing").startswith("body: expected a ZIP archive")
        response = client.post("/api/verify", json={})
        assert (response.status_code, response.json()["error"]) == (415, "expected a body of type application/zip")

    def test_damaged_archives_are_refused(self, verify, files):
        """Each is refused, or doesn't hold; none is a bug of the server's."""
        archive = packed(files)
        for place in range(0, len(archive), max(1, len(archive) // 60)):
            for damaged in (archive[:place], archive[:place] + bytes([archive[place] ^ 0xFF]) + archive[place + 1 :]):
                found = verify(damaged)
                assert isinstance(found, dict) or found.startswith(("body: ", "no answer: ")), (place, found)

    def test_archives_that_grow_too_large_are_refused(self, verify, files):
        bomb = packed({**files, "labels.bin": b"\0" * (verifying.MOST_UNPACKED + 1)})
        assert len(bomb) < 1_000_000
        assert verify(bomb) == "body: expected at most 100,000,000 bytes when unpacked"

    def test_archives_with_foreign_files_are_refused(self, verify, files):
        assert verify(packed({**files, "evil.py": b""})) == "body: 'evil.py' isn't a file of a certificate"
        many = {f"{number}.json": b"" for number in range(21)}
        assert verify(packed(many)) == "body: expected at most 20 files in the archive, found 21"

    def test_certificates_of_boards_that_the_page_can_t_show_are_refused(self, verify, files):
        board = {"puzzle": "ball-sort", "capacity": 1_000, "tubes": [[], [], []]}
        found = verify(packed({**files, "board.json": json.dumps(board).encode()}))
        assert found["verified"] is False
        assert "at most 100 columns and 2,500 places, found 3 and 3,000" in found["reason"]

    @pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"[" * 100_000])
    def test_certificates_of_what_is_no_board_are_refused(self, verify, files, content):
        found = verify(packed({**files, "board.json": content}))
        assert found["verified"] is False
        assert "/tmp" not in found["reason"]

    def test_archives_with_several_folders_are_refused(self, verify, files):
        data = io.BytesIO(packed(files))
        with zipfile.ZipFile(data, "a") as archive:
            archive.writestr("other/board.json", b"{}")
        assert verify(data.getvalue()).endswith("in one folder, found several folders")

    def test_archives_with_a_file_twice_are_refused(self, verify, files):
        data = io.BytesIO(packed(files))
        with zipfile.ZipFile(data, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("certificate/board.json", b"{}")
        assert verify(data.getvalue()) == "body: the archive has two files named board.json"

    def test_archives_with_other_compressions_are_refused(self, verify, files):
        found = verify(packed(files, compression=zipfile.ZIP_LZMA))
        assert found.endswith("expected a file stored or deflated, without a password")


def test_nothing_is_left_behind_by_one_that_is_cut_short(files, tmp_path, monkeypatch):
    """Its process is ended in the middle of unpacking."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    service = Service(seconds=60, memory_mb=1_000)
    archive = packed({"board.json": files["board.json"], "labels.bin": b"\0" * verifying.MOST_UNPACKED})
    stop, unpacked = Event(), []

    def wait_for_files():
        wait_until(lambda: any(tmp_path.rglob("labels.bin")))
        unpacked.append(True)
        stop.set()

    with Process() as worker, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait_for_files)
        with pytest.raises(Unsupported, match="interrupted"):
            verifying.verifying(service, archive)(worker, stop, lambda *_: None)
        waiting.result()
    assert unpacked
    assert list(tmp_path.iterdir()) == []


def test_verifying_leaves_nothing_behind(verify, files, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert verify(packed(files))["verified"]
    assert verify(b"nothing").startswith("body")
    assert list(tmp_path.iterdir()) == []
