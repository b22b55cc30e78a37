"""From a map of way and rock to edges that are open and edges that are joined: plain geometry."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tunnels.layers import Floats

WIDE, HIGH = 28, 44
"""The map as it is worked on: a place every 2 mm."""
REACH = 4
"""How far from the middle of its edge a way may leave, in places: ways stray, cards lie askew."""
BAND = slice(1, 4)
"""The places within an edge that tell whether a way leaves there: the outermost may be a neighbour's."""
OPEN_FROM = 0.4
"""Log-odds of a way near the middle of an edge at which open and closed are equally likely."""
LEVELS = np.linspace(-6.0, 6.0, 25)
APART = -6.5
"""What two edges get that no level joins."""
JOINED_FROM = -2.0
"""Log-odds of the narrowest place of a way at which joined and apart are equally likely.

Ways narrow, and things lie on them; rock between two dead ends is rock all through.
"""


def evidence(ways: Floats) -> Floats:
    """(10,) log-odds from a map (22, 14): N, E, S, W open, then N-E, N-S, N-W, E-S, E-W, S-W joined.

    Two edges are as much joined as the best way between them is at its narrowest (the widest-path level).
    """
    fine = np.asarray(cv2.resize(ways, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR), np.float32)
    last = slice(-BAND.stop, -BAND.start)
    bands = (fine[BAND].mean(0), fine[:, last].mean(1), fine[last].mean(0), fine[:, BAND].mean(1))
    found = [_most(band, middle) for band, middle in zip(bands, (14, 22, 14, 22), strict=True)]
    (_, north), (_, east), (_, south), (_, west) = found
    mouths = ((2, north), (east, WIDE - 3), (HIGH - 3, south), (west, 2))
    return np.array(
        [*(level - OPEN_FROM for level, _ in found), *(_joins(fine, mouths) - JOINED_FROM)], np.float32
    )


def _most(band: Floats, middle: int) -> tuple[float, int]:
    """The highest mean over 6 mm near the middle of an edge, and where."""
    smooth = np.convolve(band, np.ones(3) / 3, "same")
    at = int(smooth[middle - REACH : middle + REACH].argmax()) + middle - REACH
    return float(smooth[at]), at


def _joins(fine: Floats, mouths: tuple[tuple[int, int], ...]) -> Floats:
    # The outermost places may be a neighbour's: ways do not run round a card's rim.
    inside = np.full_like(fine, -20)
    inside[1:-1, 1:-1] = fine[1:-1, 1:-1]
    levels = np.full(6, APART, np.float32)
    for level in LEVELS:
        _, labels = cv2.connectedComponents((inside >= level).astype(np.uint8), connectivity=4)
        at = [int(labels[mouth]) for mouth in mouths]
        joined = [at[one] == at[two] > 0 for one in range(4) for two in range(one + 1, 4)]
        if not any(joined):
            break
        levels[joined] = level
    return levels
