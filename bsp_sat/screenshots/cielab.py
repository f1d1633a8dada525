"""Colours as people tell them apart: the space CIE L*a*b*, in which a distance of 2 is just seen."""

import numpy as np
from numpy.typing import NDArray

Lab = NDArray[np.float32]
"""Any shape, the last axis of length 3: lightness 0 to 100, green to red, blue to yellow."""

_RED_GREEN_BLUE = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]],
    dtype=np.float32,
) / np.array([[0.95047], [1.0], [1.08883]], dtype=np.float32)

_LEVELS = np.arange(256, dtype=np.float32) / 255
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)


def lab_of(pixels: NDArray[np.uint8]) -> Lab:
    """Lab of sRGB bytes, the last axis red, green and blue.

    >>> [round(float(value)) for value in lab_of(np.array([255, 0, 0], dtype=np.uint8))]
    [53, 80, 67]
    """
    xyz = _LINEAR[pixels] @ _RED_GREEN_BLUE.T
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)


def distance(first: Lab, second: Lab) -> NDArray[np.float32]:
    """How far colours are apart, over the last axis."""
    difference = first - second
    apart: NDArray[np.float32] = np.sqrt((difference * difference).sum(axis=-1))
    return apart


def rgb_of(colour: Lab) -> tuple[int, int, int]:
    """The sRGB bytes of one colour.

    >>> rgb_of(lab_of(np.array([12, 200, 99], dtype=np.uint8)))
    (12, 200, 99)
    """
    lightness, a, b = (float(part) for part in colour)
    y = (lightness + 16) / 116
    root = np.array([y + a / 500, y, y - b / 200])
    xyz = np.where(root**3 > 0.008856, root**3, (root - 16 / 116) / 7.787)
    linear = np.clip(np.linalg.solve(_RED_GREEN_BLUE.astype(np.float64), xyz), 0, 1)
    levels = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    red, green, blue = (round(float(level) * 255) for level in levels)
    return red, green, blue
