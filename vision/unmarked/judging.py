"""Which card lies in a settled outline, or none that can be told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.squares import Floats
from vision.unmarked.growing import Settled
from vision.unmarked.known import KnownFaces

LIKE, CLEAR, APART = 0.5, 0.4, 0.15
"""What a card surely has at least. On 31 rendered pictures places without it (bare table, other cards, bad
alignment) reached 0.42, 0.27 and 0.18, and cards in plain sight had 0.7, 0.6 and 0.2 at least."""
FAR_APART = 0.25
"""Shown so strongly, it is clear enough in the worst blur as well."""
LIKELIEST = 2
"""Ways that a card partly covered may be: with a hand over it another may be more like the whole."""
LEAST = 0.36
"""Likeness of the whole from which on it pays to look at the parts by themselves."""
PART_LIKE, MOST_PARTS = 0.35, 0.5
"""What a part in sight has at least, and the share of them that must be in sight."""
COVERED_LIKE, COVERED_CLEAR = 0.68, 0.54
"""What these have together: parts of other things, chosen so, reached 0.65 and 0.46."""
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


def hear(
    known: KnownFaces, settled: Settled, ways: NDArray[np.int64], placed: bool = True, parts: bool = True
) -> Witness:
    """What an outline says of that one of some ways that it is most like.

    `placed`: whether it is known in which cell it lies. If not, cards of another kind are other cards even if
    they mean the same: the start card is much like a crossing. `parts`: whether it may be partly covered.
    """
    like = settled.like
    likeliest = [int(way) for way in ways[np.argsort(-like[ways])[:LIKELIEST]]]
    told = []
    for way in likeliest:
        same = known.same[way] if placed else known.same[way] & known.same_kind[way]
        others = np.flatnonzero(~same)
        lead = like[way] - like[others]
        told.append(Witness(way, float(like[way]), *_told(lead, 1 - known.between[way, others])))
        if not parts or told[0].strength >= 1 or like[way] < LEAST:
            break
        rest = _uncovered(known, settled, way, others)
        if rest is not None:
            return rest
    return told[0]


def _told(lead: Floats, differ: Floats) -> tuple[float, float]:
    """How clear and how far apart a way is from others that are less like by `lead` and `differ` so much."""
    clear = (lead / (differ + TWINS)).min()
    return float(clear), float((lead / np.sqrt(2 * differ + TWINS / 2)).min())


def _uncovered(known: KnownFaces, settled: Settled, way: int, others: NDArray[np.int64]) -> Witness | None:
    """The same of those parts of the card alone that are like this way; None when they are too few.

    What was chosen for being like it is like it: so more is asked of it, and it is never told for sure.
    """
    kept = known.parts_like(settled.patch, way) >= PART_LIKE
    if np.count_nonzero(kept) < MOST_PARTS * len(kept):
        return None
    like, between = known.like_in(kept, settled.patch, way)
    clear, apart = _told(like[way] - like[others], 1 - between[others])
    sure = float(like[way]) >= COVERED_LIKE and clear >= COVERED_CLEAR and apart >= FAR_APART
    return Witness(way, LIKE, CLEAR, APART) if sure else None
