"""Which card lies in a settled outline, or none that can be told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.unmarked.growing import Settled
from vision.unmarked.known import KnownFaces

LIKE, CLEAR, APART = 0.5, 0.4, 0.15
"""What a card surely has at least. On 31 rendered pictures places without it (bare table, other cards, bad
alignment) reached 0.42, 0.27 and 0.18, and cards in plain sight had 0.7, 0.6 and 0.2 at least."""
FAR_APART = 0.25
"""Shown so strongly, it is clear enough in the worst blur as well."""
TWINS = 0.02
"""Two faces whose pictures differ by less than this share are taken to differ by it."""


@dataclass(frozen=True, eq=False)
class Witness:
    """How like a settled outline is to one way, and to all that mean something else for play."""

    way: int
    like: float
    """Likeness of the whole, -1..1."""
    clear: float
    """How far from any other way to this one the picture lies: about 1 for this, 0 for halfway."""
    apart: float
    """How strongly the picture shows what tells it from the nearest other way, in likeness."""

    @property
    def strength(self) -> float:
        """1 and more for a card that surely lies there."""
        clear = max(self.clear / CLEAR, self.apart / FAR_APART)
        return min(self.like / LIKE, clear, self.apart / APART)


def hear(known: KnownFaces, settled: Settled, ways: NDArray[np.int64], placed: bool = True) -> Witness:
    """What an outline says of that one of some ways that it is most like.

    `placed`: whether it is known in which cell it lies. If not, cards of another kind are other cards even if
    they mean the same: the start card is much like a crossing.
    """
    way = int(ways[settled.like[ways].argmax()])
    same = known.same[way] if placed else known.same[way] & known.same_kind[way]
    others = np.flatnonzero(~same)
    lead = settled.like[way] - settled.like[others]
    differ = 1 - known.between[way, others]
    return Witness(
        way,
        float(settled.like[way]),
        float((lead / (differ + TWINS)).min()),
        float((lead / np.sqrt(2 * differ + TWINS / 2)).min()),
    )
