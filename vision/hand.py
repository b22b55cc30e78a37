"""A drawn hand with its sleeve, reaching over a simulated table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image

Point = tuple[float, float]

SKINS = ((120, 150, 205), (95, 125, 180), (60, 85, 130), (45, 60, 95), (140, 170, 225))
SLEEVES = ((95, 60, 40), (60, 60, 65), (70, 110, 60), (60, 55, 150), (150, 150, 155))
PALM_MM = 42.0
"""Half the breadth of a palm with its thumb."""
FINGER_MM = (72.0, 84.0, 80.0, 64.0)
WRIST_MM = 55.0
COARSER = 2
"""Hands are soft: drawn at half size and enlarged they look the same and take a quarter of the time."""
SLEEVE_MM = 95.0
"""How far behind the middle of the palm the sleeve begins."""


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand as it looks from the camera: `colour` H x W x 3, `cover` and `shadow` H x W as shares 0..1."""

    colour: Image
    cover: NDArray[np.float32]
    shadow: NDArray[np.float32]

    def over(self, picture: Image, dx: int, dy: int, light: float) -> Image:
        """The picture with the hand over it, shifted by whole px, lit like the rest (`light` 1: as it is)."""
        window = _window(np.maximum(self.cover, self.shadow), dx, dy)
        if window is None:
            return picture
        there, here = window
        result = picture.copy()
        under = picture[here].astype(np.float32) * (1 - 0.45 * self.shadow[there][..., None])
        alpha = self.cover[there][..., None]
        result[here] = np.clip(
            under + (self.colour[there] * np.float32(light) - under) * alpha, 0, 255
        ).astype(np.uint8)
        return result


Window = tuple[slice, slice]


def _window(mask: NDArray[np.float32], dx: int, dy: int) -> tuple[Window, Window] | None:
    """The part of the mask in use, and where it comes to lie after the shift, both within the picture."""
    rows, columns = np.flatnonzero(mask.max(1) > 0.01), np.flatnonzero(mask.max(0) > 0.01)
    if not rows.size or not columns.size:
        return None
    height, width = mask.shape
    top, bottom = max(rows[0], -dy), min(rows[-1] + 1, height - dy)
    left, right = max(columns[0], -dx), min(columns[-1] + 1, width - dx)
    if top >= bottom or left >= right:
        return None
    there = (slice(top, bottom), slice(left, right))
    return there, (slice(top + dy, bottom + dy), slice(left + dx, right + dx))


def draw(
    size: tuple[int, int],
    over: Point,
    from_deg: float,
    reach: float,
    scale: float,
    chance: np.random.Generator,
) -> Hand:
    """A hand whose palm covers the point `over` (px), coming from the direction `from_deg` (90: from below).

    `reach` is 1 with the hand there and 0 just out of the picture; `scale` is in px a mm.
    """
    full, size = size, (size[0] // COARSER, size[1] // COARSER)
    over, scale = (over[0] / COARSER, over[1] / COARSER), scale / COARSER
    angle = np.radians(from_deg)
    back = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-back[1], back[0]])
    away = _way_out(size, np.array(over), back) + 170 * scale
    palm = np.array(over) + 30 * scale * back + (1 - reach) * away * back
    skin = np.array(SKINS[int(chance.integers(len(SKINS)))], np.float32)
    sleeve = np.array(SLEEVES[int(chance.integers(len(SLEEVES)))], np.float32)
    flesh, cloth = np.zeros(size[::-1], np.uint8), np.zeros(size[::-1], np.uint8)
    _stroke(flesh, palm - 12 * scale * back, palm + 22 * scale * back, 2 * PALM_MM * 0.85 * scale)
    _stroke(flesh, palm, palm + (SLEEVE_MM + 20) * scale * back, WRIST_MM * scale)
    for i, length in enumerate(FINGER_MM):
        root = palm + (i - 1.5) * 19 * scale * side
        tip = palm - length * scale * back + (i - 1.5) * 25 * scale * side
        _stroke(flesh, root, tip, 17 * scale)
    thumb = palm + PALM_MM * 1.35 * scale * side - 32 * scale * back
    _stroke(flesh, palm + 10 * scale * side, thumb, 20 * scale)
    _stroke(cloth, palm + SLEEVE_MM * scale * back, palm + (SLEEVE_MM * scale + away * 2) * back, 88 * scale)
    both = np.maximum(flesh, cloth)
    # Round things are darker towards their edges.
    depth = cv2.distanceTransform((both > 127).astype(np.uint8), cv2.DIST_L2, 3)
    shade = 0.62 + 0.38 * np.sqrt(np.clip(depth / (24 * scale), 0, 1))
    colour = np.where(cloth[..., None] > 127, sleeve, skin) * shade[..., None]
    cover = cv2.GaussianBlur(both, (0, 0), 0.7).astype(np.float32) / np.float32(255)
    cast = cv2.GaussianBlur(both, (0, 0), 9 * scale).astype(np.float32) / np.float32(255)
    shadow = cv2.warpAffine(cast, np.array([[1, 0, 9 * scale], [0, 1, 6 * scale]]), size)
    return Hand(
        np.asarray(cv2.resize(colour.astype(np.uint8), full), np.uint8),
        np.asarray(cv2.resize(cover, full), np.float32),
        np.asarray(cv2.resize(shadow, full), np.float32),
    )


def _way_out(size: tuple[int, int], start: NDArray[np.float64], towards: NDArray[np.float64]) -> float:
    """How far it is from a point to the edge of the picture, in px."""
    ways = [
        ((size[axis] if towards[axis] > 0 else 0) - start[axis]) / towards[axis]
        for axis in (0, 1)
        if abs(towards[axis]) > 1e-6
    ]
    return float(max(0.0, min(ways)))


def _stroke(mask: NDArray[np.uint8], a: NDArray[np.float64], b: NDArray[np.float64], thick: float) -> None:
    ends = [tuple(round(16 * float(v)) for v in end) for end in (a, b)]
    cv2.line(mask, ends[0], ends[1], (255,), max(1, round(thick)), cv2.LINE_AA, 4)
