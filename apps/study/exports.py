"""Exports outcomes as CSV and JSON Lines, and checks in advance that the files can be written."""

import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from bsp_sat.apps.study.store import CampaignRun
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.text.writing import csv_text, json_text

EXPORTS = (".jsonl", ".csv")
"""Suffixes of export files."""


def check_exports(exports: Sequence[Path], boards: Sequence[str], campaign: Path | None) -> None:
    """Refuses export files that can't be written, or are the boards or the campaign; BoardError names the file."""
    kept = {Path(source): "the boards are read from it" for source in boards}
    if campaign is not None:
        beside = (campaign.with_name(f"{campaign.name}{ending}") for ending in ("-wal", "-shm", "-journal", "-lock"))
        kept |= dict.fromkeys([campaign, *beside], "the campaign is kept in it")
    for path in exports:
        if path.suffix not in EXPORTS:
            raise BoardError(str(path), f"expected a name that ends in {' or '.join(EXPORTS)}")
        for other, why in kept.items():
            is_there = path.exists() and other.exists()
            if path.samefile(other) if is_there else path.resolve() == other.resolve():
                raise BoardError(str(path), f"can't be exported to: {why}")
        if path.exists() and not path.is_file():
            raise BoardError(str(path), "can't be exported to: expected a file, found something else")
        if not path.exists() and not path.resolve().parent.is_dir():
            raise BoardError(str(path), "can't be exported to: its folder doesn't exist")
        if not os.access(path if path.exists() else path.resolve().parent, os.W_OK):
            raise BoardError(str(path), "can't be exported to: it can't be written")
        kept[path] = "it is named twice"


def export(path: Path, runs: Sequence[CampaignRun]) -> None:
    """Writes outcomes as CSV or JSON Lines, depending on the file's suffix; BoardError says why it can't."""
    lines = [run.to_json() for run in runs]
    columns = [field.name for field in fields(CampaignRun) if field.name != "plan"] + ["excess", "ratio"]
    try:
        if path.suffix == ".csv":
            rows = [columns, *([line[name] for name in columns] for line in lines)]
            path.write_text(csv_text(rows), encoding="utf-8", newline="")
        else:
            path.write_text("".join(f"{json_text(line)}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise BoardError(str(path), error.strerror or str(error)) from None
