"""Cards found anywhere in a picture, without any grid: by small features of their art.

For a picture in which nothing else tells where the table is: no tags, nothing pointed out. Measured on 59
rendered pictures of a published deck (SIFT, 1280 x 720): every one has six cards or more with two features
that fit, the worst ones three with four.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alike import alike
from vision.deckbook import PX_PER_MM, Deck, Picture
from vision.plane import Reals
from vision.squares import Floats, Grey
from vision.unmarked.known import KnownFaces
from vision.unmarked.sighting import Sighting, seen_already, sighting
from vision.unmarked.view import View

KNOWN_SCALE = 1.5
"""px per mm at which features of the known pictures are taken: about what a camera sees of a table."""
KNOWN_SOFT = 1.0
"""Blur in px of these."""
LOOKS = ((960, 1.2), (1440, 0.8))
"""Longest side in px and blur in px of the picture in which features are looked for, and of that in which
they are if the first shows too few cards. Without a blur most features are a dim picture's noise, as slow as
it is useless; evening or stretching the contrast first halved what was found."""
MOST_PX, ABOUT_PX = 520, 40
"""Features are looked for in parts of a picture with no side longer, each with so much of what lies about it:
the whole of it, at all blurs at once, takes 250 MB."""
FEW = 4
CONTRAST = 0.02
SAMPLE, REPEATED, REPEATS = 250, 0.9, 0.03
"""A feature that is like so large a share of a sample of the picture's own is a table cloth's."""
DIMENSIONS = 40
"""Numbers that a feature's 128 are brought down to, by what varies among the known ones."""
PART_PX, MOST_EACH = 40, 12
"""Features that are compared: in each part of a picture so large at most so many, the strongest first. A
checked cloth has thousands, and all of them stronger than those of the cards."""
ALIKE = 0.75
"""Likeness of two features (cosine) from which on they may be the same."""
LIKE_EACH = 3
"""Known features that one of the picture may stand for: artists use a piece of rock twice."""
AT_ONCE = 128
"""Descriptors compared with all known ones at once: of all together the likenesses took 600 MB."""
TOGETHER_MM, TOGETHER_RAD, TOGETHER_SCALE = 14.0, 0.35, 0.35
"""How far two features of one card may differ in where, which way round and (logarithm) how large it is."""
VOTES = 2
TRIED = 24
"""Groups of features looked at closer, the largest first."""
WANTED = 8
"""Cards after which the search ends."""
SMALLEST, LARGEST = 0.35, 6.0
"""px per mm that a card may have."""


Box = tuple[int, int, int, int]


class Features:
    """The features of a deck's faces and of its goals' back."""

    def __init__(self, deck: Deck, known: KnownFaces) -> None:
        self._known = known
        self._sift = cv2.SIFT.create(contrastThreshold=CONTRAST)
        owners: list[int] = []
        places: list[tuple[float, float, float, float]] = []
        rows: list[Floats] = []
        for way, one in enumerate(known.ways):
            if one.turned:
                continue
            picture = deck.goal_back if one.face is None else deck.faces[one.face].picture
            points, descriptors = self._features(_at_scale(picture), KNOWN_SOFT)
            middle = np.array(known.card_mm) / 2
            for point in points:
                x, y = (np.array(point.pt) + 0.5) / KNOWN_SCALE - middle
                places.append((x, y, np.log(point.size / KNOWN_SCALE), np.radians(point.angle)))
            owners += [way] * len(points)
            rows.append(descriptors)
        self._owner = np.array(owners, np.int64)
        self._places = np.array(places).reshape(-1, 4)
        """(n, 4): mm right and down of the card's middle, logarithm of its size in mm, its angle."""
        whole = np.concatenate(rows)
        self._mean = whole.mean(0)
        axes = np.linalg.eigh((whole - self._mean).T @ (whole - self._mean))[1]
        self._axes = np.ascontiguousarray(axes[:, -DIMENSIONS:].T, np.float32)
        self._rows = self._few(whole)

    def _features(self, grey: Grey, blur: float) -> tuple[list[cv2.KeyPoint], Floats]:
        soft = cv2.GaussianBlur(grey, (0, 0), blur)
        points: list[cv2.KeyPoint] = []
        parts = []
        for box in _boxes(grey.shape[1], grey.shape[0]):
            found, descriptors = self._features_in(np.asarray(soft, np.uint8), box)
            points += found
            parts.append(descriptors)
        # Square roots, as distributions are compared (Arandjelovic and Zisserman 2012), of length 1.
        rows = np.concatenate(parts)
        return points, np.sqrt(rows / (rows.sum(1, keepdims=True) + 1e-6))

    def _features_in(self, soft: Grey, box: Box) -> tuple[list[cv2.KeyPoint], Floats]:
        """Those within left, top, right and bottom in px, seen with what lies about it."""
        left, top = max(0, box[0] - ABOUT_PX), max(0, box[1] - ABOUT_PX)
        part = soft[top : box[3] + ABOUT_PX, left : box[2] + ABOUT_PX]
        points, descriptors = self._sift.detectAndCompute(part, None)
        if descriptors is None or not len(points):
            return [], np.empty((0, 128), np.float32)
        places = np.array([point.pt for point in points]) + np.array((left, top))
        own = np.flatnonzero(((places >= box[:2]) & (places < box[2:])).all(1)).tolist()
        kept = [points[one] for one in own]
        for point, place in zip(kept, places[own].tolist(), strict=True):
            point.pt = place
        return kept, np.asarray(descriptors[own], np.float32)

    def _few(self, rows: Floats) -> Floats:
        """Descriptors (n, 128) brought down to what matters, of length 1."""
        few = alike(rows - self._mean, self._axes)
        return np.asarray(few / (np.linalg.norm(few, axis=1, keepdims=True) + 1e-6), np.float32)

    def sightings(self, view: View, before: Sequence[Sighting] = ()) -> list[Sighting]:
        """Cards that surely lie somewhere in a picture, not all of them; the most agreed on first.

        Those sighted `before` are not looked at again, and not among them.
        """
        found: list[Sighting] = []
        for side, blur in LOOKS:
            for way, corners in self._groups(view.grey, side, blur):
                seen = [*before, *found]
                if len(found) == WANTED or seen_already(corners.mean(0), seen):
                    continue
                one = sighting(self._known, view, way, corners)
                if one and not seen_already(one.settled.corners.mean(0), seen):
                    found.append(one)
            if len(found) >= FEW:
                break
        return found

    def _groups(self, grey: Grey, side: int, blur: float) -> list[tuple[int, Reals]]:
        """Ways with corners (4, 2) in px about where features say that they lie, the most agreed on first."""
        shrink = min(1.0, side / max(grey.shape))
        small = (
            cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
        )
        points, rows = self._features(np.asarray(small, np.uint8), blur)
        if not points:
            return []
        few = self._few(rows)
        some = few[:: max(1, len(few) // SAMPLE)]
        own = np.concatenate([(alike(part, some) >= REPEATED).mean(1) for part in _in_parts(few)])
        single = np.flatnonzero(own < REPEATS)
        kept = single[_spread([points[one] for one in single])]
        points, few = [points[one] for one in kept], few[kept]
        if not points:
            return []
        row, known = self._likest(few)
        seen = np.array([(*point.pt, point.size, point.angle) for point in points])[row]
        places = (seen[:, :2] + 0.5) / shrink - 0.5
        scale = np.log(seen[:, 2] / shrink) - self._places[known, 2]
        turn = np.radians(seen[:, 3]) - self._places[known, 3]
        reach = np.exp(scale + 1j * turn)
        middles = places @ (1, 1j) - self._places[known, :2] @ (1, 1j) * reach
        keep = (np.exp(scale) > SMALLEST) & (np.exp(scale) < LARGEST)
        return self._voted(known[keep], places[keep], middles[keep], scale[keep], turn[keep])

    def _likest(self, few: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each of some descriptors the LIKE_EACH likest known ones that are ALIKE: pairs of rows."""
        rows, known = [], []
        for number, part in enumerate(_in_parts(few)):
            like = alike(part, self._rows)
            first = np.argpartition(-like, LIKE_EACH, axis=1)[:, :LIKE_EACH]
            row, rank = np.nonzero(np.take_along_axis(like, first, 1) >= ALIKE)
            rows.append(row + number * AT_ONCE)
            known.append(first[row, rank])
        nothing = np.empty(0, np.int64)
        return np.concatenate([nothing, *rows]), np.concatenate([nothing, *known])

    def _voted(
        self,
        known: NDArray[np.int64],
        places: Reals,
        middles: NDArray[np.complex128],
        scale: Reals,
        turn: Reals,
    ) -> list[tuple[int, Reals]]:
        groups: list[tuple[int, int, Reals]] = []
        owner = self._owner[known]
        for way in np.unique(owner):
            mine = np.flatnonzero(owner == way)
            apart = np.abs(middles[mine][:, None] - middles[mine]) / np.exp(scale[mine])
            around = np.abs(np.angle(np.exp(1j * (turn[mine][:, None] - turn[mine]))))
            larger = np.abs(scale[mine][:, None] - scale[mine])
            agree = (apart < TOGETHER_MM) & (around < TOGETHER_RAD) & (larger < TOGETHER_SCALE)
            while len(mine):
                votes = agree.sum(1)
                most = int(votes.argmax())
                if votes[most] < VOTES:
                    break
                chosen = agree[most]
                corners = self._outline(
                    known[mine[chosen]],
                    places[mine[chosen]],
                    scale[mine[most]],
                    turn[mine[most]],
                    middles[mine[most]],
                )
                groups.append((int(votes[most]), int(way), corners))
                left = ~chosen
                mine, agree = mine[left], agree[left][:, left]
        groups.sort(key=lambda one: -one[0])
        return [(way, corners) for _, way, corners in groups[:TRIED]]

    def _outline(
        self, known: NDArray[np.int64], places: Reals, scale: float, turn: float, middle: complex
    ) -> Reals:
        """A card's corners (4, 2) in px by an affine fit to its features, held to what one of them says."""
        half = np.array(self._known.card_mm) / 2
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        spin = np.exp(scale + 1j * turn)
        first = np.array([(spin.real, -spin.imag), (spin.imag, spin.real)])
        origin = np.array([middle.real, middle.imag])
        mm = self._places[known, :2]
        off = places - (mm @ first.T + origin)
        rows = np.concatenate([mm, np.ones((len(mm), 1))], 1)
        # As if each corner of a square of 20 mm had been seen where that feature puts it.
        held = np.diag([4 * 20.0**2, 4 * 20.0**2, 1.0])
        change = np.linalg.solve(rows.T @ rows + held, rows.T @ off)
        return np.asarray(
            outline @ first.T + origin + np.concatenate([outline, np.ones((4, 1))], 1) @ change, np.float64
        )


def _spread(points: Sequence[cv2.KeyPoint]) -> list[int]:
    """The strongest features of every part of a picture."""
    held: dict[tuple[int, int], int] = {}
    kept = []
    for index in np.argsort([-point.response for point in points]).tolist():
        x, y = points[index].pt
        part = int(x // PART_PX), int(y // PART_PX)
        held[part] = held.get(part, 0) + 1
        if held[part] <= MOST_EACH:
            kept.append(index)
    return kept


def _at_scale(picture: Picture) -> Grey:
    shrink = KNOWN_SCALE / PX_PER_MM
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def _boxes(width: int, height: int) -> list[Box]:
    """A picture in as few parts of one size as have no side longer than MOST_PX: left, top, right, bottom."""
    across, down = -(-width // MOST_PX), -(-height // MOST_PX)
    columns, rows = (
        np.linspace(0, width, across + 1).astype(int),
        np.linspace(0, height, down + 1).astype(int),
    )
    return [
        (int(left), int(top), int(right), int(bottom))
        for top, bottom in pairwise(rows)
        for left, right in pairwise(columns)
    ]


def _in_parts(rows: Floats) -> list[Floats]:
    return [rows[begin : begin + AT_ONCE] for begin in range(0, len(rows), AT_ONCE)]
