"""Where a person has pointed out the board in the picture: the help a reader gets when it finds nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from vision.reading import Corners


@dataclass(frozen=True)
class Pointed:
    """The four outer corners of the empty board, dragged by hand: good to some 10 px, and never exact."""

    corners: Corners
    """In px of the picture as it is read, in this order: the start card's far-left corner as the start side
    sees the board (its top left), the top goal's top right, the bottom goal's bottom right, the start card's
    bottom left. All three goals and the start card are where they lie before the first turn."""

    def to_json(self) -> list[list[float]]:
        """The corners as plain data."""
        return [[x, y] for x, y in self.corners]

    @staticmethod
    def parse(data: Any) -> Pointed:
        """The corners in plain data. Raises ValueError for anything but four finite points that differ."""
        if not isinstance(data, list) or len(data) != 4:
            raise ValueError("four corners are needed")
        points = [(float(x), float(y)) for x, y in data]
        if not all(math.isfinite(x) and math.isfinite(y) for x, y in points) or len(set(points)) < 4:
            raise ValueError("four corners that differ are needed")
        a, b, c, d = points
        return Pointed((a, b, c, d))
