"""What a picture of a card looks like, in few numbers: to find the same one again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image


def sketch(picture: Image) -> NDArray[np.float32]:
    """Directions of lines by place, (616,) of length 1: light and colour of the light drop out."""
    grey = cv2.GaussianBlur(
        cv2.cvtColor(cv2.resize(picture, (56, 88), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY),
        (0, 0),
        1.0,
    )
    across, down = (cv2.Sobel(grey, cv2.CV_32F, x, 1 - x) for x in (1, 0))
    strength, angle = np.hypot(across, down), np.arctan2(down, across)
    ways = np.floor((angle + np.pi) / (2 * np.pi) * 8).astype(int) % 8
    cells = np.zeros((11, 7, 8), np.float32)
    for way in range(8):
        part = np.where(ways == way, np.sqrt(strength), 0).astype(np.float32)
        cells[..., way] = cv2.resize(part, (7, 11), interpolation=cv2.INTER_AREA)
    cells -= cells.mean((0, 1))
    return np.asarray(cells.ravel() / max(float(np.linalg.norm(cells)), 1e-6), np.float32)
