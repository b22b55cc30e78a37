"""A table drawn as seen from above, so that every card on it has its size and stands upright."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.grid import Layout
from vision.pictures import Image
from vision.plane import Plane, Reals
from vision.tunnels.finder import MM

MAP_STEP = 16
"""Every so many px the lens is reckoned with exactly, and between them linearly."""
ROUND = 4
"""The sides are whole multiples of so many px."""


@dataclass(frozen=True, eq=False)
class Above:
    """What a picture shows of a table, MM a px, its top left corner at `low` (2,) mm on the board."""

    picture: Image
    low: Reals
    plane: Plane
    layout: Layout

    def to_px(self, points: Reals) -> Reals:
        """Points (..., 2) in mm from its top left corner, in px of the picture that it was drawn from."""
        return self.plane.to_px(self.layout.to_plane(points + self.low))


class Drawer:
    """Draws tables from above, from one picture."""

    def __init__(self, image: Image) -> None:
        self.size = image.shape[1], image.shape[0]
        self._levels = [image]

    def draw(self, plane: Plane, layout: Layout, low: Reals, high: Reals) -> Above | None:
        """The table between two corners (2,) in mm on the board, as far as it is in sight, or None."""
        low, high = self._in_sight(plane, layout, low, high)
        if (high - low).min() < 2 * ROUND * MM:
            return None
        step = MM / 2
        columns, rows = (2 * ROUND * int(side / MM / ROUND) for side in high - low)
        knots_x = np.arange(0, columns + MAP_STEP, MAP_STEP)
        knots_y = np.arange(0, rows + MAP_STEP, MAP_STEP)
        x, y = np.meshgrid(low[0] + (knots_x + 0.5) * step, low[1] + (knots_y + 0.5) * step)
        px = np.nan_to_num(plane.to_px(layout.to_plane(np.stack([x, y], -1))), nan=-1e4).clip(-1e5, 1e5)
        there = np.all((px >= 0) & (px < self._levels[0].shape[1::-1]), axis=2)
        if not there.any():
            return None
        scale = np.linalg.norm(np.diff(px, axis=1), axis=2)[there[:, 1:]]
        level, seen = self._level(float(np.median(scale)) / MAP_STEP if scale.size else 1.0)
        knots = ((px + 0.5) / 2**level - 0.5).astype(np.float32)
        # Between the knots: their middles lie at whole multiples of MAP_STEP.
        grow = np.array([(1 / MAP_STEP, 0, 0), (0, 1 / MAP_STEP, 0)], np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        across, down = (
            cv2.warpAffine(np.ascontiguousarray(knots[..., one]), grow, (columns, rows), flags=flags)
            for one in (0, 1)
        )
        large = cv2.remap(seen, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(large, (columns // 2, rows // 2), interpolation=cv2.INTER_AREA)
        return Above(np.asarray(small, np.uint8), low, plane, layout)

    def _in_sight(self, plane: Plane, layout: Layout, low: Reals, high: Reals) -> tuple[Reals, Reals]:
        """The part of a rectangle that a picture's border goes round."""
        high_px, wide_px = self._levels[0].shape[:2]
        x, y = np.linspace(0, wide_px, 9), np.linspace(0, high_px, 9)
        sides = [(x, 0 * x), (x, 0 * x + high_px), (0 * y, y), (0 * y + wide_px, y)]
        border = np.concatenate([np.stack(side, 1) for side in sides])
        seen = np.clip(layout.to_board(plane.to_mm(border)), low, high)
        return seen.min(0), seen.max(0)

    def _level(self, px_per_px: float) -> tuple[int, Image]:
        """The picture, halved as often as leaves it enough px."""
        level = int(np.clip(np.floor(np.log2(max(px_per_px, 1e-3) / 0.9)), 0, 3))
        while len(self._levels) <= level:
            self._levels.append(np.asarray(cv2.pyrDown(self._levels[-1]), np.uint8))
        return level, self._levels[level]
