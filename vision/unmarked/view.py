"""One picture seen from above: patches of places on the table, and the whole table small and evened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.alike import alike
from vision.grid import Layout
from vision.pictures import Image
from vision.plane import Plane, Reals, Rigid
from vision.squares import Floats, Grey
from vision.unmarked.evening import even, halved, spread_length
from vision.unmarked.known import AROUND_MM, COARSE, NEAR_MM, KnownFaces

MAP_STEP = 16
"""Every so many px of the overview the lens is reckoned with exactly, and between them linearly."""
PLAIN = 0.15
"""Contrast of an evened overview below which a place is plain (cards burnt out by a lamp had 0.3)."""
SAME_MM = 2.0
"""By how much a card and what is about it may differ from its size in an overview that still will do."""
LARGEST_MM = 2400.0
"""Side beyond which a table is not drawn from above: a plane fitted wrongly must not eat the memory."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a card may lie: its middle (2,) in mm in the plane, and its angle, upright on the board."""

    centre: Reals
    angle: float
    """Radians from the plane's x to the card's own, lying as it is not turned."""


class View:
    """A picture, and patches of it in grey by places in a plane."""

    def __init__(self, image: Image, grey: Grey, known: KnownFaces) -> None:
        """A picture (height, width, 3), BGR, and the same in grey."""
        self.image = image
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
        evened = halved(even(np.asarray(seen, np.uint8), NEAR_MM / step, AROUND_MM / 2 / step))
        return Overview(evened, low, plane, layout)


@dataclass(frozen=True, eq=False)
class Overview:
    """The table from above: `picture` evened, COARSE mm a px, its first corner at `low` mm on the board.

    `plane` and `layout` are those that it was drawn by: all its places are on the board as they have it.
    """

    picture: Floats
    low: Reals
    plane: Plane
    layout: Layout
    _known_lengths: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def middles(self, places: Reals, box: Reals) -> Reals | None:
        """Where on its own board places (n, 4, 2) in px, each a `box` (4, 2) in mm, have their middles.

        None when it does not show all of them as they are, and has to be drawn anew: between one look and the
        next the plane often gets better known by less than matters.
        """
        there = self.layout.to_board(self.plane.to_mm(places))
        middles = there.mean(1)
        high = self.low + COARSE * np.array(self.picture.shape[::-1])
        fits = (
            np.abs(there - middles[:, None] - box).max() < SAME_MM
            and ((there > self.low) & (there < high)).all()
        )
        return middles if fits else None

    def plain(self, middle: Reals, card_mm: tuple[float, float]) -> bool:
        """Whether hardly anything is to be seen about a place (2,) in mm on the board: a bare table."""
        (left, top), (right, down) = (
            ((np.asarray(middle) + side * np.array(card_mm) / 2 - self.low) / COARSE).astype(int)
            for side in (-1, 1)
        )
        part = self.picture[max(top, 0) : max(down, 0), max(left, 0) : max(right, 0)]
        return bool(part.size == 0 or part.std() < PLAIN)

    def windows(self, middle: Reals, reach_mm: float, size: tuple[int, int]) -> Windows | None:
        """Patches of `size` (width, height) about a place (2,) in mm; None where it lies beyond the overview.

        None of them lies further than about `reach_mm` from it to each side.
        """
        width, height = size
        half = np.array([width, height]) / 2
        corner = (np.asarray(middle) - self.low) / COARSE - half
        most = self.picture.shape[1] - width, self.picture.shape[0] - height
        left, top = (max(0, math.ceil(one - reach_mm / COARSE - 0.5)) for one in corner)
        right, down = (
            min(far, math.floor(one + reach_mm / COARSE + 0.5)) for far, one in zip(most, corner, strict=True)
        )
        if right < left or down < top:
            return None
        views = np.lib.stride_tricks.sliding_window_view(self.picture, (height, width))
        there = slice(top, down + 1), slice(left, right + 1)
        return Windows(
            views[there], self._lengths(size)[there], (np.array([left, top]) + half) * COARSE + self.low
        )

    def _lengths(self, size: tuple[int, int]) -> Floats:
        """`length` of every patch of a size, by its first pixel."""
        if size not in self._known_lengths:
            first, second = (
                np.asarray(
                    cv2.boxFilter(part, -1, size, None, (0, 0), False, cv2.BORDER_CONSTANT), np.float32
                )
                for part in (self.picture, self.picture * self.picture)
            )
            self._known_lengths[size] = spread_length(size[0] * size[1], first, second)
        return self._known_lengths[size]


@dataclass(frozen=True, eq=False)
class Windows:
    """Patches of an overview, one beginning at every pixel."""

    views: Floats
    """(down, across, height, width)."""
    lengths: Floats
    """(down, across): `length` of each."""
    low: Reals
    """Middle (2,) of the first in mm on the board."""

    def like(self, patterns: Floats, step: int) -> Floats:
        """Likeness (down, across, n) of every so many of them to both sides to patterns (n, pixels)."""
        part, lengths = self.views[::step, ::step], self.lengths[::step, ::step]
        rows = np.ascontiguousarray(part).reshape(lengths.size, -1)
        return alike(rows, patterns).reshape(*lengths.shape, -1) / lengths[..., None]

    def best_about(self, down: int, across: int, pattern: Floats) -> tuple[float, Reals]:
        """The most like a pattern (pixels,) of one and all that touch it: how like, its middle (2,) in mm."""
        top, left = max(down - 1, 0), max(across - 1, 0)
        lengths = self.lengths[top : down + 2, left : across + 2]
        rows = np.ascontiguousarray(self.views[top : down + 2, left : across + 2]).reshape(lengths.size, -1)
        like = rows @ pattern / lengths.ravel()
        best = int(like.argmax())
        y, x = divmod(best, lengths.shape[1])
        return float(like[best]), self.low + COARSE * np.array([left + x, top + y])
