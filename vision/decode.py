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

SAMPLES_PER_MODULE = 2
RIM = 0.25
"""White beyond the square that is looked at as well, in modules."""
SOFT = 0.45
"""Blur of the patterns compared with, in modules (standard deviation): lens, sensor and print."""
SCALES = (1.0, 1.15)
"""The dark rim's outline lies a little inside the true square, where the white shines over."""
STEPS = 5
HOPELESS = 0.4
"""Likeness before alignment below which a square is no marker."""
PLAIN_LEAD = 0.16
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


class Patterns:
    """Markers of one dictionary, cut to the ids in use, to compare squares with."""

    def __init__(self, dictionary: int, ids: Sequence[int]) -> None:
        """`dictionary`: a predefined ArUco dictionary; `ids`: the ones in use (at least two)."""
        whole = cv2.aruco.getPredefinedDictionary(dictionary)
        self.modules = whole.markerSize + 2
        self.half = self.modules / 2
        self.ids = np.array(ids, np.int64)
        step = 1 / SAMPLES_PER_MODULE
        line = np.arange(-self.half - RIM + step / 2, self.half + RIM, step)
        self.grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2).astype(np.float32)
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
        self._steps = self._solvers(np.concatenate(slopes) / norm[..., None])

    def _solvers(self, slopes: NDArray[np.float64]) -> Floats:
        """For every pattern the matrix that makes an affine step of a difference in grey (6, samples)."""
        x, y = self.grid[:, 0], self.grid[:, 1]
        across, down = slopes[..., 0], slopes[..., 1]
        jacobian = np.stack([across * x, across * y, across, down * x, down * y, down], -1)
        jacobian = jacobian - jacobian.mean(1, keepdims=True)
        normal = np.einsum("nsi,nsj->nij", jacobian, jacobian)
        return np.linalg.solve(normal, jacobian.transpose(0, 2, 1)).astype(np.float32)

    def decode(self, grey: Grey, squares: Floats) -> Decoded:
        """What each of the squares (n, 4, 2) in px is most like, and where that marker lies."""
        n = len(squares)
        if not n:
            return Decoded(np.empty(0, np.int64), squares, np.empty(0, np.float32), np.empty(0, np.float32))
        starts = np.concatenate([_affine(squares, self.half, scale) for scale in SCALES])
        likeness = alike(self._sample(grey, starts), self.patterns)
        best = likeness.max(1).reshape(len(SCALES), n)
        chosen = best.argmax(0) * n + np.arange(n)
        hopeful = np.argsort(-best.max(0))[:MOST]
        hopeful = hopeful[best.max(0)[hopeful] >= HOPELESS]
        ids = np.full(n, -1, np.int64)
        corners = squares.astype(np.float32)
        found, lead = best.max(0), np.zeros(n, np.float32)
        if len(hopeful):
            chosen = chosen[hopeful]
            one = self._settle(grey, starts[chosen], likeness[chosen].argmax(1))
            ids[hopeful], corners[hopeful], found[hopeful], lead[hopeful] = (
                one.ids,
                one.corners,
                one.likeness,
                one.lead,
            )
        return Decoded(ids, corners, found, lead)

    def _settle(self, grey: Grey, affine: Floats, which: NDArray[np.int64]) -> Decoded:
        """Aligned with the likeliest pattern, which may then turn out to be another."""
        affine = self._refine(grey, affine, which)
        likeness = alike(self._sample(grey, affine), self.patterns)
        # Those that turned out to be another, or are not plain yet, are aligned once more.
        unsure = np.flatnonzero((likeness.argmax(1) != which) | (self._lead(likeness)[1] < PLAIN_LEAD))
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
        places = self.grid @ affine[:, :, :2].transpose(0, 2, 1) + affine[:, None, :, 2]
        values = cv2.remap(
            grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        samples = values.astype(np.float32)
        samples -= samples.mean(1, keepdims=True)
        return np.asarray(samples / (np.linalg.norm(samples, axis=1, keepdims=True) + 1e-3), np.float32)

    def _refine(self, grey: Grey, affine: Floats, which: NDArray[np.int64]) -> Floats:
        """Inverse compositional alignment of each square with its pattern (Baker and Matthews 2004)."""
        solver, pattern = self._steps[which], self.patterns[which]
        start = affine
        for _ in range(STEPS):
            step = np.einsum("nis,ns->ni", solver, self._sample(grey, affine) - pattern).reshape(-1, 2, 3)
            change = np.clip(step, -0.5, 0.5)
            change[:, 0, 0] += 1
            change[:, 1, 1] += 1
            whole = np.zeros((len(affine), 3, 3), np.float32)
            whole[:, 2, 2] = 1
            whole[:, :2] = affine
            inverse = np.zeros_like(whole)
            inverse[:, 2, 2] = 1
            inverse[:, :2] = change
            affine = (whole @ np.linalg.inv(inverse))[:, :2]
        # An alignment that ran away has found nothing: keep where it began.
        moved = np.abs(affine[..., 2] - start[..., 2]).max(1)
        size = np.abs(np.linalg.det(start[..., :2])) ** 0.5
        grown = np.abs(np.linalg.det(affine[..., :2])) ** 0.5 / size
        lost = (moved > 2.0 * size) | (grown < 0.6) | (grown > 1.6) | ~np.isfinite(grown)
        return np.where(lost[:, None, None], start, affine).astype(np.float32)

    def _corners(self, affine: Floats, which: NDArray[np.int64]) -> Floats:
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * self.half
        corners = square @ affine[:, :, :2].transpose(0, 2, 1) + affine[:, None, :, 2]
        turns = which // len(self.ids)
        order = (np.arange(4) + turns[:, None]) % 4
        return np.take_along_axis(corners, order[..., None], 1).astype(np.float32)


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
