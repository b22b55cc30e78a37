"""Cards that lie apart from others, by their outlines: goals before all, wherever they are and however dim.

What small features find is the maze, at one end of the table, and a plane by it alone is a poor one at the
other end. Goals lie there, each by itself.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.outlines import four_sided, masks
from vision.pictures import Image
from vision.plane import Reals
from vision.unmarked.growing import drawn_in
from vision.unmarked.known import KnownFaces
from vision.unmarked.sighting import Sighting, seen_already, sighting
from vision.unmarked.view import View

LOOK_PX = 960
"""Longest side of the picture in which outlines are looked for."""
SHARES = (0.0012, 0.05)
"""Of the picture that a card takes up, when it shows a whole table: 45 cells and their surroundings."""
ASPECT = (0.3, 0.98)
"""One side by the other of a card as seen from a low camera."""
SAME_PX = 4.0
"""Outlines nearer than that to one another are one."""
MOST = 120
"""Outlines that are compared with the cards: a checked cloth has hundreds."""
TRIED, LIKELIEST = 24, 2
"""Outlines that are looked at closer, the likeliest first, and cards that each is compared with then."""
WORTH = 0.35
"""Rough likeness from which on one is looked at closer still."""


def apart(known: KnownFaces, view: View) -> list[Sighting]:
    """Cards that surely lie by themselves in a picture, the likeliest first."""
    quads = _outlines(view.image)
    if not quads:
        return []
    # A card has its short sides above and below, though they may look the longer ones from the side.
    turned = np.array([np.roll(quad, -turn, 0) for quad in quads for turn in range(4)])
    unturned = np.array([index for index, one in enumerate(known.ways) if not one.turned])
    like = known.like_roughly(view.patches(turned))[:, unturned].reshape(len(quads), -1)
    backs = np.flatnonzero([known.ways[way].face is None for way in unturned])
    found: list[Sighting] = []
    for row in np.argsort(-like.max(1))[:TRIED]:
        if seen_already(quads[row].mean(0), found):
            continue
        # A back is often plain, and so like nothing before its outline is right.
        pairs = np.argsort(-like[row])[:LIKELIEST].tolist()
        pairs += [turn * len(unturned) + int(back) for turn in range(4) for back in backs]
        guesses = []
        for pair in pairs:
            turn, which = divmod(pair, len(unturned))
            way = int(unturned[which])
            corners = drawn_in(known, view, turned[4 * row + turn], way)
            patch = view.patches(corners[None])
            guesses.append((float(known.like_roughly(patch)[0, way]), way, corners))
        best, way, corners = max(guesses, key=lambda one: one[0])
        one = sighting(known, view, way, corners) if best >= WORTH else None
        if one and not seen_already(one.settled.corners.mean(0), found):
            found.append(one)
    return found


def _outlines(image: Image) -> list[Reals]:
    """Four-sided things (4, 2) in px about as large as cards, clockwise, each once."""
    shrink = min(1.0, LOOK_PX / max(image.shape[:2]))
    small = (
        cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image
    )
    least, most = (share * small.shape[0] * small.shape[1] for share in SHARES)
    found: list[Reals] = []
    for mask in masks(np.asarray(small, np.uint8)):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if len(found) == MOST or not least < cv2.contourArea(contour) < most:
                continue
            quad = four_sided(np.asarray(contour), ASPECT)
            if quad is None:
                continue
            quad = _clockwise((quad + 0.5) / shrink - 0.5)
            if all(_far(quad, other) > SAME_PX for other in found):
                found.append(quad)
    return found


def _clockwise(quad: Reals) -> Reals:
    """Clockwise as one sees it, the corner nearest to the picture's own first."""
    x, y = quad.T
    if float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) < 0:
        quad = quad[::-1]
    return np.roll(quad, -int(quad.sum(1).argmin()), 0)


def _far(quad: Reals, other: Reals) -> float:
    return float(np.abs(quad - other).max())
