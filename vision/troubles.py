"""What is wrong with a picture, in the codes people get hints by: light, sharpness, size, slant, framing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell
from vision.plane import Plane
from vision.reading import Problem
from vision.squares import Floats, Grey

DARK = 42
"""Grey level that the brightest twentieth of a picture must reach."""
BRIGHT = 250
BRIGHT_SHARE = 0.25
"""Share of a picture that may be burnt out before markers are lost in it."""
BAND = 16
"""Height in px of the bands of a picture that sharpness is judged by."""
SHARP = 0.105
"""Steepest slopes per px as a share of the picture's contrast: a sharp edge has 0.2."""
STEEP = 0.997
"""Share of all pixels whose slopes are less than what counts as steepest."""
NEEDED_PX = 38
"""Width of a card in px below which markers 2 px a module and less are all there is."""
STEEPEST = 55.0
"""Tilt in degrees beyond which the far side of the table is too flat to read."""


def unplayable(read: Collection[Cell], outside: Sequence[Cell] = ()) -> list[Problem]:
    """What keeps a game from being followed: no start card, no goals, or some of them out of the picture.

    `read`: cells of the cards told; `outside`: cells that lie beyond the picture's edge.
    """
    problems = []
    if START_CELL not in read:
        problems.append(Problem("no_start_card"))
    if not set(read) & set(GOAL_CELLS):
        problems.append(Problem("no_goals"))
    missing = [list(cell) for cell in outside if cell in (START_CELL, *GOAL_CELLS)]
    if missing:
        problems.append(Problem("cut_off", {"cells": missing}))
    return problems


def light(grey: Grey) -> list[Problem]:
    """Too dark or too bright to read; params are grey levels and shares as measured."""
    few = grey[::4, ::4]
    top = _percentile(few, 0.95)
    if top < DARK:
        return [Problem("too_dark", {"level": top, "needed": DARK})]
    burnt = float((few >= BRIGHT).mean())
    if burnt > BRIGHT_SHARE:
        return [Problem("too_bright", {"share": round(burnt, 2), "most": BRIGHT_SHARE})]
    return []


def sharpness(grey: Grey) -> list[Problem]:
    """Out of focus or shaken: no edge anywhere is steep. A plain picture has no edges and tells nothing."""
    coarse = np.asarray(cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)
    low, high = _percentile(coarse, 0.01), _percentile(coarse, 0.99)
    if high - low < 25:
        return []
    # Bands of the picture tell as much as all of it, in a third of the time.
    tall = len(grey) // (3 * BAND) * 3 * BAND
    bands = grey[:tall].reshape(-1, 3, BAND, grey.shape[1])[:, 1] if tall else grey[None]
    unit = 8 * float(high - low)
    enough = (1 - STEEP) * len(bands) * (bands.shape[1] - 4) * bands.shape[2]
    slopes: list[Floats] = []
    steep = 0
    # The table lies in the middle; once it has shown steep edges enough, the rest need not be looked at.
    for row in sorted(range(len(bands)), key=lambda row: abs(2 * row + 1 - len(bands))):
        soft = cv2.GaussianBlur(bands[row], (0, 0), 1.5)
        across, down = (cv2.Sobel(soft, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
        slopes.append(np.asarray(cv2.magnitude(across, down)[2:-2], np.float32))
        steep += int(np.count_nonzero(slopes[-1] >= SHARP * unit))
        if steep > enough:
            return []
    steepest = _upper(np.concatenate(slopes), STEEP) / unit
    return (
        [Problem("blurred", {"sharpness": round(steepest, 3), "needed": SHARP})] if steepest < SHARP else []
    )


def _percentile(grey: Grey, share: float) -> int:
    """The grey level that a share of all pixels (0..1) do not pass."""
    counts = np.cumsum(np.bincount(grey.ravel(), minlength=256))
    return int(np.searchsorted(counts, share * counts[-1]))


def _upper(values: Floats, share: float) -> float:
    """The value that a share of all (0..1) stay below."""
    flat = values.ravel()
    rank = min(len(flat) - 1, int(share * len(flat)))
    return float(np.partition(flat, rank)[rank])


def view(plane: Plane, px_per_mm: float, card_width_mm: float) -> list[Problem]:
    """Cards too small or seen too flat."""
    found = []
    width = px_per_mm * card_width_mm
    if 0 < width < NEEDED_PX:
        found.append(Problem("too_small", {"px_per_card": round(width), "needed": NEEDED_PX}))
    if plane.tilt() > STEEPEST:
        found.append(Problem("tilted", {"degrees": round(plane.tilt()), "most": round(STEEPEST)}))
    return found
