"""Looking where a card could lie though no marker told of it: blurred, small, in glare or half hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import NEAR_MM, SCALE, Faces, even, patch_of
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
FAINT = 0.21
"""Likeness at a glance below which a place is not searched.

Of 227 places in 82 rendered pictures that a search found like a card (0.27 and more) all had 0.24 and more;
of 4000 others three quarters had less.
"""
PLAIN = 7.0
"""Contrast in grey levels (standard deviation) below which nothing lies on a table, not even in dim light."""
DULL = 0.46
"""The same, evened out, for the middle of a place (1002 cards in 50 rendered pictures had 0.50 and more)."""
DENSE, SPARSE = SCALE / 2, SCALE / 4
"""px per mm of a search, and of the glance before it, at all places at once."""
RIM_MM = 12.0
"""How far about a searched place is looked as well, to even out its edge."""
LATTICE = 6
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


@dataclass(frozen=True, eq=False)
class View:
    """A picture of a table of which it is known how it lies: `soft` is without its finest detail."""

    soft: Grey
    shrunk: float
    """How many times its size `soft` is, 0..1."""
    softer: Grey
    """The same at half of that."""
    plane: Plane
    layout: Layout


class Searcher:
    """Compares places with what all faces of a deck have in common."""

    def __init__(self, faces: Faces) -> None:
        self._size = faces.size
        self._common, self._back = (self._turned(one, DENSE) for one in (faces.common, faces.back))
        self._rough = [
            [_unit(one) for _, one in self._turned(kind, SPARSE)] for kind in (faces.common, faces.back)
        ]

    def _turned(self, pattern: Floats, scale: float) -> list[tuple[float, Floats]]:
        width, height = self._size
        small = int(width * scale / SCALE), int(height * scale / SCALE)
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
        self, view: View, middles: Reals, backs: Sequence[bool], margin: float, thorough: bool
    ) -> list[list[Glimpse]]:
        """For each of the middles (n, 2), mm on the board, the likeliest places of a card about it.

        Likeliest first, at least one. `backs`: whether a goal's back may lie there. `margin`: how far from
        the middle a card may lie, in mm. A thorough search tries more angles and gives out more places.
        """
        plane, layout = view.plane, view.layout
        half = np.array(self._size) / SCALE / 2 + margin
        boxes = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (half + RIM_MM) + middles[:, None]
        corners = (plane.to_px(layout.to_plane(boxes)) + 0.5) * view.shrunk - 0.5
        low, high = corners.min(1), corners.max(1)
        seen = np.isfinite(corners).all((1, 2)) & (low < view.soft.shape[::-1]).all(1) & (high > 0).all(1)
        found = [[Glimpse(at, layout.angle, 0.0)] for at in layout.to_plane(middles)]
        rows = np.flatnonzero(seen)
        if not len(rows):
            return found
        turns = len(TURNS) if thorough else FEW
        likeness = self._glance(view, middles[rows], np.array(backs, bool)[rows], half, margin, turns)
        rows = rows[likeness >= FAINT]
        if not len(rows):
            return found
        width, height = np.round(2 * (half + RIM_MM) * DENSE).astype(int).tolist()
        flat = np.array([patch_of(view.soft, one, (width, height)) for one in corners[rows]])
        # A rim about each place, wider than what its px are compared with, keeps the places apart.
        evened = even(flat.reshape(-1, width), NEAR_MM * DENSE).reshape(flat.shape)
        rim = round(RIM_MM * DENSE)
        inside = np.s_[rim : height - rim, rim : width - rim]
        told: list[int] = []
        likeliest: list[tuple[float, float, float, float]] = []
        for row, seen_flat, seen_evened in zip(rows.tolist(), flat, evened, strict=True):
            if _contrast(seen_flat[inside]) >= PLAIN:
                best = self._likeliest(seen_evened[inside], backs[row], thorough)
                likeliest += best
                told += [row] * len(best)
        offs = np.array([one[2:] for one in likeliest]).reshape(-1, 2) / DENSE
        for row in set(told):
            found[row] = []
        for row, at, (like, turn, _, _) in zip(
            told, layout.to_plane(middles[told] + offs), likeliest, strict=True
        ):
            found[row].append(Glimpse(at, layout.angle + turn, like))
        return found

    def _glance(
        self, view: View, middles: Reals, backs: NDArray[np.bool_], half: Reals, margin: float, turns: int
    ) -> Floats:
        """How much each of some places (n,) is like a card at the most."""
        begin = (middles - half).min(0)
        width, height = (np.ceil(((middles + half).max(0) - begin) * SPARSE).astype(int) + 1).tolist()
        evened = even(_laid_flat(view, begin, (width, height)), NEAR_MM * SPARSE)
        card = _most_like(evened, self._rough[0][:turns])
        reach = np.arange(round(2 * margin * SPARSE) + 1)
        left, top = np.round((middles - half - begin) * SPARSE).astype(int).T
        x = np.minimum(left[:, None] + reach, card.shape[1] - 1)
        y = np.minimum(top[:, None] + reach, card.shape[0] - 1)
        near = card[y[:, :, None], x[:, None, :]]
        if backs.any():
            back = _most_like(evened, self._rough[1][:turns])
            near[backs] = np.maximum(near[backs], back[y[backs][:, :, None], x[backs][:, None, :]])
        return np.asarray(near.max((1, 2)), np.float32)

    def _likeliest(
        self, place: Floats, back: bool, thorough: bool
    ) -> list[tuple[float, float, float, float]]:
        """Likeness and turn of cards in a place laid flat, and how far off its middle they lie, in px.

        Empty when nothing can lie there.
        """
        height, width = place.shape
        if _contrast(place[height // 4 : height - height // 4, width // 4 : width - width // 4]) < DULL:
            return []
        turns = len(TURNS) if thorough else FEW
        tried: list[tuple[float, float, float, float]] = []
        for turn, pattern in self._common[:turns] + (self._back[:turns] if back else []):
            if turn and not thorough and max(tried)[0] < HOPELESS:
                continue
            _, likeness, _, at = cv2.minMaxLoc(cv2.matchTemplate(place, pattern, cv2.TM_CCOEFF_NORMED))
            off = [
                float(one + (own - whole) / 2)
                for one, own, whole in zip(at, pattern.shape[::-1], (width, height), strict=True)
            ]
            tried.append((float(likeness), turn, off[0], off[1]))
        tried.sort(reverse=True)
        return tried[: BEST if thorough else 1]


def _unit(pattern: Floats) -> Floats:
    """The same with mean 0 and length 1."""
    centred = pattern - pattern.mean()
    return np.asarray(centred / np.linalg.norm(centred), np.float32)


def _most_like(evened: Floats, patterns: Sequence[Floats]) -> Floats:
    """Correlation (-1..1) with the likeliest of some patterns of one size, by where its first px lies."""
    height, width = patterns[0].shape
    # What the picture itself is made of is the same for all patterns.
    whole = np.s_[
        height // 2 : height // 2 + len(evened) - height + 1,
        width // 2 : width // 2 + evened.shape[1] - width + 1,
    ]
    mean = cv2.blur(evened, (width, height))[whole]
    square = cv2.sqrBoxFilter(evened, cv2.CV_32F, (width, height))[whole]
    spread = np.sqrt(np.maximum(square - mean * mean, 0) * (width * height)) + 1e-3
    most = np.full(mean.shape, -np.inf, np.float32)
    for pattern in patterns:
        np.maximum(most, cv2.matchTemplate(evened, pattern, cv2.TM_CCORR), out=most)
    return np.asarray(most / spread, np.float32)


def _contrast(place: NDArray[np.uint8] | Floats) -> float:
    return float(cv2.meanStdDev(place)[1][0, 0])


def _laid_flat(view: View, begin: Reals, size: tuple[int, int]) -> Grey:
    """The part of the board from `begin` (mm) on as seen from above, `size` px at SPARSE px per mm."""
    # Between points LATTICE px apart lens and slant bend lines by less than a tenth of a px.
    columns, rows = (int(np.ceil(side / LATTICE)) + 1 for side in size)
    # The first point lies at the corner of px (0, 0): half a cell into what resizing makes of the lattice.
    x, y = np.meshgrid(np.arange(columns) * LATTICE, np.arange(rows) * LATTICE)
    mm = view.layout.to_plane(begin + np.stack([x, y], -1) / SPARSE)
    px = (view.plane.to_px(mm) + 0.5) * (view.shrunk / 2) - 0.5
    known = np.nan_to_num(px, nan=-1e4).astype(np.float32)
    places = cv2.resize(known, None, fx=LATTICE, fy=LATTICE, interpolation=cv2.INTER_LINEAR)
    half = LATTICE // 2
    across, down = (
        np.ascontiguousarray(places[half : half + size[1], half : half + size[0], axis]) for axis in (0, 1)
    )
    flat = cv2.remap(view.softer, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
