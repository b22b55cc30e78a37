"""Looking where a card could lie though no marker told of it: blurred, small, in glare or half hidden."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces import NEAR_MM, SCALE, Faces, even, patch_of
from vision.grid import Layout
from vision.plane import Plane, Reals
from vision.squares import Floats, Grey

TURNS = (0.0, -0.07, 0.07, -0.14, 0.14, -0.21, 0.21)
"""Angles in radians a card may lie askew by."""
FEW = 3
"""How many of them a quick search tries; a thorough one tries them all."""
BEST = 4
"""Places that a thorough search gives out, the likeliest first."""
HOPELESS = 0.1
"""Likeness of a straight card below which askew ones are not tried."""
PLAIN = 7.0
"""Contrast in grey levels (standard deviation) below which nothing lies on a table, not even in dim light."""
COARSE = 2
"""The search runs on patches so many times smaller."""


@dataclass(frozen=True, eq=False)
class Glimpse:
    """The most card-like place about one cell."""

    centre: Reals
    """(2,) mm in the plane."""
    angle: float
    """Radians, upright in the board's frame (either way up)."""
    likeness: float
    """To what all cards have in common, -1..1."""


class Searcher:
    """Compares places with what all faces of a deck have in common."""

    def __init__(self, faces: Faces) -> None:
        self._size = faces.size
        self._common = self._turned(faces.common)
        self._back = self._turned(faces.back)

    def _turned(self, pattern: Floats) -> list[tuple[float, Floats]]:
        width, height = self._size
        small = width // COARSE, height // COARSE
        made = []
        for turn in TURNS:
            rotation = cv2.getRotationMatrix2D(
                ((width - 1) / 2, (height - 1) / 2), -float(np.degrees(turn)), 1
            )
            turned = cv2.warpAffine(pattern, rotation, (width, height), borderMode=cv2.BORDER_REPLICATE)
            made.append(
                (turn, np.asarray(cv2.resize(turned, small, interpolation=cv2.INTER_AREA), np.float32))
            )
        return made

    def glimpses(
        self,
        soft: Grey,
        shrunk: float,
        plane: Plane,
        layout: Layout,
        middle: Reals,
        back: bool,
        margin: float,
        thorough: bool,
    ) -> list[Glimpse]:
        """The likeliest places of a card about `middle` (2,), mm on the board, likeliest first; at least one.

        `soft` is the picture without its finest detail, `shrunk` (0..1] times its size. `back`: whether
        a goal's back may lie there. `margin`: how far from the middle a card may lie, in mm. A thorough
        search tries more angles and gives out more places.
        """
        width, height = (side / SCALE for side in self._size)
        half = np.array([width / 2 + margin, height / 2 + margin])
        around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + middle
        corners = plane.to_px(layout.to_plane(around))
        if not np.isfinite(corners).all() or _plain(soft, (corners + 0.5) * shrunk - 0.5):
            return [Glimpse(layout.to_plane(middle), layout.angle, 0.0)]
        size = round(2 * half[0] * SCALE / COARSE), round(2 * half[1] * SCALE / COARSE)
        small = even(
            patch_of(soft, ((corners + 0.5) * shrunk - 0.5).astype(np.float32), size),
            NEAR_MM * SCALE / COARSE,
        )
        turns = len(TURNS) if thorough else FEW
        found: list[Glimpse] = []
        for turn, pattern in self._common[:turns] + (self._back[:turns] if back else []):
            if turn and not thorough and max(one.likeness for one in found) < HOPELESS:
                continue
            _, likeness, _, at = cv2.minMaxLoc(cv2.matchTemplate(small, pattern, cv2.TM_CCOEFF_NORMED))
            free = np.array([small.shape[1] - pattern.shape[1], small.shape[0] - pattern.shape[0]])
            place = middle + (np.array(at) - free / 2) * COARSE / SCALE
            found.append(Glimpse(layout.to_plane(place), layout.angle + turn, float(likeness)))
        found.sort(key=lambda one: -one.likeness)
        return found[: BEST if thorough else 1]


def _plain(soft: Grey, corners: Reals) -> bool:
    """Whether hardly any contrast is to be seen between four corners."""
    x, y = corners.min(0).astype(int)
    right, down = corners.max(0).astype(int) + 1
    place = soft[max(y, 0) : max(down, 0) : 2, max(x, 0) : max(right, 0) : 2]
    return bool(place.size == 0 or place.std() < PLAIN)
