"""One card cut out of a picture, upright and flat, as the tunnel reader takes it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Patch = NDArray[np.uint8]
"""Height x width x 3, BGR: exactly one card, upright."""

WIDE, HIGH = 56, 88
"""Width and height of a patch as it is read, in px: 1 px/mm, since a way is at least 8 mm wide."""


def cut(image: Patch, corners: ArrayLike, size: tuple[int, int] = (WIDE, HIGH)) -> Patch:
    """The card between four corners (px: top-left, top-right, bottom-right, bottom-left as it is to stand).

    `size` is (width, height) in px. A card that is larger in the picture is averaged down, not sampled.
    """
    px = np.asarray(corners, np.float32)
    wide, high = size
    shrink = float(max(np.linalg.norm(px[1] - px[0]) / wide, np.linalg.norm(px[3] - px[0]) / high))
    times = max(1, min(8, int(np.ceil(shrink))))
    w, h = wide * times, high * times
    frame = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
    to_picture = cv2.getPerspectiveTransform(frame, px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    large = cv2.warpPerspective(image, to_picture, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if times > 1:
        large = cv2.resize(large, size, interpolation=cv2.INTER_AREA)
    return np.asarray(large, np.uint8)


def fitted(patch: Patch) -> Patch:
    """A patch of any size in the size in which it is read."""
    if patch.shape[:2] == (HIGH, WIDE):
        return patch
    smaller = patch.shape[1] > WIDE
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(patch, (WIDE, HIGH), interpolation=how), np.uint8)
