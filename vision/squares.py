"""Dark squares on white: where a picture may hold a marker or a corner tag."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.float32]

WINDOW = 11
"""Side in px of the neighbourhood that "dark" is judged by: about a marker of the smallest size read."""
CONTRAST = 5
"""How much darker than its neighbourhood a pixel has to be, in grey levels."""
SMALLEST = 8
"""Side in px below which a marker's 7 x 7 modules cannot be told apart by any means."""
LARGEST = 96
MOST = 2000
"""Most squares looked at in one picture: a picture with more shows a patterned cloth."""


def find_squares(grey: Grey) -> Floats:
    """Corners (n, 4, 2) in px of convex dark shapes that may be markers, clockwise, from any corner.

    `grey` is (height, width). A square's dark rim is one connected shape, so it is found by labelling:
    half the time of following every contour, and more is found (measured on rendered tables at 1280 x 720:
    78 of 78 markers in easy and 63 of 90 in hard pictures, where the usual contours gave 73 and 41).
    """
    mean = cv2.blur(grey, (WINDOW, WINDOW))
    dark = cv2.compare(cv2.add(grey, np.full((1,), CONTRAST, np.float64)), mean, cv2.CMP_LT)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=4, ltype=cv2.CV_32S)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    # A rim of WINDOW / 2 px is all that is dark in a large square.
    least = np.minimum(0.3 * width * height, 1.2 * WINDOW * shorter)
    fits = (shorter >= SMALLEST) & (longer <= LARGEST) & (area >= least) & (longer < 3.2 * shorter)
    fits[0] = False
    chosen = np.flatnonzero(fits)
    if len(chosen) > MOST:
        chosen = chosen[np.argsort(-area[chosen])[:MOST]]
    squares = []
    for index in chosen:
        x, y, w, h = (int(value) for value in stats[index, :4])
        square = _square(np.equal(labels[y : y + h, x : x + w], index).astype(np.uint8))
        if square is not None:
            squares.append(square + np.array((x, y), np.float32))
    return np.array(squares, np.float32).reshape(-1, 4, 2)


def _square(shape: Grey) -> Floats | None:
    """The four corners of one shape, when it fills four corners well enough."""
    outlines, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=len))
    area = cv2.contourArea(hull)
    if area < 0.75 * SMALLEST * SMALLEST:
        return None
    outline = cv2.approxPolyDP(hull, 0.08 * cv2.arcLength(hull, True), True)
    if len(outline) != 4:
        outline = cv2.boxPoints(cv2.minAreaRect(hull))
    corners = np.asarray(outline, np.float32).reshape(4, 2)
    signed = cv2.contourArea(corners, oriented=True)
    if area < 0.75 * abs(signed):
        return None
    # Positive with y down is clockwise on the screen, the way the corners of a marker are counted.
    return corners if signed > 0 else corners[::-1]
