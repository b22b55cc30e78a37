"""Large pictures are read at a smaller size, and what was read is told in their own pixels."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from vision.pictures import Image
from vision.pointed import Pointed
from vision.reading import Corners, Problem, Reading

LARGEST_SIDE = 1920
"""Px of the longer side: nothing is gained beyond, and a photo of 12 megapixels would take seconds."""
LEAST_SIDE = 64
"""Px of the shorter side below which a picture shows no table."""


def read_sized(
    image: Image, pointed: Pointed | None, read: Callable[[Image, Pointed | None], Reading]
) -> Reading:
    """What `read` makes of a picture (height, width, 3), BGR, at a size that it is good at, with the time."""
    began = time.perf_counter()
    size = image.shape[1], image.shape[0]
    shrink = min(1.0, LARGEST_SIDE / max(size))
    if min(size) * shrink < LEAST_SIDE:
        reading = Reading((), (Problem("no_table"),), size, 0.0)
    elif shrink == 1:
        reading = read(image, pointed)
    else:
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        there = Pointed(_scaled(pointed.corners, shrink)) if pointed else None
        reading = read(np.asarray(small, np.uint8), there)
        cards = tuple(replace(card, corners=_scaled(card.corners, 1 / shrink)) for card in reading.cards)
        reading = replace(reading, cards=cards, size=size, px_per_mm=reading.px_per_mm / shrink)
    return replace(reading, ms=(time.perf_counter() - began) * 1000)


def _scaled(corners: Corners, scale: float) -> Corners:
    # The centre of the first pixel is at (0, 0), so its edge is half a pixel off.
    a, b, c, d = (((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners)
    return a, b, c, d
