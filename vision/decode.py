"""Which marker a dark square is, and where exactly: by likeness to every marker at once, not by bits.

A table seen whole at 1280 x 720 leaves a marker's module 2 to 3 px. Bits cut by a threshold fail there
(measured: 5 of 22 markers read); likeness of the whole square still tells ids apart, since any two
markers differ in at least 6 of 25 modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alike import alike
from vision.squares import Floats, Grey

Rows = NDArray[np.int64]

SAMPLES_PER_MODULE = 2
RIM = 0.25
"""White beyond the square that is looked at as well, in modules."""
SOFT = 0.45
"""Blur of the patterns compared with, in modules (standard deviation): lens, sensor and print."""
SCALES = (1.0, 1.15)
"""The dark rim's outline lies a little inside the true square, where the white shines over."""
STEPS = 5
SETTLED = 0.03
"""Step in modules (and per module) below which a square lies as it should."""
HOPELESS = 0.4
"""Likeness before alignment below which a square is no marker."""
RIMMED, ALIKE = 0.2, 0.55
"""Likeness to all markers' common rim, and to one of them, below which a dark shape's outline is none.

Of 2025 markers in 82 rendered pictures 8 had less; of 4232 other shapes two in three.
"""
PLAIN_LEAD = 0.16
UNLIKE = 0.5
"""Likeness after alignment below which aligning once more makes no marker of a square."""
BEST = 3
"""Tries at a place that are aligned, the likeliest first."""
MOST = 160
"""Squares aligned in one picture, the likeliest first: a full table has 100, checked cloth thousands."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """The squares of one picture as markers; every array has one row a square."""

    ids: NDArray[np.int64]
    corners: Floats
    """(n, 4, 2) px: top-left, top-right, bottom-right, bottom-left of the black square as printed."""
    likeness: Floats
    """Correlation with its marker, -1..1."""
    lead: Floats
    """By how much the next likely marker is less alike."""


@dataclass(frozen=True, eq=False)
class InSight:
    """What lies at places where a marker should be; every array has one row a place."""

    patterns: NDArray[np.int64]
    """The likeliest of those allowed."""
    middles: Floats
    """(n, 2) px."""
    likeness: Floats
    """Correlation with it, -1..1."""
    lead: Floats
    """By how much any other marker that is allowed is less alike."""
    grown: Floats
    """How many times as large as it should be it lies there."""
    rival: Floats
    """Likeness of any other marker, allowed there or not, whichever way up."""


class Patterns:
    """Markers of one dictionary, cut to the ids in use, to compare squares with."""

    def __init__(self, dictionary: int | cv2.aruco.Dictionary, ids: Sequence[int]) -> None:
        """`dictionary`: any, or the number of a predefined ArUco one; `ids`: those in use (at least two)."""
        whole = cv2.aruco.getPredefinedDictionary(dictionary) if isinstance(dictionary, int) else dictionary
        self.modules = whole.markerSize + 2
        self.half = self.modules / 2
        self.ids = np.array(ids, np.int64)
        step = 1 / SAMPLES_PER_MODULE
        line = np.arange(-self.half - RIM + step / 2, self.half + RIM, step)
        self.grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2).astype(np.float32)
        self._places = np.concatenate([self.grid, np.ones((len(self.grid), 1), np.float32)], 1)
        upright = np.array(
            [_soft(np.asarray(cv2.aruco.generateImageMarker(whole, int(one), self.modules))) for one in ids]
        )
        side = len(line)
        patterns, slopes = [], []
        for turns in range(4):
            turned = np.rot90(upright, -turns, (1, 2))
            fine = turned[:, _FINE_PAD - _MARGIN : _MARGIN - _FINE_PAD]
            fine = fine[:, :, _FINE_PAD - _MARGIN : _MARGIN - _FINE_PAD]
            down, across = np.gradient(fine, 1 / _FINE, axis=(1, 2))
            pick = _FINE // SAMPLES_PER_MODULE
            parts = [part[:, pick // 2 :: pick, pick // 2 :: pick] for part in (fine, across, down)]
            flat = [part.reshape(len(ids), side * side) for part in parts]
            patterns.append(flat[0])
            slopes.append(np.stack(flat[1:], -1))
        pattern = np.concatenate(patterns)
        centred = pattern - pattern.mean(1, keepdims=True)
        norm = np.linalg.norm(centred, axis=1, keepdims=True)
        self.patterns = (centred / norm).astype(np.float32)
        rim = self.patterns.mean(0)
        self._rim = rim / np.linalg.norm(rim)
        self._steps = self._solvers(np.concatenate(slopes) / norm[..., None])

    def _solvers(self, slopes: NDArray[np.float64]) -> Floats:
        """For every pattern the matrix that makes an affine step of a difference in grey (6, samples)."""
        x, y = self.grid[:, 0], self.grid[:, 1]
        across, down = slopes[..., 0], slopes[..., 1]
        jacobian = np.stack([across * x, across * y, across, down * x, down * y, down], -1)
        jacobian = jacobian - jacobian.mean(1, keepdims=True)
        normal = np.einsum("nsi,nsj->nij", jacobian, jacobian)
        return np.linalg.solve(normal, jacobian.transpose(0, 2, 1)).astype(np.float32)

    def decode(self, grey: Grey, squares: Floats, outlined: bool = False) -> Decoded:
        """What each of the squares (n, 4, 2) in px is most like, and where that marker lies.

        `outlined`: whether the squares are outlines of dark shapes, which lie as exactly as a marker would.
        """
        n = len(squares)
        if not n:
            return Decoded(np.empty(0, np.int64), squares, np.empty(0, np.float32), np.empty(0, np.float32))
        starts = np.concatenate([_affine(squares, self.half, scale) for scale in SCALES])
        samples = self._sample(grey, starts)
        rimmed = np.einsum("ns,s->n", samples, self._rim)  # of this length `@` would wake threads: see alike
        asked = np.flatnonzero(rimmed >= RIMMED) if outlined else np.arange(len(samples))
        likeness = alike(samples[asked], self.patterns)
        most = np.full(len(starts), -1.0, np.float32)
        which = np.zeros(len(starts), np.int64)
        most[asked], which[asked] = likeness.max(1), likeness.argmax(1)
        best = most.reshape(len(SCALES), n)
        found, lead = best.max(0), np.zeros(n, np.float32)
        hopeful = np.argsort(-found)[:MOST]
        hopeful = hopeful[found[hopeful] >= (ALIKE if outlined else HOPELESS)]
        ids = np.full(n, -1, np.int64)
        corners = squares.astype(np.float32)
        if len(hopeful):
            chosen = best.argmax(0)[hopeful] * n + hopeful
            one = self._settle(grey, starts[chosen], which[chosen])
            ids[hopeful], corners[hopeful], found[hopeful], lead[hopeful] = (
                one.ids,
                one.corners,
                one.likeness,
                one.lead,
            )
        return Decoded(ids, corners, found, lead)

    def decode_about(self, grey: Grey, tries: Floats, allowed: NDArray[np.bool_]) -> InSight:
        """Which of the patterns allowed lies at each of some places, and where.

        `tries` (n, k, 4, 2): for each place squares in px, top-left corner first, of which one may lie a
        module off the marker's own; `allowed` (n, 4 ids): which patterns may be there, all ids not turned
        first, then all a quarter turn on, and so on.
        """
        n, tried = tries.shape[:2]
        kept = min(BEST, tried)
        starts = _affine(tries.reshape(-1, 4, 2), self.half, 1.0)
        samples = self._sample(grey, starts)
        asked = np.flatnonzero(np.einsum("ns,s->n", samples, self._rim) >= RIMMED)
        likeness = np.full((len(starts), len(self.patterns)), -1.0, np.float32)
        likeness[asked] = alike(samples[asked], self.patterns)
        likeness[~np.repeat(allowed, tried, 0)] = -1
        most = likeness.max(1).reshape(n, tried)
        rows = (np.argsort(-most, axis=1)[:, :kept] + tried * np.arange(n)[:, None]).ravel()
        refined = self._refine(grey, starts[rows], likeness[rows].argmax(1))
        all_told = alike(self._sample(grey, refined), self.patterns)
        told = np.where(np.repeat(allowed, kept, 0), all_told, np.float32(-1))
        best = told.max(1).reshape(n, kept).argmax(1) + kept * np.arange(n)
        which = told[best].argmax(1)
        found, lead = self._lead(told[best])
        grown = np.sqrt(np.abs(_area(refined[best])) / np.abs(_area(starts[rows[best]])))
        others = all_told[best]
        others[np.arange(n), which] = -1
        return InSight(which, refined[best][:, :, 2], found, lead, grown, others.max(1))

    def _settle(self, grey: Grey, affine: Floats, which: Rows) -> Decoded:
        """Aligned with the likeliest pattern, which may then turn out to be another."""
        affine = self._refine(grey, affine, which)
        likeness = alike(self._sample(grey, affine), self.patterns)
        # Those that turned out to be another, or are not plain yet, are aligned once more.
        best, lead = self._lead(likeness)
        unsure = np.flatnonzero(((likeness.argmax(1) != which) | (lead < PLAIN_LEAD)) & (best > UNLIKE))
        which = likeness.argmax(1)
        if len(unsure):
            affine[unsure] = self._refine(grey, affine[unsure], which[unsure])
            likeness[unsure] = alike(self._sample(grey, affine[unsure]), self.patterns)
            which = likeness.argmax(1)
            best, lead = self._lead(likeness)
        return Decoded(self.ids[which % len(self.ids)], self._corners(affine, which), best, lead)

    def _lead(self, likeness: Floats) -> tuple[Floats, Floats]:
        """The best likeness of each row, and by how much it leads before any other id."""
        by_id = likeness.reshape(len(likeness), 4, len(self.ids)).max(1)
        top = np.partition(by_id, -2, axis=1)[:, -2:]
        return top[:, 1], top[:, 1] - top[:, 0]

    def _sample(self, grey: Grey, affine: Floats) -> Floats:
        """Grey at every sample of every square, each square's brightness and contrast taken out."""
        across, down = (alike(affine[:, axis], self._places) for axis in (0, 1))
        values = cv2.remap(grey, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        samples = values.astype(np.float32)
        samples -= np.add.reduce(samples, 1, keepdims=True) / np.float32(samples.shape[1])
        samples /= np.sqrt(np.einsum("ns,ns->n", samples, samples))[:, None] + np.float32(1e-3)
        return samples

    def _refine(self, grey: Grey, start: Floats, which: Rows) -> Floats:
        """Inverse compositional alignment of each square with its pattern (Baker and Matthews 2004)."""
        affine = start.copy()
        moving = np.arange(len(start))
        for _ in range(STEPS):
            off = self._sample(grey, affine[moving]) - self.patterns[which[moving]]
            step = np.matmul(self._steps[which[moving]], off[..., None]).reshape(-1, 2, 3)
            step = np.clip(step, -0.5, 0.5)
            affine[moving] = _undone(affine[moving], step)
            moving = moving[np.abs(step).max((1, 2)) > SETTLED]
            if not len(moving):
                break
        # An alignment that ran away has found nothing: keep where it began.
        moved = np.abs(affine[..., 2] - start[..., 2]).max(1)
        size, grown = np.sqrt(np.abs(_area(start))), np.sqrt(np.abs(_area(affine)))
        lost = (moved > 2.0 * size) | (grown < 0.6 * size) | (grown > 1.6 * size) | ~np.isfinite(grown)
        affine[lost] = start[lost]
        return affine

    def _corners(self, affine: Floats, which: Rows) -> Floats:
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * self.half
        corners = square @ affine[:, :, :2].transpose(0, 2, 1) + affine[:, None, :, 2]
        turns = which // len(self.ids)
        order = (np.arange(4) + turns[:, None]) % 4
        return np.take_along_axis(corners, order[..., None], 1).astype(np.float32)


def _undone(affine: Floats, step: Floats) -> Floats:
    """Affine maps (n, 2, 3) after the inverse of a step: 1 + `step` (n, 2, 3)."""
    a, b, x = step[:, 0, 0] + 1, step[:, 0, 1], step[:, 0, 2]
    c, d, y = step[:, 1, 0], step[:, 1, 1] + 1, step[:, 1, 2]
    share = a * d - b * c
    inverse = np.empty_like(step)
    inverse[:, 0, 0], inverse[:, 0, 1], inverse[:, 0, 2] = d, -b, b * y - d * x
    inverse[:, 1, 0], inverse[:, 1, 1], inverse[:, 1, 2] = -c, a, c * x - a * y
    inverse /= share[:, None, None]
    made = np.matmul(affine[:, :, :2], inverse)
    made[:, :, 2] += affine[:, :, 2]
    return np.asarray(made, np.float32)


def _area(affine: Floats) -> Floats:
    return np.asarray(affine[:, 0, 0] * affine[:, 1, 1] - affine[:, 0, 1] * affine[:, 1, 0], np.float32)


_FINE = 10
_FINE_PAD = 20
_MARGIN = int(RIM * _FINE)


def _soft(bits: NDArray[np.generic]) -> Floats:
    """A marker with white round it at _FINE samples a module, blurred."""
    large = np.kron(bits.astype(np.float32) / 255, np.ones((_FINE, _FINE), np.float32))
    padded = np.pad(large, _FINE_PAD, constant_values=1.0)
    return np.asarray(cv2.GaussianBlur(padded, (0, 0), SOFT * _FINE), np.float32)


def _affine(squares: Floats, half: float, scale: float) -> Floats:
    """(n, 2, 3): modules from the centre -> px, by least squares through four corners."""
    middle = squares.mean(1)
    along = (squares[:, 1] + squares[:, 2] - squares[:, 0] - squares[:, 3]) * (scale / (4 * half))
    down = (squares[:, 2] + squares[:, 3] - squares[:, 0] - squares[:, 1]) * (scale / (4 * half))
    return np.stack([along, down, middle], -1)
