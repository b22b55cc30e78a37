"""What a simulated table is covered with, and cards and tags lying on it, drawn straight from above."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import TAG_DICTIONARY, TAG_MM, TAG_SHEET_MM
from vision.pictures import Image
from vision.scene import Cover

Array32 = NDArray[np.float32]

ROUNDED_MM = 3.0
SHADE_MM = 1.2
"""How far a card's own shadow reaches."""
SHEET_PX_PER_MM = 4


def cover(kind: Cover, width: int, height: int, scale: float, chance: np.random.Generator) -> Image:
    """A bare table of `width` x `height` px at `scale` px a mm."""
    if kind is Cover.WOOD:
        return _wood(width, height, scale, chance)
    threads = _clouds(width, height, max(1.0, 1.2 * scale), chance)
    weave = threads * 9 + _clouds(width, height, 60 * scale, chance) * 7
    if kind is Cover.FELT:
        return _tinted(weave, (62, 88, 48))
    size = 23 * scale
    stripes_x = np.sin(np.arange(width) / size * np.pi) > 0
    stripes_y = np.sin(np.arange(height) / size * np.pi) > 0
    amount = (stripes_x[None, :].astype(np.float32) + stripes_y[:, None]) / 2
    white, blue = np.array([206, 212, 214], np.float32), np.array([148, 112, 78], np.float32)
    return _clipped(white + (blue - white) * amount[..., None] + weave[..., None])


def _wood(width: int, height: int, scale: float, chance: np.random.Generator) -> Image:
    grain = _clouds(width, height, 1.5 * scale, chance, along=40.0) * 12
    rings = _clouds(width, height, 45 * scale, chance, along=8.0)
    plank = (np.arange(height) / (110 * scale)).astype(int)
    tones = chance.normal(0, 6, plank.max() + 1)[plank].astype(np.float32)
    look = grain + np.sin(rings * 14) * 6 + tones[:, None]
    seams = np.flatnonzero(np.diff(plank))
    look[seams] -= 35
    return _tinted(look, (74, 112, 150))


def _clouds(width: int, height: int, size: float, chance: np.random.Generator, along: float = 1.0) -> Array32:
    """Soft noise of mean 0 and deviation 1, with features of `size` px, `along` times as long across."""
    columns, rows = max(4, round(width / (size * along))), max(4, round(height / size))
    small = chance.standard_normal((min(rows, height), min(columns, width))).astype(np.float32)
    soft = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray((soft - soft.mean()) / (soft.std() + 1e-6), np.float32)


def _tinted(look: Array32, colour: tuple[int, int, int]) -> Image:
    return _clipped(np.array(colour, np.float32) * (1 + look[..., None] / 110))


def _clipped(values: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def tag_sheet(number: int) -> Image:
    """A corner tag on its white sheet, at SHEET_PX_PER_MM."""
    side = round(TAG_MM * SHEET_PX_PER_MM)
    tag = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY), number, side)
    edge = round((TAG_SHEET_MM - TAG_MM) / 2 * SHEET_PX_PER_MM)
    sheet = cv2.copyMakeBorder(tag, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(245.0,))
    return np.asarray(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), np.uint8)


def phone() -> Image:
    """A phone lying on its back: dark glass in which a little of the room shows."""
    shine = np.linspace(16, 52, 300, dtype=np.float32)[:, None] + np.linspace(0, 14, 148, dtype=np.float32)
    glass = cv2.merge([shine * 1.06, shine, shine * 0.96])
    cv2.rectangle(glass, (0, 0), (147, 299), (70.0, 70.0, 72.0), 5)
    return np.asarray(np.clip(glass, 0, 255), np.uint8)


def put(
    table: Image,
    picture: Image,
    size_mm: tuple[float, float],
    centre: tuple[float, float],
    degrees: float,
    scale: float,
    rounded_mm: float = ROUNDED_MM,
) -> None:
    """Lays `picture` on `table` (changed in place): `centre` in px of the table, `degrees` clockwise."""
    width, height = round(size_mm[0] * scale), round(size_mm[1] * scale)
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    reach = int(np.hypot(width, height) / 2 + 4 * SHADE_MM * scale) + 2
    left, top = round(centre[0]) - reach, round(centre[1]) - reach
    right, bottom = left + 2 * reach, top + 2 * reach
    if left < 0 or top < 0 or right > table.shape[1] or bottom > table.shape[0]:
        # Slid over the drawn table's edge: out of the camera's sight.
        return
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
    matrix[:, 2] += np.array([centre[0] - left - (width - 1) / 2, centre[1] - top - (height - 1) / 2])
    window = (2 * reach, 2 * reach)
    laid = cv2.warpAffine(small, matrix, window, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    outline = _outline(width, height, round(rounded_mm * scale)).astype(np.float32) / 255
    alpha = cv2.warpAffine(outline, matrix, window)
    shade = cv2.GaussianBlur(alpha, (0, 0), SHADE_MM * scale)
    shade = cv2.warpAffine(shade, np.array([[1, 0, scale * 0.6], [0, 1, scale * 0.9]]), window)
    under = table[top:bottom, left:right].astype(np.float32) * (1 - 0.4 * shade[..., None])
    table[top:bottom, left:right] = _clipped(under + (laid - under) * alpha[..., None])


def _outline(width: int, height: int, radius: int) -> NDArray[np.uint8]:
    mask = np.zeros((height, width), np.uint8)
    mask[radius : height - radius, :] = 255
    mask[:, radius : width - radius] = 255
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, (255,), -1)
    return mask
