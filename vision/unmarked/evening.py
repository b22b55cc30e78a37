"""Lamp, shade and glare taken out of grey patches, and their contrast reckoned, whole or in parts."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.squares import Floats, Grey

PLAIN = 6.0
"""Contrast in grey levels below which a neighbourhood is plain, not texture."""
PLAIN_SHARE = 0.4
"""The same as a share of the contrast of a whole card: dark rock beside a bright way is plain, whatever its
grain, since in a dim picture nothing of it is left but noise."""
RIM = 0.1
"""Share of a card's width, all round, that does not count for its contrast."""
FLAT = 0.25
"""Contrast after evening, as a share of usual texture, that a patch is taken to have at least."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over every block of some patches: enough to tell their contrast in any choice of blocks."""

    count: NDArray[np.int64]
    """(blocks,): pixels."""
    first: Floats
    """(n, blocks): sums."""
    second: Floats
    """(n, blocks): sums of squares."""

    @classmethod
    def of(cls, rows: Floats, starts: NDArray[np.int64]) -> Moments:
        """Of rows (n, pixels) whose blocks begin at `starts`."""
        count = np.diff(starts, append=rows.shape[1])
        return cls(count, np.add.reduceat(rows, starts, 1), np.add.reduceat(rows * rows, starts, 1))

    def only(self, row: int) -> Moments:
        """Of one row alone, (1, blocks)."""
        return Moments(self.count, self.first[row : row + 1], self.second[row : row + 1])

    def joined(self, blocks: NDArray[np.bool_]) -> Moments:
        """Of the chosen blocks as one, (n, 1)."""
        first, second = (part[:, blocks].sum(1, keepdims=True) for part in (self.first, self.second))
        return Moments(self.count[blocks].sum(keepdims=True), first, second)

    @property
    def length(self) -> Floats:
        """(n, blocks): as in `length`."""
        return spread_length(self.count, self.first, self.second)


def unit(rows: Floats) -> Floats:
    """Rows (n, k) centred and brought to length 1; rows of little contrast stay shorter."""
    centred = rows - rows.mean(1, keepdims=True)
    return np.asarray(centred / length(rows)[:, None], np.float32)


def length(rows: Floats) -> Floats:
    """Length (n,) of rows (n, k) once centred; rows of little contrast are taken to be longer."""
    return spread_length(rows.shape[1], rows.sum(1), np.einsum("nk,nk->n", rows, rows))


def spread_length(count: int | NDArray[np.int64], first: Floats, second: Floats) -> Floats:
    """`length` of what has so many numbers, by their sum and the sum of their squares."""
    return np.asarray(np.sqrt(np.maximum(second - first * first / count, FLAT**2 * count)), np.float32)


def even(grey: Grey, near: float, around: float | None = None) -> Floats:
    """Each pixel against the mean and contrast of its neighbourhood, `near` px to each side.

    What is plain is told by the contrast within `around` px to each side, or by that of the whole card but
    its rim, where a bright one that lies a little elsewhere shows the table.
    """
    mean, spread = _mean_and_spread(grey, near)
    if around is None:
        rim = round(RIM * grey.shape[1])
        whole = float(cv2.meanStdDev(grey[rim:-rim, rim:-rim])[1][0, 0])
        spread += max(whole * whole * PLAIN_SHARE**2, PLAIN**2)
    else:
        plain = _mean_and_spread(grey, around)[1]
        plain *= PLAIN_SHARE**2
        spread += np.maximum(plain, PLAIN**2, out=plain)
    np.sqrt(spread, out=spread)
    np.subtract(grey, mean, out=mean)
    mean /= spread
    return mean


def _mean_and_spread(grey: Grey, near: float) -> tuple[Floats, Floats]:
    side = 2 * round(near) + 1, 2 * round(near) + 1
    reflect = cv2.BORDER_REFLECT
    mean = np.asarray(cv2.boxFilter(grey, cv2.CV_32F, side, borderType=reflect), np.float32)
    spread = np.asarray(cv2.sqrBoxFilter(grey, cv2.CV_32F, side, borderType=reflect), np.float32)
    spread -= mean * mean
    return mean, np.maximum(spread, 0, out=spread)


def halved(evened: Floats) -> Floats:
    """An evened picture at half its size."""
    height, width = evened.shape
    return np.asarray(cv2.resize(evened, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.float32)
