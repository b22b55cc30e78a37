"""What is wrong with a picture, in the codes people get hints by: light, sharpness, size, slant, framing."""

from __future__ import annotations

import cv2
import numpy as np

from vision.plane import Plane
from vision.reading import Problem
from vision.squares import Grey

DARK = 42
"""Grey level that the brightest twentieth of a picture must reach."""
BRIGHT = 250
BRIGHT_SHARE = 0.25
"""Share of a picture that may be burnt out before markers are lost in it."""
SHARP = 0.105
"""Steepest slopes per px as a share of the picture's contrast: a sharp edge has 0.2."""
NEEDED_PX = 38
"""Width of a card in px below which markers 2 px a module and less are all there is."""
STEEPEST = 55.0
"""Tilt in degrees beyond which the far side of the table is too flat to read."""


def light(grey: Grey) -> list[Problem]:
    """Too dark or too bright to read; params are grey levels and shares as measured."""
    few = grey[::4, ::4]
    top = float(np.percentile(few, 95))
    if top < DARK:
        return [Problem("too_dark", {"level": round(top), "needed": DARK})]
    burnt = float((few >= BRIGHT).mean())
    if burnt > BRIGHT_SHARE:
        return [Problem("too_bright", {"share": round(burnt, 2), "most": BRIGHT_SHARE})]
    return []


def sharpness(grey: Grey) -> list[Problem]:
    """Out of focus or shaken: no edge anywhere is steep. A plain picture has no edges and tells nothing."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    low, high = np.percentile(soft[::4, ::4], (1, 99))
    if high - low < 25:
        return []
    across, down = cv2.spatialGradient(soft)
    slope = np.hypot(across.astype(np.float32), down.astype(np.float32)) / 8
    steepest = float(np.percentile(slope, 99.7)) / float(high - low)
    return (
        [Problem("blurred", {"sharpness": round(steepest, 3), "needed": SHARP})] if steepest < SHARP else []
    )


def view(plane: Plane, px_per_mm: float, card_width_mm: float) -> list[Problem]:
    """Cards too small or seen too flat."""
    found = []
    width = px_per_mm * card_width_mm
    if 0 < width < NEEDED_PX:
        found.append(Problem("too_small", {"px_per_card": round(width), "needed": NEEDED_PX}))
    if plane.tilt() > STEEPEST:
        found.append(Problem("tilted", {"degrees": round(plane.tilt()), "most": round(STEEPEST)}))
    return found
