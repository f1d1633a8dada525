"""The picture at working size, in CIE Lab."""

from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.pixels.arrays import LEVELS, UNIT, Pixels


@compiled
def scale(p: Pixels) -> int:
    """Fills ``lab``: each pixel is the mean of its square in the picture as it came, of at least one pixel's size."""
    height, width = p.height, p.width
    ratio, cosine, sine = p.ratio[0], p.ratio[1], p.ratio[2]
    half = max(1.0, ratio) / 2
    for row in range(height):
        for column in range(width):
            across, down = (column + 0.5 - width / 2) * ratio, (row + 0.5 - height / 2) * ratio
            x = p.source_width / 2 + across * cosine + down * sine
            y = p.source_height / 2 + down * cosine - across * sine
            red, green, blue, weights = 0.0, 0.0, 0.0, 0.0
            for source_row in range(int(y - half + 1) - 1, int(y + half) + 1):
                share = min(y + half, source_row + 1.0) - max(y - half, source_row + 0.0)
                if share <= 0:
                    continue
                start = min(max(source_row, 0), p.source_height - 1) * p.source_width
                for source_column in range(int(x - half + 1) - 1, int(x + half) + 1):
                    weight = share * (min(x + half, source_column + 1.0) - max(x - half, source_column + 0.0))
                    if weight <= 0:
                        continue
                    at = 3 * (start + min(max(source_column, 0), p.source_width - 1))
                    red += weight * p.source[at]
                    green += weight * p.source[at + 1]
                    blue += weight * p.source[at + 2]
                    weights += weight
            red = p.light[int(red / weights + 0.5)]
            green = p.light[int(green / weights + 0.5)]
            blue = p.light[int(blue / weights + 0.5)]
            x_root = root(p, (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
            y_root = root(p, 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
            z_root = root(p, (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
            p.lab[row, column] = rounded((116 * y_root - 16) * UNIT)
            p.lab[row + height, column] = rounded(500 * (x_root - y_root) * UNIT)
            p.lab[row + 2 * height, column] = rounded(200 * (y_root - z_root) * UNIT)
    return 0


@compiled
def root(p: Pixels, light: float) -> float:
    """The cube root of light, as CIE Lab takes it, between two of the table."""
    place = light * LEVELS
    at = int(place)
    return float(p.roots[at] + (place - at) * (p.roots[at + 1] - p.roots[at]))


@compiled
def rounded(value: float) -> int:
    """The nearest whole number."""
    return int(value + 65536.5) - 65536
