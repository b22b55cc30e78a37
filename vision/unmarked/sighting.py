"""A card somewhere in a picture, before anything is known of a grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision.plane import Reals
from vision.unmarked.growing import ROUGH_WORTH, Settled, drawn_in, settle
from vision.unmarked.judging import Witness, hear
from vision.unmarked.known import KnownFaces
from vision.unmarked.second import confirmed
from vision.unmarked.view import View

FLATTENED = (1.07, 0.85)
"""How much wider and less high than from above a card looks at a tilt of 37 degrees."""
GUESSES = 3
"""Cards that are tried one after the other in one place, each the likeliest where the one before settled."""
SURE = 1.0


@dataclass(frozen=True, eq=False)
class Sighting:
    """A card somewhere in the picture. Which way up the board runs is not known yet: its way is unturned."""

    settled: Settled
    witness: Witness


def sighting(known: KnownFaces, view: View, way: int, corners: Reals) -> Sighting | None:
    """What lies within about these corners (4, 2) in px, if it surely is a card; `way` is a guess at it."""
    unturned = np.array([index for index, one in enumerate(known.ways) if not one.turned])
    best: Sighting | None = None
    for outline in (corners, _flattened(corners)):
        guess = way
        for _ in range(GUESSES):
            settled = settle(known, view, drawn_in(known, view, outline, guess)[None], [guess], ROUGH_WORTH)[
                0
            ]
            # Parts of a card do not count: where nothing is known yet they are like anything.
            one = Sighting(settled, hear(known, settled, unturned, placed=False, parts=False))
            if best is None or one.witness.strength > best.witness.strength:
                best = one
            likeliest = int(unturned[settled.like[unturned].argmax()])
            if likeliest == guess:
                break
            guess, outline = likeliest, settled.corners
        if best is not None and best.witness.strength >= SURE:
            return best if confirmed(known, view, best.settled, best.witness) else None
    return None


def _flattened(corners: Reals) -> Reals:
    """The corners (4, 2) of a card as one sees it from low down: few features do not tell that it is so."""
    middle = corners.mean(0)
    return np.asarray(middle + (corners - middle) * FLATTENED, np.float64)


def seen_already(middle: Reals, sightings: Iterable[Sighting]) -> bool:
    """Whether a place (2,) in px lies well within a card that was sighted before."""
    return any(_within(middle, one.settled.corners) for one in sightings)


def _within(point: Reals, corners: Reals) -> bool:
    middle = corners.mean(0)
    return bool(np.hypot(*(point - middle)) < 0.3 * np.hypot(*(corners[0] - corners[2])))
