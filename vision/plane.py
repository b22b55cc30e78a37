"""The one plane that all cards lie in: from pixels of a picture to millimetres on the table and back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

FOCAL = 0.82
"""Focal length of a usual webcam or phone, in widths of the picture (about 63 degrees)."""
FOCAL_SPREAD = 0.2
"""Standard deviation of its logarithm: 52 to 76 degrees lie within one and a half."""
BULGE = -0.03
"""Usual radial distortion k1, in focal lengths (barrel)."""
BULGE_SPREAD = 0.06
CORNER_PX = 0.6
"""Standard deviation of a marker's corner in px."""
OUTLIER = 4.0
"""Residual, in standard deviations, from where on a square counts for less."""
STEPS = 8
ENOUGH = 3e-2
"""Share of the cost that a step must save to be worth another."""
NUDGE = 1e-5
"""By how much each of a plane's five parameters is moved to see what it does."""

_NUDGES = np.concatenate([np.zeros((1, 5)), np.eye(5) * NUDGE])


@dataclass(frozen=True, eq=False)
class Plane:
    """A flat table seen by a camera with one radial distortion coefficient.

    mm coordinates have x to the picture's right and y down it (about), and their origin below the lens.
    """

    centre: Reals
    focal: float
    bulge: float
    """k1 of x_d = x_u (1 + k1 r^2), r in focal lengths."""
    axes: Reals
    """(3, 3), rows: the table's x, its y and the direction away from the camera, in the camera's frame."""
    distance: float
    """From the lens to the table's plane, in mm."""

    def to_mm(self, points: Reals) -> Reals:
        """Points (..., 2) in px -> (..., 2) in mm on the table."""
        x = (np.asarray(points, np.float64)[..., 0] - self.centre[0]) / self.focal
        y = (np.asarray(points, np.float64)[..., 1] - self.centre[1]) / self.focal
        square = x * x + y * y
        # Solves r (1 + k1 r^2) = r_d for the stretch by Newton's steps from a good start.
        stretch = 1 - self.bulge * square
        for _ in range(3):
            inner = self.bulge * square * stretch * stretch
            stretch = stretch - (stretch * (1 + inner) - 1) / (1 + 3 * inner)
        x, y = x * stretch, y * stretch
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        reach = self.distance / np.maximum(x * g + y * h + i, 1e-3)
        return np.stack([(x * a + y * b + c) * reach, (x * d + y * e + f) * reach], -1)

    def to_px(self, points: Reals) -> Reals:
        """Points (..., 2) in mm on the table -> (..., 2) in px. Points behind the camera become NaN."""
        places = np.asarray(points, np.float64) @ self.axes[:2] + self.distance * self.axes[2]
        depth = places[..., 2]
        depth = np.where(depth > 1e-3 * self.distance, depth, np.nan)
        x, y = places[..., 0] / depth, places[..., 1] / depth
        stretch = (1 + self.bulge * (x * x + y * y)) * self.focal
        return np.stack([x * stretch + self.centre[0], y * stretch + self.centre[1]], -1)

    def tilt(self) -> float:
        """Angle in degrees between the view and the table's upright: 0 straight from above."""
        return math.degrees(math.acos(min(1.0, float(self.axes[2, 2]))))

    def px_per_mm(self, point: Reals) -> float:
        """Scale at a point (2,) in mm: px per mm along the shorter of two right-angled ways."""
        around = self.to_px(np.asarray(point) + np.array([(0, 0), (1.0, 0), (0, 1.0)]))
        return float(np.linalg.norm(around[1:] - around[0], axis=1).min())


@dataclass(frozen=True, eq=False)
class Rigid:
    """Things of known size in the plane: `found` (n, p, 2) px, `known` (n, p, 2) mm in each one's frame.

    `weight` (n, p) is 0 where a thing has fewer than p points.
    """

    found: Reals
    known: Reals
    weight: Reals

    def joined(self, other: Rigid) -> Rigid:
        """These things, and then those of another."""
        return Rigid(
            np.concatenate([self.found, other.found]),
            np.concatenate([self.known, other.known]),
            np.concatenate([self.weight, other.weight]),
        )


def rotation(angle: float) -> Reals:
    """(2, 2): turns columns x, y by so many radians, from x towards y."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([(c, -s), (s, c)])


def fit_plane(size: tuple[int, int], things: Rigid, start: Plane | None = None) -> tuple[Plane, Reals] | None:
    """The plane in which all things have their sizes, and each one's residual in px (n,).

    `size` is the picture's (width, height). Robust: a thing that does not fit counts little. None when
    nothing sensible fits. Two squares a hand apart will do; the more spread, the better.
    """
    if not len(things.found):
        return None
    centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    focal = FOCAL * max(size)
    values = _parameters(start, focal) if start else _first(things, centre, focal)
    if values is None:
        return None
    problem = _Problem(things, centre, focal)
    tries = values + _NUDGES
    gaps = problem.gaps(tries)
    damping = 1e-3
    for number in range(STEPS):
        trust = problem.trust(gaps[0])
        rows = problem.rows(tries, gaps, trust)
        cost = float(rows[0] @ rows[0])
        slope = (rows[1:] - rows[0]) / NUDGE
        normal = slope @ slope.T
        try:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -slope @ rows[0])
        except np.linalg.LinAlgError:
            return None
        further = tries + np.clip(step, -0.5, 0.5)
        further_gaps = problem.gaps(further)
        row = problem.rows(further[:1], further_gaps[:1], trust)[0]
        after = float(row @ row)
        if after < cost:
            tries, gaps, damping = further, further_gaps, damping * 0.2
        else:
            damping *= 20
        if cost - after < ENOUGH * cost and (number or after < cost):
            break
    plane = _plane(tries[0], centre, focal)
    if not np.isfinite(gaps[0]).all() or not 0.3 < plane.focal / focal < 4 or plane.tilt() > 75:
        return None
    return plane, problem.residuals(gaps[0])


def poses(plane: Plane, things: Rigid) -> tuple[Reals, Reals]:
    """Where each thing lies: its frame's origin in mm (n, 2), and the angle of its x axis in radians (n,)."""
    place, known, angle = _align(plane.to_mm(things.found), things)
    origin = place - known * np.exp(1j * angle)
    return np.stack([origin.real, origin.imag], -1), angle


def _axes(slope_x: Reals, slope_y: Reals) -> tuple[Reals, Reals, Reals]:
    """The table's x, its y and the direction away, each (3, k), by the slopes (k,) of the last."""
    length = np.sqrt(slope_x * slope_x + slope_y * slope_y + 1)
    a, b, c = slope_x / length, slope_y / length, 1 / length
    # The table's x: the picture's x laid into the plane; its y: away x that.
    side = np.sqrt(1 - a * a)
    along = np.array([side, -a * b / side, -a * c / side])
    down = np.array([np.zeros_like(a), c / side, -b / side])
    return along, down, np.array([a, b, c])


def _plane(values: Reals, centre: Reals, focal: float) -> Plane:
    axes = np.stack([axis[:, 0] for axis in _axes(values[2:3], values[3:4])])
    return Plane(centre, focal * math.exp(values[0]), float(values[1]), axes, math.exp(values[4]))


def _parameters(plane: Plane, focal: float) -> Reals:
    away = plane.axes[2]
    return np.array(
        [
            np.log(plane.focal / focal),
            plane.bulge,
            away[0] / away[2],
            away[1] / away[2],
            np.log(plane.distance),
        ]
    )


def _first(things: Rigid, centre: Reals, focal: float) -> Reals | None:
    """A first guess in closed form: the cube root of a small area's scale is linear across the picture."""
    found, known = things.found[:, :4], things.known[:, :4]
    share = np.abs(_area(found)) / np.abs(_area(known))
    middle = (found.mean(1) - centre) / focal
    root = np.cbrt(share)
    rows = np.concatenate([np.ones((len(root), 1)), middle], 1)
    # Held towards no tilt, as far as a few small squares cannot tell.
    weight = 1 / root
    hold = np.diag([0.0, 1.0, 1.0])
    left = np.concatenate([rows * weight[:, None] / 0.03, hold])
    right = np.concatenate([root * weight / 0.03, np.zeros(3)])
    for _ in range(4):
        solved = np.linalg.solve(left.T @ left, left.T @ right)
        off = np.abs(rows @ solved - root) * weight / 0.05
        trust = 1 / np.sqrt(1 + off**2)
        left[:-3] = rows * (weight * trust)[:, None] / 0.03
        right[:-3] = root * weight * trust / 0.03
    level = solved[0]
    if level <= 0:
        return None
    slopes = np.clip(solved[1:] / level, -1.5, 1.5)
    # share = focal^2 / distance^2 * (m . r)^3 / |m|^3 with m = (slopes, 1), up to the tilt's own factor.
    length = float(np.sqrt(1 + (slopes**2).sum()))
    distance = focal * float(level) ** -1.5 / length**1.5
    return np.array([0.0, BULGE, slopes[0], slopes[1], np.log(distance)])


def _area(corners: Reals) -> Reals:
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(0.5 * (x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1), np.float64)


def _align(placed: Reals, things: Rigid) -> tuple[NDArray[np.complex128], NDArray[np.complex128], Reals]:
    spot = placed[..., 0] + 1j * placed[..., 1]
    known = things.known[..., 0] + 1j * things.known[..., 1]
    total = things.weight.sum(1)
    spot_mean = (things.weight * spot).sum(1) / total
    known_mean = (things.weight * known).sum(1) / total
    turn = (things.weight * (spot - spot_mean[:, None]) * np.conj(known - known_mean[:, None])).sum(1)
    return spot_mean, known_mean, np.angle(turn)


class _Problem:
    """Things that should have their known sizes in the plane: how well they do under many planes at once."""

    def __init__(self, things: Rigid, centre: Reals, focal: float) -> None:
        off = (things.found - centre) / focal
        self._x, self._y = off[..., 0], off[..., 1]
        self._focal = focal
        self._weight = things.weight
        self._total = things.weight.sum(1)
        share = np.abs(_area(things.found[:, :4])) / np.abs(_area(things.known[:, :4]))
        self._scale = np.sqrt(share)[:, None] * np.sqrt(things.weight)
        known = things.known[..., 0] + 1j * things.known[..., 1]
        self._known = known - ((things.weight * known).sum(1) / self._total)[:, None]

    def gaps(self, values: Reals) -> NDArray[np.complex128]:
        """For each of k planes (k, 5) how far each point lies from where its thing's size puts it, in px.

        (k, n, p), x + iy along the table.
        """
        shrink = np.exp(-values[:, 0])[:, None, None]
        bulge = values[:, 1][:, None, None]
        x, y = self._x * shrink, self._y * shrink
        square = x * x + y * y
        stretch = 1 - bulge * square
        bent = bulge * square
        for _ in range(2):
            inner = bent * stretch * stretch
            stretch = stretch - (stretch * (1 + inner) - 1) / (1 + 3 * inner)
        along, down, away = (axis[:, :, None, None] for axis in _axes(values[:, 2], values[:, 3]))
        x, y = x * stretch, y * stretch
        reach = np.exp(values[:, 4])[:, None, None] / np.maximum(x * away[0] + y * away[1] + away[2], 1e-3)
        spot = (
            x * (along[0] + 1j * down[0]) + y * (along[1] + 1j * down[1]) + (along[2] + 1j * down[2])
        ) * reach
        spot -= ((spot * self._weight).sum(2) / self._total)[..., None]
        turn = (spot * (self._weight * self._known.conj())).sum(2)
        turn /= np.abs(turn) + 1e-30
        return np.asarray((spot - self._known * turn[..., None]) * self._scale, np.complex128)

    def residuals(self, gap: NDArray[np.complex128]) -> Reals:
        """Of each thing, in px (n,), by its points' gaps (n, p)."""
        return np.asarray(np.sqrt((gap.real**2 + gap.imag**2).sum(1) / self._total), np.float64)

    def trust(self, gap: NDArray[np.complex128]) -> Reals:
        """How much each thing counts, 0..1 (n,)."""
        return np.asarray(1 / (1 + (self.residuals(gap) / (OUTLIER * CORNER_PX)) ** 2), np.float64)

    def rows(self, values: Reals, gaps: NDArray[np.complex128], trust: Reals) -> Reals:
        """What is to become small, for each of k planes: gaps and what is usual, in standard deviations."""
        told = (gaps * (np.sqrt(trust)[:, None] / CORNER_PX)).reshape(len(values), -1)
        usual = np.stack(
            [
                values[:, 0] / FOCAL_SPREAD,
                (values[:, 1] - BULGE) / BULGE_SPREAD,
                values[:, 2] / 1.5,
                values[:, 3] / 1.5,
            ],
            1,
        )
        return np.concatenate([told.view(np.float64), usual], 1)
