"""Memory that compiled code works on: arrays as views of plain buffers.

An array is a `memoryview` with the format of its items, as `array.array` names them: ``i`` for 32-bit integers, ``q``
and ``Q`` for 64-bit ones, ``d`` for floats, ``B`` for bytes. One with two dimensions stands row by row.
"""

import ctypes
import mmap
from array import array
from collections.abc import Iterable
from contextlib import suppress
from math import prod
from struct import calcsize
from typing import Any

from bsp_sat.backends.kernel.arrays import Array, Item

MAPPED = 1 << 22
"""Bytes from which on memory is mapped. Less is from the heap: mapping it anew, page by page, takes longer than an easy
search."""

_PRIVATE = {"flags": mmap.MAP_PRIVATE} if hasattr(mmap, "MAP_PRIVATE") else {}
_HUGE_PAGES: int | None = getattr(mmap, "MADV_HUGEPAGE", None)
_NO_BYTES = ctypes.c_char * 0
_new_bytes = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_ssize_t)(
    ("PyByteArray_FromStringAndSize", ctypes.pythonapi)
)


def zeros(item: Item, *shape: int) -> Array:
    """A new array of zeros.

    Args:
        item: format of the items.
        shape: its length, or its rows and columns, at least one of each.

    Raises:
        MemoryError: there isn't so much.
    """
    size = calcsize(item) * prod(shape)
    return _as(item, memoryview(bytearray(size) if size < MAPPED else _mapped(size)), *shape)


def empty(item: Item, *shape: int) -> Array:
    """As `zeros`, with anything in it: what nobody writes to takes no time and, in new pages, no memory."""
    size = calcsize(item) * prod(shape)
    return _as(item, memoryview(_new_bytes(None, size) if size < MAPPED else _mapped(size)), *shape)


def array_of(item: Item, values: Iterable[int] | bytes) -> Array:
    """A new array of some values, given one by one or as the bytes that they are in memory."""
    return memoryview(array(item, values))


def copy(view: Array) -> Array:
    """A new array of one dimension or two with the same items."""
    if not len(view):
        return view
    return longer(view, 0)


def longer(view: Array, more: int) -> Array:
    """A copy with ``more`` items or rows behind, with anything in them, see `empty`."""
    shape: Any = view.shape
    item: Any = view.format
    grown = empty(item, shape[0] + more, *shape[1:])
    grown.cast("B")[: view.nbytes] = view.cast("B")
    return grown


def flat(view: Array) -> Array:
    """The items of an array with two dimensions, row by row."""
    shape: Any = view.shape
    return _as(view.format, view.cast("B"), prod(shape))


def fill(view: Array, value: int) -> None:
    """Writes 0 or -1 into all places of an array of integers."""
    assert value in (0, -1)
    ctypes.memset(address_of(view), value & 0xFF, view.nbytes)


def address_of(view: Array) -> int:
    """Where an array begins; good for as long as the array is."""
    return ctypes.addressof(_NO_BYTES.from_buffer(view))  # much faster than a cast to a pointer


def _as(item: Any, data: Array, *shape: int) -> Array:
    """Bytes as items; with one dimension there are as many as fit."""
    array: Array = data.cast(item) if len(shape) == 1 else data.cast(item, shape)
    return array


def _mapped(size: int) -> mmap.mmap:
    try:
        mapped = mmap.mmap(-1, size, **_PRIVATE)
    except OSError:
        raise MemoryError from None
    if _HUGE_PAGES is not None:  # tables of states are read here and there
        with suppress(OSError):  # a kernel without them
            mapped.madvise(_HUGE_PAGES)
    return mapped
