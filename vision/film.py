"""Reading pictures that follow one another: what did not change need not be read again."""

from __future__ import annotations

import time
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Cell
from vision.carry import SPREAD, empty_places
from vision.pictures import Image
from vision.pointed import Pointed
from vision.readers import ReadsAgain, TableReader
from vision.reading import Reading

Tiles = NDArray[np.float32]

ACROSS = 160
"""About so many tiles lie across a picture: 12 px each at 1920 px, which averages a camera's noise away."""
CHANGED = 6.0
"""Grey levels by which a tile must differ to have changed,"""
CHANGED_SIGMAS, MOST_CHANGED = 7.0, 14.0
"""or so many of the noise's standard deviations where that is more, up to a limit.

A card pushed by 2 mm changes tiles at its edges by 20 levels and more in a well-lit room, by 8 in a dim one.
"""
DIMMED = 0.12
"""Share by which the light may have changed, anywhere in the picture, since the last look."""
AGAIN = 12
"""Pictures after which one is read in any case: what noise hid at one look is seen at the next. So many looks
at changes alone are followed by one at the whole picture, too."""
DOUBTFUL = 0.6
"""A card less sure than this is in doubt, and so is a cell that nobody could judge."""
DOUBTED = 6
"""Looks that doubt gets, one at every picture, before it is taken for what can be seen at all,"""
DOUBT_AGAIN = 4
"""and pictures after which it gets one more."""


class Film:
    """Reads the pictures of one camera in their order. Not for two threads at once."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._last: Reading | None = None
        self._tiles: Tiles | None = None
        self._pointed: Pointed | None = None
        self._looks = self._parts = 0
        self._held = self._patience = 0

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """What lies on the table in the newest picture (height, width, 3), BGR.

        The last reading again, with a new `ms`, when the picture shows nothing new and nothing is in doubt. A
        reader that can looks only at what changed, a few times in a row.
        """
        began = time.perf_counter()
        tiles = _tiles(image)
        last, before = self._last, self._tiles
        size = image.shape[1], image.shape[0]
        follows = last is not None and last.size == size and pointed == self._pointed
        touched = changed(before, tiles) if follows and before is not None else None
        same = touched is not None and not touched.any()
        if last is not None and same and self._held < self._patience:
            self._held += 1
            return replace(last, ms=(time.perf_counter() - began) * 1000)
        self._last = None  # lest it be taken for this picture's when reading raises
        if touched is not None and not same and self._parts < AGAIN and isinstance(self._reader, ReadsAgain):
            reading = self._reader.read_again(image, touched, pointed)
            self._parts += 1
        else:
            reading = self._reader.read(image, pointed)
            self._parts = 0
        self._looks = self._looks + 1 if same else 1
        self._last, self._tiles, self._pointed, self._held = reading, tiles, pointed, 0
        self._patience = self._patience_with(reading)
        return replace(reading, ms=(time.perf_counter() - began) * 1000)

    def _patience_with(self, reading: Reading) -> int:
        """For how many pictures a reading stands while they show nothing new."""
        doubtful = (
            not reading.cards
            or bool(in_sight(reading))
            or min(card.confidence for card in reading.cards) < DOUBTFUL
        )
        if not doubtful:
            return AGAIN
        return DOUBT_AGAIN if self._looks >= DOUBTED else 0


def in_sight(reading: Reading) -> list[Cell]:
    """Hidden cells that lie within the picture: of those beyond its edge no further look tells more."""
    if not reading.hidden:
        return []
    places = empty_places({card.cell: card for card in reading.cards})
    seen = []
    for cell in reading.hidden:
        points = places.get(cell)
        if points is not None:
            middle = points.mean(0)
            whole = middle + (points - middle) / (2 * SPREAD)
            if (whole >= 0).all() and (whole < reading.size).all():
                seen.append(cell)
    return seen


def changed(before: Tiles, now: Tiles) -> NDArray[np.bool_]:
    """Which tiles (rows, columns) show something else; noise and a slow change of the light are nothing.

    All of them when the light has changed by more than DIMMED.
    """
    if before.shape != now.shape:
        return np.ones(now.shape, bool)
    difference = now - before
    gain = _gain(before, difference)
    if np.abs(gain).max() > DIMMED:
        return np.ones(now.shape, bool)
    left = np.abs(difference - gain * before)
    noise = float(np.median(left[::3, ::3])) / 0.6745  # of a bell curve, the median is so many sigmas
    return np.asarray(left > np.clip(CHANGED_SIGMAS * noise, CHANGED, MOST_CHANGED), np.bool_)


def _gain(before: Tiles, difference: Tiles) -> Tiles:
    """By what share each tile has become brighter: a slope across the picture, as lamps and cameras do it."""
    rows, columns = before.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
    few = np.s_[1::4, 1::4]
    told = before[few].ravel()
    basis = np.stack([told, told * x[few].ravel(), told * y[few].ravel()], 1)
    target = difference[few].ravel()
    trust: Tiles = np.ones_like(target)
    share: Tiles = np.zeros(3, np.float32)
    for _ in range(3):
        # What moved must not be taken for light: it counts little.
        weighted = basis * trust[:, None]
        held = weighted.T @ basis + 1e-3 * np.eye(3)
        share = np.asarray(np.linalg.solve(held, weighted.T @ target), np.float32)
        trust = np.asarray(1 / (1 + ((target - basis @ share) / CHANGED) ** 2), np.float32)
    return np.asarray(share[0] + share[1] * x + share[2] * y, np.float32)


def _tiles(image: Image) -> Tiles:
    """Mean grey of the tiles of a picture. Half of its rows are enough for that."""
    height, width = image.shape[:2]
    side = max(2, round(max(height, width) / ACROSS) // 2 * 2)
    rows, columns = max(1, height // side), max(1, width // side)
    part = image[: rows * side : 2, : columns * side]
    small = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
