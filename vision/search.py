"""Looking where a card could lie though no marker told of it: blurred, small, in glare or half hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import NEAR_MM, SCALE, Faces, even
from vision.grid import Layout
from vision.plane import Plane, Reals
from vision.squares import Floats, Grey

TURNS = (0.0, -0.07, 0.07, -0.14, 0.14, -0.21, 0.21)
"""Angles in radians a card may lie askew by."""
FEW = 3
"""How many of them a quick search tries; a thorough one tries them all."""
BEST = 3
"""Places that a thorough search gives out, the likeliest first."""
HOPELESS = 0.13
"""Likeness of a straight card below which askew ones are not tried.

Of 1002 cards in 50 rendered pictures one was as unlike as 0.14; of 2168 empty cells half were more unlike.
"""
PLAIN = 7.0
"""Contrast in grey levels (standard deviation) below which nothing lies on a table, not even in dim light."""
DULL = 0.46
"""The same, evened out, for the middle of a place (1002 cards in 50 rendered pictures had 0.50 and more)."""
COARSE = 2
"""The search runs on patches so many times smaller."""
DENSE = SCALE / COARSE
"""That is, at so many px per mm."""
LATTICE = 12
"""How many px apart the picture's places are computed; between them they are interpolated."""


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
        middles: Reals,
        backs: Sequence[bool],
        margin: float,
        thorough: bool,
    ) -> list[list[Glimpse]]:
        """For each of the middles (n, 2), mm on the board, the likeliest places of a card about it.

        Likeliest first, at least one. `soft` is the picture without its finest detail, `shrunk` (0..1] times
        its size. `backs`: whether a goal's back may lie there. `margin`: how far from the middle a card may
        lie, in mm. A thorough search tries more angles and gives out more places.
        """
        half = np.array(self._size) / SCALE / 2 + margin
        boxes = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + middles[:, None]
        corners = (plane.to_px(layout.to_plane(boxes)) + 0.5) * shrunk - 0.5
        low, high = corners.min(1), corners.max(1)
        seen = np.isfinite(corners).all((1, 2)) & (low < soft.shape[::-1]).all(1) & (high > 0).all(1)
        found = [[Glimpse(at, layout.angle, 0.0)] for at in layout.to_plane(middles)]
        if not seen.any():
            return found
        begin = boxes[seen].min((0, 1))
        size = np.ceil((boxes[seen].max((0, 1)) - begin) * DENSE).astype(int) + 1
        flat = _laid_flat(soft, shrunk, plane, layout, begin, (int(size[0]), int(size[1])))
        evened = even(flat, NEAR_MM * DENSE)
        wide, high_px = (round(2 * side * DENSE) for side in half)
        rows: list[int] = []
        places: list[tuple[float, float]] = []
        looks: list[tuple[float, float]] = []
        for row in np.flatnonzero(seen).tolist():
            x, y = np.round((middles[row] - half - begin) * DENSE).astype(int).tolist()
            part = np.s_[y : y + high_px, x : x + wide]
            inner = evened[
                y + high_px // 4 : y - high_px // 4 + high_px, x + wide // 4 : x - wide // 4 + wide
            ]
            if _contrast(inner) < DULL or _contrast(flat[part]) < PLAIN:
                continue
            for likeness, turn, left, top in self._likeliest(evened[part], backs[row], thorough):
                rows.append(row)
                places.append((x + left, y + top))
                looks.append((layout.angle + turn, likeness))
        middles_seen = layout.to_plane(begin + np.array(places).reshape(-1, 2) / DENSE)
        told: dict[int, list[Glimpse]] = {}
        for row, place, (angle, likeness) in zip(rows, middles_seen, looks, strict=True):
            told.setdefault(row, []).append(Glimpse(place, angle, likeness))
        return [told.get(row, nothing) for row, nothing in enumerate(found)]

    def _likeliest(
        self, place: Floats, back: bool, thorough: bool
    ) -> list[tuple[float, float, float, float]]:
        """Likeness and turn of cards in a place laid flat, and their middles in px from its corner."""
        turns = len(TURNS) if thorough else FEW
        tried: list[tuple[float, float, float, float]] = []
        for turn, pattern in self._common[:turns] + (self._back[:turns] if back else []):
            if turn and not thorough and max(tried)[0] < HOPELESS:
                continue
            _, likeness, _, at = cv2.minMaxLoc(cv2.matchTemplate(place, pattern, cv2.TM_CCOEFF_NORMED))
            height, width = pattern.shape
            tried.append((float(likeness), turn, at[0] + width / 2, at[1] + height / 2))
        tried.sort(reverse=True)
        return tried[: BEST if thorough else 1]


def _contrast(place: NDArray[np.uint8] | Floats) -> float:
    return float(cv2.meanStdDev(place)[1][0, 0])


def _laid_flat(
    soft: Grey, shrunk: float, plane: Plane, layout: Layout, begin: Reals, size: tuple[int, int]
) -> Grey:
    """The part of the board from `begin` (mm) on as seen from above, `size` px at DENSE px per mm."""
    # Between points LATTICE px apart lens and slant bend lines by less than a tenth of a px.
    columns, rows = (int(np.ceil(side / LATTICE)) + 1 for side in size)
    # The first point lies at the corner of px (0, 0): half a cell into what resizing makes of the lattice.
    x, y = np.meshgrid(np.arange(columns) * LATTICE, np.arange(rows) * LATTICE)
    px = (plane.to_px(layout.to_plane(begin + np.stack([x, y], -1) / DENSE)) + 0.5) * shrunk - 0.5
    known = np.nan_to_num(px, nan=-1e4).astype(np.float32)
    places = cv2.resize(known, None, fx=LATTICE, fy=LATTICE, interpolation=cv2.INTER_LINEAR)
    half = LATTICE // 2
    across, down = cv2.split(places[half : half + size[1], half : half + size[0]])
    flat = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
