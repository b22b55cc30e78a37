"""Where the board lies in a picture: corner tags, the plane, and which way the columns run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Patterns
from vision.grid import Grid, Layout, layout_by_tags
from vision.markers import TAG_DICTIONARY, TAG_IDS, TAG_MM
from vision.plane import Plane, Reals, Rigid, fit_plane
from vision.squares import Grey, find_squares

SQUARES_SIDE = 1280
"""Tags are looked for in a picture of this size, and read at full size."""
TAG_LIKE, TAG_LEAD, TAG_LEAST_PX = 0.8, 0.15, 14.0
"""Everything told from the tags is checked by the cards that must lie between them."""
FITS_PX = 6.0
"""Residual in the common plane above which a thing does not lie in it."""
ROUGH_PX = 2.0
"""Mean residual above which a plane may be stuck at a wrong tilt."""
LOST_PX = 30.0
TILTS = (20.0, 33.0, 45.0)
"""Tilts in degrees that a plane is begun at anew."""
FAR_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Where the table's far side may be in a picture: a camera may hang over it upside down, or stand on end."""
TAG_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * TAG_MM / 2


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


@dataclass(eq=False)
class Board:
    """Where the board lies: px <-> mm in the plane, mm in the plane <-> mm on the board, and its cells."""

    plane: Plane
    layout: Layout
    grid: Grid


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


def steady_plane(
    size: tuple[int, int], things: Rigid, start: Plane | None = None
) -> tuple[Plane, Reals] | None:
    """The plane in which all things have their sizes, and their residuals in px (n,), as in `fit_plane`.

    One card or a board alone is fitted well at the right tilt only: from a wrong one everything looks like an
    outlier. So it is begun at several tilts where the first try leaves much.
    """
    first = fit_plane(size, things, start)
    if first is not None and float(np.minimum(first[1], FITS_PX).mean()) < ROUGH_PX and len(things.found) > 2:
        return first
    fits = [first] if first else []
    begin = first[0] if first else start
    if begin is not None:
        tilts = [(0.0, FAR_SIDES[0]), *((tilt, side) for side in FAR_SIDES for tilt in TILTS)]
        for tilt, side in tilts:
            one = fit_plane(size, things, _tilted(begin, np.radians(tilt), side))
            if one is not None:
                fits.append(one)
                if len(things.found) > 2 and float(np.minimum(one[1], FITS_PX).mean()) < ROUGH_PX:
                    break
    return min(fits, key=lambda one: float(np.minimum(one[1], LOST_PX).sum()), default=None)


def _tilted(plane: Plane, tilt: float, far: tuple[int, int]) -> Plane:
    """A plane at a tilt in radians whose far side is at one of FAR_SIDES, as far away as another."""
    away = np.array([-far[0] * np.sin(tilt), -far[1] * np.sin(tilt), np.cos(tilt)])
    along = np.array([1.0, 0.0, 0.0]) - away[0] * away
    along /= np.linalg.norm(along)
    return replace(plane, axes=np.array([along, np.cross(away, along), away]))


def layout_between(plane: Plane, tags: Tags, card_mm: tuple[float, float]) -> Layout | None:
    """About where the board lies between two tags or more: they lie by eye, so good to some 30 mm."""
    middles = plane.to_mm(tags.corners.mean(1))
    return layout_by_tags(dict(zip(tags.ids, middles, strict=True)), card_mm)
