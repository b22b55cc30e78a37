"""One picture seen from above: patches of places on the table, and the whole table small and evened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.grid import Layout
from vision.plane import Plane, Reals, Rigid
from vision.squares import Floats, Grey
from vision.unmarked.known import AROUND_MM, COARSE, NEAR_MM, KnownFaces, even, halved

MAP_STEP = 16
"""Every so many px of the overview the lens is reckoned with exactly, and between them linearly."""
PLAIN = 0.15
"""Contrast of an evened overview below which a place is plain (cards burnt out by a lamp had 0.3)."""
LARGEST_MM = 2400.0
"""Side beyond which a table is not drawn from above: a plane fitted wrongly must not eat the memory."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a card may lie: its middle (2,) in mm in the plane, and its angle, upright on the board."""

    centre: Reals
    angle: float
    """Radians from the plane's x to the card's own, lying as it is not turned."""


class View:
    """A picture in grey, and patches of it by places in a plane."""

    def __init__(self, grey: Grey, known: KnownFaces) -> None:
        self.grey = grey
        self.size = grey.shape[1], grey.shape[0]
        self._known = known
        half = np.array(known.card_mm) / 2
        self.outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        """(4, 2): a card's corners in mm from its middle, top left first."""
        self._smaller: list[Grey] = [grey]

    def corners(self, plane: Plane, places: Sequence[Place]) -> Reals:
        """The corners of cards at these places (n, 4, 2) in px, the one top left on the board first."""
        angles = np.array([place.angle for place in places])
        centres = np.array([place.centre for place in places]).reshape(-1, 2)
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        x, y = self.outline[:, 0], self.outline[:, 1]
        return plane.to_px(np.stack([c * x - s * y, s * x + c * y], -1) + centres[:, None])

    def things(self, corners: Sequence[Reals]) -> Rigid:
        """Cards with these corners (4, 2) in px, the one top left on the board first, as rigid things."""
        found = np.array(corners).reshape(-1, 4, 2)
        return Rigid(found, np.repeat(self.outline[None], len(found), 0), np.ones(found.shape[:2]))

    def patches(self, corners: Reals) -> Floats:
        """What lies within corners (n, 4, 2) in px, evened, 1 px a mm: (n, height, width)."""
        width, height = self._known.size
        found = np.zeros((len(corners), height, width), np.float32)
        for row, quad in enumerate(corners):
            if np.isfinite(quad).all():
                found[row] = even(self.patch(quad), NEAR_MM)
        return found

    def patch(self, quad: Reals) -> Grey:
        """What lies within four corners (4, 2) in px, in grey, 1 px a mm."""
        width, height = self._known.size
        target = np.array(
            [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32
        )
        level = self._level(float(np.linalg.norm(quad[1] - quad[0])) / width)
        # Middles of pixels: the first of a picture at half its size lies at (0.5, 0.5) of the larger.
        onto = cv2.getPerspectiveTransform(target, ((quad + 0.5) / 2**level - 0.5).astype(np.float32))
        seen = cv2.warpPerspective(
            self._smaller[level],
            onto,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(seen, np.uint8)

    def _level(self, px_per_mm: float) -> int:
        """Which of the pictures, each half the size of the one before, has enough pixels and no more."""
        level = 1 if px_per_mm > 1.9 else 0
        level = 2 if px_per_mm > 3.8 else level
        while len(self._smaller) <= level:
            self._smaller.append(np.asarray(cv2.pyrDown(self._smaller[-1]), np.uint8))
        return level

    def overview(self, plane: Plane, layout: Layout, low: Reals, high: Reals) -> Overview:
        """The table from above between two corners (2,) in mm on the board, evened, COARSE mm a px."""
        span = np.minimum(high - low, LARGEST_MM)
        step = COARSE / 2
        columns, rows = (2 * int(np.ceil(side / COARSE)) for side in span)
        knots_x = np.arange(0, columns + MAP_STEP, MAP_STEP)
        knots_y = np.arange(0, rows + MAP_STEP, MAP_STEP)
        x, y = np.meshgrid(low[0] + (knots_x + 0.5) * step, low[1] + (knots_y + 0.5) * step)
        px = plane.to_px(layout.to_plane(np.stack([x, y], -1)))
        px = np.nan_to_num(px, nan=-1e4).astype(np.float32)
        scale = float(np.median(np.linalg.norm(np.diff(px, axis=1), axis=2))) / (MAP_STEP * step)
        level = self._level(scale * 1.9)
        px = (px + 0.5) / 2**level - 0.5
        # Between the knots: their middles lie at whole multiples of MAP_STEP.
        grow = np.array([(1 / MAP_STEP, 0, 0), (0, 1 / MAP_STEP, 0)], np.float32)
        maps = [
            cv2.warpAffine(
                np.ascontiguousarray(part),
                grow,
                (columns, rows),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            )
            for part in (px[..., 0], px[..., 1])
        ]
        seen = cv2.remap(
            self._smaller[level], maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return Overview(halved(even(np.asarray(seen, np.uint8), NEAR_MM / step, AROUND_MM / 2 / step)), low)


@dataclass(frozen=True, eq=False)
class Overview:
    """The table from above: `picture` evened, COARSE mm a px, its first corner at `low` mm on the board."""

    picture: Floats
    low: Reals

    def plain(self, middle: Reals, card_mm: tuple[float, float]) -> bool:
        """Whether hardly anything is to be seen about a place (2,) in mm on the board: a bare table."""
        (left, top), (right, down) = (
            ((np.asarray(middle) + side * np.array(card_mm) / 2 - self.low) / COARSE).astype(int)
            for side in (-1, 1)
        )
        part = self.picture[max(top, 0) : max(down, 0), max(left, 0) : max(right, 0)]
        return bool(part.size == 0 or part.std() < PLAIN)

    def windows(self, middle: Reals, reach_mm: float, size: tuple[int, int]) -> tuple[Floats, Reals]:
        """Patches of `size` about a place (2,) in mm: rows (n, pixels), and the middle of each (n, 2) in mm.

        None of them lies further than about `reach_mm` from it to each side.
        """
        width, height = size
        corner = (np.asarray(middle) - self.low) / COARSE - np.array([width, height]) / 2
        first = np.ceil(corner - reach_mm / COARSE - 0.5).astype(int)
        last = np.floor(corner + reach_mm / COARSE + 0.5).astype(int)
        most = np.array([self.picture.shape[1] - width, self.picture.shape[0] - height])
        first, last = np.clip(first, 0, None), np.minimum(last, most)
        if (last < first).any():
            return np.empty((0, width * height), np.float32), np.empty((0, 2))
        part = self.picture[first[1] : last[1] + height, first[0] : last[0] + width]
        views = np.lib.stride_tricks.sliding_window_view(part, (height, width))
        down, across = views.shape[:2]
        y, x = np.mgrid[0:down, 0:across].reshape(2, -1)
        middles = (np.stack([x, y], -1) + first + np.array([width, height]) / 2) * COARSE + self.low
        return np.ascontiguousarray(views.reshape(down * across, -1), np.float32), middles
