"""Planes to try where neither tags nor outlines tell of one: usual tilts, sizes and sides of the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.grid import Layout
from vision.plane import BULGE, FOCAL, Plane

TILTS = (14.0, 38.0)
"""Degrees from straight above: what lies between is near enough to one of them."""
SCALES = (1.25, 1.65, 0.95, 2.2)
"""px a mm in the middle of a picture 1280 px wide: a table that fills it, and nearer ones."""
SIDES = (0.0, np.pi / 2)
"""Which way the board may run in the picture; either way round looks the same."""


def guesses(size: tuple[int, int]) -> Iterator[tuple[Plane, Layout]]:
    """Planes of a picture (width, height), and layouts in them that lie in its middle."""
    wide, high = size
    focal = FOCAL * max(size)
    centre = np.array([(wide - 1) / 2, (high - 1) / 2])
    for scale in SCALES:
        for tilt in np.radians(TILTS):
            c, s = np.cos(tilt), np.sin(tilt)
            axes = np.array([(1, 0, 0), (0, c, -s), (0, s, c)])
            px_per_mm = scale * max(size) / 1280
            plane = Plane(centre, focal, BULGE, axes, focal / px_per_mm * float(c))
            (middle,) = plane.to_mm(centre[None])
            for side in SIDES:
                yield plane, Layout(side, middle, False)
