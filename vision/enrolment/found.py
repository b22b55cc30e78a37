"""One card as a photograph shows it: cut out, how good the picture is, and what it seems to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.outlines import Outlines, find_outlines
from vision.pictures import Image
from vision.sketch import sketch
from vision.tunnels.patch import cut
from vision.tunnels.read import TunnelsRead, read_all

PX_PER_MM = 5
SIZE = (56 * PX_PER_MM, 87 * PX_PER_MM)
"""Width and height of a kept picture in px."""
LEAST_PX = 60
"""Width of a card in the photograph below which its picture is of no use to the camera's reader."""
SHARP = 0.06
"""Steepest slopes per px of a patch 112 px wide, by its contrast: a sharp card has 0.15 and more."""
BURNT, BURNT_SHARE = 252, 0.06
"""Grey level and share of a card from which on glare hides part of it, beyond what its way has anyway."""


@dataclass(frozen=True, eq=False)
class Found:
    """A card in one photograph, upright in one of its two ways."""

    photograph: int
    picture: Image
    width_px: float
    """How wide it was in the photograph."""
    sharpness: float
    glare: float
    """Share of the card that is burnt out where its surroundings are not."""
    read: TunnelsRead
    sketch: NDArray[np.float32]
    """What it is recognised by: directions of its lines, by place."""

    @property
    def quality(self) -> float:
        """The higher, the better the picture: for choosing among several of one card."""
        return min(self.sharpness, 0.3) - 1.5 * self.glare + min(self.width_px, 250) / 2500

    @property
    def troubles(self) -> tuple[str, ...]:
        """Codes of what is wrong with the picture: too_small, blurred, glare."""
        found = []
        if self.width_px < LEAST_PX:
            found.append("enrol_small")
        elif self.sharpness < SHARP:
            found.append("enrol_blurred")
        if self.glare > BURNT_SHARE:
            found.append("enrol_glare")
        return tuple(found)


def find_cards(image: Image, photograph: int) -> tuple[list[Found], Outlines]:
    """All cards that lie apart in a photograph, and the outlines they were cut out by."""
    outlines = find_outlines(image)
    pictures = [cut(image, quad, SIZE) for quad in outlines.quads]
    found = []
    for quad, picture, read in zip(outlines.quads, pictures, read_all(pictures), strict=True):
        width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        found.append(
            Found(photograph, picture, width, _sharpness(picture), _glare(picture), read, sketch(picture))
        )
    return found, outlines


def turned(card: Found) -> Found:
    """The same card, the other way up."""
    picture = np.ascontiguousarray(card.picture[::-1, ::-1])
    return replace(card, picture=picture, read=read_all([picture])[0], sketch=sketch(picture))


def likeness(one: Found, other: Found) -> tuple[float, bool]:
    """-1..1 how alike two pictures are, and whether the second must be turned for that."""
    upright = float(one.sketch @ other.sketch)
    way_down = float(one.sketch @ sketch(np.ascontiguousarray(other.picture[::-1, ::-1])))
    return max(upright, way_down), way_down > upright


def best_of(cards: Sequence[Found]) -> Found:
    """The best picture among several of one card."""
    return max(cards, key=lambda card: card.quality)


def _sharpness(picture: Image) -> float:
    grey = cv2.cvtColor(cv2.resize(picture, (112, 174), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    across, down = cv2.spatialGradient(cv2.GaussianBlur(grey, (0, 0), 0.8))
    low, high = np.percentile(grey, (2, 98))
    slope = np.hypot(across.astype(np.float32), down.astype(np.float32)) / 8
    return float(np.percentile(slope, 98) / max(float(high - low), 20.0))


def _glare(picture: Image) -> float:
    """Burnt-out places that spread softly: a way printed white ends at a line, glare fades."""
    grey = cv2.cvtColor(cv2.resize(picture, (112, 174), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    burnt = cv2.morphologyEx((grey >= BURNT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((25, 25), np.uint8))
    wide = cv2.morphologyEx(burnt, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (41, 41)))
    return float(wide.mean())
