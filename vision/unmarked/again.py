"""Another picture of a standing camera: of the maze only what lies where the picture changed is looked at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Reals
from vision.unmarked.maze import Maze
from vision.unmarked.view import View

MOST_TOUCHED = 0.3
"""Share of a picture from which on it is read anew: a lamp went on, or the camera moved."""
STILL_THERE = 0.5
"""Share of the cards that must lie untouched."""
AROUND = 1.1
"""A place is touched by what changed within its outline, so many times as large."""


def carried(before: Maze, view: View, touched: NDArray[np.bool_]) -> Maze | None:
    """The maze of the picture before without what lies where `touched` (rows, columns) says that it changed.

    The tiles of `touched` cover the whole picture. None when so much changed that it has to be found anew.
    """
    if before.view.size != view.size or touched.mean() > MOST_TOUCHED:
        return None
    tiles = touched.astype(np.uint8)
    scale = np.array(tiles.shape[::-1]) / view.size

    def same(corners: Reals) -> NDArray[np.bool_]:
        middles = corners.mean(1, keepdims=True)
        outlines = (middles + (corners - middles) * AROUND + 0.5) * scale - 0.5
        return np.array([not _any_within(tiles, outline) for outline in outlines], np.bool_)

    maze = Maze(before.known, view, before.board.plane, before.board.layout, before.tags)
    maze.take_over(before, same)
    return maze if len(maze.found) >= max(2, STILL_THERE * len(before.found)) else None


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
