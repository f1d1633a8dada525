"""TEMPORARY door."""

import ctypes
import os
from functools import cache


@cache
def _lib():
    return ctypes.CDLL(os.environ.get("BENGINE", "/tmp/bengine.so"))


@cache
def function(name, result, *arguments):
    f = getattr(_lib(), name)
    f.restype, f.argtypes = result, list(arguments)
    return f
