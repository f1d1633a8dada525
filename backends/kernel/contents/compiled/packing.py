"""Small tools of the compiled search: lists of numbers, states packed into words, sets of colours as bits."""

import numpy as np

from bsp_sat.backends.kernel.contents.arrays import Shape
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import Ints, Words

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
ONE = np.uint64(1)


@compiled
def copy(source: Ints, target: Ints) -> None:
    """Copies a list; a slice would look for overlaps first."""
    for place in range(len(source)):
        target[place] = source[place]


@compiled
def clear_all(numbers: Ints) -> None:
    """Sets a list to zeros."""
    for place in range(len(numbers)):
        numbers[place] = 0


@compiled
def hashed(key: Words, mask: np.uint64) -> np.uint64:
    """A place in a table of ``mask`` + 1 places."""
    mixed = np.uint64(0)
    for word in key:
        mixed = (mixed ^ word) * MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return mixed & mask


@compiled
def pack(shape: Shape, numbers: Ints, homes: np.uint64, key: Words) -> None:
    """Writes a state, sorted, and its open homes into ``key``."""
    place = 0
    for word in range(len(key)):
        packed = np.uint64(0)
        shift = np.uint64(0)
        for _ in range(shape.per_word):
            if place == len(numbers):
                break
            packed |= np.uint64(numbers[place]) << shift
            shift += np.uint64(shape.bits)
            place += 1
        key[word] = packed
    if shape.by_homes:
        key[shape.words - 1] = homes


@compiled
def unpack(shape: Shape, key: Words, numbers: Ints) -> np.uint64:
    """Reads a state from ``key`` and returns its open homes."""
    ones = (ONE << np.uint64(shape.bits)) - ONE
    place = 0
    for word in key:
        for _ in range(shape.per_word):
            if place == len(numbers):
                break
            numbers[place] = np.int32(word & ones)
            word >>= np.uint64(shape.bits)
            place += 1
    return key[shape.words - 1] if shape.by_homes else np.uint64(0)


@compiled
def sort(numbers: Ints) -> None:
    """Sorts from high to low, in place; the lists are short and nearly sorted."""
    for place in range(1, len(numbers)):
        number = numbers[place]
        before = place - 1
        while before >= 0 and numbers[before] < number:
            numbers[before + 1] = numbers[before]
            before -= 1
        numbers[before + 1] = number


@compiled
def is_in(colour: int, colours: np.uint64) -> bool:
    """Whether a set of colours has ``colour``."""
    return bool((colours >> np.uint64(colour)) & ONE)


@compiled
def size(colours: np.uint64) -> int:
    """The number of colours in a set."""
    number = 0
    while colours:
        colours &= colours - ONE
        number += 1
    return number
