"""Arrays for compiled code, as views of plain buffers.

An array is a `memoryview` whose format names its items as in `array.array`: ``i`` for 32-bit integers, ``q`` and ``Q``
for 64-bit ones, ``d`` for floats, ``B`` for bytes. Arrays with two dimensions are stored row by row.
"""

import ctypes
import mmap
from array import array
from collections.abc import Iterable
from contextlib import suppress
from math import prod
from struct import calcsize
from typing import Any

from bsp_sat.backends.kernel.native.layout import Array, Item

MAPPED = 1 << 22
"""Arrays of at least this number of bytes are mapped. Smaller ones come from the heap: mapping their pages would take
longer than an easy search."""

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
        shape: its length, or its numbers of rows and columns, at least 1.

    Raises:
        MemoryError: there isn't enough memory.
    """
    size = calcsize(item) * prod(shape)
    return _as(item, memoryview(bytearray(size) if size < MAPPED else _mapped(size)), *shape)


def empty(item: Item, *shape: int) -> Array:
    """Like `zeros`, but with arbitrary values. Unused parts take no time and, in new pages, no memory."""
    size = calcsize(item) * prod(shape)
    return _as(item, memoryview(_new_bytes(None, size) if size < MAPPED else _mapped(size)), *shape)


def array_of(item: Item, values: Iterable[int] | bytes) -> Array:
    """A new array of some values, given one by one or as bytes in memory order."""
    return memoryview(array(item, values))


def copy(view: Array) -> Array:
    """A new array of one dimension or two with the same items."""
    if not len(view):
        return view
    return longer(view, 0)


def longer(view: Array, more: int) -> Array:
    """A copy with ``more`` items or rows at the end, which have arbitrary values, see `empty`."""
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
    """Sets all items of an array of integers to 0 or -1."""
    assert value in (0, -1)
    ctypes.memset(address_of(view), value & 0xFF, view.nbytes)


def address_of(view: Array) -> int:
    """The address of an array; valid as long as the array exists."""
    return ctypes.addressof(_NO_BYTES.from_buffer(view))  # much faster than a cast to a pointer


def _as(item: Any, data: Array, *shape: int) -> Array:
    """A buffer as an array of items; with one dimension, as many as fit."""
    array: Array = data.cast(item) if len(shape) == 1 else data.cast(item, shape)
    return array


def _mapped(size: int) -> mmap.mmap:
    try:
        mapped = mmap.mmap(-1, size, **_PRIVATE)
    except OSError:
        raise MemoryError from None
    if _HUGE_PAGES is not None:  # tables of states are read at random places
        with suppress(OSError):  # the operating system has no huge pages
            mapped.madvise(_HUGE_PAGES)
    return mapped
