"""Dark squares on white: where a picture may hold a marker or a corner tag."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

WINDOW = 11
"""Side in px of the neighbourhood that "dark" is judged by: about a marker of the smallest size read."""
CONTRAST = 5
"""How much darker than its neighbourhood a pixel has to be, in grey levels."""
SMALLEST = 8
"""Side in px below which a marker's 7 x 7 modules cannot be told apart by any means."""
LARGEST = 96
FLATTEST = 3.2
"""How much longer than wide a shape's box may be: a table seen at a slant of 60 degrees leaves 2."""
MOST = 2000
"""Most squares looked at in one picture: a picture with more shows a patterned cloth."""
FULL = 0.3
"""Least share of its box that is dark in a shape that may be a marker."""
LOPSIDED = 0.16
"""How far a shape's centre of mass may lie off its box's middle, in box sides (markers: 0.13 and less)."""
HOLLOW = 0.4
"""Least range of grey inside a shape as a share of that in and around it.

542 markers of 26 rendered pictures had 0.47 and more; the squares of checked cloth mostly have less than 0.2.
"""


def find_squares(
    grey: Grey, window: int = WINDOW, flattest: float = FLATTEST, contrast: float = CONTRAST
) -> Floats:
    """Corners (n, 4, 2) in px of convex dark shapes that may be markers, clockwise, from any corner.

    `grey` is (height, width); `window` the side in px of the neighbourhood that dark is judged by, `contrast`
    how many grey levels darker than it; `flattest` how many times longer than wide a shape's box may be. A
    square's dark rim is one connected shape, so it is found by labelling: a fifth of the time of following
    every contour, and more is found. Neighbours across a corner count as connected, for noise breaks thin
    rims (measured on 26 rendered pictures: 542 markers read, 508 without).
    """
    mean = cv2.blur(grey, (window, window))
    dark = cv2.compare(cv2.add(grey, np.full((1,), contrast, np.float64)), mean, cv2.CMP_LT)
    _, labels, stats, middles = cv2.connectedComponentsWithStatsWithAlgorithm(
        dark, 8, cv2.CV_32S, cv2.CCL_BBDT
    )
    squares = []
    hopeful = _hopeful(grey, stats, middles, window, flattest)
    for index, (x, y, w, h) in zip(hopeful.tolist(), stats[hopeful, :4].tolist(), strict=True):
        square = _square(np.equal(labels[y : y + h, x : x + w], index).view(np.uint8))
        if square is not None:
            squares.append(square + np.array((x, y), np.float32))
    return np.array(squares, np.float32).reshape(-1, 4, 2)


def _hopeful(
    grey: Grey, stats: cv2.typing.MatLike, middles: cv2.typing.MatLike, window: int, flattest: float
) -> Whole:
    """Which shapes may be markers by their size, their balance and the grey within them."""
    # Specks, which most shapes are, need no closer look; the first shape is what is not dark.
    large = np.flatnonzero(stats[:, 4] >= FULL * SMALLEST * SMALLEST)
    large = large[large > 0]
    shapes: Whole = np.asarray(stats[large], np.int64)
    width, height, area = shapes[:, 2:5].T
    longer, shorter = np.maximum(width, height), np.minimum(width, height)
    # A rim of window / 2 px is all that is dark in a large square.
    least = np.minimum(FULL * width * height, 1.2 * window * shorter)
    fits = (shorter >= SMALLEST) & (longer <= LARGEST) & (area >= least) & (longer < flattest * shorter)
    off = np.abs(middles[large] - shapes[:, :2] - (shapes[:, 2:4] - 1) / 2).max(1)
    chosen = np.flatnonzero(fits & (off < LOPSIDED * longer))
    if len(chosen) > MOST:
        chosen = chosen[np.argsort(-area[chosen])[:MOST]]
    boxes = shapes[chosen, :4]
    # The middle half of a box lies within a square however it is turned.
    inside, about = _range(grey, boxes, 0.25, 0.75), _range(grey, boxes, -0.1, 1.1)
    return np.asarray(large[chosen[inside > HOLLOW * about]], np.int64)


def _range(grey: Grey, boxes: Whole, low: float, high: float) -> NDArray[np.int16]:
    """Brightest less darkest of 6 x 6 px of each box (n, 4), from `low` to `high` of its sides."""
    share = low + (high - low) * (np.arange(6) + 0.5) / 6
    places = (boxes[:, :2, None] + boxes[:, 2:, None] * share).astype(np.int64)
    x = np.clip(places[:, 0], 0, grey.shape[1] - 1)
    y = np.clip(places[:, 1], 0, grey.shape[0] - 1)
    seen = grey[y[:, :, None], x[:, None, :]].reshape(len(boxes), 36).astype(np.int16)
    return np.asarray(np.ptp(seen, axis=1) if len(seen) else np.empty(0, np.int16), np.int16)


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


def smaller(grey: Grey, shrink: float) -> Grey:
    """The picture at `shrink` (0..1] times its size."""
    if shrink >= 1:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def sharpened(grey: Grey) -> Grey:
    """The picture with the contrast of small dark squares raised, as blur and haze have lowered it."""
    fine, coarse = cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.GaussianBlur(grey, (0, 0), 2.5)
    return np.asarray(cv2.addWeighted(fine, 4.0, coarse, -3.0, 0), np.uint8)
