"""What cards of this deck and this table look like in one picture: so that a bare table is no card.

Colours are all that is compared: checked cloth and grain have lines that run like ways, but seldom in the
colours of the cards that surely lie there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.tunnels.layers import Floats
from vision.tunnels.patch import Patch

BINS, LOW, HIGH = (12, 16, 16), np.array([0.0, -64.0, -64.0]), np.array([100.0, 64.0, 64.0])
"""Lightness and the two colour axes (Lab)."""
SOFT = 1.0
"""Blur of a histogram in bins: light changes from place to place."""
FEW = 3
"""Cards and places of the table from which on their looks are known."""


class Stuff:
    """The colours of cards and of the bare table."""

    def __init__(self, cards: Sequence[Patch], table: Sequence[Patch]) -> None:
        """`cards`: patches that surely show a face; `table`: patches that surely show none."""
        self._cards = np.array([_colours(one) for one in cards])
        self._table = np.array([_colours(one) for one in table])
        self.known = len(cards) >= FEW and len(table) >= FEW

    def strangeness(self, patch: Patch) -> float:
        """How far a patch is from cards, beside the table: -1 for a card's colours, 1 for the table's.

        0 when nothing is known of either.
        """
        if not self.known:
            return 0.0
        look = _colours(patch)
        to_card, to_table = (
            1 - float(np.sort(known @ look)[-FEW:].mean()) for known in (self._cards, self._table)
        )
        return (to_card - to_table) / max(to_card + to_table, 1e-6)


def _colours(patch: Patch) -> Floats:
    """Square roots of the shares of colours: the product of two is 1 for the same."""
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[2:-2, 2:-2].reshape(-1, 3)
    bins = ((lab - LOW) * (np.array(BINS) / (HIGH - LOW))).clip(0, np.array(BINS) - 1).astype(np.int64)
    index = (bins[:, 0] * BINS[1] + bins[:, 1]) * BINS[2] + bins[:, 2]
    soft = np.bincount(index, minlength=int(np.prod(BINS))).reshape(BINS).astype(np.float32)
    for axis in range(3):
        soft = np.moveaxis(soft, axis, 0)
        flat = soft.reshape(len(soft), -1)
        flat = np.asarray(
            cv2.GaussianBlur(flat, (1, 5), 0.01, sigmaY=SOFT, borderType=cv2.BORDER_REPLICATE), np.float32
        )
        soft = np.moveaxis(flat.reshape(soft.shape), 0, axis)
    root = np.sqrt(soft.ravel())
    return np.asarray(root / max(float(np.linalg.norm(root)), 1e-6), np.float32)
