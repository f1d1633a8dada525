"""Readers of requests, at module level so that a worker's process finds them."""

import time
from collections.abc import Mapping
from typing import Any


def same(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return fields


def endless(fields: Mapping[str, Any]) -> None:
    time.sleep(600)


def greedy(fields: Mapping[str, Any]) -> None:
    eaten = bytearray(400_000_000)
    eaten[::4096] = b"x" * len(eaten[::4096])
    time.sleep(600)


def broken(fields: Mapping[str, Any]) -> None:
    raise RuntimeError("secret /home/me")
