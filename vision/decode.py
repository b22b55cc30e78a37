"""Which marker a dark square is, and where exactly: by likeness to every marker at once, not by bits.

A table seen whole at 1280 x 720 leaves a marker's module 2 to 3 px. Bits cut by a threshold fail there
(measured: 5 of 22 markers read); likeness of the whole square still tells ids apart, since any two
markers differ in at least 6 of 25 modules.
"""

from __future__ import annotations

import math
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
SHIFTS = np.array([(x, y) for x in (-0.8, 0.0, 0.8) for y in (-0.8, 0.0, 0.8)], np.float32)
"""How many modules beside where it should be a marker is looked for."""
LEAST_TOLD = 1e-5
"""Share of the largest below which a singular value of the patterns is but rounding: 26 are left of markers
of 5 x 5 modules."""
STEPS = 5
FARTHEST_OFF = 0.025
"""How far off one sample can pull, of all samples' length 1: what lies over a marker's edge pulls it away.

Of 2,700 markers of 60 hard rendered pictures 1,979 were told with it and 1,844 without; of 8,573 squares that
are none 297 and 527 were as like one as a marker that is looked for in its place must be.
"""
SETTLED = 0.03
"""Step in modules (and per module) below which a square lies as it should."""
EXACT, TOLD_LEAD = 0.01, 0.09
"""The same for the corners of a marker told with such a lead: 0.20 px off and not 0.26 (rms, 684 markers of
24 rendered pictures). Going on so far before it is told finds fewer."""
HOPELESS = 0.4
"""Likeness before alignment below which a square is no marker."""
RIMMED, ALIKE = 0.2, 0.55
"""Likeness to all markers' common rim, and to one of them, below which a dark shape's outline is none.

Of 2025 markers in 82 rendered pictures 8 had less; of 4232 other shapes two in three.
"""
PLAIN_LEAD = 0.16
UNLIKE = 0.5
"""Likeness after alignment below which aligning once more makes no marker of a square."""
FEW = 16
"""Tries at a place that are compared with every marker: those most like what all have in common."""
BEST = 3
"""Tries at a place that are aligned, the likeliest first."""
MOST, MOST_ASTRAY = 160, 400
"""Squares aligned in one picture, the likeliest first: a full table has 100, checked cloth thousands. Of
those that only may be about a marker, `faint` gives three for each of its places."""


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

    def __init__(
        self, dictionary: int | cv2.aruco.Dictionary, ids: Sequence[int], levelled: bool = False
    ) -> None:
        """`dictionary`: any, or the number of a predefined ArUco one; `ids`: those in use (at least two).

        `levelled`: whether the light's slope across a marker is taken out. Half in a shadow or in a lamp's
        glare one is told then; in even light a few less are, for what is left tells less.
        """
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
        self._slope = self.grid / np.linalg.norm(self.grid, axis=0) if levelled else None
        pattern = np.concatenate(patterns)
        centred = self._level(pattern - pattern.mean(1, keepdims=True))
        norm = np.linalg.norm(centred, axis=1, keepdims=True)
        self.patterns = (centred / norm).astype(np.float32)
        # A pattern is the sum of its modules' own, so that few numbers tell of a square what all of them do.
        across, size, down = np.linalg.svd(centred / norm, full_matrices=False)
        told = size > LEAST_TOLD * size[0]
        self._parts = np.asarray(across[:, told] * size[told], np.float32)
        self._directions = np.asarray(down[told], np.float32)
        rim = self.patterns.mean(0)
        self._rim = rim / np.linalg.norm(rim)
        rows = np.arange(side * side).reshape(side, side)
        self._sparse = rows[::2, ::2].ravel()
        self._steps = self._solvers(np.concatenate(slopes) / norm[..., None])

    def _solvers(self, slopes: NDArray[np.float64]) -> Floats:
        """For every pattern the matrix that makes an affine step of a difference in grey (6, samples)."""
        x, y = self.grid[:, 0], self.grid[:, 1]
        across, down = slopes[..., 0], slopes[..., 1]
        jacobian = np.stack([across * x, across * y, across, down * x, down * y, down], -1)
        jacobian = jacobian - jacobian.mean(1, keepdims=True)
        levelled = self._level(jacobian.transpose(0, 2, 1)).transpose(0, 2, 1)
        normal = np.einsum("nsi,nsj->nij", levelled, levelled)
        return np.linalg.solve(normal, levelled.transpose(0, 2, 1)).astype(np.float32)

    def _alike(self, samples: Floats) -> Floats:
        """Correlation (n, patterns) of squares' samples (n, samples) with every pattern."""
        return alike(alike(samples, self._directions), self._parts)

    def _level(self, samples: Floats) -> Floats:
        """Samples (..., samples) of mean 0, without the light's slope if that is taken out."""
        if self._slope is None:
            return samples
        along = np.einsum("...s,sk->...k", samples, self._slope)
        return np.asarray(samples - np.einsum("...k,sk->...s", along, self._slope), np.float32)

    def decode(self, grey: Grey, squares: Floats, outlined: bool = False) -> Decoded:
        """What each of the squares (n, 4, 2) in px is most like, and where that marker lies.

        `outlined`: whether the squares are outlines of dark shapes, which lie as exactly as a marker would.
        """
        starts = [_affine(squares, self.half, scale) for scale in SCALES]
        return self._decode(grey, squares, np.array(starts), 1, MOST, outlined)

    def decode_astray(self, grey: Grey, squares: Floats) -> Decoded:
        """The same of squares that are only about where a marker should be, up to a module off."""
        start = _affine(squares, self.half, 1.0)
        starts = np.repeat(start[None], len(SHIFTS), 0)
        starts[..., 2] += np.einsum("nij,kj->kni", start[..., :2], SHIFTS)
        return self._decode(grey, squares, starts, BEST, MOST_ASTRAY, False)

    def _decode(
        self, grey: Grey, squares: Floats, starts: Floats, kept: int, most_asked: int, outlined: bool
    ) -> Decoded:
        """What lies in n squares, of each of which k alignments may begin (k, n, 2, 3) and some are kept."""
        tried, n = starts.shape[:2]
        if not n:
            return Decoded(np.empty(0, np.int64), squares, np.empty(0, np.float32), np.empty(0, np.float32))
        starts = starts.reshape(-1, 2, 3)
        samples = self._sample(grey, starts)
        rimmed = np.einsum("ns,s->n", samples, self._rim)  # of this length `@` would wake threads: see alike
        asked = np.flatnonzero(rimmed >= RIMMED) if outlined else np.arange(len(samples))
        likeness = self._alike(samples[asked])
        most = np.full(len(starts), -1.0, np.float32)
        which = np.zeros(len(starts), np.int64)
        most[asked], which[asked] = likeness.max(1), likeness.argmax(1)
        by_square = most.reshape(tried, n)
        found, lead = by_square.max(0), np.zeros(n, np.float32)
        hopeful = np.argsort(-found)[:most_asked]
        hopeful = hopeful[found[hopeful] >= (ALIKE if outlined else HOPELESS)]
        ids = np.full(n, -1, np.int64)
        corners = squares.astype(np.float32)
        if len(hopeful):
            likeliest = np.argsort(-by_square[:, hopeful], axis=0)[:kept]
            chosen = (likeliest * n + hopeful).ravel()
            one = self._settle(grey, starts[chosen], which[chosen])
            plainest = (one.likeness + one.lead).reshape(kept, -1).argmax(0)
            rows = plainest * len(hopeful) + np.arange(len(hopeful))
            ids[hopeful], corners[hopeful] = one.ids[rows], one.corners[rows]
            found[hopeful], lead[hopeful] = one.likeness[rows], one.lead[rows]
        return Decoded(ids, corners, found, lead)

    def rimmed(self, grey: Grey, tries: Floats) -> Floats:
        """Likeness (n, k), about, of squares (n, k, 4, 2) in px to what all markers have in common, -1..1."""
        starts = _affine(tries.reshape(-1, 4, 2), self.half, 1.0)
        samples = _unit(_centred(grey, starts, self._places[self._sparse]))
        return np.asarray(np.einsum("ns,s->n", samples, self._rim[self._sparse]), np.float32).reshape(
            tries.shape[:2]
        )

    def common(self) -> Floats:
        """What all markers have in common (side, side), SAMPLES_PER_MODULE a module, with RIM about it."""
        side = round(math.sqrt(len(self._rim)))
        return np.asarray(self._rim.reshape(side, side), np.float32)

    def decode_about(self, grey: Grey, tries: Floats, allowed: NDArray[np.bool_]) -> InSight:
        """Which of the patterns allowed lies at each of some places, and where.

        `tries` (n, k, 4, 2): for each place squares in px, top-left corner first, of which one may lie a
        module off the marker's own; `allowed` (n, 4 ids): which patterns may be there, all ids not turned
        first, then all a quarter turn on, and so on.
        """
        n, tried = len(tries), min(FEW, tries.shape[1])
        kept = min(BEST, tried)
        few = np.argpartition(-self.rimmed(grey, tries), tried - 1, axis=1)[:, :tried]
        squares = np.take_along_axis(tries, few[:, :, None, None], 1).reshape(-1, 4, 2)
        starts = _affine(squares, self.half, 1.0)
        samples = self._sample(grey, starts)
        likeness = self._alike(samples)
        likeness[~np.repeat(allowed, tried, 0)] = -1
        most = likeness.max(1).reshape(n, tried)
        rows = (np.argsort(-most, axis=1)[:, :kept] + tried * np.arange(n)[:, None]).ravel()
        refined = self._refine(grey, starts[rows], likeness[rows].argmax(1))
        all_told = self._alike(self._sample(grey, refined))
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
        likeness = self._alike(self._sample(grey, affine))
        # Those that turned out to be another, or are not plain yet, are aligned once more.
        best, lead = self._lead(likeness)
        unsure = np.flatnonzero(((likeness.argmax(1) != which) | (lead < PLAIN_LEAD)) & (best > UNLIKE))
        which = likeness.argmax(1)
        if len(unsure):
            affine[unsure] = self._refine(grey, affine[unsure], which[unsure])
            likeness[unsure] = self._alike(self._sample(grey, affine[unsure]))
            which = likeness.argmax(1)
            best, lead = self._lead(likeness)
        told = np.flatnonzero(lead >= TOLD_LEAD)
        if len(told):
            affine[told] = self._refine(grey, affine[told], which[told], EXACT)
        return Decoded(self.ids[which % len(self.ids)], self._corners(affine, which), best, lead)

    def _lead(self, likeness: Floats) -> tuple[Floats, Floats]:
        """The best likeness of each row, and by how much it leads before any other id."""
        by_id = likeness.reshape(len(likeness), 4, len(self.ids)).max(1)
        top = np.partition(by_id, -2, axis=1)[:, -2:]
        return top[:, 1], top[:, 1] - top[:, 0]

    def _sample(self, grey: Grey, affine: Floats) -> Floats:
        """Grey at every sample of every square, each square's brightness and contrast taken out."""
        return _unit(self._level(_centred(grey, affine, self._places)))

    def _refine(self, grey: Grey, start: Floats, which: Rows, settled: float = SETTLED) -> Floats:
        """Inverse compositional alignment of each square with its pattern (Baker and Matthews 2004)."""
        affine = start.copy()
        moving = np.arange(len(start))
        for _ in range(STEPS):
            off = self._sample(grey, affine[moving]) - self.patterns[which[moving]]
            np.clip(off, -FARTHEST_OFF, FARTHEST_OFF, out=off)
            step = np.matmul(self._steps[which[moving]], off[..., None]).reshape(-1, 2, 3)
            step = np.clip(step, -0.5, 0.5)
            affine[moving] = _undone(affine[moving], step)
            moving = moving[np.abs(step).max((1, 2)) > settled]
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


def _centred(grey: Grey, affine: Floats, places: Floats) -> Floats:
    """Grey at places (k, 3) of every square (n, 2, 3), less each one's mean: (n, k)."""
    across, down = (alike(affine[:, axis], places) for axis in (0, 1))
    values = cv2.remap(grey, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    samples = values.astype(np.float32)
    samples -= np.add.reduce(samples, 1, keepdims=True) / np.float32(samples.shape[1])
    return samples


def _unit(samples: Floats) -> Floats:
    """Samples (n, k), each row brought to length 1."""
    length = np.sqrt(np.einsum("ns,ns->n", samples, samples))[:, None] + np.float32(1e-3)
    return np.asarray(samples / length, np.float32)


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
