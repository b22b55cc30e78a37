"""A plane fitted to few things or to a board alone, which a single try may put at a wrong tilt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.plane import Plane, Reals, Rigid, fit_plane

FITS_PX = 6.0
"""Residual in the common plane above which a thing does not lie in it."""
ROUGH_PX = 2.0
"""Mean residual above which a plane may be stuck at a wrong tilt."""
LOST_PX = 30.0
TILTS = (20.0, 33.0, 45.0)
"""Tilts in degrees that a plane is begun at anew."""
FAR_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Where the table's far side may be in a picture: a camera may hang over it upside down, or stand on end."""


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
