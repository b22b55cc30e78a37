"""A goal that lies face down where the others do not: found by its likeness to their backs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.pictures import Image
from vision.plane import Reals
from vision.sketch import sketch
from vision.tunnels.layers import Floats
from vision.tunnels.patch import cut

SIZE = (112, 176)
"""Width and height in px in which backs are compared."""
ALIKE = 0.52
"""Likeness of two backs in one picture, -1..1, from which on it is the same one."""
COARSE, REACH, FINE = 8.0, 32.0, 3.0
"""mm between the places that are tried, how far off they are, and between those about the best."""


def find_back(
    image: Image, corners: Callable[[Reals], Reals], middle: Reals, known: Sequence[Reals]
) -> Reals | None:
    """The corners (4, 2) in px of a back about a place (2,) in mm on the board, or None.

    `corners` tells those of a card by its middle; `known` are the corners of other backs in the picture.
    """
    backs = np.array([_sketch(image, np.roll(one, turn, 0)) for one in known for turn in (0, 2)])
    if not len(backs):
        return None
    steps = np.arange(-REACH, REACH + 1, COARSE)
    places = [middle + np.array([x, y]) for y in steps for x in steps]
    best, _ = _likest(image, [corners(place) for place in places], backs)
    about = [places[best] + np.array([x, y]) for y in (-FINE, 0, FINE) for x in (-FINE, 0, FINE)]
    closer, alike = _likest(image, [corners(place) for place in about], backs)
    return corners(about[closer]) if alike > ALIKE else None


def _likest(image: Image, tried: Sequence[Reals], backs: Floats) -> tuple[int, float]:
    size = np.array(image.shape[1::-1])
    alike = [
        float((backs @ _sketch(image, one)).max()) if (one > 0).all() and (one < size).all() else -1.0
        for one in tried
    ]
    return int(np.argmax(alike)), max(alike)


def _sketch(image: Image, corners: Reals) -> Floats:
    return sketch(cut(image, corners, SIZE))
