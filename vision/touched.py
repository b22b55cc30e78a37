"""Which of some places in a picture lie where it is as it was in the picture before."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Reals

MOST = 0.3
"""Share of a picture from which on it is read anew: a lamp went on, or the camera moved."""
AROUND = 1.1
"""A place is touched by what changed within its outline, so many times as large."""


def untouched(corners: Reals, touched: NDArray[np.bool_], size: tuple[int, int]) -> NDArray[np.bool_]:
    """For outlines (n, 4, 2) in px of a picture of (width, height) whether nothing within has changed.

    `touched`: tiles (rows, columns) that cover the whole picture.
    """
    tiles = touched.astype(np.uint8)
    scale = np.array(tiles.shape[::-1]) / size
    middles = corners.mean(1, keepdims=True)
    outlines = (middles + (corners - middles) * AROUND + 0.5) * scale - 0.5
    return np.array([not _any_within(tiles, outline) for outline in outlines], np.bool_)


def _any_within(tiles: NDArray[np.uint8], outline: Reals) -> bool:
    """Whether any of the tiles that an outline (4, 2) touches is set; outside of the picture none is."""
    if not np.isfinite(outline).all():
        return True
    low = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    high = np.ceil(outline.max(0)).astype(int) + 1
    part = tiles[low[1] : max(high[1], 0), low[0] : max(high[0], 0)]
    if not part.any():
        return False
    within = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(within, np.rint(outline - low).astype(np.int32), 1)
    return bool((part & within).any())
