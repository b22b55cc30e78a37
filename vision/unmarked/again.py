"""Another picture of a standing camera: of the maze only what lies where the picture changed is looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision import touched as changes
from vision.unmarked.maze import Maze
from vision.unmarked.view import View

STILL_THERE = 0.5
"""Share of the cards that must lie untouched."""


def carried(before: Maze, view: View, touched: NDArray[np.bool_]) -> Maze | None:
    """The maze of the picture before without what lies where `touched` (rows, columns) says that it changed.

    The tiles of `touched` cover the whole picture. None when so much changed that it has to be found anew.
    """
    if before.view.size != view.size or touched.mean() > changes.MOST:
        return None
    maze = Maze(before.known, view, before.board.plane, before.board.layout, before.tags)
    maze.take_over(before, lambda corners: changes.untouched(corners, touched, view.size))
    return maze if len(maze.found) >= max(2, STILL_THERE * len(before.found)) else None
