"""Where the board lies in a picture, and its cells."""

from __future__ import annotations

from dataclasses import dataclass

from vision.grid import Grid, Layout
from vision.plane import Plane


@dataclass(eq=False)
class Board:
    """Where the board lies: px <-> mm in the plane, mm in the plane <-> mm on the board, and its cells."""

    plane: Plane
    layout: Layout
    grid: Grid
