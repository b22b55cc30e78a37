"""How a card, or the place of one, looks in a frame: small patches that can be compared with each other."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image

Reals = NDArray[np.float32]

PATCH = (28, 44)
"""Width and height of a patch in px: half a pixel a mm."""
BLOCKS = (4, 6)
"""Columns and rows of the blocks whose colours stand for a place."""
SCALE = 0.6
"""px per mm of the shrunken frame: fine enough for a patch, and averaging away the noise."""
RIM = 0.06
"""Share of a card that is left out on each side: there a neighbour may lie over it."""
PARTS = (2, 3)
"""Columns and rows of the parts of a card that are looked at for something lying over them."""
FAINT = 0.35
"""Share of a patch's mean energy below which a part shows too little to be judged."""


class Look:
    """One frame, shrunken once and then asked about many places."""

    def __init__(self, image: Image, px_per_mm: float) -> None:
        self.factor = min(1.0, SCALE / px_per_mm) if px_per_mm > 0 else 0.4
        small = cv2.resize(image, None, fx=self.factor, fy=self.factor, interpolation=cv2.INTER_AREA)
        self._small = np.asarray(small, np.uint8)
        self._blurred: Reals | None = None

    def holds(self, corners: Reals) -> bool:
        """Whether a place (4 x 2 px of the frame) lies within the picture."""
        height, width = self._small.shape[:2]
        at = corners * self.factor
        return bool((at >= 1).all() and (at[:, 0] < width - 1).all() and (at[:, 1] < height - 1).all())

    def place(self, corners: Reals) -> Image:
        """A card's place (4 x 2 px of the frame, from its top-left corner on) as a patch, seen from above."""
        width, height = PATCH
        left, top = -RIM * width / (1 - 2 * RIM), -RIM * height / (1 - 2 * RIM)
        right, bottom = width - left, height - top
        target = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(
            (corners * self.factor + (self.factor - 1) / 2).astype(np.float32), target
        )
        return np.asarray(cv2.warpPerspective(self._small, matrix, PATCH, flags=cv2.INTER_LINEAR), np.uint8)

    def colours(self, points: Reals) -> Reals:
        """Lab colours (n x 3) of the table around points (n x 2 px of the frame, all within the picture)."""
        if self._blurred is None:
            self._blurred = lab(np.asarray(cv2.blur(self._small, (5, 5)), np.uint8))
        height, width = self._blurred.shape[:2]
        at = np.rint(points * self.factor).astype(int)
        return np.asarray(self._blurred[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)])

    def covered(self, quads: Sequence[Reals], margin_px: int = 3) -> NDArray[np.bool_]:
        """A mask of the shrunken frame: true within any of the quads (4 x 2 px of the frame) and close by."""
        mask = np.zeros(self._small.shape[:2], np.uint8)
        for quad in quads:
            outline = np.rint(quad * self.factor).astype(np.int32)
            cv2.fillConvexPoly(mask, outline, (255,))
            cv2.polylines(mask, [outline], True, (255,), 2 * margin_px)
        return np.asarray(mask > 0)

    def within(self, mask: NDArray[np.bool_], points: Reals) -> NDArray[np.bool_]:
        """Which points (n x 2 px of the frame) are within the picture and outside the mask."""
        height, width = mask.shape
        at = np.rint(points * self.factor).astype(int)
        inside = (at[:, 0] >= 2) & (at[:, 0] < width - 2) & (at[:, 1] >= 2) & (at[:, 1] < height - 2)
        return np.asarray(inside & ~mask[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)])


def lab(image: Image) -> Reals:
    """Colours in CIE Lab: L 0..100, a and b about -100..100."""
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB), np.float32)


def blocks(place: Image) -> Reals:
    """The mean Lab colours (24 x 3) of a place's blocks."""
    return lab(np.asarray(cv2.resize(place, BLOCKS, interpolation=cv2.INTER_AREA), np.uint8)).reshape(-1, 3)


def pattern(place: Image) -> Reals:
    """The place's light and dark, freed of how brightly and evenly it is lit."""
    grey = cv2.cvtColor(place, cv2.COLOR_BGR2GRAY).astype(np.float32)
    high = cv2.GaussianBlur(grey, (0, 0), 0.7) - cv2.GaussianBlur(grey, (0, 0), 5)
    strength = np.sqrt(cv2.GaussianBlur(high * high, (0, 0), 7))
    # The constant keeps the noise of an empty place from being blown up into a pattern.
    return np.asarray(high / (strength + 4.0), np.float32)


def likeness(a: Reals, b: Reals) -> float:
    """Correlation -1..1 of two patterns."""
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def least_likeness(seen: Reals, known: Reals) -> float:
    """Correlation of the part of a card that is least as it should be: low when something lies over it."""
    worst = 1.0
    mean = float((known * known).mean())
    for rows in np.array_split(np.arange(PATCH[1]), PARTS[1]):
        for columns in np.array_split(np.arange(PATCH[0]), PARTS[0]):
            part = np.ix_(rows, columns)
            if float((known[part] ** 2).mean()) >= FAINT * mean:
                worst = min(worst, likeness(seen[part], known[part]))
    return worst


def as_known(picture: Image) -> Reals:
    """The pattern of a card by its face picture (any size, upright)."""
    height, width = picture.shape[:2]
    x, y = round(RIM * width), round(RIM * height)
    inner = picture[y : height - y, x : width - x]
    return pattern(np.asarray(cv2.resize(inner, PATCH, interpolation=cv2.INTER_AREA), np.uint8))
