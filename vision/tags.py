"""Corner tags in a picture, and the plane and the board between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Patterns
from vision.grid import Layout, layout_by_tags
from vision.markers import TAG_DICTIONARY, TAG_IDS, TAG_MM
from vision.plane import Plane, Reals, Rigid, fit_plane
from vision.squares import Grey, find_squares
from vision.steady import FITS_PX

SQUARES_SIDE = 1280
"""Tags are looked for in a picture of this size, and read at full size."""
TAG_LIKE, TAG_LEAD, TAG_LEAST_PX = 0.8, 0.15, 14.0
"""Everything told from the tags is checked by the cards that must lie between them."""
TAG_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * TAG_MM / 2
ALL = 4
SOFT_PX, SMALLER = 2.0, 0.7
"""Blur and size of the second looks: noise and the grain of a table break a square's sides."""


@dataclass(frozen=True, eq=False)
class Tags:
    """Corner tags of one picture."""

    ids: tuple[int, ...]
    corners: Reals
    """(n, 4, 2) px: top-left, top-right, bottom-right, bottom-left of the black square."""

    def only(self, keep: NDArray[np.bool_]) -> Tags:
        """The chosen ones."""
        return Tags(tuple(one for one, kept in zip(self.ids, keep, strict=True) if kept), self.corners[keep])

    def things(self) -> Rigid:
        """As things of known size in the plane."""
        known = np.repeat(TAG_SQUARE[None], len(self.ids), 0)
        return Rigid(self.corners, known, np.ones(self.corners.shape[:2]))


class TagFinder:
    """Finds corner tags."""

    def __init__(self) -> None:
        self._patterns = Patterns(TAG_DICTIONARY, TAG_IDS)

    def find(self, grey: Grey) -> Tags:
        """The tags in a picture, each id once."""
        shrink = min(1.0, SQUARES_SIDE / max(grey.shape))
        small = (
            cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
        )
        squares = (find_squares(np.asarray(small, np.uint8)) + 0.5) / shrink - 0.5
        sides = np.linalg.norm(squares - np.roll(squares, 1, 1), axis=2).max(1)
        decoded = self._patterns.decode(grey, squares[sides > TAG_LEAST_PX].astype(np.float32))
        best: dict[int, int] = {}
        for row in np.argsort(-decoded.lead):
            if decoded.likeness[row] >= TAG_LIKE and decoded.lead[row] >= TAG_LEAD and decoded.ids[row] >= 0:
                best.setdefault(int(decoded.ids[row]), int(row))
        return Tags(tuple(best), decoded.corners[list(best.values())].astype(np.float64).reshape(-1, 4, 2))


def plane_by_tags(
    size: tuple[int, int],
    tags: Tags,
    fit: Callable[[tuple[int, int], Rigid], tuple[Plane, Reals] | None] = fit_plane,
) -> tuple[Plane, Tags] | None:
    """The plane that two tags or more lie in by a fit, and those that do; `size` is the picture's (width,
    height)."""
    if len(tags.ids) < 2:
        return None
    fitted = fit(size, tags.things())
    if fitted is None:
        return None
    plane, residual = fitted
    kept = tags.only(residual < FITS_PX)
    return (plane, kept) if len(kept.ids) >= 2 else None


def layout_between(plane: Plane, tags: Tags, card_mm: tuple[float, float]) -> Layout | None:
    """About where the board lies between two tags or more: they lie by eye, so good to some 30 mm."""
    middles = plane.to_mm(tags.corners.mean(1))
    return layout_by_tags(dict(zip(tags.ids, middles, strict=True)), card_mm)


def every_tag(finder: TagFinder, grey: Grey) -> Tags:
    """The tags in a picture, each id once, by as many looks as are needed."""
    tags = finder.find(grey)
    for look in (_soft, _smaller):
        if len(tags.ids) < ALL:
            other, shrink = look(grey)
            tags = _with(tags, finder.find(other), shrink)
    return tags


def _soft(grey: Grey) -> tuple[Grey, float]:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT_PX), np.uint8), 1.0


def _smaller(grey: Grey) -> tuple[Grey, float]:
    small = cv2.resize(grey, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), SMALLER


def _with(tags: Tags, more: Tags, shrink: float) -> Tags:
    new = [row for row, one in enumerate(more.ids) if one not in tags.ids]
    corners = (more.corners[new] + 0.5) / shrink - 0.5
    return Tags((*tags.ids, *(more.ids[row] for row in new)), np.concatenate([tags.corners, corners]))
