"""A small rasteriser: shapes with smooth edges on an array of pixels, by NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Point = tuple[float, float]

#: Letters and figures of 5 columns and 7 rows, a row as a number of five bits.
_FONT = {
    "A": (14, 17, 17, 31, 17, 17, 17),
    "B": (30, 17, 17, 30, 17, 17, 30),
    "G": (14, 17, 16, 23, 17, 17, 15),
    "K": (17, 18, 20, 24, 20, 18, 17),
    "L": (16, 16, 16, 16, 16, 16, 31),
    "M": (17, 27, 21, 21, 17, 17, 17),
    "N": (17, 25, 21, 19, 17, 17, 17),
    "P": (30, 17, 17, 30, 16, 16, 16),
    "Q": (14, 17, 17, 17, 21, 18, 13),
    "R": (30, 17, 17, 30, 20, 18, 17),
    "S": (15, 16, 16, 14, 1, 1, 30),
    "0": (14, 17, 19, 21, 25, 17, 14),
    "1": (4, 12, 4, 4, 4, 4, 14),
    "2": (14, 17, 1, 6, 8, 16, 31),
    "3": (31, 2, 4, 2, 1, 17, 14),
    "4": (2, 6, 10, 18, 31, 2, 2),
    "5": (31, 16, 30, 1, 1, 17, 14),
    "6": (6, 8, 16, 30, 17, 17, 14),
    "7": (31, 1, 2, 4, 8, 8, 8),
    "8": (14, 17, 17, 14, 17, 17, 14),
    "9": (14, 17, 17, 15, 1, 2, 12),
}


class Canvas:
    """Pixels `[H, W, 3]`, and where the corner `left`, `top` of the drawing is; y goes down."""

    def __init__(self, left: float, top: float, width: float, height: float, ground: Colour) -> None:
        self.left, self.top = left, top
        size = (round(height), round(width))
        self._pixels = np.empty((*size, 3), dtype=np.float32)
        self._pixels[:] = ground
        self._y, self._x = np.indices(size, dtype=np.float32) + 0.5
        self._x += left
        self._y += top

    def pixels(self) -> NDArray[np.uint8]:
        """What was drawn."""
        return self._pixels.round().astype(np.uint8)

    def circle(self, centre: Point, radius: float, colour: Colour) -> None:
        """A disc."""
        part = self._part([centre], radius)
        x, y = self._x[part] - centre[0], self._y[part] - centre[1]
        self._cover(part, radius - np.hypot(x, y), colour)

    def line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """A line with round ends."""
        part = self._part([start, end], width)
        dx, dy = end[0] - start[0], end[1] - start[1]
        x, y = self._x[part] - start[0], self._y[part] - start[1]
        along = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-9), 0.0, 1.0)
        self._cover(part, width / 2 - np.hypot(x - along * dx, y - along * dy), colour)

    def polygon(self, corners: Sequence[Point], colour: Colour) -> None:
        """A convex polygon, clockwise as it is seen."""
        part = self._part(corners, 0.0)
        depth = np.full(self._x[part].shape, np.inf, dtype=np.float32)
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]]):
            length = np.hypot(x2 - x1, y2 - y1)
            inwards = (x2 - x1) * (self._y[part] - y1) - (y2 - y1) * (self._x[part] - x1)
            depth = np.minimum(depth, inwards / length)
        self._cover(part, depth, colour)

    def box(self, left: float, top: float, width: float, height: float, colour: Colour) -> None:
        """A rectangle."""
        right, bottom = left + width, top + height
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def text(self, text: str, centre: Point, height: float, colour: Colour) -> None:
        """Letters in the middle of a point; those that the font has not are left out."""
        dot = height / 7
        left = centre[0] - (6 * len(text) - 1) * dot / 2
        for place, letter in enumerate(text):
            for row, bits in enumerate(_FONT.get(letter, ())):
                for column in range(5):
                    if bits >> (4 - column) & 1:
                        x = left + (6 * place + column) * dot
                        self.box(x, centre[1] - height / 2 + row * dot, dot, dot, colour)

    def _part(self, points: Sequence[Point], reach: float) -> tuple[slice, slice]:
        """The pixels that a shape may touch."""

        def between(values: list[float], offset: float, size: int) -> slice:
            first = int(np.floor(min(values) - reach - offset - 1))
            last = int(np.ceil(max(values) + reach - offset + 1))
            return slice(min(max(first, 0), size), max(min(last, size), 0))

        height, width = self._x.shape
        return (
            between([y for _, y in points], self.top, height),
            between([x for x, _ in points], self.left, width),
        )

    def _cover(self, part: tuple[slice, slice], depth: NDArray[np.float32], colour: Colour) -> None:
        """Paints by how deep each pixel lies in the shape."""
        share = np.clip(depth + 0.5, 0.0, 1.0)[..., None]
        ground = self._pixels[part]
        ground += share * (np.array(colour, dtype=np.float32) - ground)
