"""Where markers may lie that have no outline any more: blurred, burnt out, or lost in a dim picture's noise.

Every marker is bright around, dark at its rim and mixed within, whichever it is and however it is turned.
This is looked for at every place in four sizes, and then in the shapes that a slanted view gives it.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.decode import SAMPLES_PER_MODULE, Patterns
from vision.plane import rotation
from vision.squares import Floats, Grey

SIDES = (11.0, 14.0, 18.0, 22.0)
"""Sides in px of the markers looked for, in a picture of 1280 px: what a table seen whole leaves them."""
SIZES = (0.9, 1.1)
"""How many times as large it is tried at a place: between them lie the sizes that were looked for."""
SQUASHED = 0.7
"""How much less high than wide they are tried as well: at a tilt of 45 degrees."""
TURNS, AXES = 4, 4
"""How many angles within a quarter turn are tried, and how many directions of the squashing."""
WHITE = 0.8
"""White about a marker that is looked at, in modules."""
FLOOR = 20.0
"""Contrast in grey levels (standard deviation) below which a place counts for less, as wood grain has.

Of 271 markers of 12 hard rendered pictures 253 are among the 600 likeliest places with it, 217 with 5.
"""
LEAST = 0.1
"""Likeness to a marker below which a place is none; only the likeliest places are looked at in any case."""
APART = 7
"""Side in px of the neighbourhood in which one place is kept."""
MOST_PLACES, SHAPES_EACH = 250, 3
"""Places looked at closer, which hold four in five of those markers, and shapes that each is tried in."""


class FaintFinder:
    """Looks for the markers of one dictionary."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._templates = [_ring(patterns, side) for side in SIDES]
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        squash = np.diag([SQUASHED**-0.5, SQUASHED**0.5]).astype(np.float32)
        stretches: list[Floats] = [np.eye(2, dtype=np.float32)]
        stretches += [
            np.asarray(rotation(axis) @ squash @ rotation(-axis), np.float32)
            for axis in np.arange(AXES) * math.pi / AXES
        ]
        self._shapes = np.array(
            [
                size * corners @ (stretch @ rotation(turn)).T
                for size in SIZES
                for turn in np.arange(TURNS) * math.pi / 2 / TURNS
                for stretch in stretches
            ]
        )

    def squares(self, grey: Grey) -> Floats:
        """Corners (n, 4, 2) in px of what may be markers, up to a module off, in a picture of 1280 px."""
        places, sides = self._places(grey)
        if not len(places):
            return np.empty((0, 4, 2), np.float32)
        tries = (places[:, None, None] + sides[:, None, None, None] * self._shapes).astype(np.float32)
        likeliest = np.argsort(-self._patterns.rimmed(grey, tries), axis=1)[:, :SHAPES_EACH]
        return np.take_along_axis(tries, likeliest[:, :, None, None], 1).reshape(-1, 4, 2)

    def _places(self, grey: Grey) -> tuple[Floats, Floats]:
        """The likeliest middles (n, 2) in px, and about how large a marker there is (n,)."""
        picture = grey.astype(np.float32)
        likeness = np.full(grey.shape, -1, np.float32)
        sides = np.zeros(grey.shape, np.float32)
        for side, (template, area) in zip(SIDES, self._templates, strict=True):
            told = cv2.filter2D(picture, cv2.CV_32F, template, borderType=cv2.BORDER_REPLICATE)
            width = round(math.sqrt(area)) | 1
            mean = cv2.blur(picture, (width, width))
            spread = cv2.sqrBoxFilter(picture, cv2.CV_32F, (width, width)) - mean * mean
            told = np.asarray(told / np.sqrt(area * (np.maximum(spread, 0) + FLOOR**2)), np.float32)
            larger = told > likeness
            likeness[larger], sides[larger] = told[larger], side
        highest = likeness == cv2.dilate(likeness, np.ones((APART, APART), np.uint8))
        y, x = np.nonzero(highest & (likeness > LEAST))
        best = np.argsort(-likeness[y, x])[:MOST_PLACES]
        y, x = y[best], x[best]
        return np.stack([x, y], -1).astype(np.float32), sides[y, x]


def _ring(patterns: Patterns, side: float) -> tuple[Floats, float]:
    """What all markers of a side in px have in common, however they are turned, and how many px it covers.

    Its mean is 0 and its length 1.
    """
    common = patterns.common()
    pad = math.ceil(WHITE * SAMPLES_PER_MODULE)
    common = np.pad(common, pad, mode="edge")
    middle = (len(common) - 1) / 2
    px_per_module = side / patterns.modules
    reach = (patterns.modules / 2 + WHITE) * px_per_module
    half = math.ceil(reach)
    x, y = np.meshgrid(np.arange(-half, half + 1), np.arange(-half, half + 1))
    places = np.stack([x, y], -1) * (SAMPLES_PER_MODULE / px_per_module)
    turned = [places @ rotation(turn) + middle for turn in np.arange(8) * math.pi / 16]
    seen = [
        cv2.remap(
            common,
            one[..., 0].astype(np.float32),
            one[..., 1].astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for one in turned
    ]
    inside = np.hypot(x, y) <= reach
    ring = np.where(inside, np.mean(seen, axis=0), 0)
    ring = np.where(inside, ring - ring[inside].mean(), 0)
    return np.asarray(ring / np.linalg.norm(ring), np.float32), float(inside.sum())
